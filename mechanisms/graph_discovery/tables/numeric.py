"""Numeric columns in [−1, 1], as kernel ridge regression and its sensitivities assume."""

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import UsageError
from provado.mechanisms.definitions.relation import counted
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
                f"column {name!r} has {counted(numbers.size, 'row')}: the ones before it have "
                f"{mapped[0].size}"
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
