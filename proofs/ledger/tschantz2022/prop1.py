"""Proposition 1: Definitions 1 and 2 are equivalent."""

from __future__ import annotations

from provado.proofs.causal.statements.prop1 import STATEMENT
from provado.proofs.ledger.evidence import LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import Arrow, arrow_evidence
from provado.proofs.ledger.tschantz2022._terms import entry

_GATHER = arrow_evidence(
    (STATEMENT.argument,),
)


ENTRY = entry(
    STATEMENT,
    Arrow("1", "2", "is equivalent to"),
    LedgerVerdict.ARGUED,
    _GATHER,
    (
        "Definition 10, one population for all, in place of Definition 2.",
        Arrow("1", "10", "is equivalent to"),
    ),
)
