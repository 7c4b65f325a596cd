"""Bounds on the move of HSIC when one record is replaced, as the three entries on it need them."""

from __future__ import annotations

from provado.proofs import kernel
from provado.proofs.ledger.claim import Bounded, Stretch
from provado.proofs.ledger.evidence import Line, Step
from provado.proofs.ledger.fact import Fact
from provado.proofs.ledger.formula import Formula, at_least_zero, equal
from provado.proofs.sensitivity.hsic_argument import (
    BALL_STEPS,
    RANGE_STEPS,
    SPLIT,
    ball_range,
    nonnegative_range,
)

HSIC = "the move of HSIC_{k,l}(x′, r′_Y) when one of m records is replaced"
GENERAL = Formula("5/m + 16/m²", "m")
"""The bound for all positive semi-definite kernels with k(x, x) ≤ 1."""


def hsic_at_most(bound: str, *, start: int = 2) -> Bounded:
    """Return the claim that HSIC moves by at most a printed bound, by way of ``GENERAL``."""
    return Bounded(HSIC, Formula(bound, "m"), (Stretch(GENERAL, start),))


def general_steps() -> tuple[Line, ...]:
    """Return the argument for ``GENERAL``."""
    *prose, last = BALL_STEPS
    return (
        "Let Q be the m − 1 records that stay; means and covariances are over Q. For a record "
        "z = (x, y) let α_j = k(x, x_j), g_j the mean of k(x_j, ·), κ the mean of g, β, γ and λ "
        "likewise for l and y, p(z) = k(x, x) − 2·mean(α) + κ and q(z) = l(y, y) − 2·mean(β) + λ.",
        *SPLIT,
        *prose,
        Step(last, general_facts()),
        "p(z) = ‖u‖² ≤ 4 and q(z) ≤ 4, both at least 0, so the t² term moves by at most 16t²; in "
        f"all the score moves by at most {GENERAL} for every kernel with k(x, x) ≤ 1.",
    )


def unit_steps() -> tuple[Line, ...]:
    """Return the argument for kernels with values in [0, 1]: squared exponential and Matérn."""
    *prose, last = RANGE_STEPS
    return (
        *prose,
        Step(last, (equal("(2/3·c + 3/2·(2 − c) + 5/6·c + 6/5)/4", "21/20", "c"),)),
        "In that case p(z) ≤ k(x, x) + κ ≤ 2 and q(z) ≤ 2, so the score moves by at most "
        "21/(10m) + 4/m².",
    )


CORRECTION = (
    "It moves by at most 21/(10m) + 4/m² if both kernels have values in [0, 1], such as the "
    "squared exponential and Matérn, and by at most 5/m + 16/m² for every kernel with k(x, x) ≤ 1"
)


def general_facts() -> tuple[Fact, ...]:
    """Return the fact behind 5/m + 16/m²."""
    return (at_least_zero("5/2 − (1 − s)(1 + s)³ − (1 − s²/2)²", 0, 1, variable="s"),)


def general_findings() -> tuple[kernel.Checked, ...]:
    """Return the finding behind 5/m + 16/m²."""
    return (ball_range(),)


def unit_findings() -> tuple[kernel.Checked, ...]:
    """Return the finding behind 21/(10m) + 4/m²."""
    return (nonnegative_range(),)
