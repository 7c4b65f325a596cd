"""Table 1, row 7: intervention on one data point, given population ← DP, and not back."""

from __future__ import annotations

from provado.proofs.causal.statements.table1_row7 import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import Arrow, arrow_lines
from provado.proofs.ledger.tschantz2022._hidden import (
    NoArrow,
    OneWay,
    one_way_findings,
    smallest_step,
)
from provado.proofs.ledger.tschantz2022._terms import entry

_BACK = NoArrow("7", "1")


def _gather(claim: OneWay) -> Evidence:
    return Evidence(
        printed=one_way_findings(claim),
        argument=(STATEMENT.argument, *arrow_lines(claim.arrow), smallest_step(claim.back)),
    )


ENTRY = entry(
    STATEMENT,
    OneWay(Arrow("1", "7"), _BACK),
    LedgerVerdict.ARGUED,
    _gather,
    ("The arrow turned round, over the battery.", OneWay(Arrow("7", "1"), _BACK)),
)
