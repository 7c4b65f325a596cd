"""Mechanisms of the catalogue as plain functions: those whose distribution can be written so.

Each is held against the catalogue's own code: its verdict, its distribution, and what an audit
certifies. Data on a grid are counted in steps of 2⁻¹⁰, so that they and their noise are whole.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks import prove_rows as rows
from provado.mechanisms import Mechanism
from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.programs import bernoulli, discrete_laplace, integers, laplace, output
from provado.mechanisms.textbook.rappor import bloom_filter

STEP = 1024
"""Steps of the grid in 1."""


def count(x: int, epsilon):
    output(x + discrete_laplace(1 / epsilon))


def steps(x: int, epsilon):
    output(x + discrete_laplace(1024 / epsilon))


def steps_wrong_scale(x: int, epsilon):
    output(x + discrete_laplace(512 / epsilon))


def histogram(q: list[int], epsilon):
    for x in q:
        output(x + discrete_laplace(1024 / epsilon))


def histogram_wrong_scale(q: list[int], epsilon):
    for x in q:
        output(x + discrete_laplace(1024 * epsilon))


def noisy_sum(q: list[int], epsilon):
    total = 0
    for x in q:
        total += x
    output(total + discrete_laplace(1024 / epsilon))


def prefix_sum(q: list[int], epsilon):
    total = 0
    for x in q:
        total += x + discrete_laplace(1024 / epsilon)
        output(total)


def response(x: int, epsilon):
    if bernoulli(math.exp(epsilon) / (math.exp(epsilon) + 1)):
        output(x)
    else:
        output(1 - x)


def response_of_ten(x: int, epsilon):
    if bernoulli(math.exp(epsilon) / (math.exp(epsilon) + 9)):
        output(x)
    else:
        other = integers(9)
        if other >= x:
            other += 1
        output(other)


def exponential_of_three(q, epsilon):
    # Scores are 0 or 1; a score of 1 weighs e^(ε/2) where one of 0 weighs 1.
    if q[0] == q[1] and q[1] == q[2]:
        output(integers(3))
    elif q[0] + q[1] + q[2] == 1:
        if bernoulli(math.exp(epsilon / 2) / (math.exp(epsilon / 2) + 2)):
            output(0 if q[0] == 1 else 1 if q[1] == 1 else 2)
        elif bernoulli(1 / 2):
            output(1 if q[0] == 1 else 0)
        else:
            output(1 if q[2] == 1 else 2)
    elif bernoulli(1 / (2 * math.exp(epsilon / 2) + 1)):
        output(0 if q[0] == 0 else 1 if q[1] == 0 else 2)
    elif bernoulli(1 / 2):
        output(1 if q[0] == 0 else 0)
    else:
        output(1 if q[2] == 0 else 2)


def numeric_sparse(q, epsilon, threshold, count: int):
    noisy_threshold = threshold + laplace(9 * count / (4 * epsilon))
    found = 0
    for x in q:
        if x + laplace(9 * count / (2 * epsilon)) >= noisy_threshold:
            output(x + laplace(9 * count / epsilon))
            found += 1
            if found >= count:
                break
        else:
            output(False)


def numeric_sparse_reusing_noise(q, epsilon, threshold, count: int):
    noisy_threshold = threshold + laplace(2 * count / epsilon)
    found = 0
    for x in q:
        noisy = x + laplace(4 * count / epsilon)
        if noisy >= noisy_threshold:
            output(noisy)
            found += 1
            if found >= count:
                break
        else:
            output(False)


# What is said of them. ------------------------------------------------------------------------


def _same(data: Any) -> Any:
    return data


def _in_steps(data: Any) -> Any:
    return round(data * STEP) if np.ndim(data) == 0 else [round(v * STEP) for v in data]


def _filter(data: Any) -> Any:
    return [int(b) for b in bloom_filter(data[0], k=20, h=4)]


def _number(outputs: Any) -> list[Any]:
    return [(v,) for v in np.asarray(outputs).tolist()]


def _vector(outputs: Any) -> list[Any]:
    return [tuple(v) for v in np.asarray(outputs).tolist()]


def _number_in_steps(outputs: Any) -> list[Any]:
    return [(round(v * STEP),) for v in np.asarray(outputs).tolist()]


def _vector_in_steps(outputs: Any) -> list[Any]:
    return [tuple(round(v * STEP) for v in row) for row in np.asarray(outputs).tolist()]


def _asked(outputs: Any) -> list[Any]:
    """Return patterns without what was not asked any more, numbers for ⊤ and False for ⊥."""
    found = []
    for row in np.asarray(outputs).tolist():
        kept = [v for v in row if v != -1 and v != math.inf]
        found.append(tuple(False if math.isnan(v) else v for v in kept))
    return found


@dataclass(frozen=True)
class Entry:
    """A mechanism of the catalogue as a program.

    name: the catalogue's. claim: its ε, where it is not the parameter's value: an expression for
    ``decide``. pair: instead of the catalogue's first. epsilon: the value of the parameter with
    which the program is the catalogue's; other ``parameters`` beside. finite: what ``decide`` is
    told of finite data. data: the catalogue's data as the program's; told: the catalogue's outputs
    as what the program tells.
    """

    name: str
    program: Callable[..., Any]
    epsilon: float
    neighbors: str = "all"
    claim: str | None = None
    sensitivity: int = 1
    parameters: Mapping[str, float] = field(default_factory=dict)
    finite: Mapping[str, Any] = field(default_factory=dict)
    data: Callable[[Any], Any] = _same
    told: Callable[[Any], list[Any]] = _number
    pair: tuple[Any, Any] | None = None

    @property
    def mechanism(self) -> Mechanism:
        """The catalogue's."""
        return next(one for one in catalogue() if one.name == self.name)

    def given(self) -> dict[str, float]:
        """Return all parameters with which the program is the catalogue's."""
        names = self.program.__code__.co_varnames[: self.program.__code__.co_argcount]
        return dict(self.parameters) | ({"epsilon": self.epsilon} if "epsilon" in names else {})

    def neighbors_of(self) -> tuple[Any, Any]:
        """Return the pair of the catalogue on which an audit looks first, or another."""
        return self.pair or self.mechanism.pairs[0]


