"""Table 1, row 2: strong adversary differential privacy ↔ DP."""

from __future__ import annotations

from provado.proofs.causal.arrows import arrow, missing
from provado.proofs.causal.statement import Finding, Statement, source


def evidence() -> tuple[Finding, ...]:
    """Check both arrows over the battery."""
    return arrow("2", "1"), arrow("1", "2")


def broken() -> Finding:
    """Ask it of one population only (Definition 10): the arrow to DP is lost."""
    return missing("10", "1", people=(1, 2))


STATEMENT = Statement(
    id="tschantz2022/table1-row2",
    source=source("Table 1, row 2"),
    printed="Definition 2 ↔ DP.",
    words="Conditioning on all data points, for all populations, is differential privacy.",
    scope="every finite mechanism",
    argument="Proposition 1.",
    evidence=evidence,
    broken=broken,
)
