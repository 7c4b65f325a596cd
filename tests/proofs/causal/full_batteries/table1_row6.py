"""Table 1, row 6: intervention on the whole database, given population ↔ DP."""

from __future__ import annotations

from ._arrows import arrow
from ._finding import Finding


def evidence() -> tuple[Finding, ...]:
    """Check both arrows over the battery."""
    return arrow("6", "1"), arrow("1", "6")


def broken() -> Finding:
    """Condition on the dataset instead of setting it: the arrow to DP is lost."""
    return arrow("10", "1")
