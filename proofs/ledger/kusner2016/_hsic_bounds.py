"""Bounds on the move of HSIC when one record is replaced, as the three entries on it need them."""

from __future__ import annotations

from provado.proofs import kernel
from provado.proofs.exppoly import ExpPoly
from provado.proofs.ledger.kusner2016._terms import X
from provado.proofs.sensitivity.hsic_argument import (
    BALL_STEPS,
    RANGE_STEPS,
    SPLIT,
    ball_range,
    nonnegative_range,
)

GENERAL_STEPS = (
    "Let Q be the m − 1 records that stay; means and covariances are over Q. For a record "
    "z = (x, y) let α_j = k(x, x_j), g_j the mean of k(x_j, ·), κ the mean of g, β, γ and λ "
    "likewise for l and y, p(z) = k(x, x) − 2·mean(α) + κ and q(z) = l(y, y) − 2·mean(β) + λ.",
    *SPLIT,
    *BALL_STEPS,
    "p(z) = ‖u‖² ≤ 4 and q(z) ≤ 4, both at least 0, so the t² term moves by at most 16t²; in all "
    "the score moves by at most 5/m + 16/m² for every kernel with k(x, x) ≤ 1.",
)
"""The bound for all positive semi-definite kernels with k(x, x) ≤ 1."""

UNIT_STEPS = (
    *RANGE_STEPS,
    "In that case p(z) ≤ k(x, x) + κ ≤ 2 and q(z) ≤ 2, so the score moves by at most "
    "21/(10m) + 4/m².",
)
"""The bound for kernels with values in [0, 1], such as the squared exponential and Matérn."""

CORRECTION = (
    "It moves by at most 21/(10m) + 4/m² if both kernels have values in [0, 1], such as the "
    "squared exponential and Matérn, and by at most 5/m + 16/m² for every kernel with k(x, x) ≤ 1"
)


def general_findings() -> tuple[kernel.Checked, ...]:
    """Return the finding behind 5/m + 16/m²."""
    return (ball_range(),)


def unit_findings() -> tuple[kernel.Checked, ...]:
    """Return the finding behind 21/(10m) + 4/m²."""
    return (nonnegative_range(),)


def below(numerator: ExpPoly, denominator: ExpPoly, start: int = 2) -> kernel.Checked:
    """Return that 5/m + 16/m² ≤ numerator/denominator, in x = m, for all m ≥ start.

    The denominator must be above 0 from ``start`` on, which the kernel checks as well.
    """
    claim = kernel.ExpressionSign(
        (X**2 * numerator - (5 * X + 16) * denominator).as_data(),
        start,
        kernel.Coefficients(),
        denominator=(X**2 * denominator).as_data(),
    )
    return kernel.check(claim)
