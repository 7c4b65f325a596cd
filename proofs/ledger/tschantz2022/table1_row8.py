"""Table 1, row 8: intervention on one data point, all populations ↔ DP."""

from __future__ import annotations

from provado.proofs.causal.statements.table1_row8 import STATEMENT
from provado.proofs.ledger.evidence import LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import Arrow, arrow_evidence
from provado.proofs.ledger.tschantz2022._terms import entry

_GATHER = arrow_evidence(
    (
        STATEMENT.argument,
        "By Lemma 2 both sides are averages over the other points with the same weights.",
        "A point mass has one term of weight 1, and the sum is that term.",
    ),
)


ENTRY = entry(
    STATEMENT,
    Arrow("8", "1", "is equivalent to"),
    LedgerVerdict.ARGUED,
    _GATHER,
    ("Definition 3 for Definition 8: conditioning for intervening.", Arrow("8", "3")),
)
