"""Theorem 5: how far one training point moves a residual."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.kusner2016._terms import X, at_least_zero, constant, source

_ROOT_HALF = Fraction(3, 4)
"""An upper bound on 1/√2: its square is 9/16 ≥ 1/2."""


def bound_findings() -> tuple[kernel.Checked, ...]:
    """Return the inequalities behind 4(1 + 1/√(2λ))/(nλ) ≤ 8/(nλ^(3/2)) for λ ≤ 1."""
    return (
        # κ/(κ + c)² ≤ 1/(4c), with x = κ/c.
        at_least_zero((1 + X) ** 2 - 4 * X, 0, cuts=(1,)),
        # 1/√2 ≤ 3/4.
        at_least_zero(X**2 - constant(1, 2), _ROOT_HALF),
        # 8 − 4(√λ + 1/√2) with x = √λ ≤ 1.
        at_least_zero(8 - 4 * (X + _ROOT_HALF), 0, 1),
    )


def _gather() -> Evidence:
    return Evidence(
        printed=bound_findings(),
        corrected=bound_findings()[:2],
        correction="|r′_{i,Y} − r̃′_{i,Y}| ≤ 4(1 + 1/√(2λ))/(nλ) for every λ > 0; for λ ≤ 1 it is "
        "smaller than the printed bound, at λ = 1 by the factor .85, as λ → 0 by .35.",
        kind="sharpening",
        argument=(
            "Let F(w) = (λ/2)‖w‖² + (1/n) Σ (w·φ_i − y_i)² with minimiser w, and F̃ with w̃ for the "
            "data whose point k is another one; ‖φ‖ ≤ 1 and |y| ≤ 1.",
            "Norm. w = Σ α_i φ_i with α = (K + cI)^(−1) y, c = λn/2 (the gradient vanishes there), "
            "so ‖w‖² = yᵀ(K + cI)^(−1)K(K + cI)^(−1)y is at most ‖y‖² ≤ n times the largest "
            "κ/(κ + c)² over eigenvalues κ ≥ 0 (in words).",
            "κ/(κ + c)² ≤ 1/(4c) (kernel: (1 + x)² ≥ 4x with x = κ/c). So ‖w‖² ≤ n/(4c) = 1/(2λ); "
            "the same holds of w̃.",
            "Move. With Δ = w̃ − w: ⟨∇F(w̃) − ∇F(w), Δ⟩ = λ‖Δ‖² + (2/n) Σ (Δ·φ_i)² ≥ λ‖Δ‖², an "
            "identity of quadratics. As ∇F(w) = 0 = ∇F̃(w̃), the gradient difference is "
            "∇F(w̃) − ∇F̃(w̃), in which all but the replaced point cancels: "
            "(2/n)[(w̃·φ_k − y_k)φ_k − (w̃·φ̃_k − ỹ_k)φ̃_k], of norm at most (2/n)·2(‖w̃‖ + 1) (in "
            "words, triangle inequality).",
            "So ‖Δ‖ ≤ 4(1 + 1/√(2λ))/(nλ), and a residual moves by |Δ·φ(x)| ≤ ‖Δ‖.",
            "Times nλ^(3/2): 4(√λ + 1/√2) ≤ 8 for λ ≤ 1, with 1/√2 ≤ 3/4 (kernel, both).",
        ),
        proof_remark="The printed proof does not reach its bound: see kusner2016/thm5-proof.",
    )


ENTRY = Entry(
    id="kusner2016/thm5",
    source=source("Theorem 5, equation (6)"),
    printed="Say λ ≤ 1. […] |r′_{i,Y} − r̃′_{i,Y}| ≤ 8/(nλ^(3/2)) for all i.",
    words="When one of n training points is replaced, no test residual of the kernel ridge "
    "regression (5) moves by more than 8/(nλ^(3/2)).",
    scope="0 < λ ≤ 1, n ≥ 1; |x|, |y| ≤ 1 and k(x, x) ≤ 1, as the section assumes.",
    expected=LedgerVerdict.PROVED,
    gather=_gather,
    twin=Twin(
        "Half the bound: 4(√λ + 1/√2) ≤ 4 for λ ≤ 1.",
        lambda: at_least_zero(4 - 4 * (X + _ROOT_HALF), 0, 1),
    ),
)
