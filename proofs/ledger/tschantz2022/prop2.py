"""Proposition 2: Definitions 1 and 5 are equivalent."""

from __future__ import annotations

from provado.proofs.causal.bound import Smallest
from provado.proofs.causal.interventional import definition_7
from provado.proofs.causal.population import uniform
from provado.proofs.causal.search import Case
from provado.proofs.causal.statements.prop2 import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import equivalence
from provado.proofs.ledger.tschantz2022._steps import DISTRIBUTED, distributed
from provado.proofs.ledger.tschantz2022._terms import besides, entry


def _gather() -> Evidence:
    return Evidence(
        printed=distributed(),
        argument=(
            STATEMENT.argument,
            "Lemma 1 has one step that is not a definition (tschantz2022/lemma1).",
            DISTRIBUTED,
            *besides(*equivalence("1", "5")),
        ),
    )


def _twin() -> object:
    def uniform_only(case: Case) -> Smallest:
        return definition_7(case.mechanism, uniform(case.mechanism.datasets))

    return equivalence("1", ("Definition 5 with a single data point set", uniform_only))


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.PROVED,
    _gather,
    (
        "Definition 5 with a single data point set, the others uniform, over the same battery.",
        _twin,
    ),
)
