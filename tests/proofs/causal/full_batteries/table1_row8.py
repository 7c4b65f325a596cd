"""Table 1, row 8: intervention on one data point, all populations ↔ DP."""

from __future__ import annotations

from ._arrows import arrow
from ._finding import Finding


def evidence() -> tuple[Finding, ...]:
    """Check both arrows over the battery."""
    return arrow("8", "1"), arrow("1", "8")


def broken() -> Finding:
    """Condition instead of intervening: DP does not bound associations in all populations."""
    return arrow("8", "3")
