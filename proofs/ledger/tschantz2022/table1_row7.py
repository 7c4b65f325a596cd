"""Table 1, row 7: intervention on one data point, given population ← DP, and not back."""

from __future__ import annotations

from provado.proofs.ledger import Entry, Evidence, LedgerVerdict, Twin
from provado.proofs.ledger.theorem import Theorem

from ._battery import Arrow, arrow_lines, theorem_name
from ._hidden import NoArrow, OneWay, one_way_findings, smallest_step
from ._terms import source

_BACK = NoArrow("7", "1")


def _gather(claim: OneWay) -> Evidence:
    return Evidence(
        printed=one_way_findings(claim),
        argument=(
            "Proposition 4; its counterexample of two data points of two values is smallest.",
            *arrow_lines(claim.arrow),
            smallest_step(claim.back),
        ),
    )


ENTRY = Entry(
    id="tschantz2022/table1-row7",
    source=source("Table 1, row 7"),
    printed="Definition 7 ← DP (strictly weaker).",
    words="Differential privacy bounds the effect of a data point in one population, and more.",
    scope="every finite mechanism and every population",
    claim=OneWay(Arrow("1", "7"), _BACK),
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("The arrow turned round, over the battery.", OneWay(Arrow("7", "1"), _BACK)),
    theorem=Theorem(theorem_name("tschantz2022/table1-row7"), OneWay(Arrow("1", "7"), _BACK)),
)
