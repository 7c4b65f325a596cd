"""Theorem 5: how far one training point moves a residual."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.ledger import (
    Entry,
    Evidence,
    Formula,
    LedgerVerdict,
    Step,
    Stretch,
    Twin,
    at_least_zero,
)
from provado.proofs.ledger.fact import Fact
from provado.proofs.ledger.in_coq import Stated
from provado.proofs.ledger.show import show, show_claim

from . import source
from ._claims import RESIDUAL

ROOT_HALF = "3/4"
"""An upper bound on 1/√2: its square is 9/16 ≥ 1/2."""
_MOVE = "nλ^(3/2)·|r′_{i,Y} − r̃′_{i,Y}|, with s = √λ,"
DERIVED = Formula(f"4(s + {ROOT_HALF})", "s")
"""nλ^(3/2) times 4(1 + 1/√(2λ))/(nλ), with 1/√2 rounded up."""


def at_most(bound: str) -> Stated:
    """Return the claim that a residual moves by at most ``bound``/(nλ^(3/2))."""
    return Stated(_MOVE, Formula(bound, "s"), (Stretch(DERIVED, 0, 1),), wording=RESIDUAL)


CLAIM = at_most("8")
NORM = at_least_zero("(1 + x)² − 4x", 0)
"""κ/(κ + c)² ≤ 1/(4c), with x = κ/c."""
ROUNDED = at_least_zero("x² − 1/2", Fraction(ROOT_HALF))
"""1/√2 ≤ 3/4."""


def bound_facts() -> tuple[Fact, ...]:
    """Return the facts behind 4(1 + 1/√(2λ))/(nλ) ≤ 8/(nλ^(3/2)) for λ ≤ 1."""
    return NORM, ROUNDED, *CLAIM.obligations()


def bound_findings(claim: Stated = CLAIM) -> tuple[kernel.Checked, ...]:
    """Return the findings of these facts."""
    return show(NORM, cuts=(1,)), show(ROUNDED), *show_claim(claim)


def _gather(claim: Stated) -> Evidence:
    return Evidence(
        printed=bound_findings(claim),
        correction="|r′_{i,Y} − r̃′_{i,Y}| ≤ 4(1 + 1/√(2λ))/(nλ) for every λ > 0; for λ ≤ 1 it is "
        "smaller than the printed bound, at λ = 1 by the factor .85, as λ → 0 by .35.",
        kind="sharpening",
        argument=(
            "Let F(w) = (λ/2)‖w‖² + (1/n) Σ (w·φ_i − y_i)² with minimiser w, and F̃ with w̃ for the "
            "data whose point k is another one; ‖φ‖ ≤ 1 and |y| ≤ 1.",
            "Norm. w = Σ α_i φ_i with α = (K + cI)^(−1) y, c = λn/2 (the gradient vanishes there), "
            "so ‖w‖² = yᵀ(K + cI)^(−1)K(K + cI)^(−1)y is at most ‖y‖² ≤ n times the largest "
            "κ/(κ + c)² over eigenvalues κ ≥ 0 (in words).",
            Step(
                "κ/(κ + c)² ≤ 1/(4c) (kernel: (1 + x)² ≥ 4x with x = κ/c). So ‖w‖² ≤ n/(4c) = "
                "1/(2λ); the same holds of w̃.",
                (NORM,),
            ),
            "Move. With Δ = w̃ − w: ⟨∇F(w̃) − ∇F(w), Δ⟩ = λ‖Δ‖² + (2/n) Σ (Δ·φ_i)² ≥ λ‖Δ‖², an "
            "identity of quadratics. As ∇F(w) = 0 = ∇F̃(w̃), the gradient difference is "
            "∇F(w̃) − ∇F̃(w̃), in which all but the replaced point cancels: "
            "(2/n)[(w̃·φ_k − y_k)φ_k − (w̃·φ̃_k − ỹ_k)φ̃_k], of norm at most (2/n)·2(‖w̃‖ + 1) (in "
            "words, triangle inequality).",
            "So ‖Δ‖ ≤ 4(1 + 1/√(2λ))/(nλ), and a residual moves by |Δ·φ(x)| ≤ ‖Δ‖.",
            Step(
                f"Times nλ^(3/2): 4(√λ + 1/√2) ≤ {claim.bound} for λ ≤ 1, with 1/√2 ≤ {ROOT_HALF} "
                "(kernel, both).",
                (ROUNDED, *claim.obligations()),
            ),
        ),
        proof_remark="The printed proof does not reach its bound: see kusner2016/thm5-proof.",
    )


ENTRY = Entry(
    id="kusner2016/thm5",
    source=source("Theorem 5, equation (6)"),
    printed=f"Say λ ≤ 1. […] |r′_{{i,Y}} − r̃′_{{i,Y}}| ≤ {CLAIM.bound}/(nλ^(3/2)) for all i.",
    words="When one of n training points is replaced, no test residual of the kernel ridge "
    f"regression (5) moves by more than {CLAIM.bound}/(nλ^(3/2)).",
    scope="0 < λ ≤ 1, n ≥ 1; |x|, |y| ≤ 1 and k(x, x) ≤ 1, as the section assumes.",
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("Half the bound: 4(√λ + 1/√2) ≤ 4 for λ ≤ 1.", at_most("4")),
    theorem_of=CLAIM,
)
