"""Table 1, row 8: intervention on one data point, all populations ↔ DP."""

from __future__ import annotations

from provado.proofs.causal.statements.table1_row8 import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import equivalence, implication
from provado.proofs.ledger.tschantz2022._steps import AVERAGED, averaged
from provado.proofs.ledger.tschantz2022._terms import besides, entry


def _gather() -> Evidence:
    return Evidence(
        printed=(averaged(),),
        argument=(
            STATEMENT.argument,
            "By Lemma 2 both sides are averages over the other points with the same weights.",
            AVERAGED,
            "A point mass has one term of weight 1, and the sum is that term.",
            *besides(*equivalence("8", "1")),
        ),
    )


def _twin() -> object:
    return implication("8", "3")


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.PROVED,
    _gather,
    ("Definition 3 for Definition 8: conditioning for intervening.", _twin),
)
