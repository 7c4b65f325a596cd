"""One-dimensional cells: where the log-likelihood ratio of D against D′ is taken as constant."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression
from scipy.special import xlog1py, xlogy

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


def rank_grid(n: int, per_octave: int = 8, middle: int = 128) -> Counts:
    """Return ranks in (0, n): geometric from both ends, even in the middle.

    Rare outputs lie in the tails, so cells there hold few samples each; in the middle n/``middle``.
    """
    octaves = max(int(np.log2(max(n // 2, 2))), 1)
    tail = np.unique(np.geomspace(1, max(n // 2, 1), octaves * per_octave + 1).astype(np.int64))
    even = np.linspace(0, n, middle + 1)[1:-1].astype(np.int64)
    ranks = np.unique(np.concatenate([tail, n - tail, even]))
    return ranks[(ranks > 0) & (ranks < n)]


def tally(edges: Floats, x: Floats) -> Counts:
    """Return how many of the sorted ``x`` fall in each cell of ``edges``: e ≤ x < next e."""
    below = np.searchsorted(x, edges, side="left")
    return np.diff(np.concatenate([[0], below, [len(x)]])).astype(np.int64)


def distance(a: Floats, b: Floats, points: int | None = None) -> float:
    """Return Kolmogorov's distance of two samples; 0 where one is empty.

    NaN, a value like another, stands last. points: looked at are about so many, or all.
    """
    if not (len(a) and len(b)):
        return 0.0
    pooled = np.sort(np.concatenate([a, b]))
    at = pooled if points is None else pooled[:: max(len(pooled) // points, 1)]
    below = [np.searchsorted(np.sort(x), at, side="right") / len(x) for x in (a, b)]
    return float(np.max(np.abs(below[0] - below[1])))


def merge_cells(a: Counts, b: Counts, penalty: float) -> NDArray[np.bool_]:
    """Return which inner edges survive when neighbors that do not differ are merged.

    a, b: counts of the two samples in each of m cells. Neighbors are merged in the order of the
    loss of log-likelihood of the two-sample model, while the smallest loss is below ``penalty``;
    the rest is a piecewise constant likelihood ratio with as few pieces as the data support.
    """
    m = len(a)
    keep = np.ones(max(m - 1, 0), dtype=bool)
    if m < 2:
        return keep
    first, second = [float(x) for x in a], [float(x) for x in b]
    following, previous = list(range(1, m + 1)), list(range(-1, m - 1))
    loss = np.full(m, np.inf)
    for i in range(m - 1):
        loss[i] = _loss(first[i], second[i], first[i + 1], second[i + 1])
    while loss[i := int(np.argmin(loss))] < penalty:
        # Cell i swallows the cell to its right; the edge between them goes.
        right = following[i]
        keep[right - 1] = False
        first[i] += first[right]
        second[i] += second[right]
        after = following[i] = following[right]
        loss[right] = np.inf
        if after < m:
            previous[after] = i
            loss[i] = _loss(first[i], second[i], first[after], second[after])
        else:
            loss[i] = np.inf
        before = previous[i]
        if before >= 0:
            loss[before] = _loss(first[before], second[before], first[i], second[i])
    return keep


def monotone_edges(a: Counts, b: Counts) -> NDArray[np.bool_]:
    """Return which inner edges survive a monotone fit (pool adjacent violators).

    Rising or falling, whichever is likelier; neighbors of one fitted value are merged.
    """
    total = np.maximum(a + b, 1)
    fits = [
        isotonic_regression(a / total, weights=total.astype(float), increasing=rising).x
        for rising in (True, False)
    ]
    fit = max(fits, key=lambda p: float(np.sum(xlogy(a, p) + xlog1py(b, -p))))
    kept = np.asarray(np.diff(fit) != 0)
    # Equal proportions may differ in the last place of their averages; whole numbers do not.
    starts = np.flatnonzero(np.append(True, kept))
    hits, trials = np.add.reduceat(a, starts), np.add.reduceat(total, starts)
    kept[starts[1:] - 1] = hits[1:] * trials[:-1] != hits[:-1] * trials[1:]
    return kept


def _loss(a1: float, b1: float, a2: float, b2: float) -> float:
    """Return the log-likelihood lost when two cells share one proportion of first-sample counts."""
    return _log_likelihood(a1, b1) + _log_likelihood(a2, b2) - _log_likelihood(a1 + a2, b1 + b2)


def _log_likelihood(a: float, b: float) -> float:
    n = a + b
    return (a * math.log(a / n) if a else 0.0) + (b * math.log(b / n) if b else 0.0)
