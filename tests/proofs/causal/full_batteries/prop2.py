"""Proposition 2: Definitions 1 and 5 are equivalent."""

from __future__ import annotations

from provado.proofs.causal.definitions import Smallest, definition_7
from provado.proofs.causal.model import uniform
from provado.proofs.causal.search import Case

from ._arrows import same
from ._finding import Finding


def evidence() -> tuple[Finding, ...]:
    """Compare the smallest e^ε of both definitions over the battery."""
    return (same("1", "5"),)


def broken() -> Finding:
    """Intervene on one data point instead of on all, with the others uniform."""

    def twin(case: Case) -> Smallest:
        return definition_7(case.mechanism, uniform(case.mechanism.datasets))

    return same("1", ("Definition 5 with a single data point set", twin))
