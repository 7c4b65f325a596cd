"""Table 1, row 7: intervention on one data point, given population ← DP, and not back."""

from __future__ import annotations

from provado.proofs.ledger import Entry, LedgerVerdict, Twin
from provado.proofs.ledger.theorem import Theorem

from ._battery import Arrow, theorem_name
from ._hidden import OneWay
from ._terms import source
from .prop4 import gather, one_way

ENTRY = Entry(
    id="tschantz2022/table1-row7",
    source=source("Table 1, row 7"),
    printed="Definition 7 ← DP (strictly weaker).",
    words="DP bounds a data point's effect under any one population; the converse fails.",
    scope="every finite mechanism and every population",
    claim=one_way(2),
    expected=LedgerVerdict.ARGUED,
    gather=gather,
    twin=Twin("The arrow turned round.", OneWay((Arrow("7", "1"),), one_way(2).back)),
    theorem=Theorem(theorem_name("tschantz2022/table1-row7"), one_way(2)),
)
