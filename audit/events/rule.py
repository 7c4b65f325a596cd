"""The frozen rule: looks at an output and guesses D, guesses D′, or abstains."""

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.audit.target.output_encoding import Encoded, Ints

from .features.feature import Column, EventSet, Feature, FloatBits, leaving_out, merged
from .features.text import Noted
from .learners.learn import SCREENED, candidates, explained
from .learners.piecewise import STRICT, CellRatios, Score
from .learners.table import Table
from .threshold import NO_CUT, Cut, Goal, admitted, best_cut

Guesses = NDArray[np.int8]

PREFERENCE, COARSE = 0.01, 0.2
"""How much more a later score must promise to be preferred, relatively; where errors are coarse.

Scores come in the order of how few cuts they offer. One with many cuts owes part of its forecast to
luck, a standard error or two, and must promise that much more; where wrong guesses are so rare that
the error is above ``COARSE``, where exactly the cut lies matters more than that.
"""

CODES, CODE_BITS, UNKNOWN, MOST_KEPT = 2**18 + 2**11, 16, 2, 16
"""Codes that an output may have, bits of those of whole numbers; stands for a guess that was not
made yet; tables of guesses that are kept at a time."""

CLEARLY = 1.1
"""By which factor a slow score must beat the quick ones on a part of the samples to be tried."""


@dataclass(frozen=True)
class Rule:
    """Guess D where score ≥ ``cut.high``, D′ where score ≤ ``cut.low``, else abstain.

    event_kinds: the kinds of event among which it was chosen. guesses: those made before, by the
    code of the output.
    """

    score: Score
    cut: Cut
    event_kinds: tuple[EventSet, ...] = ()
    guesses: dict[Any, Guesses] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """Return all but what can be made again."""
        return {item.name: getattr(self, item.name) for item in fields(self)} | {"guesses": {}}

    @property
    def unrounded(self) -> Score:
        """The score; of rounded outputs, that of what is left of them."""
        score: Score = getattr(self.score, "score", self.score)
        return score

    @property
    def noted(self) -> bool:
        """Whether it reads notes of outputs."""
        return _reads_notes(self.score)

    def guess(self, outputs: Encoded) -> Guesses:
        """Return +1 for D, −1 for D′, 0 for neither, shape (n,).

        Where a code says all that is read of an output, outputs of one code are scored once.
        """
        key, codes = _codes(outputs, self.score)
        if codes is None:
            return self._guess(outputs)
        known = self.guesses.get(key)
        if known is None:
            if len(self.guesses) >= MOST_KEPT:
                self.guesses.clear()
            known = self.guesses[key] = np.full(CODES, UNKNOWN, dtype=np.int8)
        guesses = known.take(codes)
        if guesses.max(initial=0) == UNKNOWN:
            new = np.flatnonzero(guesses == UNKNOWN)
            guesses[new] = known[codes[new]] = self._guess(outputs.part(new))
        return guesses

    def _guess(self, outputs: Encoded) -> Guesses:
        if self._by_cells is not None:
            return self._by_cells(outputs)
        score = self.score(outputs)
        return self._say(score)

    @functools.cached_property
    def _by_cells(self) -> Callable[[Encoded], Guesses] | None:
        """How guesses follow from the cell of a coordinate, where the score is made of these."""
        cells: Any = self.unrounded
        if not (isinstance(cells, CellRatios) and isinstance(cells.feature, Column)):
            return None
        wrapped: Any = self.score
        own = wrapped is cells
        edges = cells.edges if own else wrapped.edges(cells.feature.j, cells.edges)
        return None if edges is None else cells.saying(edges, self._say)

    def _say(self, score: NDArray[np.float64]) -> Guesses:
        # A NaN score compares false both times: the rule abstains.
        above = (score >= self.cut.high).view(np.int8)
        below = (score <= self.cut.low).view(np.int8)
        return above - below if self.cut.sign > 0 else below - above

    def words(self) -> tuple[str, str]:
        """Return in words when it guesses D and when D′; empty where it never does."""
        high, low = self.cut.high, self.cut.low
        above = self.score.region(high, np.inf) if np.isfinite(high) else ""
        below = self.score.region(-np.inf, low) if np.isfinite(low) else ""
        return (above, below) if self.cut.sign > 0 else (below, above)

    def record(self) -> dict[str, Any]:
        """Return the rule as plain data."""
        return {
            "score": self.score.record(),
            "high": self.cut.high,
            "low": self.cut.low,
            "high_means": "D" if self.cut.sign > 0 else "D′",
            "forecast": self.cut.value,
        }


def _reads_notes(part: Any) -> bool:
    if isinstance(part, tuple):
        return any(map(_reads_notes, part))
    held = (getattr(part, item.name) for item in fields(part)) if is_dataclass(part) else ()
    return isinstance(part, Noted) or any(map(_reads_notes, held))


