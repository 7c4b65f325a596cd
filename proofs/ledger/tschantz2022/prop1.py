"""Proposition 1: Definitions 1 and 2 are equivalent."""

from __future__ import annotations

from provado.proofs.causal.associative import definition_10
from provado.proofs.causal.bound import Smallest
from provado.proofs.causal.population import uniform
from provado.proofs.causal.search import Case
from provado.proofs.causal.statements.prop1 import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import equivalence
from provado.proofs.ledger.tschantz2022._steps import CONDITIONED, conditioned
from provado.proofs.ledger.tschantz2022._terms import besides, entry


def _gather() -> Evidence:
    return Evidence(
        printed=conditioned(),
        argument=(
            STATEMENT.argument,
            CONDITIONED,
            *besides(*equivalence("1", "2")),
        ),
    )


def _twin() -> object:
    def almost(case: Case) -> Smallest:
        datasets = case.mechanism.datasets
        return definition_10(case.mechanism, uniform(datasets[:-1] or datasets))

    return equivalence("1", ("Definition 2 without the last dataset", almost))


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.PROVED,
    _gather,
    ("Definition 2 under one population that misses a dataset, over the same battery.", _twin),
)
