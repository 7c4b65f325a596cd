"""What few runs with many interventions gave: how many coins, guesses and right ones, as data."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from provado.audit.bounds.one_run import check_guesses, one_run_epsilon_lower
from provado.audit.power import one_run_visible_epsilon
from provado.mechanisms import UsageError, Verdict


@dataclass(frozen=True)
class OneRunFinding:
    """The guesses of an audit of few runs, each with m interventions.

    interventions: coins of each run. guesses: made in each run. threshold: that of the scores,
    where there is one. runs: that count, 0 where none was completed. explored: those thrown away.
    right: right guesses in all. Raises ``UsageError`` for numbers that no runs can give.
    epsilon_lower: certified lower limit on ε at the claimed δ (≥ 0).
    visible_epsilon: the ε at which this audit had 90 % power, had its guesses been independent and
    right as often as that ε allows; ``math.inf`` where no ε would do.
    """

    interventions: int
    guesses: int
    threshold: float | None
    runs: int
    explored: int
    right: int
    epsilon_lower: float = 0.0
    visible_epsilon: float = math.inf

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
        return one_run_epsilon_lower(
            self.right, self.guesses, self.interventions, delta, alpha, runs=self.runs
        )


def judged(
    found: OneRunFinding, epsilon: float, delta: float, alpha: float
) -> tuple[OneRunFinding, Verdict]:
    """Return the finding with the limits that follow from its guesses, and its verdict on (ε, δ).

    Of ``epsilon_lower`` and ``visible_epsilon`` of what is given nothing is used.
    """
    if not found.runs:
        return replace(found, epsilon_lower=0.0, visible_epsilon=math.inf), Verdict.UNKNOWN
    lower = found.certified(delta, alpha)
    visible = one_run_visible_epsilon(
        found.guesses, found.interventions, epsilon, delta, alpha, runs=found.runs
    )
    verdict = Verdict.VIOLATION if lower > epsilon else Verdict.NO_VIOLATION
    return replace(found, epsilon_lower=lower, visible_epsilon=visible), verdict
