"""What an audit of few runs with many interventions says: an audit's result, without pairs."""

from __future__ import annotations

from provado.audit.bounds.one_run import one_run_chance
from provado.audit.bounds.one_run_gaussian import one_run_gaussian_epsilon_lower, one_run_mu_lower
from provado.audit.one_run_finding import OneRunFinding
from provado.audit.result import AuditResult


class OneRunResult(AuditResult):
    """The verdict on one claim, from runs with m interventions each.

    An ``AuditResult`` whose ``one_run`` says what was guessed; it has no pairs and no samples.
    Wherever an audit's result is taken, this is. ``relation`` is the one in which one coin is one
    step.
    """

    @property
    def interventions(self) -> int:
        """Coins of each run."""
        return self._found.interventions

    @property
    def guesses(self) -> int:
        """Guesses made in each run."""
        return self._found.guesses

    @property
    def threshold(self) -> float | None:
        """The threshold of the scores, where there is one."""
        return self._found.threshold

    @property
    def runs(self) -> int:
        """Runs that count; 0 where they were not completed."""
        return self._found.runs

    @property
    def explored(self) -> int:
        """Runs that were thrown away."""
        return self._found.explored

    @property
    def right(self) -> int:
        """Right guesses in all runs that count."""
        return self._found.right

    @property
    def visible_epsilon(self) -> float:
        """The ε at which this audit had 90 % power, by independent guesses; else ``math.inf``."""
        return self._found.visible_epsilon

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

    @property
    def _found(self) -> OneRunFinding:
        assert self.one_run is not None
        return self.one_run
