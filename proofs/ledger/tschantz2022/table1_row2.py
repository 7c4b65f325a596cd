"""Table 1, row 2: strong adversary differential privacy ↔ DP."""

from __future__ import annotations

from provado.proofs.causal.statements.table1_row2 import STATEMENT
from provado.proofs.ledger.evidence import LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import Arrow, arrow_evidence
from provado.proofs.ledger.tschantz2022._terms import entry

_GATHER = arrow_evidence(
    (
        STATEMENT.argument,
        "Given d the output has the law A(d); the uniform population has every dataset.",
    ),
)


ENTRY = entry(
    STATEMENT,
    Arrow("2", "1", "is equivalent to"),
    LedgerVerdict.ARGUED,
    _GATHER,
    ("Definition 10, one population, for Definition 2.", Arrow("10", "1")),
)
