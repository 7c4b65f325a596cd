"""Columns by strata: which strata stand out of the noise, and how many records they have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DEVIATIONS = 2.0
"""Of its noisy number of records, that a stratum has at least."""

_FEW = 5.0
"""Records that a stratum has at least, without noise."""


@dataclass(frozen=True, eq=False)
class Strata:
    """Counts of one column in each stratum, with noise.

    table: shape (k, strata). variance: of the noise of a cell, shape (strata,), where one level of
    the column makes a group.
    """

    table: Floats
    variance: Floats


def least(variance: Floats) -> Floats:
    """Return how many records strata need whose noisy numbers have these variances."""
    return np.maximum(DEVIATIONS * np.sqrt(variance), _FEW)


def shared_strata(first: Strata, second: Strata) -> tuple[Strata, Strata, Floats] | None:
    """Return two columns by the strata that stand out, and how many records each has.

    The numbers are averaged over both tables, by how noisy each is. Strata with too few records
    make one together, which is left out if it has too few itself; ``None`` where none is left.
    """
    sizes, variance = _sizes(first, second)
    few = sizes < least(variance)
    if few.any():
        first, second = _joined(first, few), _joined(second, few)
        sizes, variance = _sizes(first, second)
    kept = sizes >= least(variance)
    if not kept.any():
        return None
    one, other = (Strata(s.table[:, kept], s.variance[kept]) for s in (first, second))
    return one, other, sizes[kept]


def _sizes(first: Strata, second: Strata) -> tuple[Floats, Floats]:
    weights = [1 / (len(s.table) * s.variance) for s in (first, second)]
    total = weights[0] + weights[1]
    sums = (w * s.table.sum(axis=0) for w, s in zip(weights, (first, second), strict=True))
    return sum(sums) / total, 1 / total


def _joined(strata: Strata, few: NDArray[np.bool_]) -> Strata:
    rest = strata.table[:, few].sum(axis=1, keepdims=True)
    return Strata(
        np.concatenate([strata.table[:, ~few], rest], axis=1),
        np.append(strata.variance[~few], strata.variance[few].sum()),
    )
