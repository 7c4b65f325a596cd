"""Equation (28): differential privacy bounds the maximum relative probabilities, and conversely."""

from __future__ import annotations

from provado.proofs.ledger import Twin

from ._arrows import Arrow, arrow_entry

ENTRY = arrow_entry(
    id="tschantz2022/sec6-1-eq28",
    place="Equation (28)",
    printed="max over P and i of RP̄(O, D_i) ≤ e^ε for an ε-differentially private algorithm.",
    words="e^ε bounds every data point's effect on the output if and only if ε-DP holds.",
    scope="every finite mechanism",
    claim=Arrow("1", "9", "is equivalent to"),
    argument=(
        "Definition 8 says this, instance by instance; Proposition 5.",
        "By Lemma 2 both probabilities of RP are averages over the other points, same weights.",
        "Conversely, a point mass has one term of weight 1, and the sum is that term.",
    ),
    twin=Twin(
        "Definition 3 (the association) for the relative probability of interventions.",
        Arrow("1", "3", "is equivalent to"),
    ),
)
