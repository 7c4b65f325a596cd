"""A second rule, for rare outputs that distinguish D from D′ better than the common ones do.

The first rule has the best cautious forecast, and a handful of exploration samples cannot win that
against a common event. Here forecasts are taken as they are, on samples that the event was not
learned from, and these samples must show more than the first rule promises.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc, expit

from provado.audit.bounds import BoundMethod
from provado.audit.bounds.power import fewest_one_sided, rate_for
from provado.audit.target.output_encoding import Encoded, Ints

from .features.feature import Column, EventKind, EventSet, Exact, Feature, Floats, Key, merged
from .features.screen import FractionDigits, PartKey, Ties
from .features.text import Noted
from .learners.learn import derived
from .learners.piecewise import Raw, Score, log_ratio
from .learners.table import Table, look_up
from .rule import Rule
from .threshold import CLEAR, Cut, Goal, forecast, rank_grid

EVIDENCE = 0.005
"""How improbable the samples must be if the event shows no more than the first rule promises."""

SLACK = 0.2
"""Rules whose forecasts are so near to the best are as good; they come from exact to vague."""

LEVELS = np.array([1.5, 1.9, 2.2, 2.5, 2.8, 3.2, 3.7, 4.3, 5.0])
"""Log-likelihood ratios at which a table may be cut; a key seen once on one side reaches none."""

RANKS = np.unique(np.concatenate([np.arange(4, 65), np.geomspace(64, 4096, 24).astype(np.int64)]))
"""Thresholds on a feature have so many outputs beyond them, at either end."""

MOST_COLUMNS, MOST_JOINT, MOST_VALUES, MOST_KNOWN = 24, 2**25, 256, 2**14
"""Coordinates that are read; outputs, counted once for each pair of coordinates; values that are
cells of their own; keys where unseen ones may be an event."""

A_KEY = 1.0
"""Wrong guesses that a region is charged with for each key but the first."""

UNPARTED = 3.0
"""Keys that a threshold in no gap counts as: it is placed on the samples that judge it."""

GAP = 0.25
"""Of the widest gap of an end, how wide one is that sets apart what lies beyond it."""

Spell = Callable[[Encoded, int], str]
Build = Callable[[Spell], Score]
Offer = tuple[Cut, int, int, Build]
"""A cut, its right and its wrong guesses on samples it was not learned from, and its score."""

Region = tuple[NDArray[Any], ...]
"""Of each threshold: outputs beyond it under D and under D′, keys that these are, the threshold."""

Choose = Callable[[Region, Region, int, Build], Offer]


@dataclass(frozen=True)
class Joint:
    """The cells of two coordinates together; edges: those of each, sorted."""

    columns: tuple[int, int]
    width: int
    edges: tuple[Floats, Floats]

    def read(self, outputs: Encoded) -> Ints:
        """Return one number for both cells."""
        first, second = (
            np.searchsorted(edges, outputs.column(j), side="right")
            for j, edges in zip(self.columns, self.edges, strict=True)
        )
        return np.asarray(first * (len(self.edges[1]) + 1) + second, dtype=np.int64)

    def words(self) -> str:
        """Name both coordinates."""
        first, second = (Column(j, self.width).words() for j in self.columns)
        return f"({first}, {second})"

    def spell(self, outputs: Encoded, row: int) -> str:
        """Return both cells, as values or intervals."""
        cells = []
        for j, edges in zip(self.columns, self.edges, strict=True):
            limits = np.concatenate([[-np.inf], edges, [np.inf]])
            at = int(np.searchsorted(edges, outputs.column(j)[row], side="right"))
            low, high = limits[at : at + 2]
            single = np.nextafter(low, np.inf) == high
            cells.append(f"{low:.6g}" if single else f"[{low:.6g}, {high:.6g})")
        return f"({', '.join(cells)})"

    def event_set(self) -> EventSet:
        """Return the kind, with both coordinates."""
        return EventSet(EventKind.JOINT, tuple(Column(j, self.width).words() for j in self.columns))


def learn_rare(
    a: Encoded, b: Encoded, goal: Goal, first: Rule, steps: Sequence[float], spell: Spell
) -> Rule | None:
    """Return a rule for rare outputs, or ``None`` where none shows more than ``first`` promises.

    a, b: exploration outputs under D and under D′, equally many. goal: with the alpha that each
    of the two rules will have. steps: what coordinates are rounded to multiples of; 0 for nothing.
    Tables are learned from one half and judged on the other, both ways, and then learned from both.
    """
    size = len(a) + len(b)
    said = first.guess(a), first.guess(b)
    right, wrong = (
        sum(int(np.count_nonzero(array == say)) for array, say in zip(said, guess, strict=True))
        for guess in ((1, -1), (-1, 1))
    )
    sides = sum(any((array == say).any() for array in said) for say in (1, -1))
    whole = replace(goal, alpha=2 * goal.alpha)
    counted = [np.array([item]) for item in (right, wrong, sides)]
    promised = forecast(counted[0], counted[1], counted[2], size, whole, caution=0.0)
    beat = max(float(promised[0]), first.cut.value, 0.0)
    looked, found = list[EventSet](), list[Offer]()
    for kind, offers in _families(a, b, partial(_chosen, size=size, goal=goal), steps):
        looked.append(kind)
        found += [
            (cut, right, wrong, build)
            for cut, right, wrong, build in offers
            if cut.value > beat and bdtrc(right - 1, right + wrong, expit(beat)) <= EVIDENCE
        ]
    least = max((cut.value for cut, *_ in found), default=0.0) - SLACK
    # Of those that find the same outputs, more or less, the one that says most exactly which.
    for cut, _, _, build in found:
        if cut.value >= least:
            return Rule(build(spell), cut, merged(looked))
    return None


def rarest_event(trials: int, explored: int, method: BoundMethod, claimed: float) -> float:
    """Return how rare an event of one dataset alone may be, in outputs of that dataset.

    An event as frequent as that is certified with probability ``POWER``, and exceeds half of δ
    clearly in exploration, too. 1 where no event would be.
    """
    least = fewest_one_sided(trials, method, claimed)
    if least is None:
        return 1.0
    clear = (CLEAR / 2 + math.sqrt(CLEAR**2 / 4 + explored * method.delta / 2)) ** 2
    return max(rate_for(least, trials // 2), rate_for(math.ceil(clear), explored // 2))


def _families(
    a: Encoded, b: Encoded, choose: Choose, steps: Sequence[float]
) -> Iterator[tuple[EventSet, Iterator[Offer]]]:
    """Yield each kind of event, with the best rules on it."""
    width = a.values.shape[1]
    columns = [Column(j, width) for j in range(min(width, MOST_COLUMNS))]
    features: list[Feature] = [*columns, *derived(columns)]
    keys: list[Key] = [Exact((), width), Exact((), width, coarse=True)]
    keys += [Exact((0,), width)] if width == 1 else [PartKey(feature) for feature in features]
    if 1 < width <= MOST_COLUMNS:
        keys += [PartKey(Ties()), Exact(tuple(range(width)), width)]
    padded = [*steps, *[0.0] * width]
    keys += [
        PartKey(FractionDigits(c.j, width, base, padded[c.j])) for c in columns for base in (10, 2)
    ]
    if a.notes is not None or b.notes is not None:
        keys += [PartKey(Noted(part, "form")) for part in ("words", "keys")]
    for key in keys:
        yield key.event_set(), _tables(key, _tallied(key.read(a), key.read(b)), a, b, choose)
    for feature in features:
        over = EventSet(EventKind.THRESHOLDS, (feature.words(),))
        yield over, _tails(feature, a, b, choose)
    yield from _joint(a, b, columns, choose)


def _joint(
    a: Encoded, b: Encoded, columns: list[Column], choose: Choose
) -> Iterator[tuple[EventSet, Iterator[Offer]]]:
    """Yield tables of the cells of two coordinates, neighbors first."""
    size = len(a) + len(b)
    pairs = sorted(combinations(range(len(columns)), 2), key=lambda pair: pair[1] - pair[0])
    pairs = pairs[: MOST_JOINT // max(size, 1)]
    edges = {
        j: _edges(np.concatenate([columns[j].read(a), columns[j].read(b)]))
        for j in sorted({j for pair in pairs for j in pair})
    }
    for i, j in pairs:
        key = Joint((i, j), a.values.shape[1], (edges[i], edges[j]))
        cells = (len(edges[i]) + 1) * (len(edges[j]) + 1)
        quarters = _quarters(key.read(a), key.read(b))
        counts = np.array([np.bincount(part, minlength=cells) for part in quarters])
        counted = counts[:, counts.any(axis=0)], np.zeros(4, dtype=np.int64)
        yield key.event_set(), _tables(key, counted, a, b, choose)


def _edges(values: Floats) -> Floats:
    """Return edges that give each value a cell; of many values those met often, and ranks."""
    ordered = np.sort(values[np.isfinite(values)])
    own, counts = np.unique(ordered, return_counts=True)
    ranks = np.empty(0)
    if len(own) > MOST_VALUES:
        ranks = ordered[rank_grid(len(ordered), 1, 24)]
        often = np.argsort(-counts, kind="stable")[: MOST_VALUES // 4]
        own = own[often[counts[often] > 4]]
    return np.unique(np.concatenate([ranks, own, np.nextafter(own, np.inf)]))


def _quarters(a: Ints, b: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    half = len(a) // 2
    return a[:half], a[half:], b[:half], b[half:]


def _tallied(a: Ints, b: Ints) -> tuple[Ints, Ints]:
    """Return how often each key that comes again is in each half of each side, and all others."""
    ordered = np.sort(np.concatenate([a, b]))
    repeated = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    counts = np.zeros((4, len(repeated)), dtype=np.int64)
    single = np.zeros(4, dtype=np.int64)
    for i, part in enumerate(_quarters(a, b)):
        at = look_up(part, repeated, np.arange(float(len(repeated))), -1.0).astype(np.int64)
        counts[i] = np.bincount(at[at >= 0], minlength=len(repeated))
        single[i] = len(part) - counts[i].sum()
    return counts, single


def _tables(
    key: Key, counted: tuple[Ints, Ints], a: Encoded, b: Encoded, choose: Choose
) -> Iterator[Offer]:
    """Yield a table of the keys that come again, and events of keys never seen on one side."""
    (a1, a2, b1, b2), single = counted
    keys = len(a1) + int(single.sum())
    if keys < 2:
        return
    # Of keys with scores of each level: outputs under D and D′, keys; of new keys: outputs.
    above, below = np.zeros((2, 3, len(LEVELS) + 1))
    new = np.zeros((2, 2))
    for learned, judged, alone in (
        ((a1, b1), (a2, b2), single[[1, 3]]),
        ((a2, b2), (a1, b1), single[[0, 2]]),
    ):
        ratios = log_ratio(*learned)
        for sums, scores in ((above, ratios), (below, -ratios)):
            level = np.searchsorted(LEVELS, scores, side="right")
            for row, weights in enumerate((*judged, np.full(len(level), 0.5))):
                sums[row] += np.bincount(level, weights, len(LEVELS) + 1)
        for side, other in enumerate(learned[::-1]):
            new[side] += [item[other == 0].sum() for item in judged] + alone
    # Entry i: all that reach level i; the last is none.
    levels = np.append(LEVELS, np.inf)
    high, low = (
        (*(np.append(np.cumsum(row[::-1])[::-1][1:], 0.0) for row in sums), limits)
        for sums, limits in ((above, levels), (below, -levels))
    )
    yield choose(high, low, 1, partial(_table, key, a, b))
    if keys <= MOST_KNOWN:
        one, nothing = np.ones(1), (*np.zeros((3, 1)), np.array([-np.inf]))
        for sign, known in ((1, b), (-1, a)):
            event = *(new[(1 - sign) // 2][::sign, None]), one, one / 2
            build = partial(_unseen, key, known, "D′" if sign > 0 else "D")
            yield choose(event, nothing, sign, build)


def _table(key: Key, a: Encoded, b: Encoded, spell: Spell) -> Table:
    table = Table.learn(key, a, b, spell)
    kept = np.flatnonzero(np.abs(table.ratios) >= LEVELS[0])
    texts = tuple(table.texts[i] for i in kept.tolist())
    return replace(table, keys=table.keys[kept], ratios=table.ratios[kept], texts=texts)


def _unseen(key: Key, known: Encoded, where: str, spell: Spell) -> Table:  # noqa: ARG001
    keys = np.unique(key.read(known))
    return Table(key, keys, np.zeros(len(keys)), ("",) * len(keys), 1.0, where)


def _tails(feature: Feature, a: Encoded, b: Encoded, choose: Choose) -> Iterator[Offer]:
    """Yield thresholds at both ends of a feature, each in the middle of a gap of the samples."""
    x, y = (values[np.isfinite(values)] for values in (feature.read(a), feature.read(b)))
    pooled = np.concatenate([x, y])
    ranks = RANKS[len(pooled) // 50 > RANKS]
    if not len(ranks):
        return
    most = int(ranks[-1]) + 1
    tops = [-np.sort(np.partition(-sign * pooled, most)[: most + 1]) for sign in (1, -1)]
    for share in (GAP, 0.0):
        ends = list[Region]()
        for sign, top in zip((1, -1), tops, strict=True):
            gaps = top[ranks - 1] - top[ranks]
            at = ranks[gaps >= share * np.max(top[:-1] - top[1:])]
            limits = np.append((top[at - 1] + top[at]) / 2, np.inf)
            far = (np.sort(side[sign * side >= top[-1]] * sign) for side in (x, y))
            of_a, of_b = (len(array) - np.searchsorted(array, limits, side="left") for array in far)
            # Without a gap the ordinary tail goes on beyond it.
            ends.append(
                (of_a, of_b, np.full(len(limits), 1.0 if share else UNPARTED), sign * limits)
            )
        for sign in (1, -1):
            high, low = ((*end[:2][::sign], *end[2:]) for end in ends)
            yield choose(high, low, sign, lambda _: Raw(feature))


def _chosen(
    upper: Region, lower: Region, sign: int, build: Build, *, size: int, goal: Goal
) -> Offer:
    """Return the best cut: of upper regions that say D, and lower ones that say D′.

    A region owes the more to luck the more keys it was put together of. sign: −1 where ``upper``
    says D′; then the first of its counts are those under D′.
    """
    right = upper[0][:, None] + lower[1][None, :]
    wrong = upper[1][:, None] + lower[0][None, :]
    luck = [
        (a + b > 0) * (1 + A_KEY * np.maximum(keys - 1, 0.0)) for a, b, keys, _ in (upper, lower)
    ]
    regions = luck[0][:, None] + luck[1][None, :]
    value = forecast(right, wrong, regions, size, goal, caution=0.0)
    # Of cuts that are as good, the one that was put together of least.
    near = value >= value.max() - SLACK / 2
    i, j = np.unravel_index(
        int(np.argmin(np.where(near, regions - value / 100, np.inf))), value.shape
    )
    error = float(np.sqrt(1 / max(right[i, j], 1) + 1 / max(wrong[i, j], 1)))
    promised = float(value[i, j])
    high = float(upper[3][i]) if luck[0][i] else np.inf
    low = float(lower[3][j]) if luck[1][j] else -np.inf
    cut = Cut(low, high, promised, promised, error, sign)
    return cut, int(right[i, j]), int(wrong[i, j]), build
