"""How likely each output is to come from D, learned from few: a mixture over events of one feature.

Of each event S in a family (an interval of the values seen, one key) it is taken that D and D′ give
it with chances of some ratio. What the samples leave of each pair of event and ratio is its weight,
by Bayes' rule. Nothing is chosen, so that a handful of samples says as much as it can and no more;
and nothing hangs on it being right but how soon a bet on it wins.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from provado.audit.events.features.feature import Feature, Floats, Key
from provado.audit.events.threshold import rank_grid
from provado.audit.target.output_encoding import Encoded, Ints

from .table import look_up

NOTHING_THERE = 0.05
"""Prior chance that the feature says nothing."""

LEVELS = np.array([0.15, 0.3, 0.45, 0.6, 0.8, 0.95, 0.995, 0.9999])
LEVELS = np.concatenate([-LEVELS[::-1], LEVELS])
"""How far the chances of an event may lie apart, as a part of what its frequency allows."""

TAILS = 1 / 3
"""Prior chance that the event is a tail, not an interval with two ends."""

FEW, PER_OCTAVE, MIDDLE = 40, 1, 24
"""Cells: each value seen its own while they are so few; then by ranks, see ``rank_grid``."""


@dataclass(frozen=True)
class Chances:
    """Chance of D on each cell of a feature, and the log evidence of it all against a fair coin.

    cells: edges of intervals of a feature, or the sorted keys of a key; chances holds one entry
    for each of the cells, and for a key one more, last, for all other outputs.
    """

    of: Feature | Key
    cells: Floats | Ints
    chances: Floats
    evidence: float
    keyed: bool

    def __call__(self, outputs: Encoded) -> Floats:
        """Return the chance of D of each output; ½ where the feature is missing."""
        return self.at(self.of.read(outputs))

    def at(self, read: Floats | Ints) -> Floats:
        """Return the chance of each reading."""
        if self.keyed:
            found = look_up(read.astype(np.int64), self.cells.astype(np.int64), self.chances[:-1])
            return np.where(np.isnan(found), self.chances[-1], found)
        found = self.chances[np.searchsorted(self.cells, read, side="right")]
        return np.where(np.isnan(read), 0.5, found)


def number_chances(feature: Feature, read: Floats, was_d: NDArray[np.bool_]) -> Chances | None:
    """Learn from readings and their sides, over all intervals; ``None`` where all are alike."""
    there = np.isfinite(read)
    edges = _edges(np.sort(read[there]))
    if not len(edges):
        return None
    n = len(edges) + 1
    # A missing number is a cell of its own, the last, which is in no interval.
    cell = np.where(there, np.searchsorted(edges, np.where(there, read, 0.0), side="right"), n)
    begin, end = (part.astype(np.int64) for part in np.triu_indices(n + 1, 1))
    missing = not there.all()
    # The complement of an event says the same: without missing ones, tails are taken once.
    kept = (begin > 0) | (end < n) if missing else end < n
    begin, end = begin[kept], end[kept]
    tail = (begin == 0) | (end == n)
    shares = np.where(tail, TAILS / tail.sum(), (1 - TAILS) / max((~tail).sum(), 1))
    chances, evidence = _mixed(cell, was_d, n + 1, begin, end, shares / shares.sum())
    return Chances(feature, edges, chances[:-1], evidence, keyed=False)


def key_chances(key: Key, read: Ints, was_d: NDArray[np.bool_]) -> Chances | None:
    """Learn from keys and their sides, over single keys; ``None`` where all are alike."""
    found, counts = np.unique(read, return_counts=True)
    if len(found) < 2:
        return None
    known = np.sort(found[np.argsort(-counts, kind="stable")[:FEW]])
    n = len(known)
    at = np.minimum(np.searchsorted(known, read), n - 1)
    cell = np.where(known[at] == read, at, n)
    begin = np.arange(n if len(found) > 2 else 1)
    shares = np.full(len(begin), 1 / len(begin))
    chances, evidence = _mixed(cell, was_d, n + 1, begin, begin + 1, shares)
    return Chances(key, known, chances, evidence, keyed=True)


def _edges(values: Floats) -> Floats:
    """Return edges between sorted values: at all of them but the least, or at those of some ranks.

    A cell goes from its edge, inclusive, to the next.
    """
    distinct = np.unique(values)
    if len(distinct) > FEW:
        distinct = np.unique(values[rank_grid(len(values), PER_OCTAVE, MIDDLE)])
    return distinct[1:]


def _mixed(
    cell: Ints, was_d: NDArray[np.bool_], cells: int, begin: Ints, end: Ints, shares: Floats
) -> tuple[Floats, float]:
    """Return the chance of D on each cell and the log evidence, mixed over ranges of cells.

    The coin is fair: where an event of frequency m has D with chance ½(1 + t), the rest has it with
    ½(1 − tm/(1 − m)). So each event has one number to be learned, t.
    """
    n = len(cell)
    sums_d = np.concatenate([[0], np.cumsum(np.bincount(cell[was_d], minlength=cells))])
    sums_d_prime = np.concatenate([[0], np.cumsum(np.bincount(cell[~was_d], minlength=cells))])
    d, d_prime = sums_d[end] - sums_d[begin], sums_d_prime[end] - sums_d_prime[begin]
    frequency = (d + d_prime + 0.5) / (n + 1)
    odds = (frequency / (1 - frequency))[:, None]
    inside = LEVELS * np.minimum(1, 1 / odds)
    outside = -inside * odds
    likelihood = d[:, None] * np.log1p(inside) + d_prime[:, None] * np.log1p(-inside)
    likelihood += (sums_d[-1] - d)[:, None] * np.log1p(outside)
    likelihood += (sums_d_prime[-1] - d_prime)[:, None] * np.log1p(-outside)
    likelihood += np.log(shares * (1 - NOTHING_THERE) / len(LEVELS))[:, None]
    largest = max(float(likelihood.max()), 0.0)
    weights = np.exp(likelihood - largest)
    total = float(weights.sum()) + NOTHING_THERE * math.exp(-largest)
    weights /= total
    within, without = (weights * inside).sum(axis=1) / 2, (weights * outside).sum(axis=1) / 2
    steps = np.bincount(begin, within - without, cells + 1)
    steps -= np.bincount(end, within - without, cells + 1)
    chances = 0.5 + without.sum() + np.cumsum(steps)[:-1]
    return np.clip(chances, 0.0, 1.0), largest + math.log(total)


@dataclass(frozen=True)
class Blend:
    """The chance of D, mixed over what several features say; weights sum to 1."""

    parts: tuple[Chances, ...]
    weights: tuple[float, ...]
    evidence: float

    def __call__(self, outputs: Encoded) -> Floats:
        """Return the chance of D of each output."""
        total = np.full(len(outputs), 0.5)
        for part, weight in zip(self.parts, self.weights, strict=True):
            if weight > 1e-6 and len(outputs):
                total += weight * (part(outputs) - 0.5)
        return total

    @property
    def best(self) -> Chances | None:
        """The part that explains the samples best; ``None`` without any."""
        if not self.parts:
            return None
        return self.parts[int(np.argmax(self.weights))]


def blend(parts: Sequence[Chances], shares: Sequence[float]) -> Blend:
    """Mix parts by their evidence and their shares beforehand, which sum to at most 1."""
    if not parts:
        return Blend((), (), 0.0)
    logs = [part.evidence + math.log(share) for part, share in zip(parts, shares, strict=True)]
    largest = max(logs)
    odds = [math.exp(one - largest) for one in logs]
    whole = math.fsum(odds)
    return Blend(tuple(parts), tuple(one / whole for one in odds), largest + math.log(whole))
