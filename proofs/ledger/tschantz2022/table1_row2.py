"""Table 1, row 2: strong adversary differential privacy ↔ DP."""

from __future__ import annotations

from provado.proofs.ledger import Twin

from ._battery import Arrow, arrow_entry

ENTRY = arrow_entry(
    id="tschantz2022/table1-row2",
    place="Table 1, row 2",
    printed="Definition 2 ↔ DP.",
    words="Conditioning on all data points, for all populations, is differential privacy.",
    scope="every finite mechanism",
    claim=Arrow("2", "1", "is equivalent to"),
    argument=(
        "Proposition 1.",
        "Given d the output has the distribution A(d); the uniform population has every dataset.",
    ),
    twin=Twin("Definition 10, one population, for Definition 2.", Arrow("10", "1")),
)
