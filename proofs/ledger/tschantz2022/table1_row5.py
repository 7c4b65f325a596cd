"""Table 1, row 5: intervention on the whole database, all populations ↔ DP."""

from __future__ import annotations

from provado.proofs.causal.statements.table1_row5 import STATEMENT
from provado.proofs.ledger.evidence import LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import Arrow, arrow_evidence
from provado.proofs.ledger.tschantz2022._steps import DISTRIBUTED
from provado.proofs.ledger.tschantz2022._terms import entry

_GATHER = arrow_evidence(
    (
        STATEMENT.argument,
        "By Lemma 1 both compare Pr[A(d) = o] for neighbors d, whatever the population.",
        DISTRIBUTED,
    ),
)


ENTRY = entry(
    STATEMENT,
    Arrow("5", "1", "is equivalent to"),
    LedgerVerdict.ARGUED,
    _GATHER,
    ("Definition 7 (one data point, one population) as if it gave Definition 5.", Arrow("7", "1")),
)
