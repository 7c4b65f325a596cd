"""Table 1, row 5: intervention on the whole database, all populations ↔ DP."""

from __future__ import annotations

from ._arrows import arrow
from ._finding import Finding


def evidence() -> tuple[Finding, ...]:
    """Check both arrows over the battery."""
    return arrow("5", "1"), arrow("1", "5")


def broken() -> Finding:
    """Set one data point instead of all, for one population: the arrow to DP is lost."""
    return arrow("7", "5")
