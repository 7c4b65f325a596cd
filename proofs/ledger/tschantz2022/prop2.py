"""Proposition 2: Definitions 1 and 5 are equivalent."""

from __future__ import annotations

from provado.proofs.ledger import Twin

from ._battery import Arrow, arrow_entry
from ._steps import DISTRIBUTED

ENTRY = arrow_entry(
    id="tschantz2022/prop2",
    place="Proposition 2",
    printed="Definitions 1 and 5 are equivalent.",
    words="Differential privacy is a bound on the effect of one data point, all points being set.",
    scope="every finite mechanism and every population",
    claim=Arrow("1", "5", "is equivalent to"),
    argument=(
        "By Lemma 1 Pr[O = o | do(D = d)] = Pr[A(d) = o] for every population, so both "
        "definitions compare the same numbers.",
        "Lemma 1 has one step that is not a definition (tschantz2022/lemma1).",
        DISTRIBUTED,
    ),
    twin=Twin(
        "Definition 7, a single data point set, in place of Definition 5.",
        Arrow("1", "7", "is equivalent to"),
    ),
)
