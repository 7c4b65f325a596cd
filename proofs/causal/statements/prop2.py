"""Proposition 2: Definitions 1 and 5 are equivalent."""

from __future__ import annotations

from provado.proofs.causal.arrows import same
from provado.proofs.causal.bound import Smallest
from provado.proofs.causal.interventional import definition_7
from provado.proofs.causal.population import uniform
from provado.proofs.causal.search import Case
from provado.proofs.causal.statement import Finding, Statement, source


def evidence() -> tuple[Finding, ...]:
    """Compare the smallest e^ε of both definitions over the battery."""
    return (same("1", "5"),)


def broken() -> Finding:
    """Intervene on one data point instead of on all, with the others uniform."""

    def twin(case: Case) -> Smallest:
        return definition_7(case.mechanism, uniform(case.mechanism.datasets))

    return same("1", ("Definition 5 with a single data point set", twin))


STATEMENT = Statement(
    id="tschantz2022/prop2",
    source=source("Proposition 2"),
    printed="Definitions 1 and 5 are equivalent.",
    words="Differential privacy is a bound on the effect of one data point, all points being set.",
    scope="every finite mechanism and every population",
    argument=(
        "By Lemma 1 Pr[O = o | do(D = d)] = Pr[A(d) = o] for every population, so both "
        "definitions compare the same numbers."
    ),
    evidence=evidence,
    broken=broken,
)
