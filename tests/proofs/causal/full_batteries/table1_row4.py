"""Table 1, row 4: Bayesian₀ differential privacy for independent data points ↔ DP."""

from __future__ import annotations

from ._arrows import arrow, missing
from ._finding import Finding


def evidence() -> tuple[Finding, ...]:
    """Check both readings of "independent"; the printed one fails from three data points on."""
    return (
        arrow("4 as printed", "1"),
        missing("1", "4 as printed", most_points=3, role="printed"),
        missing("1", "4 as printed", most_points=2, role="sharper"),
        arrow("4 with mutual independence", "1", role="repaired"),
        arrow("1", "4 with mutual independence", role="repaired"),
    )


def broken() -> Finding:
    """Forget the condition: all populations, correlated ones too."""
    return arrow("1", "3")
