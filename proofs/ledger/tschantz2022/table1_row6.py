"""Table 1, row 6: intervention on the whole database, given population ↔ DP."""

from __future__ import annotations

from provado.proofs.ledger import Twin

from ._battery import Arrow, arrow_entry
from ._steps import DISTRIBUTED

ENTRY = arrow_entry(
    id="tschantz2022/table1-row6",
    place="Table 1, row 6",
    printed="Definition 6 ↔ DP.",
    words="Setting all data points, for a given population, is differential privacy.",
    scope="every finite mechanism and every population",
    claim=Arrow("6", "1", "is equivalent to"),
    argument=(
        "Proposition 3.",
        "By Lemma 1 both compare Pr[A(d) = o] for neighbors d, whatever the population.",
        DISTRIBUTED,
    ),
    twin=Twin("Definition 10 for Definition 6: conditioning for intervening.", Arrow("10", "1")),
)
