"""Table 1, row 2: strong adversary differential privacy ↔ DP."""

from __future__ import annotations

from ._arrows import arrow, missing
from ._finding import Finding


def evidence() -> tuple[Finding, ...]:
    """Check both arrows over the battery."""
    return arrow("2", "1"), arrow("1", "2")


def broken() -> Finding:
    """Ask it of one population only (Definition 10): the arrow to DP is lost."""
    return missing("10", "1", people=(1, 2))
