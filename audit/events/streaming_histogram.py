"""Counts on fine cells of every coordinate: of wide outputs that are not kept themselves."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from provado.audit.target.output_encoding import Encoded

from .features.feature import Column, Floats
from .learners.piecewise import PENALTY, Cells
from .threshold import rank_grid, tally

Counts = NDArray[np.int64]

CELL = 8
"""Outputs in a cell, of those that the cells were chosen on; fewer in the tails."""


@dataclass
class Sieve:
    """Cells of every coordinate, and how many outputs under D and under D′ fell into each.

    edges: of each coordinate, sorted. counts: (2, k, m), D first; a coordinate with fewer cells
    leaves the last of the m empty. Memory does not grow with the outputs that are counted.
    """

    edges: tuple[Floats, ...]
    counts: NDArray[np.int32]

    @classmethod
    def of(cls, a: Encoded, b: Encoded) -> Sieve:
        """Choose the cells on outputs of both sides: some of these in each cell, one in the last.

        A value that stands for several cells has one of its own, and so has what lies beyond all
        values seen.
        """
        pooled = np.sort(np.concatenate([a.values, b.values]).T.astype(np.float64), axis=1)
        edges = tuple(map(_edges, pooled))
        most = 1 + max(map(len, edges), default=0)
        return cls(edges, np.zeros((2, len(edges), most), dtype=np.int32))

    def add(self, a: Encoded, b: Encoded) -> None:
        """Count outputs under D (``a``) and under D′ (``b``); a NaN is in no cell."""
        for counts, part in zip(self.counts, (a, b), strict=True):
            ordered = np.sort(part.values.T.astype(np.float64), axis=1)
            for cells, edges, x in zip(counts, self.edges, ordered, strict=True):
                cells[: len(edges) + 1] += tally(edges, _numbers(x))

    def telling(self, most: int) -> tuple[Cells, ...]:
        """Return cells of the coordinates in which some run of cells tells most, the best first."""
        gains = np.array([telling_run(*self._of(j)) for j in range(len(self.edges))])
        best = [j for j in np.argsort(-gains, kind="stable")[:most].tolist() if gains[j] > 0]
        features = [Column(j, len(self.edges)) for j in best]
        return tuple(
            Cells.counted(feature, self.edges[feature.j], *self._of(feature.j), penalty=PENALTY)
            for feature in features
        )

    def _of(self, j: int) -> tuple[Counts, Counts]:
        a, b = self.counts[:, j, : len(self.edges[j]) + 1].astype(np.int64)
        return a, b


def telling_run(a: Counts, b: Counts) -> float:
    """Return the log-likelihood that the most telling run of cells gains by a share of its own.

    a, b: counts of the two sides, of equally many outputs. Runs have 1, 2, 4, … neighboring cells,
    in steps of half of that. What no run tells is 0.
    """
    best, length = 0.0, 1
    under_a, under_b = (np.concatenate([[0], np.cumsum(side)]) for side in (a, b))
    while length <= len(a):
        first = np.arange(0, len(a) - length + 1, max(length // 2, 1))
        x, y = (side[first + length] - side[first] for side in (under_a, under_b))
        n = np.maximum(x + y, 1)
        best = max(best, float(np.max(xlogy(x, x / n) + xlogy(y, y / n) + (x + y) * math.log(2))))
        length *= 2
    return best


def _edges(ordered: Floats) -> Floats:
    """Return the edges of one coordinate from sorted values, NaN last."""
    x = _numbers(ordered)
    x = x[np.isfinite(x)]
    if not len(x):
        return np.empty(0)
    at = x[rank_grid(len(x), 1, max(len(x) // CELL, 1))]
    # An edge behind a value that is met again, and behind the largest.
    behind = np.nextafter(np.append(at[1:][at[1:] == at[:-1]], x[-1]), np.inf)
    return np.unique(np.concatenate([x[:1], at, behind]))


def _numbers(ordered: Floats) -> Floats:
    return ordered[: len(ordered) - int(np.count_nonzero(np.isnan(ordered)))]
