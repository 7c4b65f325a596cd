"""Table 1, row 6: intervention on the whole database, given population ↔ DP."""

from __future__ import annotations

from provado.proofs.causal.arrows import arrow
from provado.proofs.causal.statement import Finding, Statement, source


def evidence() -> tuple[Finding, ...]:
    """Check both arrows over the battery."""
    return arrow("6", "1"), arrow("1", "6")


def broken() -> Finding:
    """Condition on the dataset instead of setting it: the arrow to DP is lost."""
    return arrow("10", "1")


STATEMENT = Statement(
    id="tschantz2022/table1-row6",
    source=source("Table 1, row 6"),
    printed="Definition 6 ↔ DP.",
    words="Setting all data points, for a given population, is differential privacy.",
    scope="every finite mechanism and every population",
    argument="Proposition 3.",
    evidence=evidence,
    broken=broken,
)
