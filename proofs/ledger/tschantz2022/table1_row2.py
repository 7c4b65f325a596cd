"""Table 1, row 2: strong adversary differential privacy ↔ DP."""

from __future__ import annotations

from provado.proofs.causal.statements.table1_row2 import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import equivalence, implication
from provado.proofs.ledger.tschantz2022._steps import CONDITIONED, conditioned
from provado.proofs.ledger.tschantz2022._terms import besides, entry


def _gather() -> Evidence:
    return Evidence(
        printed=conditioned(),
        argument=(
            STATEMENT.argument,
            "Given d the output has the law A(d); the uniform population has every dataset.",
            CONDITIONED,
            *besides(*equivalence("2", "1")),
        ),
    )


def _twin() -> object:
    return implication("10", "1")


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.PROVED,
    _gather,
    ("Definition 10, one population, for Definition 2, over the same battery.", _twin),
)
