"""Numeric columns in [−1, 1], as kernel ridge regression and its sensitivities assume.

**Subsampling in Priv-PC: the sieve's own ε, and how large a subset adds the least noise.** Source:
Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020),
Algorithms 1 and 2, and section 3.2.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import UsageError, natural, positive
from provado.mechanisms.regression.kernel_ridge import scale_to_unit


@dataclass(frozen=True, eq=False)
class NumericTable:
    """Rows of numeric columns.

    names: of the d columns. values: shape (d, n), each in [−1, 1], n ≥ 2; read-only. Raises
    ``UsageError`` for anything else.
    """

    names: tuple[str, ...]
    values: NDArray[np.float64]

    def __post_init__(self) -> None:
        own = np.array(self.values, dtype=np.float64)
        if own.ndim != 2 or own.shape[0] != len(self.names) or own.shape[1] < 2:
            raise UsageError(
                f"values has shape {own.shape} for {len(self.names)} names: it must be (d, n) with "
                "d names and n ≥ 2"
            )
        if not own.shape[0] or len(set(self.names)) < own.shape[0]:
            raise UsageError(f"names is {self.names!r}: at least one is needed, each once")
        # Written so that NaN counts as outside.
        outside = np.argwhere(~(np.abs(own) <= 1))
        if outside.size:
            column, row = map(int, outside[0])
            raise UsageError(
                f"column {self.names[column]!r} holds {float(own[column, row])!r}: values must lie "
                "in [-1, 1]; use numeric_columns"
            )
        own.setflags(write=False)
        object.__setattr__(self, "values", own)

    @property
    def n(self) -> int:
        """How many records there are."""
        return int(self.values.shape[1])


def numeric_columns(
    columns: Mapping[str, ArrayLike], *, ranges: Mapping[str, tuple[float, float]] | None = None
) -> NumericTable:
    """Return columns of numbers mapped linearly to [−1, 1].

    columns: values by the column's name, all of one length, at least two rows.
    ranges: for each column the lowest and the highest value, known without the data; what lies
        outside is clipped. A private method relies on it. A column without a range is mapped by
        its own least and largest value: then one record moves all others, and no sensitivity
        stated for the mapped data holds for the data.

    Raises ``UsageError`` for no columns or rows, lengths that differ, text, NaN or infinity, a
    range whose ends are not in order, a range of no column, and a constant column without a range.
    A constant column within a declared range is kept: to refuse it would tell of the data.
    """
    if not columns:
        raise UsageError("columns is empty: at least one column is needed")
    known = ranges or {}
    strange = [name for name in known if name not in columns]
    if strange:
        raise UsageError(f"ranges names {strange[0]!r}: it is not among the columns")
    mapped: list[NDArray[np.float64]] = []
    for name, values in columns.items():
        numbers = _numbers(name, values)
        if mapped and numbers.size != mapped[0].size:
            raise UsageError(
                f"column {name!r} has {numbers.size} rows: the ones before it have {mapped[0].size}"
            )
        mapped.append(_mapped(name, numbers, known.get(name)))
    return NumericTable(tuple(columns), np.array(mapped))


def _numbers(name: str, values: ArrayLike) -> NDArray[np.float64]:
    given: Any = np.asarray(values)
    if given.dtype.kind not in "biuf":
        # From the values themselves: an array would have turned numbers beside text into text.
        listed = np.array(values, dtype=object)
        text = [v for v in listed.ravel() if not isinstance(v, Real)]
        if text:
            raise UsageError(f"column {name!r} holds {text[0]!r}: it must hold numbers only")
        given = listed
    try:
        numbers: NDArray[np.float64] = given.astype(np.float64)
    except OverflowError as error:
        raise UsageError(f"column {name!r} holds a number beyond the largest float") from error
    if numbers.ndim != 1 or numbers.size < 2:
        raise UsageError(
            f"column {name!r} has shape {numbers.shape}: it must be a vector of at least two rows"
        )
    missing = np.flatnonzero(~np.isfinite(numbers))
    if missing.size:
        raise UsageError(
            f"column {name!r} holds {float(numbers[missing[0]])!r} in row {int(missing[0])}: it "
            "must hold finite numbers only"
        )
    return numbers


def _mapped(
    name: str, numbers: NDArray[np.float64], known: tuple[float, float] | None
) -> NDArray[np.float64]:
    low, high = (float(numbers.min()), float(numbers.max())) if known is None else known
    if known is None and low == high:
        raise UsageError(f"column {name!r} is constant at {low!r}: leave it out")
    try:
        return scale_to_unit(numbers, low, high)
    except UsageError as error:
        raise UsageError(f"range of column {name!r}: {error}") from error


BEST_SIEVE_EPSILON = 1.5936242600400401
"""s > 0 with s = 2(1 − e^(−s)), that is 2 + W(−2e^(−2)): ε′ at the optimal subset."""

SMALLEST_SHARE = 1 / 20
"""Below this share of the records no subset is taken."""


def sieve_epsilon(epsilon: float, n: int, m: int) -> float:
    """Return ε′ = ln((n/m)(e^(ε/2) − 1) + 1), at which the sieve on m of n records costs ε/2.

    Guarantee: an ε′-DP mechanism on a uniform subset of m of n records, drawn without replacement,
    is ε/2-DP under replacement of one record (the ledger's ``wang2020/thm1-algorithm1``). Source:
    Algorithm 1, line 3. Raises ``UsageError`` unless 1 ≤ m ≤ n, and for ε that is not above 0 or so
    large (some 1,400) that ε′ is not representable.
    """
    if natural(m, "m") > natural(n, "n"):
        raise UsageError(f"m is {m!r}: a subset of {n} records has at most {n}")
    within = math.log1p(n / m * _odds(epsilon))
    if math.isinf(within):
        raise UsageError(f"epsilon is {epsilon!r}: (n/m)·e^(ε/2) is not representable")
    return within


def optimal_share(epsilon: float) -> float:
    """Return the share m/n in [1/20, 1] that minimises √(n/m)/ε′, the noise of the sieve.

    That is for a sensitivity that grows as 1/√m. The noise falls, then rises as m grows, so that
    clipping the free optimum (e^(ε/2) − 1)/(e^s − 1), s = ``BEST_SIEVE_EPSILON``, is right. For a
    sensitivity that grows as 1/m the noise (n/m)/ε′ only falls as m grows: the best share is 1.

    Source: section 3.2, whose formula the extracted text lost; the ledger's
    ``wang2020/subsample-size``. Raises ``UsageError`` as ``sieve_epsilon`` does for ε.
    """
    free = _odds(epsilon) / math.expm1(BEST_SIEVE_EPSILON)
    return min(1.0, max(SMALLEST_SHARE, free))


def _odds(epsilon: float) -> float:
    """Return e^(ε/2) − 1."""
    try:
        return math.expm1(positive(epsilon, "epsilon") / 2)
    except OverflowError:
        raise UsageError(f"epsilon is {epsilon!r}: e^(ε/2) is not representable") from None
