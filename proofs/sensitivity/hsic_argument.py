"""The argument that bounds how far one record moves HSIC, shared by the findings on it.

Let Q be the m − 1 records that stay, t = 1/m, and for a record z = (x, y): α_j = k(x, x_j),
g_j = the mean of k(x_j, ·) over Q, κ = the mean of g, and β, γ, λ likewise for l and y. With means
and covariances over Q,

    trace(KHLH)/(m − 1)² = V + 2t·h(z) + t²·p(z)q(z),
    h(z) = Cov(α − g, β − γ),  p(z) = k(x, x) − 2·mean(α) + κ,  q(z) likewise,

where V does not depend on z. It is a polynomial identity in the entries of symmetric K and L, so it
needs no positive definiteness. Replacing z by z′ moves HSIC by 2t·(h(z) − h(z′)) and the t² term.
"""

from __future__ import annotations

from fractions import Fraction

from provado.mechanisms.scores.hsic import (
    hsic_sensitivity,
    hsic_sensitivity_appendix_printed,
    hsic_sensitivity_improved,
)
from provado.proofs.kernel import (
    Checked,
    Coefficients,
    ExpressionSign,
    Identity,
    MultivariateSign,
    Split,
    check,
)
from provado.proofs.sensitivity.polynomial import Polynomial, minus, ratio_at_most, times

NONNEGATIVE_RANGE = Fraction(21, 20)
"""h(z) − h(z′) is at most this for symmetric kernels with values in [0, 1]."""

BALL_RANGE = Fraction(5, 2)
"""h(z) − h(z′) is at most this for positive semi-definite kernels with k(x, x) ≤ 1."""

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
    "half "
    "the mean size of (δ_i + δ_j)/2 − δ̄, at most ½·√(Var δ/2), as k lies in [0, 1]; likewise for "
    "γ.",
    "By √(uv) ≤ (θu + v/θ)/2 with θ = 2/3, and √(a/2) ≤ (μa + 1/(2μ))/2 with μ = 5/6, the sum is "
    "at "
    "most (θc + (2 − c)/θ + μc + 1/μ)/4, c = a + b, which is 21/20 for every c (kernel).",
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


def nonnegative_range() -> Checked:
    """Return the finding that (θc + (2 − c)/θ + μc + 1/μ)/4 is 21/20 for θ = 2/3, μ = 5/6."""
    theta, mu = Fraction(2, 3), Fraction(5, 6)
    left = (
        (theta / 4, 0, 1, 0),
        (2 / theta / 4, 0, 0, 0),
        (-1 / theta / 4, 0, 1, 0),
        (mu / 4, 0, 1, 0),
        (1 / mu / 4, 0, 0, 0),
    )
    return check(Identity(left, ((NONNEGATIVE_RANGE, 0, 0, 0),)))


def ball_range() -> Checked:
    """Return the finding that 5/2 − (1 − s)(1 + s)³ − (1 − s²/2)² ≥ 0 on [0, 1]."""
    b = (1, 0, Fraction(-1, 2))
    rest = minus((BALL_RANGE,), times((1, -1), (1, 1), (1, 1), (1, 1)))
    rest = minus(rest, times(b, b))
    parts = 16
    points = tuple(Fraction(i, parts) for i in range(1, parts))
    terms = tuple((c, 0, k, 0) for k, c in enumerate(rest))
    return check(ExpressionSign(terms, 0, Split(points, (Coefficients(),) * parts), upper=1))


_FORMS: tuple[tuple[Polynomial, Polynomial], ...] = (
    ((-8, 16), (1, -2, 1)),
    ((-11, 12), (1, -2, 1)),
    ((-11, 12), (-1, 0, 1)),
)


def below_printed(bound: Polynomial, lower: int = 2) -> tuple[Checked, ...]:
    """Return the findings that bound/m² is at most each of the three printed forms, m ≥ lower.

    bound: coefficients from the constant upward. The forms are those of Theorem 3, of section 4.2
    and of the appendix's last line.
    """
    ours = (bound, (0, 0, 1))
    return tuple(ratio_at_most(ours, printed, lower, tried_to=20) for printed in _FORMS)


def range_below_printed(largest: Fraction, upper: int) -> tuple[Checked, ...]:
    """Return the findings that largest·(m/(m − 1))² is at most each form for 2 ≤ m ≤ upper."""
    whole = (0, 0, largest)
    tops = (minus(times(top, (1, -2, 1)), times(whole, bottom)) for top, bottom in _FORMS)
    return tuple(
        check(MultivariateSign(tuple((c, (k,)) for k, c in enumerate(p)), (2,), (upper,)))
        for p in tops
    )


PRINTED = {
    "(16m − 8)/(m − 1)², Theorem 3": hsic_sensitivity,
    "(12m − 11)/(m − 1)², section 4.2": hsic_sensitivity_improved,
    "(12m − 11)/(m² − 1), last line of the appendix": hsic_sensitivity_appendix_printed,
}
"""The three printed bounds; all hold, the last one too, though the derivation does not give it."""
