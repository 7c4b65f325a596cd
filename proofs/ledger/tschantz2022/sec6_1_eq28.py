"""Equation (28): differential privacy bounds the maximum relative probabilities."""

from __future__ import annotations

from provado.proofs.causal.statements.sec6_1_eq28 import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import implication
from provado.proofs.ledger.tschantz2022._steps import AVERAGED, averaged
from provado.proofs.ledger.tschantz2022._terms import besides, entry


def _gather() -> Evidence:
    return Evidence(
        printed=(averaged(),),
        argument=(
            STATEMENT.argument,
            "By Lemma 2 both probabilities of RP are averages over the other points, same weights.",
            AVERAGED,
            "A point mass has one term of weight 1, and the sum is that term.",
            *besides(implication("1", "9")),
        ),
    )


def _twin() -> object:
    return implication("9", "3")


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.PROVED,
    _gather,
    ("Definition 3 (the association) for the relative probability of interventions.", _twin),
)
