"""Proposition 3: Definitions 1 and 6 are equivalent."""

from __future__ import annotations

from provado.proofs.causal.arrows import same
from provado.proofs.causal.statement import Finding, Statement, source


def evidence() -> tuple[Finding, ...]:
    """Compare the smallest e^ε of both over the battery, with given populations."""
    return (same("1", "6"),)


def broken() -> Finding:
    """Condition on the dataset under the given population instead of intervening."""
    return same("1", "10")


STATEMENT = Statement(
    id="tschantz2022/prop3",
    source=source("Proposition 3"),
    printed="Definitions 1 and 6 are equivalent.",
    words="One given population, whichever, is enough when all data points are set.",
    scope="every finite mechanism and every population, of full support or not",
    argument="As for Proposition 2: by Lemma 1 the population drops out.",
    evidence=evidence,
    broken=broken,
)
