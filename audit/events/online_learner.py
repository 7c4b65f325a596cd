"""Learn from block to block which outputs speak for D: for each block from those before it.

How likely each output is to come from D is learned from few by a mixture over events of one
feature. Of each event S in a family (an interval of the values seen, one key) it is assumed that D
and D′ give it with chances of some ratio. What the samples leave of each pair of event and ratio is
its weight, by Bayes' rule. Nothing is chosen, so that a handful of samples says as much as it can
and no more; and whether it is right changes only how soon a bet on it wins. Bettors stake on the
chance that an output came from D, by Kelly's rule.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from provado.audit.bounds.betting import Bettor, Staked
from provado.audit.target.output_encoding import Encoded, Ints, PatternBook, join
from provado.audit.workers import one_thread

from .features.feature import Column, EventKind, EventSet, Exact, Feature, Floats, Key, merged
from .learners.learn import derived, informative
from .learners.piecewise import CellRatios
from .learners.table import Table, look_up
from .rule import NOTHING, Rule, learn_rule
from .threshold import NO_CUT, Goal, rank_grid

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
            result = look_up(read.astype(np.int64), self.cells.astype(np.int64), self.chances[:-1])
            return np.where(np.isnan(result), self.chances[-1], result)
        result = self.chances[np.searchsorted(self.cells, read, side="right")]
        return np.where(np.isnan(read), 0.5, result)


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
    odds = [math.exp(item - largest) for item in logs]
    total = math.fsum(odds)
    return Blend(tuple(parts), tuple(item / total for item in odds), largest + math.log(total))


MOST_FEATURES = 8
"""Numbers of an output that are examined one by one: the most informative ones so far."""

RENEWED = 1.5
"""Which these are is examined again after so many times as many samples."""

FIRST_RULE, LEARNED_SHARE, MOST_RULES = 256, 2 / 3, 3
"""A rule is learned from so many samples, and each time they have doubled: from a share of them, so
that the rest shows what it is worth. So many rules are kept."""

MOST_KEPT, MOST_NUMBERS = 2**17, 2**24
"""Samples, and numbers in all, that are learned from; what comes later is bet on and forgotten."""

TELLING = 0.5
"""A rule in words guesses where the log-odds are so large a part of the largest there are."""


@dataclass(frozen=True)
class Scored:
    """The score of a learned rule, as a feature."""

    rule: Rule

    def read(self, outputs: Encoded) -> Floats:
        """Return the score."""
        return self.rule.score(outputs) if len(outputs) else np.empty(0)

    def words(self) -> str:
        """Name it."""
        return "the score"


@dataclass
class _Track:
    """A feature, read off every sample from number ``start`` on.

    share: its weight beforehand. before: the log evidence up to there, which is not its own.
    """

    of: Feature | Key
    share: float
    start: int = 0
    before: float = 0.0
    readings: list[Floats | Ints] = field(default_factory=list)

    def chances(self, was_d: NDArray[np.bool_]) -> Chances | None:
        """Return what its readings say."""
        read = np.concatenate(self.readings)
        if isinstance(self.of, Exact):
            return key_chances(self.of, read.astype(np.int64), was_d[self.start :])
        chances = number_chances(self.of, read.astype(np.float64), was_d[self.start :])  # type: ignore[arg-type]
        return chances and replace(chances, evidence=chances.evidence + self.before)


class Learner:
    """What was seen so far, under D and D′, and what it says of the next outputs."""

    def __init__(self, book: PatternBook, alpha: float, delta: float) -> None:
        self._book, self._alpha, self._delta = book, alpha, delta
        self._parts, self._sides = list[Encoded](), list[NDArray[np.bool_]]()
        self._tracks, self._rules = list[_Track](), list[_Track]()
        self._evidence: list[tuple[int, float]] = [(0, 0.0)]
        self._looked = list[EventSet]()
        self._last = blend((), ())
        self._seen: Floats | None = None
        self._renewed, self._learned, self._width, self.samples = 0, 0, -1, 0

    def add(self, a: Encoded, b: Encoded) -> None:
        """Take the outputs of one block, under D and under D′; none beyond what can be kept."""
        size = len(a) + len(b)
        if self.samples + size > min(MOST_KEPT, MOST_NUMBERS // max(self._book.width, 1)):
            return
        both = join((a, b), self._book.width)
        self._parts.append(both)
        self._sides.append(np.repeat([True, False], [len(a), len(b)]))
        self.samples += size
        for track in (*self._tracks, *self._rules):
            track.readings.append(track.of.read(both))

    def blend(self) -> Blend:
        """Return the chance of D given an output, from all that was taken."""
        if self.samples == self._evidence[-1][0]:
            return self._last
        if self._width != self._book.width or self.samples >= RENEWED * self._renewed:
            self._renew()
        if self.samples >= max(FIRST_RULE, 2 * self._learned):
            self._learn()
        was_d = np.concatenate(self._sides)
        base = [(track.chances(was_d), track.share) for track in self._tracks]
        later = [(track.chances(was_d), 1 / len(self._rules)) for track in self._rules]
        shares = 0.5 if later else 1.0
        result = [(part, shares * share) for part, share in (*base, *later) if part is not None]
        self._last = blend([part for part, _ in result], [share for _, share in result])
        self._evidence.append((self.samples, self._last.evidence))
        self._seen = None
        return self._last

    def chances(self) -> Floats:
        """Return the chance of D of all outputs that were kept."""
        if self._seen is None:
            self._seen = self._last(self._joined()) if self.samples else np.empty(0)
        return self._seen

    @property
    def width(self) -> int:
        """How many columns the outputs had that were kept."""
        return max(self._width, 0)

    def sides(self) -> tuple[Encoded, Encoded]:
        """Return all outputs under D and all under D′ that were kept, in order."""
        both, was_d = self._joined(), np.concatenate(self._sides)
        return both.part(was_d), both.part(~was_d)

    def rule(self, part: Chances | None) -> Rule:
        """Return the rule in words of what one part says."""
        looked = merged(self._looked)
        if part is None:
            return Rule(NOTHING, NO_CUT, looked)
        if isinstance(part.of, Scored):
            return replace(part.of.rule, event_kinds=looked)
        odds = log_odds(part.chances)
        cut = replace(NO_CUT, low=-telling(odds), high=telling(odds))
        if isinstance(part.of, Exact):
            table = Table.learn(part.of, *self.sides(), self._book.words)
            return Rule(replace(table, ratios=log_odds(part.at(table.keys))), cut, looked)
        cells = np.asarray(part.cells, dtype=np.float64)
        return Rule(CellRatios(part.of, cells, odds), cut, looked)  # type: ignore[arg-type]

    def _renew(self) -> None:
        """Choose the features that are examined, and read them off all samples."""
        self._renewed, self._width = self.samples, self._book.width
        both, was_d = self._joined(), np.concatenate(self._sides)
        columns = [Column(j, self._width) for j in range(self._width)]
        features: list[Feature] = [*columns, *derived(columns)]
        keys = [Exact((), self._width)]
        if self._width > 1:
            keys.append(Exact(tuple(range(self._width)), self._width))
        share = 1 / (len(features) + len(keys))
        if len(features) > MOST_FEATURES:
            features = informative(features, both.part(was_d), both.part(~was_d))
        features = features[:MOST_FEATURES]
        of_all: list[Feature | Key] = [*keys, *features]
        self._tracks = [_Track(of, share, readings=[of.read(both)]) for of in of_all]
        self._looked += [key.event_set() for key in keys]
        self._looked.append(EventSet(EventKind.INTERVALS, tuple(of.words() for of in features)))

    def _learn(self) -> None:
        """Learn a rule from the first samples; the others show what it is worth."""
        self._learned = self.samples
        wanted = LEARNED_SHARE * self.samples
        start, before = min(self._evidence, key=lambda known: abs(known[0] - wanted))
        both, was_d = self._joined(), np.concatenate(self._sides)
        early, late = both.part(slice(0, start)), both.part(slice(start, None))
        a, b = early.part(was_d[:start]), early.part(~was_d[:start])
        size = min(len(a), len(b))
        goal = Goal(2 * self.samples, self._alpha, self._delta, betting=True)
        with one_thread(), np.errstate(invalid="ignore", over="ignore"):
            rule = learn_rule(
                a.part(slice(0, size)), b.part(slice(0, size)), goal, self._book.words
            )
        of = Scored(rule)
        track = _Track(of, 0.0, start, before, [of.read(late)])
        self._rules = [*self._rules[1 - MOST_RULES :], track]
        self._looked += rule.event_kinds

    def _joined(self) -> Encoded:
        self._parts = [join(self._parts, self._book.width)]
        return self._parts[0]


def guess(part: Chances | None, outputs: Encoded) -> NDArray[np.int8]:
    """Return what the rule in words of one part guesses: +1 for D, −1 for D′, 0 for neither."""
    if part is None or not len(outputs):
        return np.zeros(len(outputs), dtype=np.int8)
    if isinstance(part.of, Scored):
        return part.of.rule.guess(outputs)
    odds, least = log_odds(part(outputs)), telling(log_odds(part.chances))
    return (odds >= least).astype(np.int8) - (odds <= -least).astype(np.int8)


def log_odds(chances: Floats) -> Floats:
    """Return the log-odds of D."""
    return np.asarray(np.log(chances) - np.log1p(-chances))


def telling(odds: Floats) -> float:
    """Return from which log-odds on a rule guesses."""
    return TELLING * float(np.abs(odds).max())


CLAIMED_SHARE = 0.9
"""Of the wealth, what bets against the claim itself; the rest bets against other ε, for a bound
that says more than whether the claim holds."""

BELOW, ABOVE = (0.0, 0.5, 0.8), (0.25, 0.6, 1.0, 1.5, 2.2, 3.2, 5.0, 8.0)
"""These others: parts of the claim, and what is added to it."""

STAKES = np.array([0.0, *(0.97 * 0.87 ** np.arange(30)[::-1]).tolist()])
"""Stakes, as parts of the largest that the ε allows: wealth grows little less than with the best
ones, and few numbers say all."""

MOST_EXPONENT = 700.0

SIDES = (0, 1, -1)
"""What is bet on where δ > 0: guesses of both sides, or of one alone, which half of δ is for."""

STEPS, MOST_ODDS = 16, 30.0
"""Steps of one in the log-odds to which chances are rounded when a cap is chosen, so that rare
outputs count among many; the largest log-odds."""


class BettingStrategy:
    """The bets of all bettors so far, added up by cap and stake.

    weights: of the bettors; stakes: what each of them may place, shape (bettors, levels).
    """

    def __init__(self, epsilon: float, delta: float) -> None:
        others = [*(part * epsilon for part in BELOW), *(epsilon + more for more in ABOVE)]
        self.delta = delta
        self._against = np.minimum([epsilon, *others], MOST_EXPONENT)
        self.weights = np.array(
            [CLAIMED_SHARE, *np.full(len(others), (1 - CLAIMED_SHARE) / len(others))]
        )
        self.stakes = STAKES * np.exp(-self._against)[:, None]
        shape = (len(self._against), len(SIDES), len(STAKES), len(STAKES), 2)
        self._counts = np.zeros(shape, dtype=np.int64)
        self._caps: tuple[Ints, Ints] | None = None

    def plan(self, chances: Floats) -> None:
        """Fix caps and sides for the next block, from the chances of D that earlier outputs had.

        At δ = 0 a cap costs nothing: each stake is its own.
        """
        if self.delta == 0 or not len(chances):
            return
        with np.errstate(divide="ignore"):
            odds = np.clip(np.log(chances) - np.log1p(-chances), -MOST_ODDS, MOST_ODDS)
        odds, number = np.unique(np.round(STEPS * odds), return_counts=True)
        chances, number = 1 / (1 + np.exp(-odds / STEPS)), number[None, :, None]
        right = np.maximum(chances, 1 - chances)[None, :, None]
        against = np.exp(self._against)[:, None, None]
        growth = []
        for side in SIDES:
            charge = self.stakes[:, None, :] * self.delta / (2 if side else 1)
            stakes = self._kelly(right, charge, against) * _bet_on(side, chances)[None, :, None]
            stakes = np.minimum(stakes, self.stakes[:, None, :])
            with np.errstate(divide="ignore", invalid="ignore"):
                grown = right * np.log1p(stakes - charge)
                grown = grown + (1 - right) * np.log1p(-stakes * against - charge)
                grown = (number * grown).sum(axis=1)
            growth.append(np.nan_to_num(grown, nan=-np.inf))
        best = np.argmax(np.concatenate(growth, axis=1), axis=1)
        self._caps = best // len(STAKES), best % len(STAKES)

    def bet(self, chances: Floats, was_d: NDArray[np.bool_]) -> None:
        """Take what a block gave: the chance of D of each output, and whether it was D."""
        correct = (chances > 0.5) == was_d
        right = np.maximum(chances, 1 - chances)[None, :]
        rows = np.arange(len(self._against))[:, None]
        sides = caps = np.zeros((len(rows), 1), dtype=np.int64)
        charge: Floats = np.zeros((len(rows), 1))
        if self.delta > 0 and self._caps is not None:
            sides, caps = (fixed[:, None] for fixed in self._caps)
            charge = self.stakes[rows, caps] * self.delta / np.where(sides, 2, 1)
        stakes = self._kelly(right, charge, np.exp(self._against)[:, None])
        on = np.array([_bet_on(side, chances) for side in SIDES])
        stakes = stakes * on[sides[:, 0]]
        # Rounded down to a level, so that no bet is larger than the best one.
        level = np.searchsorted(STAKES, stakes * np.exp(self._against)[:, None], side="right") - 1
        level = np.minimum(level, caps) if self.delta > 0 else level
        caps = np.broadcast_to(caps, level.shape) if self.delta > 0 else level
        at = (rows, sides, caps, level, np.where(correct, 0, 1)[None, :])
        np.add.at(self._counts, at, 1)

    def bettors(self) -> tuple[Bettor, ...]:
        """Return all bets as data."""
        rows: list[list[Staked]] = [[] for _ in self.weights]
        there = np.argwhere(self._counts[..., 0] | self._counts[..., 1])
        counts = self._counts[tuple(there.T)].tolist()
        for (who, side, cap, level), (right, wrong) in zip(there.tolist(), counts, strict=True):
            stakes = self.stakes[who]
            row = (float(stakes[cap]), float(stakes[level]), right, wrong)
            rows[who].append((*row, SIDES[side]) if side else row)
        each = zip(self.weights.tolist(), rows, strict=True)
        return tuple(Bettor(weight, tuple(staked)) for weight, staked in each)

    def _kelly(self, right: Floats, charge: Floats, against: Floats) -> Floats:
        """Return the stake under which wealth grows fastest where a guess is right so often."""
        return np.asarray(np.maximum((1 - charge) * (right / against - (1 - right)), 0.0))


def _bet_on(side: int, chances: Floats) -> Floats:
    """Return 1 for each output whose guess may be bet on, else 0."""
    return np.where(chances > 0.5, side >= 0, side <= 0).astype(np.float64)
