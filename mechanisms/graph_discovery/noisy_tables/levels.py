"""The levels of a column as noisy tables show them: rare ones joined, and scores on the rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions import UsageError

Floats = NDArray[np.float64]

_FEW = 5.0
"""Records that a level has at least, without noise."""

DEVIATIONS = 3.0
"""So many standard deviations of its noisy count a level has at least."""


@dataclass(frozen=True, eq=False)
class Levels:
    """Groups of a column's levels, and functions on them.

    group: shape (levels, k), 1 where a level is in a group. share: shape (k,), of the records in
    each, summing to 1. scores: shape (k, k − 1), functions of mean 0 and variance 1, uncorrelated
    with one another under ``share``, and orthogonal in the noise of cells. noise: shape (k − 1,),
    the sum of each one's squares, each times how many levels its group holds: the variance of the
    score of pure noise, in units of that of a cell.
    """

    group: Floats
    share: Floats
    scores: Floats
    noise: Floats

    @property
    def joined(self) -> Floats:
        """How many levels each group holds, shape (k,)."""
        return np.asarray(self.group.sum(axis=0))


def seen_levels(counts: Floats, deviation: float, cell: float) -> Levels:
    """Return the groups of levels that stand out of the noise.

    counts: noisy, shape (levels,). deviation: of each of them. cell: standard deviation of a cell
    of the tables that are to be looked at.

    The smallest group is joined with the smaller of its neighbors until each has at least three
    deviations, one ``cell`` and five records, or one group is left, of which nothing can be seen.
    Raises ``UsageError`` for fewer than two levels.
    """
    if counts.size < 2:
        raise UsageError(f"counts has {counts.size} levels: at least 2 are needed")
    least = max(DEVIATIONS * deviation, cell, _FEW)
    groups = [[level] for level in range(counts.size)]
    sizes = np.maximum(counts, 0.0).tolist()
    while len(groups) > 1 and min(sizes) < least:
        i = sizes.index(min(sizes))
        beside = [j for j in (i - 1, i + 1) if 0 <= j < len(groups)]
        j = min(beside, key=sizes.__getitem__)
        first, second = min(i, j), max(i, j)
        groups[first] += groups.pop(second)
        sizes[first] += sizes.pop(second)
    group = np.zeros((counts.size, len(groups)))
    for number, levels in enumerate(groups):
        group[levels, number] = 1.0
    if len(groups) == 1:
        return Levels(group, np.ones(1), np.zeros((1, 0)), np.zeros(0))
    share = np.array(sizes) / sum(sizes)
    return Levels(group, share, *_scores(share, group.sum(axis=0)))


def _scores(share: Floats, joined: Floats) -> tuple[Floats, Floats]:
    root = np.sqrt(share)
    # Directions beside the constant, of unit variance: then turned so that noise parts them.
    around = np.linalg.svd(root[None, :])[2][1:].T
    noise, turn = np.linalg.eigh(around.T * (joined / share) @ around)
    return (around @ turn) / root[:, None], noise
