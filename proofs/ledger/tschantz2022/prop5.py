"""Proposition 5: Definitions 1 and 8 are equivalent."""

from __future__ import annotations

from provado.proofs.ledger import Twin

from ._battery import Arrow, arrow_entry

ENTRY = arrow_entry(
    id="tschantz2022/prop5",
    place="Proposition 5",
    printed="Definitions 1 and 8 are equivalent.",
    words="Differential privacy is the bound on the effect of one data point, for all populations.",
    scope="every finite mechanism; all populations",
    claim=Arrow("1", "8", "is equivalent to"),
    argument=(
        "By Proposition 4 Definition 1 implies Definition 8. Conversely, with the other points at "
        "x by a point mass, Pr[O = o | do(D_i = d_i)] is Pr[A(d_i, x) = o] by Lemma 2.",
        "A point mass has one term of weight 1, and the sum is that term.",
    ),
    proof_remark=(
        "In the text at hand (22) lacks the factor Pr_P[…] on its right side, as (15) and (16) do "
        "elsewhere; the step to (23) needs it."
    ),
    twin=Twin(
        "Definition 7, one population, in place of Definition 8.",
        Arrow("1", "7", "is equivalent to"),
    ),
)
