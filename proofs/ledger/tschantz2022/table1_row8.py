"""Table 1, row 8: intervention on one data point, all populations ↔ DP."""

from __future__ import annotations

from provado.proofs.ledger import Twin

from ._battery import Arrow, arrow_entry

ENTRY = arrow_entry(
    id="tschantz2022/table1-row8",
    place="Table 1, row 8",
    printed="Definition 8 ↔ DP.",
    words="Setting one data point, for all populations, is differential privacy.",
    scope="every finite mechanism",
    claim=Arrow("8", "1", "is equivalent to"),
    argument=(
        "Proposition 5.",
        "By Lemma 2 both sides are averages over the other points with the same weights.",
        "A point mass has one term of weight 1, and the sum is that term.",
    ),
    twin=Twin("Definition 3 for Definition 8: conditioning for intervening.", Arrow("8", "3")),
)
