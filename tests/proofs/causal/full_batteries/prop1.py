"""Proposition 1: Definitions 1 and 2 are equivalent."""

from __future__ import annotations

from provado.proofs.causal.definitions import Smallest, definition_10
from provado.proofs.causal.model import uniform
from provado.proofs.causal.search import Case

from ._arrows import same
from ._finding import Finding


def evidence() -> tuple[Finding, ...]:
    """Compare the smallest e^ε of both definitions over the battery."""
    return (same("1", "2"),)


def broken() -> Finding:
    """Let Definition 2 look at one population only, one that misses a dataset."""

    def twin(case: Case) -> Smallest:
        datasets = case.mechanism.datasets
        return definition_10(case.mechanism, uniform(datasets[:-1] or datasets))

    return same("1", ("Definition 2 for one population without the last dataset", twin))
