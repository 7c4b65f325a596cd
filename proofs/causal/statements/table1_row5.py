"""Table 1, row 5: intervention on the whole database, all populations ↔ DP."""

from __future__ import annotations

from provado.proofs.causal.arrows import arrow
from provado.proofs.causal.statement import Finding, Statement, source


def evidence() -> tuple[Finding, ...]:
    """Check both arrows over the battery."""
    return arrow("5", "1"), arrow("1", "5")


def broken() -> Finding:
    """Set one data point instead of all, for one population: the arrow to DP is lost."""
    return arrow("7", "5")


STATEMENT = Statement(
    id="tschantz2022/table1-row5",
    source=source("Table 1, row 5"),
    printed="Definition 5 ↔ DP.",
    words="Setting all data points, for all populations, is differential privacy.",
    scope="every finite mechanism",
    argument="Proposition 2.",
    evidence=evidence,
    broken=broken,
)
