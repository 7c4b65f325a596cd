"""Table 1, row 3: Bayesian₀ differential privacy → DP, and not back."""

from __future__ import annotations

from provado.proofs.causal.arrows import arrow, missing
from provado.proofs.causal.statement import Finding, Statement, denied, source


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


STATEMENT = Statement(
    id="tschantz2022/table1-row3",
    source=source("Table 1, row 3; section 3"),
    printed="Definition 3 → DP (strictly stronger).",
    words=(
        "Conditioning on one data point, for all populations, asks for more than differential "
        "privacy: its e^ε is the largest ratio between any two datasets."
    ),
    scope="every finite mechanism",
    argument=(
        "Definition 3 is decided by all pairs of datasets, Definition 1 by those that differ in "
        "one point. With one data point the two are the same pairs, and with one value there are "
        "none, so no counterexample to the converse is smaller than two points of two values."
    ),
    evidence=evidence,
    broken=broken,
)
