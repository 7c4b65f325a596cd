"""Scores: one real number an output, large where it speaks for D, small where for D′.

Cells are the log-likelihood ratio along one feature, constant on each of them; narrow windows are
those of a feature in which outputs of one side are much more frequent than around.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from provado.audit.events.features.feature import EventKind, EventSet, Feature, Floats
from provado.audit.events.threshold import Counts, merge_cells, monotone_edges, rank_grid, tally
from provado.audit.target.output_encoding import Encoded

NAMED = 3
"""Features of a learned score that are named."""


class Score(Protocol):
    """A score that has been learned. ``raw`` ones learned nothing from the samples."""

    raw: bool

    def __call__(self, outputs: Encoded) -> Floats:
        """Return the scores, shape (n,); NaN where there is nothing to say."""
        ...

    def region(self, low: float, high: float) -> str:
        """Return in words which outputs score in [low, high]."""
        ...

    def record(self) -> dict[str, Any]:
        """Return the score as plain data for a report."""
        ...


class Named(Score, Protocol):
    """A score of one feature."""

    @property
    def name(self) -> str:
        """The feature, in words."""
        ...


def log_ratio(a: NDArray[Any], b: NDArray[Any]) -> Floats:
    """Return the log-likelihood ratio of D against D′ from counts, half a count added to each."""
    return np.asarray(np.log((a + 0.5) / (b + 0.5)))


@dataclass(frozen=True)
class Raw:
    """A feature as it is: the rule is then one or two thresholds on it."""

    feature: Feature
    raw = True

    def __call__(self, outputs: Encoded) -> Floats:
        """Return the feature."""
        return self.feature.read(outputs)

    def region(self, low: float, high: float) -> str:
        """Return an inequality."""
        name = self.feature.words()
        return f"{name} ≥ {low:.10g}" if np.isinf(high) else f"{name} ≤ {high:.10g}"

    def record(self) -> dict[str, Any]:
        """Return the feature's name."""
        return {"kind": "threshold", "feature": self.feature.words()}

    def event_set(self) -> EventSet:
        """Return thresholds of the feature."""
        return EventSet(EventKind.THRESHOLDS, (self.feature.words(),))


@dataclass(frozen=True)
class Weighted:
    """A weighted sum of scores (logistic regression on them), the strongest first.

    told: which of them carry it, in words, where that was examined; see ``explained``.
    """

    parts: tuple[Named, ...]
    weights: tuple[float, ...]
    told: str = ""
    raw = False

    def __call__(self, outputs: Encoded) -> Floats:
        """Return the weighted sum; parts that have nothing to say count 0."""
        total = np.zeros(len(outputs))
        for part, weight in zip(self.parts, self.weights, strict=True):
            total += weight * np.nan_to_num(part(outputs))
        return total

    def region(self, low: float, high: float) -> str:
        """Describe the rule by the score that it wants."""
        told = self.told or some([part.name for part in self.parts])
        return ratio_region(f"from {told}", low, high)

    def record(self) -> dict[str, Any]:
        """Return parts and weights."""
        return {
            "kind": "weighted",
            "parts": [part.record() for part in self.parts[:20]],
            "weights": list(self.weights[:20]),
        }


def some(names: Sequence[str]) -> str:
    """Name the first few of some features, and say how many more there are."""
    named, more = ", ".join(names[:NAMED]), len(names) - NAMED
    return f"{named} and {more} more" if more > 0 else named or "nothing"


def ratio_region(how: str, low: float, high: float) -> str:
    """Return in words which outputs a rule takes whose score has no words, estimated ``how``."""
    if np.isinf(high):
        return f"the log-likelihood ratio of D against D′ estimated {how} is at least {low:.4g}"
    return f"the log-likelihood ratio of D against D′ estimated {how} is at most {high:.4g}"


STRIPS = ((0.02, 0.5), (0.05, 0.6), (0.1, 0.7), (0.15, 0.8), (0.2, 0.9))
"""Strips along the edge of a telling cell: where each ends, as a share of the cell's samples, and
how much of the difference to the neighbor's ratio it keeps."""

