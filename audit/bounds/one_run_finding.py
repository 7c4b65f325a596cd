"""What few runs with many interventions gave: how many coins, guesses and right ones, as data."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from provado.audit.bounds.one_run import check_guesses, one_run_chance, one_run_epsilon_lower
from provado.audit.bounds.one_run_curve import Point, one_run_curve_chance, one_run_curve_limit
from provado.audit.bounds.power import one_run_visible_epsilon
from provado.mechanisms import UsageError, Verdict
from provado.mechanisms.definitions.curve import CurvePromise


@dataclass(frozen=True)
class OneRunFinding:
    """The guesses of an audit of few runs, each with m interventions.

    interventions: coins of each run. guesses: made in each run. threshold: that of the scores,
    where there is one. runs: that count, 0 where none was completed. explored: those thrown away.
    right: right guesses in all. Raises ``UsageError`` for numbers that no runs can give.
    epsilon_lower: certified lower limit on ε at the claimed δ (≥ 0).
    visible_epsilon: the ε at which this audit had 90 % power, had its guesses been independent and
    right as often as that ε allows; ``math.inf`` where no ε would do.
    parameter_lower: where a curve is claimed, the certified lower limit on its parameter.
    """

    interventions: int
    guesses: int
    threshold: float | None
    runs: int
    explored: int
    right: int
    epsilon_lower: float = 0.0
    visible_epsilon: float = math.inf
    parameter_lower: float | None = None

    def __post_init__(self) -> None:
        if self.runs:
            check_guesses(self.right, self.guesses, self.interventions, self.runs)
        if self.right and not self.guessed:
            raise UsageError(f"right is {self.right}: there were no runs that guessed")
        if self.runs and not self.guesses:
            raise UsageError("guesses is 0: a run that counts guesses one coin at least")

    @property
    def guessed(self) -> int:
        """Guesses of all runs that count."""
        return self.guesses * self.runs

    @property
    def tossed(self) -> int:
        """Coins of all runs that count."""
        return self.interventions * self.runs

    def certified(self, delta: float, alpha: float) -> float:
        """Return the lower limit on ε at δ that the guesses certify at 1 − ``alpha``."""
        if not self.runs:
            return 0.0
        return one_run_epsilon_lower(*self._guesses, delta, alpha, runs=self.runs)

    def chance(self, epsilon: float, delta: float, curve: CurvePromise | None = None) -> float:
        """Return the largest chance of so many right guesses under (ε, δ), or under a curve."""
        if not self.runs:
            return 1.0
        if curve is not None:
            return one_run_curve_chance(*self._guesses, curve, runs=self.runs)
        return one_run_chance(*self._guesses, epsilon, delta, runs=self.runs)

    def certified_of(self, curve: CurvePromise, alpha: float) -> tuple[float, Point | None]:
        """Return the lower limit on a curve's parameter at 1 − ``alpha``, and its telling point."""
        if not self.runs:
            return 0.0, None
        return one_run_curve_limit(*self._guesses, alpha, curve, runs=self.runs)

    @property
    def _guesses(self) -> tuple[int, int, int]:
        return self.right, self.guesses, self.interventions


@dataclass(frozen=True)
class Judged:
    """What follows from guesses and a claim.

    found: the finding with its limits. point: the ε and δ claimed, of a curve those of its point
    of which the guesses say most.
    """

    found: OneRunFinding
    verdict: Verdict
    point: Point


def judged(
    found: OneRunFinding,
    epsilon: float,
    delta: float,
    alpha: float,
    curve: CurvePromise | None = None,
) -> Judged:
    """Return what the guesses say of (ε, δ), or of a curve; limits that stand there are not used.

    epsilon, delta: of a curve any point of it, which stays where the guesses say nothing.
    """
    nothing = None if curve is None else 0.0
    found = replace(found, epsilon_lower=0.0, visible_epsilon=math.inf, parameter_lower=nothing)
    if not found.runs:
        return Judged(found, Verdict.UNKNOWN, (epsilon, delta))

    def refutes(right: int) -> bool:
        return replace(found, right=right).chance(epsilon, delta, curve) <= alpha

    point, parameter = (epsilon, delta), None
    if curve is not None:
        parameter, telling = found.certified_of(curve, alpha)
        point = telling or point
    limits = replace(
        found,
        epsilon_lower=found.certified(point[1], alpha),
        visible_epsilon=one_run_visible_epsilon(refutes, found.guessed),
        parameter_lower=parameter,
    )
    violated = (
        limits.epsilon_lower > epsilon
        if curve is None or parameter is None
        else parameter > curve.parameter
    )
    return Judged(limits, Verdict.VIOLATION if violated else Verdict.NO_VIOLATION, point)
