"""What an audit is about to do and what that costs, and how far it has come while it runs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SELDOM = 0.2
"""Seconds between two messages."""


@dataclass(frozen=True)
class Progress:
    """One message. stage: ``"plan"``, ``"search"``, ``"explore"`` or ``"certify"``.

    made, planned: runs of that stage so far, and in all. epsilon_lower: what the trials so far
    certify by the bound that holds whenever they end; 0 before any. seconds: since the audit
    began. left: until it ends, at the speed so far; negative where that is not known. cost: of a
    run, in seconds; 0 where that is not known. forecast: what comes, in the message ``"plan"``.
    """

    stage: str
    made: int
    planned: int
    epsilon_lower: float = 0.0
    seconds: float = 0.0
    left: float = -1.0
    cost: float = 0.0
    forecast: Forecast | None = None


def _ignore(_: Progress) -> None:
    pass


class ProgressReporter:
    """Passes messages on, not too many of them; nobody listens where there is no ``listener``."""

    def __init__(self, listener: Callable[[Progress], None] | None) -> None:
        self._listener = listener
        self._started = self._last = time.monotonic()

    def __reduce__(self) -> tuple[Any, ...]:
        # The listener stays in this process; another tells it by messages.
        return ProgressReporter, (_ignore if self.heard else None,)

    @property
    def heard(self) -> bool:
        """Whether anybody listens."""
        return self._listener is not None

    def report_forecast(self, forecast: Forecast) -> None:
        """Report what is about to run, before it begins."""
        self.pass_on(Progress("plan", 0, 0, cost=forecast.cost, forecast=forecast))

    def to(self, listener: Callable[[Progress], None]) -> ProgressReporter:
        """Return a reporter to another listener, if there is one here."""
        return ProgressReporter(listener if self.heard else None)

    def pass_on(self, message: Progress) -> None:
        """Pass on a message that came from another process."""
        if self._listener is not None:
            self._listener(message)

    def __call__(
        self,
        stage: str,
        made: int,
        planned: int,
        bound: Callable[[], float] = lambda: 0.0,
        since: float | None = None,
    ) -> None:
        """Report, if it is time. bound: computed only then. since: when the stage began."""
        now = time.monotonic()
        if self._listener is None or now < self._last + SELDOM:
            return
        self._last = now
        cost = (now - since) / made if since is not None and made else 0.0
        left = cost * max(planned - made, 0) if cost else -1.0
        self.pass_on(Progress(stage, made, planned, bound(), now - self._started, left, cost))


@dataclass(frozen=True)
class Forecast:
    """What is planned, all of it at most, and what a run takes.

    cost: seconds a run, from a few that were timed and discarded; 0 where none could be.
    pairs: how many are certified. trials: certifying trials of each. explored: runs discarded
    before, of each; 0 where bets are learned on the way. candidates, searched: pairs that a search
    begins with, and its runs; 0 where neighbors are given. jobs: processes that certify.
    confidence: of all pairs. seconds: wall time for each pair, if that ends it. usual: nobody asked
    for this time; it is the default, since so many trials would take longer. time_limit: seconds
    after which the audit is ended as unknown.
    """

    cost: float
    pairs: int
    trials: int
    explored: int
    candidates: int
    searched: int
    jobs: int
    confidence: float
    seconds: float | None = None
    usual: bool = False
    time_limit: float = math.inf

    @property
    def sequential(self) -> bool:
        """Whether bets are learned on the way and nothing is explored."""
        return not self.explored

    @property
    def runs(self) -> float:
        """Return after how many runs, one after the other, all is done."""
        return self.searched + self.pairs * (self.explored + self.trials / self.jobs)

    @property
    def total(self) -> float:
        """Return how many seconds drawing takes in all, at most; the time limit aside."""
        drawing = self.cost * self.runs
        if self.seconds is None:
            return drawing
        given = self.seconds * self.pairs
        return min(given, drawing) if self.cost else given
