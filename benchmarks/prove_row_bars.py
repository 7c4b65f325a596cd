"""Decides the rows of dpest's report, and says of each the exact ε, or between what it lies."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from benchmarks.prove_losses import is_just, more_than
from benchmarks.prove_row_facts import EPSILON, MOVING, ROWS, Row
from benchmarks.prove_solvers import Solver, replayed
from provado.proofs import kernel
from provado.proofs.programs.decide import ProgramDecision, decide
from provado.proofs.programs.probability.finite_data import FiniteProof, Quotient

LONGEST = 30.0
_NEAR = tuple(Fraction(1, 10**k) for k in (9, 6, 3))
"""How near a loss is seen to come to what is proved, in units of ε."""


@dataclass(frozen=True)
class Shown:
    """What is shown of a row.

    decision: on the published claim (of an infinite one, on the ε that the algorithm is called
    with); bound: on what is proved instead. words: the exact ε, or what lies around it; upper: no
    loss at this size is above it, ``None`` where none is proved; lower: that of the event is not
    below it; both at the row's ε, which is 1/10 but for one. exact: the two meet. seconds: of
    processor time.
    """

    row: Row
    decision: ProgramDecision
    bound: ProgramDecision | None
    words: str
    upper: float
    lower: float
    exact: bool
    seconds: float

    @property
    def right(self) -> bool:
        """Whether the claim was decided as it had to be, and all that is needed was shown.

        However long it took, of which the table has its own bar.
        """
        if self.row.ideal < math.inf and self.row.bound is None:
            decided = self.decision.verdict == "proved"
        else:
            decided = self.decision.verdict == "refuted"
        held = self.bound is None or self.bound.verdict == "proved"
        return decided and held and self.lower > 0


def show(row: Row) -> Shown:
    """Decide a row's claim and bound, and compute the loss of its event."""
    start = time.process_time()
    if row.pairs:
        decision = decide(row.program, epsilon=row.claim, pairs=row.pairs)
        found = decision.finite
        if not isinstance(found, FiniteProof):
            raise AssertionError(f"{row.name}: {decision.reason or decision.verdict}")
        rate = found.rate or ""
        exact = {one.words(rate) for one in found.worst}
        value = max(one.loss(Fraction(row.at)) for one in found.worst)
        words = ", ".join(exact).replace("epsilon", "ε")
        if row.exact != words:
            words = f"{row.exact} = {words}"
        return Shown(row, decision, None, words, value, value, True, time.process_time() - start)
    decision = decide(row.program, epsilon=row.claim, neighbors=row.neighbors)
    bound = decide(row.program, epsilon=row.bound, neighbors=row.neighbors) if row.bound else None
    assert row.quotient is not None
    words, upper, lower, exact = _around(row, row.quotient())
    return Shown(row, decision, bound, words, upper, lower, exact, time.process_time() - start)


def _around(row: Row, one: Quotient) -> tuple[str, float, float, bool]:
    """Return the exact ε in words, an upper and a lower bound of it, and whether they meet."""
    if not one.bottom:
        return "∞", math.inf, math.inf, True
    assert row.factor is not None
    if row.exact:
        value = one.loss(Fraction(1))
        return row.exact, value, value, one.words("") == str(row.factor)
    name = _multiple(row.factor)
    upper = float(row.factor * EPSILON)
    if is_just(one, row.factor):
        return name, upper, upper, True
    for less in _NEAR:
        with suppress(kernel.KernelRefusal):
            more_than(one, row.factor - less, EPSILON)
            below = f"{name} − 10^{-len(str(less.denominator)) + 1}·ε"
            return (
                f"at most {name}, and above {below}",
                upper,
                float((row.factor - less) * EPSILON),
                False,
            )
    return f"at most {name}", upper, 0.0, False


def _multiple(factor: Fraction) -> str:
    return "ε" if factor == 1 else f"{factor}·ε"


def number(value: float) -> str:
    """Return a number as the report prints it."""
    return "∞" if math.isinf(value) else f"{value:.4g}"


def estimate_words(one: Shown) -> str:
    """Return the report's estimate, and whether it is more than can be."""
    said = number(one.row.estimate)
    return f"{said} (above what is proved)" if _too_large(one) else said


def _too_large(one: Shown) -> bool:
    """Return whether an estimate is above a proved bound, by more than it was rounded."""
    return one.row.estimate > one.upper + 0.00006


def line(one: Shown, solvers: list[Solver]) -> tuple[str, bool]:
    """Return a row of the table, and whether its bar is met."""
    row = one.row
    words, agreed = replayed(one.bound or one.decision, solvers)
    verdict = f"{one.decision.verdict}: {row.claim or 'epsilon'}"
    if one.bound is not None:
        verdict += f"; {one.bound.verdict}: {row.bound}"
    verdict = verdict.replace("epsilon", "ε").replace("*", "·").replace("len(q)", "k")
    at = number(one.upper) if one.exact else f"≤ {number(one.upper)}"
    cells = [row.name, str(row.size), row.neighbors if not row.pairs else "given pairs", verdict]
    cells += [one.words, at, number(row.ideal), estimate_words(one)]
    cells += [f"{one.seconds:.1f}", f"{row.seconds:g}", words, row.more]
    return f"| {' | '.join(cells)} |", one.right and agreed and one.seconds < LONGEST


def rows(solvers: list[Solver]) -> Iterator[tuple[str, bool]]:
    """Yield the table's lines, each with whether its bar is met."""
    yield (
        "| algorithm | inputs | neighbors | decided (k queries) | the exact ε at this size | "
        "at ε = 1/10 | its published ε | dpest's estimate | seconds | dpest's | replayed | |",
        True,
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|---|", True
    shown = []
    for row in (*ROWS, *MOVING):
        shown.append(show(row))
        yield line(shown[-1], solvers)
    main = shown[: len(ROWS)]
    exact = sum(one.exact for one in main)
    wrong = [one.row.name for one in main if _too_large(one)]
    yield "", True
    yield (
        f"{len(main)} rows: of {exact} the exact ε; of {len(main) - exact} a proved bound that an "
        "exact loss comes near, and no event was found to reach, so that no exact ε is claimed.",
        True,
    )
    finite = [one for one in main if math.isinf(one.row.ideal) and math.isfinite(one.upper)]
    named = ", ".join(f"{one.row.name} {number(one.upper)}" for one in finite)
    yield (
        f"Where ∞ is published, {len(finite)} are finite at the size of the report, and grow "
        f"without end with the number of queries: {named}.",
        True,
    )
    yield (
        f"{len(wrong)} estimates lie above what is proved for these neighbors: {', '.join(wrong)}.",
        True,
    )
