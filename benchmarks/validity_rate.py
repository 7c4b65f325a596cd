"""How often something happened, with exact limits."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.stats import beta

LEVEL = 0.05
"""What every audit here states as its chance of a false alarm."""

CONFIDENCE = 0.99
"""Of both limits of a rate together: a table of forty rows is read as a whole."""


@dataclass(frozen=True)
class Rate:
    """False alarms among runs; an answer ``unknown`` is none, and is counted beside them."""

    alarms: int
    runs: int
    unknown: int = 0
    reasons: tuple[str, ...] = ()

    @property
    def interval(self) -> tuple[float, float]:
        """The Clopper–Pearson interval of the rate of false alarms."""
        tail = (1 - CONFIDENCE) / 2
        low = 0.0 if self.alarms == 0 else beta.ppf(tail, self.alarms, self.runs - self.alarms + 1)
        full = self.alarms == self.runs
        high = 1.0 if full else beta.isf(tail, self.alarms + 1, self.runs - self.alarms)
        return float(low), float(high)

    @property
    def above(self) -> bool:
        """Whether the rate is above ``LEVEL`` beyond its interval."""
        return self.interval[0] > LEVEL

    def cells(self) -> tuple[str, str, str]:
        """Return alarms of runs, the rate in percent, and its interval, as text."""
        low, high = (100 * limit for limit in self.interval)
        rate = f"{100 * self.alarms / self.runs:.1f} %"
        return f"{self.alarms} / {self.runs}", rate, f"[{low:.1f}, {high:.1f}]"
