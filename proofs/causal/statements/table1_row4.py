"""Table 1, row 4: Bayesian₀ differential privacy for independent data points ↔ DP."""

from __future__ import annotations

from provado.proofs.causal.arrows import arrow, missing
from provado.proofs.causal.statement import Finding, Statement, source


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


STATEMENT = Statement(
    id="tschantz2022/table1-row4",
    source=source("Table 1, row 4; Definition 4"),
    printed=(
        "Definition 4 ↔ DP, where for i ≠ j D_i is independent of D_j conditioned upon the other "
        "data points."
    ),
    words=(
        "With mutually independent data points the two are equivalent. With the condition as "
        "printed DP does not imply Definition 4 from three data points on: three copies of one "
        "status meet the condition."
    ),
    scope="every finite mechanism",
    argument=(
        "Mutual independence: both sides average over the same law of the other points, so the "
        "bound passes to the averages; point masses give it back. As printed: for two data points "
        "the condition is mutual independence and for one it is empty while Definition 3 is DP, "
        "and with one value nothing is compared, so no counterexample is smaller than three data "
        "points of two values. In general the printed condition compares datasets at distance 1 "
        "or at least 3."
    ),
    evidence=evidence,
    broken=broken,
)