_SCORES = tuple(itertools.product((0, 1), repeat=3))
_THREE = {"pairs": tuple(itertools.combinations(_SCORES, 2))}
_FILTERS = {"pairs": (((1,) * 4 + (0,) * 4, (0,) * 4 + (1,) * 4),)}
_ONE = {"threshold": 0.5, "count": 1}
_AT_1 = {"threshold": 1.0, "count": 1}
_COUNTS = tuple(((k,), (k + 1,)) for k in range(5))

ENTRIES = (
    Entry("discrete-laplace/count", count, 1.0),
    *(
        Entry(
            f"laplace/grid-{e:g}", steps, e, sensitivity=STEP, data=_in_steps, told=_number_in_steps
        )
        for e in (0.1, 1.0, 3.0)
    ),
    Entry(
        "twin/laplace-wrong-scale",
        steps_wrong_scale,
        0.1,
        sensitivity=STEP,
        data=_in_steps,
        told=_number_in_steps,
    ),
    Entry(
        "histogram/laplace",
        histogram,
        0.5,
        "one",
        sensitivity=STEP,
        data=_in_steps,
        told=_vector_in_steps,
    ),
    Entry(
        "twin/histogram-wrong-scale",
        histogram_wrong_scale,
        0.5,
        "one",
        sensitivity=STEP,
        data=_in_steps,
        told=_vector_in_steps,
    ),
    Entry(
        "noisy-sum/laplace",
        noisy_sum,
        0.5,
        "one",
        sensitivity=STEP,
        data=_in_steps,
        told=_number_in_steps,
    ),
    Entry(
        "prefix-sum/laplace",
        prefix_sum,
        1.0,
        "one",
        sensitivity=STEP,
        data=_in_steps,
        told=_vector_in_steps,
    ),
    Entry("noisy-max/laplace", rows.noisy_max_laplace, 0.5),
    Entry("noisy-max/exponential", rows.noisy_max_exponential, 0.5),
    Entry("permute-and-flip/five-options", rows.noisy_max_exponential, 1.0),
    Entry("twin/noisy-max-value-laplace", rows.noisy_max_value_laplace, 0.5),
    Entry("twin/noisy-max-value-exponential", rows.noisy_max_value_exponential, 0.5),
    Entry("randomized-response/binary", response, 1.0, finite={"domain": (0, 1)}),
    Entry("randomized-response/k-ary", response_of_ten, 1.0, finite={"domain": range(10)}),
    Entry(
        "rappor/one-time",
        rows.one_time_rappor,
        0.0,
        claim="0.80066767",
        finite=_FILTERS,
        data=_filter,
        told=_vector,
    ),
    Entry(
        "rappor/first-report",
        rows.rappor,
        0.0,
        claim="0.40008337",
        finite=_FILTERS,
        data=_filter,
        told=_vector,
    ),
    Entry(
        "truncated-geometric/five",
        rows.truncated_geometric,
        math.log(9 / 8),
        finite={"pairs": _COUNTS},
    ),
    Entry(
        "exponential/five-options",
        exponential_of_three,
        1.0,
        finite=_THREE,
        pair=((0, 1, 1), (1, 0, 0)),
    ),
    Entry("sparse-vector/above-threshold", rows.svt_1, 1.0, parameters=_ONE, told=_asked),
    Entry("sparse-vector/svt-1", rows.svt_1, 1.0, parameters=_ONE, told=_asked),
    Entry("sparse-vector/numeric", numeric_sparse, 1.0, parameters=_ONE, told=_asked),
    Entry("twin/svt-3", rows.svt_3, 1.0, parameters=_AT_1, told=_asked),
    Entry("twin/svt-4", rows.svt_4, 1.0, parameters=_AT_1, told=_asked),
    Entry("twin/svt-5", rows.svt_5, 1.0, parameters={"threshold": 1.0}, told=_asked),
    Entry("twin/svt-6", rows.svt_6, 1.0, parameters={"threshold": 1.0}, told=_asked),
    Entry(
        "twin/numeric-sparse",
        numeric_sparse_reusing_noise,
        1.0,
        parameters={"threshold": 2.0, "count": 1},
        told=_asked,
    ),
)

