"""How far one replaced training record can move any prediction, and so any residual.

Throughout, w minimises F(w) = (λ/2)‖w‖² + (1/n) Σ (w·φᵢ − yᵢ)² with ‖φᵢ‖ ≤ 1 and |yᵢ| ≤ 1, and w̃
minimises F̃, which has another (φ̃ₖ, ỹₖ) in place of (φₖ, yₖ). As |f(x) − f̃(x)| ≤ ‖w − w̃‖·‖φ(x)‖,
a bound on ‖w − w̃‖ bounds the move of every prediction and every test residual.
"""

from __future__ import annotations

import math

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import natural, positive


def residual_bound(n: int, lam: float) -> float:
    """Return 4(1 + 1/√(2λ))/(nλ): for every λ > 0 no prediction moves by more.

    n: number of training records; lam: λ of the objective. In the units of y.

    Guarantee: under replacement of one training record, data in [−1, 1], kernel at most 1.

    Proof. *Norm.* With c = λn/2, w = Σ αᵢφᵢ and α = (K + cI)⁻¹y, ‖w‖² = yᵀ(K + cI)⁻¹K(K + cI)⁻¹y
    is at most ‖y‖² times the largest of κ/(κ + c)² over κ ≥ 0, which is 1/(4c), at κ = c; and
    ‖y‖² ≤ n. So ‖w‖² ≤ n/(4c) = 1/(2λ); the same holds for w̃. (In terms of s = √(κ/n):
    s²·4/(λ + 2s²)² is largest at s² = λ/2.) *Move.* F − (λ/2)‖·‖² is convex, so
    λ‖w̃ − w‖² ≤ ⟨∇F(w̃) − ∇F(w), w̃ − w⟩. Both ∇F(w) and ∇F̃(w̃) are 0, so the first gradient
    difference is ∇F(w̃) − ∇F̃(w̃), in which all terms cancel but the replaced one:
    (2/n)[(w̃·φₖ − yₖ)φₖ − (w̃·φ̃ₖ − ỹₖ)φ̃ₖ], of norm at most (2/n)·2·(‖w̃‖ + 1). Divide by
    λ‖w̃ − w‖ and insert the norm. ∎

    A record that is far from all others (kernel 0) and has y turned from 1 to −1 moves its own
    prediction by 4/(nλ + 2): for large λ and nλ the bound cannot be lowered. For small λ the worst
    moves that could be found stay far below it.

    Source: repairs the proof of Theorem 5 of Kusner et al., Private Causal Inference (2016). Raises
    ``UsageError`` unless n is a whole number from 1 on and λ is finite and above 0.
    """
    strength = positive(lam, "lam")
    return 4 * (1 + 1 / math.sqrt(2 * strength)) / (natural(n, "n") * strength)


def residual_bound_printed(n: int, lam: float) -> float:
    """Return 8/(nλ^(3/2)), as printed, for λ ≤ 1.

    n: number of training records; lam: λ of the objective. In the units of y.

    The statement is true, but its printed proof does not reach it: its last lines give
    (λ/2)‖w − w̃‖ ≤ (2/n)(‖w‖ + ‖w̃‖ + 2), and with the printed ‖w‖ ≤ 1/√λ and λ ≤ 1 that is
    ‖w − w̃‖ ≤ 16/(nλ^(3/2)). The printed reason for ‖w‖ ≤ 1/√λ (the objective is 1 at w = 0) gives
    only √(2/λ), by (λ/2)‖w‖² ≤ 1. ``residual_bound`` has a proof, and 4(1 + 1/√(2λ)) ≤ 8/√λ
    whenever √λ ≤ 2 − 1/√2, that is λ ≤ 1.67; so the printed bound follows for λ ≤ 1. For every
    λ > 4 and n large enough it fails, as a record far from all others moves by 4/(nλ + 2).

    Source: Kusner et al., Private Causal Inference (2016), Theorem 5. Raises ``UsageError`` unless
    n is a whole number from 1 on and 0 < λ ≤ 1, as the theorem requires.
    """
    strength = positive(lam, "lam")
    if strength > 1:
        raise UsageError(f"lam is {lam!r}: Theorem 5 is stated for lam at most 1")
    return 8 / (natural(n, "n") * strength * math.sqrt(strength))


def typical_residual_bound(n: int, lam: float) -> float:
    """Return B/√(8λ) for λ ≤ 2 and B/(λ + 2) beyond, with B = (2/n)(2 + 1/√(2λ)).

    No more is √(Σ d_j²/n), d_j the moves of the predictions at the n − 1 training records that
    stay. So in the mean the residuals on which a model was trained move less than one may by
    ``residual_bound``: for λ = 1 by 1.92/n, not 6.83/n. In the units of y.

    Guarantee: under replacement of one training record, data in [−1, 1], kernel at most 1. It says
    nothing of the replaced record's own residual, which may move by 2.

    Proof. Let G be F without the term of the replaced record, Δ = w̃ − w, t = ‖Δ‖, and s² the mean
    Σ (Δ·φ_j)²/n over the others. G is quadratic, so ⟨∇G(w̃) − ∇G(w), Δ⟩ = λt² + 2s². As ∇F(w) and
    ∇F̃(w̃) are 0, it is also −(2/n)⟨(w̃·φ̃ₖ − ỹₖ)φ̃ₖ − (w·φₖ − yₖ)φₖ, Δ⟩. There
    (w·φₖ)φₖ = (w̃·φₖ)φₖ − (Δ·φₖ)φₖ, whose last part adds −(2/n)(Δ·φₖ)² ≤ 0;
    (w̃·φ̃ₖ)φ̃ₖ − (w̃·φₖ)φₖ has norm at most ‖w̃‖ ≤ 1/√(2λ), as a difference of two operators between
    0 and 1 has norm at most 1; ỹₖφ̃ₖ − yₖφₖ has norm at most 2. So λt² + 2s² ≤ Bt, and
    s² ≤ (Bt − λt²)/2 ≤ B²/(8λ). Also s ≤ t, so that t ≥ s must satisfy it: where the largest value
    lies at t = B/(2λ) < s, that is for λ > 2, s is at most B/(λ + 2), where both meet. ∎

    Raises ``UsageError`` unless n is a whole number from 1 on and λ is finite and above 0.
    """
    strength = positive(lam, "lam")
    pull = 2 * (2 + 1 / math.sqrt(2 * strength)) / natural(n, "n")
    return pull / math.sqrt(8 * strength) if strength <= 2 else pull / (strength + 2)
