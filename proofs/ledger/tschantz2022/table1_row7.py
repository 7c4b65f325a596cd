"""Table 1, row 7: intervention on one data point, given population ← DP, and not back."""

from __future__ import annotations

from provado.proofs.causal.statements.table1_row7 import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import implication
from provado.proofs.ledger.tschantz2022._steps import AVERAGED, averaged
from provado.proofs.ledger.tschantz2022._terms import besides, entry
from provado.proofs.ledger.tschantz2022.prop4 import converse_findings


def _gather() -> Evidence:
    return Evidence(
        printed=(averaged(), *converse_findings()),
        argument=(
            STATEMENT.argument,
            AVERAGED,
            "The case against the converse is the smallest one of tschantz2022/prop4; its findings "
            "are gathered here again.",
            *besides(implication("1", "7")),
        ),
    )


def _twin() -> object:
    return implication("7", "1")


ENTRY = entry(
    STATEMENT, LedgerVerdict.PROVED, _gather, ("The arrow turned round, over the battery.", _twin)
)
