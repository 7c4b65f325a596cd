"""Theorem 7: the training set sensitivity of HSIC."""

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
from ._claims import trained_hsic
from .thm5 import CLAIM as RESIDUALS
from .thm5 import bound_facts, bound_findings

ROOT_TWO = Fraction(7, 5)
"""A lower bound on √2, the smallest √m."""
DERIVED = Formula("2x⁴/(x² − 1)²")
"""2(m/(m − 1))² with x = √m."""
_MOVE = "the move of HSIC over L_l·R/n, with R = 8/λ^(3/2) and x = √m,"


def at_most(bound: str) -> Stated:
    """Return the claim that HSIC moves by at most L_l·R/n times ``bound``."""
    wording = trained_hsic(RESIDUALS.bound)
    return Stated(_MOVE, Formula(bound), (Stretch(DERIVED, ROOT_TWO),), wording=wording)


CLAIM = at_most("32x")
_ROUNDED = at_least_zero("2 − x²", 0, ROOT_TWO)
_QUARTER = at_least_zero("1/4 − (x − x²)", 0, 1)


def training_facts() -> tuple[Fact, ...]:
    """Return the facts behind 2L·b·(m/(m − 1))² ≤ 32L·b·√m with b = 8/(nλ^(3/2)), m ≥ 2."""
    return *bound_facts(), _ROUNDED, *CLAIM.obligations()


def training_findings(claim: Stated = CLAIM) -> tuple[kernel.Checked, ...]:
    """Return the findings of these facts."""
    return *bound_findings(), show(_ROUNDED), *show_claim(claim)


def _gather(claim: Stated) -> Evidence:
    return Evidence(
        printed=training_findings(claim),
        corrected=(show(_QUARTER, cuts=(Fraction(1, 2),)),),
        correction="2·L_l·b·(m/(m − 1))² with b = 4(1 + 1/√(2λ))/(nλ), for every λ > 0; half of "
        "that, L_l·b·(m/(m − 1))², if k has values in [0, 1]. No factor √m.",
        kind="sharpening",
        argument=(
            Step(
                "Replacing a training point moves each test residual by at most b = 8/(nλ^(3/2)) = "
                "R/n (kusner2016/thm5; findings gathered here again).",
                bound_facts(),
            ),
            "So each entry of L moves by at most 2·L_l·b, as both of its arguments move, and "
            "‖L − L̃‖_F ≤ 2·L_l·b·m (in words).",
            "x′ and K stay: the score moves by |⟨HKH, L − L̃⟩|/(m − 1)² ≤ "
            "‖HKH‖_F·‖L − L̃‖_F/(m − 1)² (Cauchy and Schwarz), and ‖HKH‖_F ≤ ‖K‖_F ≤ m, since H is "
            "a projection and |k| ≤ 1.",
            Step(
                f"2·L_l·b·(m/(m − 1))² ≤ {claim.bound}·L_l·b for m ≥ 2, x = √m ≥ {ROOT_TWO}, as "
                "(7/5)² ≤ 2 (kernel, both).",
                (_ROUNDED, *claim.obligations()),
            ),
            Step(
                "If k has values in [0, 1], ‖HKH‖_F² ≤ m²(s − s²) with s the mean of K, as "
                "K_ij² ≤ K_ij and row sums have at least the squared mean; s − s² ≤ 1/4 (kernel), "
                "so m/2 takes the place of m.",
                (_QUARTER,),
            ),
        ),
        proof_remark="The proof is by reference (Theorem 5 and a lemma of Mooij et al.); the "
        "argument here needs Theorem 5 only.",
    )


ENTRY = Entry(
    id="kusner2016/thm7",
    source=source("Theorem 7"),
    printed="|HSIC_{k,l}(x′, r′_Y) − HSIC_{k,l}(x′, r̃′_Y)| ≤ R·32·L_l·√m/n, where "
    "R = 8/λ^(3/2), for m ≥ 2, kernels k, l ≤ 1 and l L_l-Lipschitz.",
    words="Replacing one of n training points moves the HSIC of the m test residuals by at most "
    "256·L_l·√m/(nλ^(3/2)).",
    scope="All m ≥ 2, n ≥ 1, 0 < λ ≤ 1 (as Theorem 5, on which it rests); fixed positive "
    "semi-definite kernels with k(x, x) ≤ 1; |l(s, u) − l(t, u)| ≤ L_l·|s − t|.",
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("The same bound without the factor 32, false at m = 2.", at_most("x")),
    theorem_of=CLAIM,
)
