"""Outputs with their low-order bits taken off, so that floating point says nothing through them.

Noise that is computed in floating point leaves the exact answer visible in the last bits of a
release (Mironov, On Significance of the Least Significant Bits for Differential Privacy, 2012).
That is one finding; whether the noise is also too small is another, which the first would hide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from provado.audit.events.features.feature import Floats
from provado.audit.events.learners.piecewise import Score
from provado.audit.events.rare import learn_rare
from provado.audit.events.rule import Rule, learn_rule
from provado.audit.events.threshold import Goal, promised
from provado.audit.target.output_encoding import Encoded, PatternBook

CELLS, SHORT_CELLS = 2.0**-30, 2.0**-14
"""A multiple of so much of a coordinate's spread is what is left of a number, and of one of 32 bits
or less: far above its last bits, and far below what a threshold could miss."""

LOOKED_AT, FEW = 20_000, 64
"""Outputs of each side that the spread is taken of; a coordinate of at most so many values, which
lie apart from each other, is left as it is."""

BITS = 24

ALIKE = 2.0**-10
"""Steps that are apart by less may be one, so that numbers that are equal stay so."""

SAME = 0.02
"""A rule that loses less than this share of its forecast by rounding does not use low bits."""


@dataclass(frozen=True)
class Grid:
    """The power of two that each coordinate is rounded to a multiple of; 0 where it is left."""

    steps: tuple[float, ...]

    @property
    def rounds(self) -> bool:
        """Whether anything is rounded."""
        return any(self.steps)

    def common(self) -> Grid:
        """Return one with the same step for all coordinates of about the same spread."""
        widest = max(self.steps, default=0.0)
        return Grid(tuple(widest if step > widest * ALIKE else step for step in self.steps))

    def __call__(self, outputs: Encoded) -> Encoded:
        """Return the outputs, rounded. What a number becomes depends on that number alone."""
        if not self.rounds:
            return outputs
        values = outputs.values.astype(np.float64)
        steps = np.zeros(values.shape[1])
        steps[: min(len(self.steps), len(steps))] = self.steps[: len(steps)]
        at = np.flatnonzero(steps)
        # + 0.0 turns −0.0 into 0.0. Steps are powers of two: nothing else is rounded here.
        with np.errstate(invalid="ignore", over="ignore"):
            values[:, at] = np.rint(values[:, at] / steps[at]) * steps[at] + 0.0
        return replace(outputs, values=values)


def significant(outputs: Encoded) -> Encoded:
    """Return outputs with ``BITS`` significant bits a number, where no spread is known yet."""
    if outputs.values.dtype.kind != "f":
        return outputs
    given = outputs.values.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        mantissa, exponent = np.frexp(given)
        values = np.ldexp(np.rint(np.ldexp(mantissa, BITS)), exponent - BITS) + 0.0
    return replace(outputs, values=np.where(np.isfinite(values), values, given))


def grid_of(a: Encoded, b: Encoded) -> Grid:
    """Return the grid for outputs like these; whole numbers are left as they are."""
    if a.values.dtype.kind != "f" and b.values.dtype.kind != "f":
        return Grid(())
    heads = [part.part(slice(0, LOOKED_AT)).values for part in (a, b)]
    short = max(head.dtype.itemsize for head in heads) < 8
    columns = np.concatenate(heads).T.astype(np.float64)
    cells = SHORT_CELLS if short else CELLS
    return Grid(tuple(_step(column, cells) for column in columns))


def _step(values: Floats, cells: float) -> float:
    finite = values[np.isfinite(values)]
    if not len(finite) or np.all(finite == np.rint(finite)):
        return 0.0
    spread = float(np.subtract(*np.quantile(finite, [0.75, 0.25]))) or float(np.ptp(finite))
    spread = spread or float(np.max(np.abs(finite)))
    if not (math.isfinite(spread) and spread > 1e-290):
        return 0.0
    step = float(2.0 ** math.floor(math.log2(spread * cells)))
    distinct = np.unique(finite)
    if len(distinct) <= FEW and (len(distinct) < 2 or float(np.min(np.diff(distinct))) > step):
        return 0.0
    return step


@dataclass(frozen=True)
class Rounded:
    """A score of the rounded output."""

    score: Score
    grid: Grid
    raw = False

    def __call__(self, outputs: Encoded) -> Floats:
        """Return the scores."""
        return self.score(self.grid(outputs))

    def edges(self, column: int, edges: Floats) -> Floats | None:
        """Return the least number of a column that is rounded to at least each edge.

        ``None`` where doubles are too coarse for that.
        """
        step = self.grid.steps[column] if column < len(self.grid.steps) else 0.0
        if not step:
            return edges
        at = np.ceil(edges / step)
        if not np.all((abs(at) < 2**51) & (at * step >= edges) & ((at - 1) * step < edges)):
            return None
        # What lies halfway between two multiples goes to the even one.
        half = (at - 0.5) * step
        return np.where(at % 2 == 0, half, np.nextafter(half, np.inf))

    def region(self, low: float, high: float) -> str:
        """Say what the score says; of rounded outputs."""
        return self.score.region(low, high)

    def record(self) -> dict[str, Any]:
        """Return the score's record, with the grid."""
        return {**self.score.record(), "rounded_to_multiples_of": list(self.grid.steps[:100])}


def rare_rules(
    rule: Rule | None,
    apart: Rule,
    a: Encoded,
    b: Encoded,
    goal: Goal,
    book: PatternBook,
) -> list[tuple[Rule, bool]]:
    """Return a rule for rare outputs and whether it is blind to low-order bits; or none.

    apart: the rule that is; ``rule`` is the one that is not, ``None`` where that is not wanted.
    """
    grid, half = grid_of(a, b).common(), replace(goal, alpha=goal.alpha / 2)
    result = learn_rare(grid(a), grid(b), half, apart, grid.steps, book.words)
    if result is not None:
        score = Rounded(result.score, grid) if grid.rounds else result.score
        return [(replace(result, score=score), True)]
    if rule is None or not grid.rounds:
        return []
    result = learn_rare(a, b, half, rule, (), book.words)
    return [] if result is None else [(result, False)]


def rounded_rule(
    rule: Rule, a: Encoded, b: Encoded, goal: Goal, book: PatternBook
) -> tuple[Rule, bool]:
    """Return the best rule that does not see low-order bits, and whether ``rule`` depends on them.

    Where it does not, it is the same rule, on rounded outputs.
    """
    grid = grid_of(a, b)
    if not grid.rounds:
        return rule, False
    same = Rule(Rounded(rule.score, grid), rule.cut, rule.event_kinds)
    half = slice(len(a) // 2, None)
    unseen = a.part(half), b.part(half)
    now, then = (
        promised(item.guess(unseen[0]), item.guess(unseen[1]), goal) for item in (same, rule)
    )
    if now >= then - SAME * abs(then):
        return same, False
    return rule_of_rounded(grid, a, b, goal, book), True


def rule_of_rounded(grid: Grid, a: Encoded, b: Encoded, goal: Goal, book: PatternBook) -> Rule:
    """Return the best rule of rounded outputs."""
    learned = learn_rule(grid(a), grid(b), goal, book.words)
    score = Rounded(learned.score, grid) if grid.rounds else learned.score
    return Rule(score, learned.cut, learned.event_kinds)
