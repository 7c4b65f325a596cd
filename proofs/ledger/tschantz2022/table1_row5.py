"""Table 1, row 5: intervention on the whole database, all populations ↔ DP."""

from __future__ import annotations

from provado.proofs.ledger import Twin

from ._battery import Arrow, arrow_entry
from ._steps import DISTRIBUTED

ENTRY = arrow_entry(
    id="tschantz2022/table1-row5",
    place="Table 1, row 5",
    printed="Definition 5 ↔ DP.",
    words="Setting all data points, for all populations, is differential privacy.",
    scope="every finite mechanism",
    claim=Arrow("5", "1", "is equivalent to"),
    argument=(
        "Proposition 2.",
        "By Lemma 1 both compare Pr[A(d) = o] for neighbors d, whatever the population.",
        DISTRIBUTED,
    ),
    twin=Twin(
        "Definition 7 (one data point, one population) as if it gave Definition 5.", Arrow("7", "1")
    ),
)
