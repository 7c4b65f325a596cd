"""Proposition 5: Definitions 1 and 8 are equivalent."""

from __future__ import annotations

from provado.proofs.causal.arrows import same
from provado.proofs.causal.bound import Smallest
from provado.proofs.causal.interventional import definition_7
from provado.proofs.causal.population import uniform
from provado.proofs.causal.search import Case
from provado.proofs.causal.statement import Finding, Statement, source


def evidence() -> tuple[Finding, ...]:
    """Compare the smallest e^ε of both definitions over the battery."""
    return (same("1", "8"),)


def broken() -> Finding:
    """Ask Definition 8 of the uniform population only."""

    def twin(case: Case) -> Smallest:
        return definition_7(case.mechanism, uniform(case.mechanism.datasets))

    return same("1", ("Definition 8 for the uniform population only", twin))


STATEMENT = Statement(
    id="tschantz2022/prop5",
    source=source("Proposition 5"),
    printed="Definitions 1 and 8 are equivalent.",
    words="Differential privacy is the bound on the effect of one data point, for all populations.",
    scope="every finite mechanism; all populations",
    argument=(
        "By Proposition 4 Definition 1 implies Definition 8. Conversely, with the other points at "
        "x by a point mass, Pr[O = o | do(D_i = d_i)] is Pr[A(d_i, x) = o] by Lemma 2."
    ),
    evidence=evidence,
    broken=broken,
)
