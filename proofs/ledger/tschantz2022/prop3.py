"""Proposition 3: Definitions 1 and 6 are equivalent."""

from __future__ import annotations

from provado.proofs.causal.statements.prop3 import STATEMENT
from provado.proofs.ledger.evidence import LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import Arrow, arrow_evidence
from provado.proofs.ledger.tschantz2022._steps import DISTRIBUTED
from provado.proofs.ledger.tschantz2022._terms import entry

_GATHER = arrow_evidence(
    (
        STATEMENT.argument,
        "Lemma 1 has one step that is not a definition (tschantz2022/lemma1).",
        DISTRIBUTED,
    ),
)


ENTRY = entry(
    STATEMENT,
    Arrow("1", "6", "is equivalent to"),
    LedgerVerdict.ARGUED,
    _GATHER,
    (
        "Definition 10 for Definition 6: conditioning for intervening.",
        Arrow("1", "10", "is equivalent to"),
    ),
)
