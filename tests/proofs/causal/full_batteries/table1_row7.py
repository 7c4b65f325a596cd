"""Table 1, row 7: intervention on one data point, given population ← DP, and not back."""

from __future__ import annotations

from ._arrows import arrow, missing
from ._finding import Finding, denied


def evidence() -> tuple[Finding, ...]:
    """Check the arrow, and search for the smallest case against its converse."""
    return arrow("1", "7"), denied(missing("7", "1", people=(1, 2), role="printed"))


def broken() -> Finding:
    """Turn the arrow round."""
    return arrow("7", "1")