def learn_rule(
    a: Encoded,
    b: Encoded,
    goal: Goal,
    spell: Callable[[Encoded, int], str],
    *,
    quick: bool = False,
) -> Rule:
    """Return the rule with the best forecast on samples that its score was not learned from.

    a, b: exploration outputs under D and under D′, equally many. The first half of each teaches
    the scores; the second half places the thresholds and compares the scores. A raw feature
    learns nothing and cells little, so once one is chosen both halves are used.
    """
    half = len(a) // 2
    early, late = ((a.part(rows), b.part(rows)) for rows in (slice(0, half), slice(half, None)))
    unseen = _Unseen(*late, goal)
    quick_ones, slow_ones, looked = candidates(*early, spell)
    best, failed = Rule(NOTHING, NO_CUT), list[EventSet]()
    for score in quick_ones:
        with leaving_out(failed, score.event_set().kind):
            best = unseen.better(best, score)
    for kind, build in () if quick else slow_ones:
        with leaving_out(failed, kind):
            slow = build()
            if unseen.promising(best, slow):
                best = unseen.better(best, slow)
    best = replace(best, event_kinds=merged([*looked, *failed]))
    if isinstance(best.score, CellRatios):
        return _refined(best, best.score.feature, a, b, goal)
    if best.score.raw:
        return replace(best, cut=best_cut(best.score(a), best.score(b), goal, both_ways=True))
    return replace(best, score=explained(best.score, early, late, goal, best.cut.value))


def learn_further(
    rule: Rule, scores: Sequence[CellRatios | Table], a: Encoded, b: Encoded, goal: Goal
) -> Rule:
    """Return the best of a rule and of cuts of more scores, which were learned from other outputs.

    a, b: outputs under D and D′, equally many, from which neither the rule nor a score was learned;
    of their coordinates those are enough that the scores read.
    """
    unseen, best = _Unseen(a, b, goal), rule
    for score in scores:
        best = unseen.better(best, score)
        if isinstance(score, CellRatios):
            # What is rare is cut where these samples have it, too.
            refined = _refined(rule, score.feature, a, b, goal)
            best = refined if _replaces(refined.cut, best.cut) else best
    looked = merged([*rule.event_kinds, *(score.event_set() for score in scores)])
    return replace(best, event_kinds=looked)


def _refined(rule: Rule, feature: Feature, a: Encoded, b: Encoded, goal: Goal) -> Rule:
    """Return the rule with cells of the feature that are learned and cut on the same samples.

    They have so few parameters that this may be done.
    """
    x, y = feature.read(a), feature.read(b)
    pooled = np.sort(np.concatenate([x, y]))
    score = CellRatios.learn(feature, x, y, penalty=STRICT, narrow=True).graded(
        pooled[np.isfinite(pooled)]
    )
    return Rule(score, best_cut(score.of(x), score.of(y), goal), rule.event_kinds)


@dataclass(frozen=True)
class _Unseen:
    """Samples held back from learning, on which scores are compared."""

    a: Encoded
    b: Encoded
    goal: Goal

    def better(self, best: Rule, score: Score) -> Rule:
        """Return the better of the best rule so far and the best cut of ``score``."""
        cut = best_cut(score(self.a), score(self.b), self.goal, both_ways=score.raw)
        return Rule(score, cut) if _replaces(cut, best.cut) else best

    def promising(self, best: Rule, score: Score) -> bool:
        """Return whether a slow score beats the best so far clearly on a part of the samples."""
        a, b = (part.part(slice(0, SCREENED)) for part in (self.a, self.b))
        new = best_cut(score(a), score(b), self.goal)
        old = best_cut(best.score(a), best.score(b), self.goal, both_ways=best.score.raw)
        return new.value > max(old.value, 0.0) * CLEARLY + 0.005


def _codes(outputs: Encoded, score: Score) -> tuple[Any, Ints | None]:
    """Return a code of each output, and before it what else is read, which all have in common.

    Bits of floating-point numbers and few whole numbers have codes; ``None`` for all else.
    """
    values, shared = outputs.values, (outputs.pattern, outputs.coarse)
    more = outputs.rest is not None or outputs.notes is not None
    if more or not (outputs.alike and len(outputs)):
        return None, None
    key, columns = tuple(int(array[0]) for array in shared), values.shape[1]
    if isinstance(score, Table) and isinstance(score.key, FloatBits):
        return key, score.key.code(outputs)
    if values.dtype.kind not in "iub" or not 0 < columns <= CODE_BITS:
        return None, None
    bits = CODE_BITS // columns
    base = int(values.min()) >> (bits - 1) << (bits - 1)
    if int(values.max()) - base >= 1 << bits:
        return None, None
    parts = [(values[:, j].astype(np.int64) - base) << bits * j for j in range(columns)]
    return (*key, base), functools.reduce(np.bitwise_or, parts)


def _replaces(new: Cut, old: Cut) -> bool:
    """Return whether a cut is better than one of a score that came before."""
    if new.floor < admitted(old.floor):
        return False
    return old.floor < admitted(new.floor) or new.value > old.value + _margin(old)


def _margin(cut: Cut) -> float:
    """Return by how much a forecast must exceed that of ``cut`` to replace it."""
    if not math.isfinite(cut.value):
        return 0.0
    return PREFERENCE * abs(cut.value) + (2 * cut.error if cut.error < COARSE else 0.0)


class _Nothing:
    """A score with nothing to say: the output has neither structure nor numbers."""

    raw = True

    def __call__(self, outputs: Encoded) -> NDArray[np.float64]:
        return np.full(len(outputs), np.nan)

    def region(self, low: float, high: float) -> str:  # noqa: ARG002
        return ""

    def record(self) -> dict[str, Any]:
        return {"kind": "none"}


NOTHING = _Nothing()
