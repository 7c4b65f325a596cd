"""Table 1, row 5: intervention on the whole database, all populations ↔ DP."""

from __future__ import annotations

from provado.proofs.causal.statements.table1_row5 import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import equivalence, implication
from provado.proofs.ledger.tschantz2022._steps import DISTRIBUTED, distributed
from provado.proofs.ledger.tschantz2022._terms import besides, entry


def _gather() -> Evidence:
    return Evidence(
        printed=distributed(),
        argument=(
            STATEMENT.argument,
            "By Lemma 1 both compare Pr[A(d) = o] for neighbors d, whatever the population.",
            DISTRIBUTED,
            *besides(*equivalence("5", "1")),
        ),
    )


def _twin() -> object:
    return implication("7", "5")


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.PROVED,
    _gather,
    ("Definition 7 (one data point, one population) as if it gave Definition 5.", _twin),
)
