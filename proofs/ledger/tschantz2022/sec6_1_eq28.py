"""Equation (28): differential privacy bounds the maximum relative probabilities."""

from __future__ import annotations

from provado.proofs.causal.statements.sec6_1_eq28 import STATEMENT
from provado.proofs.ledger.evidence import LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import Arrow, arrow_evidence
from provado.proofs.ledger.tschantz2022._terms import entry

_GATHER = arrow_evidence(
    (
        STATEMENT.argument,
        "By Lemma 2 both probabilities of RP are averages over the other points, same weights.",
        "A point mass has one term of weight 1, and the sum is that term.",
    ),
)


ENTRY = entry(
    STATEMENT,
    Arrow("1", "9"),
    LedgerVerdict.ARGUED,
    _GATHER,
    (
        "Definition 3 (the association) for the relative probability of interventions.",
        Arrow("1", "3"),
    ),
)
