"""What an audit of few runs with many interventions says: frozen, plain data."""

from __future__ import annotations

import math
from dataclasses import dataclass

from provado.mechanisms import Verdict

from .bounds.one_run import one_run_chance
from .bounds.one_run_gaussian import one_run_gaussian_epsilon_lower, one_run_mu_lower


@dataclass(frozen=True)
class OneRunResult:
    """The verdict on one claim, from runs with m interventions each.

    name: the mechanism's name. verdict, reason: the verdict word; the reason where it is
    ``unknown``, else an empty string. epsilon, delta: the claim. confidence: 1 − the chance of a
    false alarm. seed: replays it. relation: in which one coin is one step.
    interventions: coins of each run. guesses: made in each run. threshold: that of the scores,
    where there is one. runs: that count. explored: those thrown away. right: right guesses in all.
    epsilon_lower: certified lower limit on ε at the claimed δ (≥ 0).
    visible_epsilon: the ε at which this audit had 90 % power, had its guesses been independent and
    right as often as that ε allows; ``math.inf`` where no ε would do.
    seconds: wall time, for information only.
    """

    name: str
    verdict: Verdict
    reason: str
    epsilon: float
    delta: float
    confidence: float
    seed: int
    relation: str
    interventions: int
    guesses: int
    threshold: float | None
    runs: int
    explored: int
    right: int
    epsilon_lower: float
    visible_epsilon: float
    seconds: float = 0.0

    @property
    def chance(self) -> float:
        """The largest chance, under the claim, of so many right guesses or more: a p-value."""
        if not self.runs:
            return 1.0
        return one_run_chance(
            self.right, self.guesses, self.interventions, self.epsilon, self.delta, runs=self.runs
        )

    @property
    def mu_lower(self) -> float:
        """Lower limit on μ, at ``confidence``, where the claim is one of Gaussian DP; of one run.

        It refutes Gaussian claims only. 0 where there was another number of runs.
        """
        if self.runs != 1:
            return 0.0
        alpha = 1 - self.confidence
        return one_run_mu_lower(self.right, self.guesses, self.interventions, alpha)

    @property
    def gaussian_epsilon_lower(self) -> float:
        """The ε at the claimed δ of Gaussian DP with ``mu_lower``; 0 where δ is 0."""
        if self.runs != 1 or self.delta == 0:
            return 0.0
        return one_run_gaussian_epsilon_lower(
            self.right, self.guesses, self.interventions, self.delta, 1 - self.confidence
        )

    def __str__(self) -> str:
        """Return it in one line: name, verdict, claim, certified bound, guesses, or the reason."""
        claim = f"({self.epsilon:g}, {self.delta:g})-DP" if self.delta else f"{self.epsilon:g}-DP"
        if self.verdict is Verdict.UNKNOWN:
            return f"{self.name}: {self.verdict}: {self.reason}"
        seen = ""
        if self.verdict is Verdict.NO_VIOLATION and math.isfinite(self.visible_epsilon):
            seen = f"; visible to these guesses from ε = {self.visible_epsilon:.2f}"
        runs = "1 run" if self.runs == 1 else f"{self.runs} runs"
        return (
            f"{self.name}: {self.verdict}: ε ≥ {self.epsilon_lower:.2f} at {self.confidence:.1%} "
            f"confidence, claimed {claim}; {self.right:,} of {self.guesses * self.runs:,} guesses "
            f"right in {runs} with {self.interventions:,} interventions{seen}"
        )
