"""Proposition 1: Definitions 1 and 2 are equivalent."""

from __future__ import annotations

from provado.proofs.ledger import Twin

from ._battery import Arrow, arrow_entry

ENTRY = arrow_entry(
    id="tschantz2022/prop1",
    place="Proposition 1",
    printed="Definitions 1 and 2 are equivalent.",
    words="Differential privacy and strong adversary differential privacy need the same ε.",
    scope="every finite mechanism; populations over its datasets",
    claim=Arrow("1", "2", "is equivalent to"),
    argument=(
        "Conditioned on a dataset of positive probability, the output has the distribution A(d), "
        "whatever the population. So Definition 2 compares exactly the pairs of neighbors of which "
        "some population gives both positive probability, and the uniform one does so for all.",
    ),
    twin=Twin(
        "Definition 10, one population for all, in place of Definition 2.",
        Arrow("1", "10", "is equivalent to"),
    ),
)
