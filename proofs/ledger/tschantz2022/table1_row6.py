"""Table 1, row 6: intervention on the whole database, given population ↔ DP."""

from __future__ import annotations

from provado.proofs.causal.statements.table1_row6 import STATEMENT
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
            *besides(*equivalence("6", "1")),
        ),
    )


def _twin() -> object:
    return implication("10", "1")


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.PROVED,
    _gather,
    ("Definition 10 for Definition 6: conditioning for intervening.", _twin),
)
