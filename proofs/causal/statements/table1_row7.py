"""Table 1, row 7: intervention on one data point, given population ← DP, and not back."""

from __future__ import annotations

from provado.proofs.causal.arrows import arrow, missing
from provado.proofs.causal.statement import Finding, Statement, denied, source


def evidence() -> tuple[Finding, ...]:
    """Check the arrow, and search for the smallest case against its converse."""
    return arrow("1", "7"), denied(missing("7", "1", people=(1, 2), role="printed"))


def broken() -> Finding:
    """Turn the arrow round."""
    return arrow("7", "1")


STATEMENT = Statement(
    id="tschantz2022/table1-row7",
    source=source("Table 1, row 7"),
    printed="Definition 7 ← DP (strictly weaker).",
    words="Differential privacy bounds the effect of a data point in one population, and more.",
    scope="every finite mechanism and every population",
    argument="Proposition 4; its counterexample of two data points of two values is smallest.",
    evidence=evidence,
    broken=broken,
)
