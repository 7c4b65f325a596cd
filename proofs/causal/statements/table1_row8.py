"""Table 1, row 8: intervention on one data point, all populations ↔ DP."""

from __future__ import annotations

from provado.proofs.causal.arrows import arrow
from provado.proofs.causal.statement import Finding, Statement, source


def evidence() -> tuple[Finding, ...]:
    """Check both arrows over the battery."""
    return arrow("8", "1"), arrow("1", "8")


def broken() -> Finding:
    """Condition instead of intervening: DP does not bound associations in all populations."""
    return arrow("8", "3")


STATEMENT = Statement(
    id="tschantz2022/table1-row8",
    source=source("Table 1, row 8"),
    printed="Definition 8 ↔ DP.",
    words="Setting one data point, for all populations, is differential privacy.",
    scope="every finite mechanism",
    argument="Proposition 5.",
    evidence=evidence,
    broken=broken,
)
