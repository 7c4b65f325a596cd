"""Proposition 3: Definitions 1 and 6 are equivalent."""

from __future__ import annotations

from provado.proofs.causal.statements.prop3 import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import equivalence
from provado.proofs.ledger.tschantz2022._steps import DISTRIBUTED, distributed
from provado.proofs.ledger.tschantz2022._terms import besides, entry


def _gather() -> Evidence:
    return Evidence(
        printed=distributed(),
        argument=(
            STATEMENT.argument,
            "Lemma 1 has one step that is not a definition (tschantz2022/lemma1).",
            DISTRIBUTED,
            *besides(*equivalence("1", "6")),
        ),
    )


def _twin() -> object:
    return equivalence("1", "10")


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.PROVED,
    _gather,
    ("Definition 10 for Definition 6: conditioning for intervening, over the same battery.", _twin),
)