_REASONS = {
    "laplace/floating-point": "its flaw is floating point, and proofs speak of real numbers",
    "subsampling/": "neighbors have different numbers of records",
    "twin/subsampling": "neighbors have different numbers of records",
    "gaussian/": "Gaussian noise has no finite ε; δ is not in the language",
    "discrete-gaussian/": "Gaussian noise has no finite ε; δ and ρ are not in the language",
    "twin/discrete-gaussian": "Gaussian noise has no finite ε; δ and ρ are not in the language",
}
_BY_TABLE = "the data are a table, from which scores, ranks or tests are computed"
_FAMILIES = (
    "curate", "dphsic-pc", "em-pc", "kusner2016", "pcd", "priv-pc", "svt-pc", "tables",
    "sieve-and-examine",
)  # fmt: skip


def not_written() -> dict[str, str]:
    """Return the mechanisms of the catalogue without a program, each with the reason."""
    written = {one.name for one in ENTRIES}
    found = {}
    for mechanism in catalogue():
        name = mechanism.name
        if name in written:
            continue
        reason = next((words for start, words in _REASONS.items() if name.startswith(start)), "")
        family = name.removeprefix("twin/")
        if not reason and any(family.startswith(one) for one in _FAMILIES):
            reason = _BY_TABLE
        found[name] = reason
    return found
