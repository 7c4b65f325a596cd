"""Table 1, row 3: Bayesian₀ differential privacy → DP, and not back."""

from __future__ import annotations

from ._arrows import arrow, missing
from ._finding import Finding, denied


def evidence() -> tuple[Finding, ...]:
    """Check the arrow, and search for the smallest case against its converse."""
    return (
        arrow("3", "1"),
        denied(missing("1", "3", role="printed")),
        missing("1", "3", most_points=1, role="sharper"),
    )


def broken() -> Finding:
    """Turn the arrow round."""
    return arrow("1", "3")
