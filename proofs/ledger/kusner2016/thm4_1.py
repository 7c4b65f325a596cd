"""Theorem 4.1: how often an IQR is released although few points suffice to move it."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs.exppoly import ExpPoly
from provado.proofs.exppoly.certificates import laplace_sum_tail
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.kusner2016._terms import (
    X,
    at_least_zero,
    constant,
    fails_at,
    grow,
    source,
)

_CLAIMED = constant(3, 2) * grow(-1)
"""3δ/2 with δ = e^(−x)."""


def _pass(epsilon: Fraction, changes: int) -> ExpPoly:
    """Return the chance that A_j = changes passes the printed test, as a function of ln(1/δ).

    A_j + Lap(1/ε) > 1 + ln(1/δ) is Z > ε(1 + x − A_j) for Z ~ Lap(0, 1); for x ≥ A_j − 1.
    """
    tail, _ = laplace_sum_tail((1,))
    return tail.piece_at(0).compose(epsilon, epsilon * (1 - changes))


def _both(chance: ExpPoly) -> ExpPoly:
    return 1 - (1 - chance) * (1 - chance)


def _gather() -> Evidence:
    tail, proof = laplace_sum_tail((1,))
    whole, single = _both(_pass(Fraction(1), 2)), _pass(Fraction(1, 2), 2)
    # A₂ = 1000 passes with probability 1 − e^(−(999 − x))/2, as long as x ≤ 999.
    sure = tail.parts[0].compose(1, -999)
    return Evidence(
        printed=(
            proof,
            fails_at(_CLAIMED - whole, 4, 1),
            at_least_zero(whole - _CLAIMED, 2, strict=True),
            fails_at(_CLAIMED - single, 10, 1),
            fails_at(_CLAIMED - sure, 4, 1, 999),
        ),
        # x = e^ε ≥ 1 and δ ≤ 1; the chance is 1 − (1 − δe^ε/2)² ≤ δe^ε.
        corrected=(
            proof,
            at_least_zero(X**2 * constant(1, 4), 0),
            at_least_zero(constant(3, 2) - X, 1, Fraction(3, 2)),
        ),
        correction="With the threshold 1 + ln(1/δ)/ε, and both A₁ and A₂ at most 2: "
        "P[P_* ≠ ⊥] ≤ e^ε·δ, and so ≤ 3δ/2 for ε ≤ ln(3/2); with both at most 1 it is ≤ δ.",
        kind="repair",
        argument=(
            "A_j is a number of points, so A_j ≤ e means A_j ≤ 2. Let δ = e^(−x).",
            "With the printed threshold, A_j = 2 passes its test with probability "
            "e^(−ε(x − 1))/2 for x ≥ 1 (kernel: the tail of one Laplace variable).",
            "Let ε = 1, A₁ = A₂ = 2, δ = e^(−4): released with probability e^(−3) − e^(−6)/4 = "
            ".049, above 3δ/2 = .027 (kernel); likewise for every δ ≤ e^(−2) (kernel).",
            "Let ε = 1/2, δ = e^(−10): even one test with A₁ = 2 passes with probability "
            "e^(−9/2)/2, which is 80 times 3δ/2 (kernel): the threshold lacks the 1/ε.",
            "Let A₁ = 1 ≤ e and A₂ = 1000, δ = e^(−4), ε = 1: the second test passes nearly surely "
            '(kernel). So the condition must ask for both, not for "A₁ or A₂".',
            "Repaired: with threshold 1 + ln(1/δ)/ε, A_j ≤ 2 passes with probability at most "
            "w/2, w = δe^ε, if w ≤ 1 (kernel, tail at t = ln(1/w) ≥ 0); two independent tests pass "
            "with at most 1 − (1 − w/2)² = w − w²/4 ≤ w (kernel); w > 1 bounds nothing. "
            "e^ε ≤ 3/2 gives 3δ/2. With A_j ≤ 1 the same holds with w = δ.",
        ),
        proof_remark="The appendix announces a proof of Theorem 4 and gives one of part 2 only. "
        "One test with A_j = 2 and ε = 1 passes with probability eδ/2 ≤ 3δ/2; the bound fits that.",
    )


def _twin() -> object:
    # The claim does hold for a single test at ε = 1: (e/2)δ ≤ 3δ/2.
    return fails_at(_CLAIMED - _pass(Fraction(1), 2), 4, 1)


ENTRY = Entry(
    id="kusner2016/thm4-1",
    source=source("Theorem 4, part 1"),
    printed="P[P_* ≠ ⊥ | A₁ or A₂ ≤ e] ≤ 3δ/2.",
    words="If at most e points move the IQR out of an interval, it is rarely released: Algorithm 1 "
    "of the appendix compares A_j + Lap(1/ε) with 1 + ln(1/δ).",
    scope="All ε > 0 and δ in (0, 1), as printed; the repair for all ε > 0 with δe^ε ≤ 1.",
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin("A counterexample with one test only at ε = 1, where the bound holds.", _twin),
)
