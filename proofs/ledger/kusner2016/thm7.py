"""Theorem 7: the training set sensitivity of HSIC."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.kusner2016._terms import X, at_least_zero, constant, source
from provado.proofs.ledger.kusner2016.thm5 import bound_findings

_ROOT_TWO = Fraction(7, 5)
"""A lower bound on √2, the smallest √m."""


def training_findings() -> tuple[kernel.Checked, ...]:
    """Return what shows 2L·b·(m/(m − 1))² ≤ 32L·b·√m with b = 8/(nλ^(3/2)), for all m ≥ 2."""
    return (
        *bound_findings(),
        at_least_zero(2 - X**2, 0, _ROOT_TWO),
        # x = √m: 32x(x² − 1)² − 2x⁴, over b·L·(m − 1)².
        at_least_zero(32 * X * (X**2 - 1) ** 2 - 2 * X**4, _ROOT_TWO),
    )


def _gather() -> Evidence:
    return Evidence(
        printed=training_findings(),
        corrected=(
            *bound_findings()[:2],
            at_least_zero(constant(1, 4) - (X - X**2), 0, 1, cuts=(Fraction(1, 2),)),
        ),
        correction="2·L_l·b·(m/(m − 1))² with b = 4(1 + 1/√(2λ))/(nλ), for every λ > 0; half of "
        "that, L_l·b·(m/(m − 1))², if k has values in [0, 1]. No factor √m.",
        kind="sharpening",
        argument=(
            "Replacing a training point moves each test residual by at most b = 8/(nλ^(3/2)) = "
            "R/n (kusner2016/thm5; findings gathered here again).",
            "So each entry of L moves by at most 2·L_l·b, as both of its arguments move, and "
            "‖L − L̃‖_F ≤ 2·L_l·b·m (in words).",
            "x′ and K stay: the score moves by |⟨HKH, L − L̃⟩|/(m − 1)² ≤ "
            "‖HKH‖_F·‖L − L̃‖_F/(m − 1)² (Cauchy and Schwarz), and ‖HKH‖_F ≤ ‖K‖_F ≤ m, since H is "
            "a projection and |k| ≤ 1.",
            "2·L_l·b·(m/(m − 1))² ≤ 32·L_l·b·√m for m ≥ 2: 32x(x² − 1)² ≥ 2x⁴ for "
            "x = √m ≥ 7/5, and (7/5)² ≤ 2 (kernel).",
            "If k has values in [0, 1], ‖HKH‖_F² ≤ m²(s − s²) with s the mean of K, as "
            "K_ij² ≤ K_ij and row sums have at least the squared mean; s − s² ≤ 1/4 (kernel), so "
            "m/2 takes the place of m.",
        ),
        proof_remark="The proof is by reference (Theorem 5 and a lemma of Mooij et al.); the "
        "argument here needs Theorem 5 only.",
    )


def _twin() -> object:
    # Without the slack: 2(m/(m − 1))² ≤ √m, false at m = 2.
    return at_least_zero(X * (X**2 - 1) ** 2 - 2 * X**4, _ROOT_TWO)


ENTRY = Entry(
    id="kusner2016/thm7",
    source=source("Theorem 7"),
    printed="|HSIC_{k,l}(x′, r′_Y) − HSIC_{k,l}(x′, r̃′_Y)| ≤ R·32·L_l·√m/n, where "
    "R = 8/λ^(3/2), for m ≥ 2, kernels k, l ≤ 1 and l L_l-Lipschitz.",
    words="Replacing one of n training points moves the HSIC of the m test residuals by at most "
    "256·L_l·√m/(nλ^(3/2)).",
    scope="All m ≥ 2, n ≥ 1, 0 < λ ≤ 1 (as Theorem 5, on which it rests); fixed positive "
    "semi-definite kernels with k(x, x) ≤ 1; |l(s, u) − l(t, u)| ≤ L_l·|s − t|.",
    expected=LedgerVerdict.PROVED,
    gather=_gather,
    twin=Twin("The same bound without the factor 32.", _twin),
)
