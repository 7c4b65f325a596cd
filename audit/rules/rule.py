"""The frozen rule: looks at an output and guesses D, guesses D′, or abstains."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.audit.outputs import Encoded

from .learn import SCREENED, candidates
from .looked import Looked
from .piecewise import STRICT, Cells
from .score import Score
from .text import Noted
from .threshold import NO_CUT, Cut, Goal, admitted, best_cut

PREFERENCE, COARSE = 0.01, 0.2
"""How much more a later score must promise to be preferred, relatively; where errors are coarse.

Scores come in the order of how few cuts they offer. One with many cuts owes part of its forecast to
luck, a standard error or two, and must promise that much more; where wrong guesses are so rare that
the error is above ``COARSE``, where exactly the cut lies matters more than that.
"""

CLEARLY = 1.4
"""By which factor a slow score must beat the quick ones on a part of the samples to be tried."""


@dataclass(frozen=True)
class Rule:
    """Guess D where score ≥ ``cut.high``, D′ where score ≤ ``cut.low``, else abstain.

    looked_at: the kinds of event among which it was chosen.
    """

    score: Score
    cut: Cut
    looked_at: tuple[Looked, ...] = ()

    @property
    def noted(self) -> bool:
        """Whether it reads notes of outputs."""
        # Of rounded outputs, what is read of them.
        score = getattr(self.score, "score", self.score)
        read = getattr(score, "feature", getattr(score, "key", None))
        return isinstance(read, Noted) or isinstance(getattr(read, "part", None), Noted)

    def guess(self, outputs: Encoded) -> NDArray[np.int8]:
        """Return +1 for D, −1 for D′, 0 for neither, shape (n,)."""
        score = self.score(outputs)
        # A NaN score compares false both times: the rule abstains.
        above = (score >= self.cut.high).astype(np.int8)
        below = (score <= self.cut.low).astype(np.int8)
        return above - below if self.cut.sign > 0 else below - above

    def words(self) -> tuple[str, str]:
        """Say when it guesses D and when D′; empty where it never does."""
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
    held = _Held(a.part(slice(half, None)), b.part(slice(half, None)), goal)
    offered = candidates(a.part(slice(0, half)), b.part(slice(0, half)), spell)
    best = Rule(NOTHING, NO_CUT)
    for score in offered.quick:
        best = held.better(best, score)
    for build in () if quick else offered.slow:
        score = build()
        if held.promising(best, score):
            best = held.better(best, score)
    best = replace(best, looked_at=offered.looked)
    if isinstance(best.score, Cells):
        # So few parameters may be learned and cut on the same samples.
        feature = best.score.feature
        x, y = feature.read(a), feature.read(b)
        pooled = np.sort(np.concatenate([x, y]))
        score = Cells.learn(feature, x, y, penalty=STRICT, narrow=True).graded(
            pooled[np.isfinite(pooled)]
        )
        return Rule(score, best_cut(score.of(x), score.of(y), goal), offered.looked)
    if best.score.raw:
        cut = best_cut(best.score(a), best.score(b), goal, both_ways=True)
        return Rule(best.score, cut, offered.looked)
    return best


@dataclass(frozen=True)
class _Held:
    """Samples held back from learning, on which scores are compared."""

    a: Encoded
    b: Encoded
    goal: Goal

    def better(self, best: Rule, score: Score) -> Rule:
        """Return the better of the best rule so far and the best cut of ``score``."""
        cut = best_cut(score(self.a), score(self.b), self.goal, both_ways=score.raw)
        if cut.floor < admitted(best.cut.floor):
            return best
        if best.cut.floor < admitted(cut.floor):
            return Rule(score, cut)
        return Rule(score, cut) if cut.value > best.cut.value + _margin(best.cut) else best

    def promising(self, best: Rule, score: Score) -> bool:
        """Tell whether a slow score beats the best so far clearly on a part of the samples."""
        a, b = (part.part(slice(0, SCREENED)) for part in (self.a, self.b))
        new = best_cut(score(a), score(b), self.goal)
        old = best_cut(best.score(a), best.score(b), self.goal, both_ways=best.score.raw)
        return new.value > max(old.value, 0.0) * CLEARLY + 0.005


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
