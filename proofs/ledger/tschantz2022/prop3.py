"""Proposition 3: Definitions 1 and 6 are equivalent."""

from __future__ import annotations

from provado.proofs.ledger import Twin

from ._battery import Arrow, arrow_entry
from ._steps import DISTRIBUTED

ENTRY = arrow_entry(
    id="tschantz2022/prop3",
    place="Proposition 3",
    printed="Definitions 1 and 6 are equivalent.",
    words="One given population, whichever, is enough when all data points are set.",
    scope="every finite mechanism and every population, of full support or not",
    claim=Arrow("1", "6", "is equivalent to"),
    argument=(
        "As for Proposition 2: by Lemma 1 the population drops out.",
        "Lemma 1 has one step that is not a definition (tschantz2022/lemma1).",
        DISTRIBUTED,
    ),
    twin=Twin(
        "Definition 10 for Definition 6: conditioning for intervening.",
        Arrow("1", "10", "is equivalent to"),
    ),
)