PENALTY, STRICT = 7.0, 12.0
"""Log-likelihood that an extra cell must gain to be kept: about log(cells) plus a test's share.

``STRICT`` where the same samples go on to place the cut.
"""


MOST_STEPS, IN_CACHE = 16, 2**15
"""Comparisons that are faster than to search the cell of each value; values that are compared at a
time, which stay in a processor's cache."""


@dataclass(frozen=True)
class CellRatios:
    """The log-likelihood ratio on cells of one feature; NaN of the feature counts as ratio 0."""

    feature: Feature
    edges: Floats
    ratios: Floats
    raw = False

    @classmethod
    def learn(
        cls,
        feature: Feature,
        a: Floats,
        b: Floats,
        *,
        monotone: bool = False,
        penalty: float = PENALTY,
        narrow: bool = False,
    ) -> CellRatios:
        """Learn from the feature's values under D (``a``) and D′ (``b``); NaN is left out.

        The ratio is piecewise constant with few pieces, or ``monotone``. narrow: also look for
        windows that hold only few of the values.
        """
        a, b = np.sort(a[np.isfinite(a)]), np.sort(b[np.isfinite(b)])
        pooled = np.sort(np.concatenate([a, b]), kind="stable")  # Merges what is sorted.
        if len(pooled) < 2:
            return cls(feature, np.empty(0), np.zeros(1))
        edges = np.unique(pooled[rank_grid(len(pooled))])
        if narrow:
            windows = [limit for low, high, _ in narrow_windows(a, b) for limit in (low, high)]
            edges = np.unique([*edges.tolist(), *(x for x in windows if x < np.inf)])
        counts = tally(edges, a), tally(edges, b)
        return cls.counted(feature, edges, *counts, monotone=monotone, penalty=penalty)

    @classmethod
    def counted(
        cls,
        feature: Feature,
        edges: Floats,
        a: Counts,
        b: Counts,
        *,
        monotone: bool = False,
        penalty: float = PENALTY,
    ) -> CellRatios:
        """Learn from the numbers of values in each cell of ``edges`` under D and under D′."""
        kept = monotone_edges(a, b) if monotone else merge_cells(a, b, penalty)
        first = np.flatnonzero(np.append(True, kept))
        ratios = log_ratio(np.add.reduceat(a, first), np.add.reduceat(b, first))
        return cls(feature, edges[kept], ratios)

    def graded(self, pooled: Floats) -> CellRatios:
        """Return the cells with a graded edge wherever a cell meets one of a smaller ratio.

        An edge is never known exactly. A telling cell that reaches too far takes in outputs that
        say less, which costs more than the few outputs that it loses by ending early. So its
        samples (``pooled``, sorted) next to the edge are split into strips of shares ``STRIPS``,
        whose ratios fall to the neighbor's (or to 0, where that has the other sign); how many of
        them to leave out is then up to the cut.
        """
        at = [0, *np.searchsorted(pooled, self.edges).tolist(), len(pooled)]
        own = self.ratios.tolist()
        pieces: list[tuple[int, float]] = []
        for k, ratio in enumerate(own):
            begin, end = at[k], at[k + 1]
            steps = [int(share * (end - begin)) for share, _ in STRIPS]
            left = _fade(ratio, own[k - 1] if k else None)
            right = _fade(ratio, own[k + 1] if k + 1 < len(own) else None)
            pieces += [
                (begin + before, faded) for before, faded in zip([0, *steps], left, strict=False)
            ]
            pieces.append((begin + (steps[-1] if left else 0), ratio))
            pieces += [(end - step, faded) for step, faded in zip(steps, right, strict=False)][::-1]
        # Tied values make some strips empty: equal edges, of which searching finds the last.
        edges = pooled[np.array([position for position, _ in pieces[1:]], dtype=np.int64)]
        return CellRatios(self.feature, edges, np.array([ratio for _, ratio in pieces]))

    def of(self, values: Floats) -> Floats:
        """Return the ratio of each feature value."""
        result = self.ratios[np.searchsorted(self.edges, values, side="right")]
        return np.where(np.isnan(values), 0.0, result)

    def saying(
        self, edges: Floats, say: Callable[[Floats], NDArray[np.int8]]
    ) -> Callable[[Encoded], NDArray[np.int8]]:
        """Return a function from outputs to what ``say`` makes of the ratio of each.

        edges: the cells' own, or numbers from which on what the values are rounded to reaches them.
        """
        each, (missing,) = say(self.ratios), say(np.zeros(1))
        changes = np.flatnonzero(each[1:] != each[:-1])
        # Few edges matter to it.
        steps = list(zip(edges[changes].tolist(), np.diff(each)[changes].tolist(), strict=True))

        def said(outputs: Encoded) -> NDArray[np.int8]:
            values = self.feature.read(outputs)
            if len(steps) > MOST_STEPS:
                result = each[np.searchsorted(edges, values, side="right")]
            else:
                result = np.full(len(values), each[0])
                for start in range(0, len(values), IN_CACHE):
                    part, guesses = (all_[start : start + IN_CACHE] for all_ in (values, result))
                    for edge, change in steps:
                        guesses += (part >= edge).view(np.int8) * np.int8(change)
            # In outputs of one structure NaN is in all or in none.
            absent = np.isnan(values[:1] if outputs.alike else values)
            if absent.any():
                result[np.broadcast_to(absent, len(values))] = missing
            return result

        return said

    @property
    def name(self) -> str:
        """The feature, in words."""
        return self.feature.words()

    def __call__(self, outputs: Encoded) -> Floats:
        """Return the ratio of each output."""
        return self.of(self.feature.read(outputs))

    def region(self, low: float, high: float) -> str:
        """Return the union of intervals."""
        limits = [-np.inf, *self.edges.tolist(), np.inf]
        inside = (self.ratios >= low) & (self.ratios <= high)
        parts: list[list[float]] = []
        for i in np.flatnonzero(inside).tolist():
            if parts and parts[-1][1] == limits[i]:
                parts[-1][1] = limits[i + 1]
            else:
                parts.append([limits[i], limits[i + 1]])
        more = f" or in {len(parts) - 8} more intervals" if len(parts) > 8 else ""
        return " or ".join(_interval(self.feature.words(), *part) for part in parts[:8]) + more

    def record(self) -> dict[str, Any]:
        """Return edges and ratios."""
        return {
            "kind": "cells",
            "feature": self.feature.words(),
            "edges": self.edges.tolist(),
            "log_ratios": self.ratios.tolist(),
        }

    def event_set(self) -> EventSet:
        """Return intervals of the feature."""
        return EventSet(EventKind.INTERVALS, (self.feature.words(),))


def _interval(name: str, low: float, high: float) -> str:
    """Return the interval [low, high) of a feature as inequalities."""
    if np.isinf(low):
        return f"{name} is a number" if np.isinf(high) else f"{name} < {high:.10g}"
    return f"{name} ≥ {low:.10g}" if np.isinf(high) else f"{low:.10g} ≤ {name} < {high:.10g}"


def _fade(ratio: float, neighbor: float | None) -> list[float]:
    """Return the ratios of a cell's strips, inwards from the edge to a neighbor of smaller ratio.

    Empty where there is no neighbor, or one that is more telling.
    """
    if neighbor is None or (neighbor * ratio > 0 and abs(neighbor) >= abs(ratio)):
        return []
    target = neighbor if neighbor * ratio > 0 else 0.0
    return [target + share * (ratio - target) for _, share in STRIPS]


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
    result: list[tuple[float, int, int]] = []
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
        result += [
            (gain, i, i + length)
            for gain, i in zip(gains.tolist(), first[top].tolist(), strict=True)
            if gain > TELLING
        ]
        length *= 2
    kept: list[tuple[float, int, int]] = []
    for gain, i, j in sorted(result, reverse=True):
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
