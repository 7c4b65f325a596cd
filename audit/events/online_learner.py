"""Learns from block to block which outputs speak for D: for each block from those before it."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from provado.audit.target.output_encoding import Encoded, Ints, PatternBook, join
from provado.audit.workers import one_thread

from .features.feature import Column, Exact, Feature, Floats, Key
from .features.kinds import Kind, Looked, merged
from .learners.learn import derived, informative
from .learners.piecewise import Cells
from .learners.posterior import Blend, Chances, blend, key_chances, number_chances
from .learners.table import Table
from .rule import NOTHING, Rule, learn_rule
from .threshold import NO_CUT, Goal

MOST_FEATURES = 8
"""Numbers of an output that are looked at one by one: the most telling ones so far."""

RENEWED = 1.5
"""Which these are is looked at again after so many times as many samples."""

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
        found = number_chances(self.of, read.astype(np.float64), was_d[self.start :])  # type: ignore[arg-type]
        return found and replace(found, evidence=found.evidence + self.before)


class Learner:
    """What was seen so far, under D and D′, and what it says of the next outputs."""

    def __init__(self, book: PatternBook, alpha: float, delta: float) -> None:
        self._book, self._alpha, self._delta = book, alpha, delta
        self._parts, self._sides = list[Encoded](), list[NDArray[np.bool_]]()
        self._tracks, self._rules = list[_Track](), list[_Track]()
        self._evidence: list[tuple[int, float]] = [(0, 0.0)]
        self._looked = list[Looked]()
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
        found = [(part, shares * share) for part, share in (*base, *later) if part is not None]
        self._last = blend([part for part, _ in found], [share for _, share in found])
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
            return replace(part.of.rule, looked_at=looked)
        odds = log_odds(part.chances)
        cut = replace(NO_CUT, low=-telling(odds), high=telling(odds))
        if isinstance(part.of, Exact):
            table = Table.learn(part.of, *self.sides(), self._book.words)
            return Rule(replace(table, ratios=log_odds(part.at(table.keys))), cut, looked)
        return Rule(Cells(part.of, np.asarray(part.cells, dtype=np.float64), odds), cut, looked)  # type: ignore[arg-type]

    def _renew(self) -> None:
        """Choose the features that are looked at, and read them off all samples."""
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
        self._looked += [key.looked() for key in keys]
        self._looked.append(Looked(Kind.INTERVALS, tuple(of.words() for of in features)))

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
        self._looked += rule.looked_at

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
