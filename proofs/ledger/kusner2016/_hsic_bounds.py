"""Bounds on the move of HSIC when one record is replaced, as the three entries on it need them.

Let Q be the m − 1 records that stay, t = 1/m, and for a record z = (x, y): α_j = k(x, x_j),
g_j = the mean of k(x_j, ·) over Q, κ = the mean of g, and β, γ, λ likewise for l and y. With means
and covariances over Q,

    trace(KHLH)/(m − 1)² = V + 2t·h(z) + t²·p(z)q(z),
    h(z) = Cov(α − g, β − γ),  p(z) = k(x, x) − 2·mean(α) + κ,  q(z) likewise,

where V does not depend on z. It is a polynomial identity in the entries of symmetric K and L, so it
needs no positive definiteness. Replacing z by z′ moves HSIC by 2t·(h(z) − h(z′)) and the t² term.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.ledger import (
    Bounded,
    Evidence,
    Formula,
    Line,
    Step,
    Stretch,
    at_least_zero,
    equal,
)
from provado.proofs.ledger.in_coq import Stated, Wording
from provado.proofs.ledger.show import show, show_claim

from ._claims import HSIC

MOVE = "the move of HSIC_{k,l}(x′, r′_Y) when one of m records is replaced"
GENERAL = Formula("5/m + 16/m²", "m")
"""The bound for all positive semi-definite kernels with k(x, x) ≤ 1."""
GENERAL_FACT = at_least_zero("5/2 − (1 − s)(1 + s)³ − (1 − s²/2)²", 0, 1, variable="s")
"""The fact behind 5/m + 16/m²: h(z) − h(z′) is at most 5/2."""
UNIT_FACT = equal("(2/3·c + 3/2·(2 − c) + 5/6·c + 6/5)/4", "21/20", "c")
"""The fact behind 21/(10m) + 4/m²: h(z) − h(z′) is at most 21/20, θ = 2/3 and μ = 5/6."""
CORRECTION = (
    "It moves by at most 21/(10m) + 4/m² if both kernels have values in [0, 1], such as the "
    "squared exponential and Matérn, and by at most 5/m + 16/m² for every kernel with k(x, x) ≤ 1"
)

SPLIT = (
    "HSIC is V + 2t·h(z) + t²·p(z)q(z) with t = 1/m and V free of the replaced record z, an "
    "identity in the entries of the matrices; h(z) = Cov(α − g, β − γ) over the other records.",
)
RANGE_STEPS = (
    "Cov(g, γ) is common to z and z′, so h(z) − h(z′) = Cov(α, β) − Cov(α′, β′) − Cov(g, β − β′) − "
    "Cov(α − α′, γ).",
    "With a = Var(β − β′) and b = Var(α − α′): Cov(α, β) − Cov(α′, β′) = ½·Cov(α − α′, β + β′) + "
    "½·Cov(α + α′, β − β′) ≤ ½·√(b(1 − a)) + ½·√(a(1 − b)), as a variance in [0, 1] is at most 1/4 "
    "and Var(β + β′) + Var(β − β′) ≤ 1.",
    "−Cov(g, δ) is the mean over independent i, j of k(x_i, x_j)·(δ̄ − (δ_i + δ_j)/2), at most "
    "half the mean size of (δ_i + δ_j)/2 − δ̄, at most ½·√(Var δ/2), as k lies in [0, 1]; likewise "
    "for γ.",
    "By √(uv) ≤ (θu + v/θ)/2 with θ = 2/3, and √(a/2) ≤ (μa + 1/(2μ))/2 with μ = 5/6, the sum is "
    "at most (θc + (2 − c)/θ + μc + 1/μ)/4, c = a + b, which is 21/20 for every c (kernel).",
)
BALL_STEPS = (
    "Let φ, ψ be features of norm at most 1, s and r the norms of their means over Q, "
    "u = φ_z − φ_Q and v = ψ_z − ψ_Q; h(z) = Cov(⟨u, φ⟩, ⟨v, ψ⟩).",
    "Var⟨u, φ⟩ ≤ (1 − s²)·‖u‖² ≤ A(s) = (1 − s)(1 + s)³, the trace of the covariance being at most "
    "1 − s²; so h(z) ≤ √(A(s)·A(r)) ≤ (A(s) + A(r))/2.",
    "For z′ with U = ‖u′‖, V = ‖v′‖: (U + ⟨u′, φ⟩)(V + ⟨v′, ψ⟩) ≥ 0, so −h(z′) ≤ "
    "(U + ⟨u′, φ_Q⟩)(V + ⟨v′, ψ_Q⟩), and U + ⟨u′, φ_Q⟩ ≤ U − U²/2 + (1 − s²)/2 ≤ B(s) = 1 − s²/2.",
    "So h(z) − h(z′) is at most the mean of A(s) + B(s)² and A(r) + B(r)², each at most 5/2 on "
    "[0, 1] (kernel).",
)


def hsic_at_most(bound: str, wording: Wording = HSIC) -> Stated:
    """Return the claim that HSIC moves by at most a printed bound, by way of ``GENERAL``."""
    return Stated(MOVE, Formula(bound, "m"), (Stretch(GENERAL, 2),), wording=wording)


def general_steps() -> tuple[Line, ...]:
    """Return the argument for ``GENERAL``."""
    *prose, last = BALL_STEPS
    return (
        "Let Q be the m − 1 records that stay; means and covariances are over Q. For a record "
        "z = (x, y) let α_j = k(x, x_j), g_j the mean of k(x_j, ·), κ the mean of g, β, γ and λ "
        "likewise for l and y, p(z) = k(x, x) − 2·mean(α) + κ and q(z) = l(y, y) − 2·mean(β) + λ.",
        *SPLIT,
        *prose,
        Step(last, (GENERAL_FACT,)),
        "p(z) = ‖u‖² ≤ 4 and q(z) ≤ 4, both at least 0, so the t² term moves by at most 16t²; in "
        f"all the score moves by at most {GENERAL} for every kernel with k(x, x) ≤ 1.",
    )


def unit_steps() -> tuple[Line, ...]:
    """Return the argument for kernels with values in [0, 1]: squared exponential and Matérn."""
    *prose, last = RANGE_STEPS
    return (
        *prose,
        Step(last, (UNIT_FACT,)),
        "In that case p(z) ≤ k(x, x) + κ ≤ 2 and q(z) ≤ 2, so the score moves by at most "
        "21/(10m) + 4/m².",
    )


def unit_finding() -> kernel.Checked:
    """Return the finding of ``UNIT_FACT``, whose terms in c the kernel itself collects."""
    terms = (("2/3", 1), ("3", 0), ("-3/2", 1), ("5/6", 1), ("6/5", 0))
    left = tuple((Fraction(c) / 4, 0, k, 0) for c, k in terms)
    return kernel.check(kernel.Identity(left, UNIT_FACT.right))


def hsic_evidence(
    claim: Bounded,
    bounded: Sequence[Line],
    *,
    saving: str,
    proof_remark: str,
    further: Sequence[Step] = (),
) -> Evidence:
    """Return the evidence for a claim of ``hsic_at_most``.

    bounded: that ``GENERAL`` is at most the printed bound. saving: what ends the correction.
    further: steps for kernels in [0, 1], whose facts are shown too.
    """
    shown = [fact for step in further for fact in step.facts]
    return Evidence(
        printed=(show(GENERAL_FACT), *show_claim(claim)),
        corrected=(show(GENERAL_FACT), unit_finding(), *map(show, shown)),
        correction=CORRECTION + saving,
        kind="sharpening",
        argument=(*general_steps(), *bounded, *unit_steps(), *further),
        proof_remark=proof_remark,
    )
