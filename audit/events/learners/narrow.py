"""Narrow windows of one feature in which outputs of one side are much more frequent than around."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

Floats = NDArray[np.float64]

FEWEST, WIDEST = 8, 1 / 64
"""Samples that a window holds at least; the share of them that it holds at most, since wider ones
are seen without it."""

AROUND = 8
"""A window is compared with so many times as much on each side of it."""

TELLING = 16.0
"""Log-likelihood that a window must gain: above what the best of all windows gains by luck."""


def narrow_windows(a: Floats, b: Floats, most: int = 3) -> list[tuple[float, float, float]]:
    """Return disjoint windows [low, high) with the log-likelihood that each gains, the best first.

    a, b: finite values of the feature under D and D′, sorted. Windows have 1, 2, 4, … distinct
    values, in steps of a quarter of that.
    """
    pooled = np.concatenate([a, b])
    order = np.argsort(pooled, kind="stable")
    pooled = pooled[order]
    n = len(pooled)
    if n < 4 * FEWEST:
        return []
    new = np.flatnonzero(np.concatenate([[True], pooled[1:] != pooled[:-1]]))
    ends = np.append(new, n)
    under_a = np.concatenate([[0], np.cumsum(order < len(a))])[ends]
    found: list[tuple[float, int, int]] = []
    distinct, length = len(new), 1 if len(new) < n else FEWEST
    while length < distinct and length * n <= WIDEST * n * distinct:
        step = max(length // 4, 1)
        first = np.arange(0, distinct - length + 1, step)
        last = first + length
        before = ends[np.maximum(first - AROUND * length, 0)]
        after = ends[np.minimum(last + AROUND * length, distinct)]
        size = ends[last] - ends[first]
        hits = under_a[last] - under_a[first]
        around = after - before - size
        hits_around = (
            under_a[np.minimum(last + AROUND * length, distinct)]
            - under_a[np.maximum(first - AROUND * length, 0)]
            - hits
        )
        share = (hits_around + 0.5) / (around + 1)
        surprise = (hits - size * share) ** 2 / (size * share * (1 - share))
        surprise[size < FEWEST] = 0
        top = (
            np.argsort(-surprise)[: 4 * most]
            if len(surprise) < 64
            else (np.argpartition(-surprise, 4 * most)[: 4 * most])
        )
        gains = _gain(hits[top], size[top], hits_around[top], around[top])
        found += [
            (gain, i, i + length)
            for gain, i in zip(gains.tolist(), first[top].tolist(), strict=True)
            if gain > TELLING
        ]
        length *= 2
    kept: list[tuple[float, int, int]] = []
    for gain, i, j in sorted(found, reverse=True):
        if len(kept) < most and all(j <= low or i >= high for _, low, high in kept):
            kept.append((gain, i, j))
    beyond = np.append(pooled[new], np.inf)
    return [(float(beyond[i]), float(beyond[j]), gain) for gain, i, j in kept]


def _gain(hits: Floats, size: Floats, hits_around: Floats, around: Floats) -> Floats:
    """Return the log-likelihood gained by a share of its own for the window."""

    def likelihood(x: Floats, n: Floats) -> Floats:
        return np.asarray(xlogy(x, x / np.maximum(n, 1)) + xlogy(n - x, 1 - x / np.maximum(n, 1)))

    own = likelihood(hits, size) + likelihood(hits_around, around)
    return own - likelihood(hits + hits_around, size + around)
