"""What an audit of few runs with many interventions says: an audit's result, without pairs."""

from __future__ import annotations

from provado.audit.bounds.one_run_finding import OneRunFinding
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
        curve = None if self.curve is None else self.curve.promise()
        return self._found.chance(self.epsilon, self.delta, curve)

    @property
    def _found(self) -> OneRunFinding:
        assert self.one_run is not None
        return self.one_run
