"""What an audit is about to do and what that is going to cost, as it is told before it begins."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Forecast:
    """What is planned, all of it at most, and what a run takes.

    cost: seconds a run, from a few that were timed and thrown away; 0 where none could be.
    pairs: how many are certified. trials: certifying trials of each. explored: runs thrown away
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
