"""Section 5.3: log-IQRs of residuals, private for the training set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.algebra.laplace_programs.propose_test_release import release_probability
from provado.proofs.ledger import (
    Entry,
    Evidence,
    LedgerVerdict,
    Private,
    Setting,
    Step,
    Twin,
    named,
    not_private,
)

from . import source
from ._exact import (
    Interval,
    Rows,
    below_exp,
    interquartile_range,
    printed_interval,
    printed_intervals,
    repaired_interval,
    repaired_intervals,
    residuals,
)
from .iqr_ptr_privacy import repaired_facts, repaired_findings
from .thm5 import bound_facts, bound_findings

TEST: Rows = ((1, -1), (1, -1), (-1, 1), (-1, 1))
"""The public test set: its residuals' IQR is 2 + 2w for the slope w."""
TRAIN: tuple[Rows, Rows] = (
    ((1, 1),) * 77 + ((1, 0),) * 67,
    ((1, 1),) * 78 + ((1, 0),) * 66,
)
"""Neighbors of n = 144 points with w = 77/216 and 78/216, for λ = 1."""
DELTA = Fraction(1, 10)


def changes_lower_bound(iqr: kernel.Number, interval: Interval, bound: Fraction) -> int:
    """Return a lower bound on the training points that must change to leave [e^a, e^b).

    Each moves every residual by at most ``bound``, so the IQR by at most twice that. It is the
    smallest t ≥ 0 for which IQR + 2·bound·t or IQR − 2·bound·t lies outside.
    """
    low, high = interval
    t = 0
    while below_exp(iqr + 2 * bound * t, high) and not below_exp(iqr - 2 * bound * t, low):
        t += 1
    return t


def silent(*, repaired: bool) -> Callable[[Rows], kernel.Sum]:
    """Return the exact chance that log IQR(r′_Y) is not released, at ε = 1, λ = 1, δ = 1/10."""

    def chance_of_no_release(train: Rows) -> kernel.Sum:
        iqr = interquartile_range(residuals(train, TEST, 1))
        bound = Fraction(8, len(train))
        intervals = repaired_intervals(iqr) if repaired else printed_intervals(iqr)
        test = (repaired_interval if repaired else printed_interval)(Fraction(1), DELTA)
        found = [changes_lower_bound(iqr, interval, bound) for interval in intervals]
        return (1 - release_probability(test, found)).as_data()

    return named(chance_of_no_release, f"silent, repaired: {repaired}")


CLAIM = Private(
    "log IQR(r′_Y) and log IQR(r′_X), together,",
    "replace-one",
    (Setting("kusner2016.sec5_3_iqr_training.silent, repaired: False", 1, DELTA),),
    epsilon_times=6,
    delta_times=2,
)


def _gather(claim: Private) -> Evidence:
    (broken,) = claim.counterexamples()
    return Evidence(
        printed=(not_private(broken, TRAIN, "log IQR(r′_Y) is ⊥", silent(repaired=False)),),
        corrected=(*repaired_findings(), *bound_findings()),
        correction="With the repaired intervals and threshold and "
        "A_j = min(⌈(high − IQR)/(2b)⌉, ⌊(IQR − low)/(2b)⌋ + 1), b the bound on residuals, both "
        "residual IQRs together are (6ε, 2δ)-DP, and even (4ε, 2δ).",
        kind="repair",
        argument=(
            "Let the kernel be k(x, y) = xy, λ = 1, n = 144, b = 8/144; D holds 77 points (1, 1) "
            "and 67 points (1, 0), D′ has (1, 1) in place of one (1, 0): w = 77/216 and 78/216.",
            "The test set is (1, −1) twice and (−1, 1) twice, so IQR(r′_Y) = 2 + 2w: 2.713 < e "
            "under D, 2.722 > e under D′.",
            "D: B₁ = [1, e) is one step of 2b away from its end, A₁ = 1; B₂ = [e^(−1/2), e^(1/2)) "
            "does not hold the IQR, A₂ = 0. D′: A₁ = 1, and B₂ = [e^(1/2), e^(3/2)) is at least "
            "10 steps from its ends.",
            Step(
                "With ε = 1, δ = 1/10, ⊥ has probability .93 under D and less than .0006 under D′; "
                "the first is above e^6 times the second + 2δ (kernel, replay): the fault of "
                "Algorithm 1 as in kusner2016/iqr-ptr-privacy. The lack of 1/ε in the threshold "
                "carries over too.",
                (broken,),
            ),
            Step(
                "The lower bound on A_j is right: if every residual moves by at most b, each "
                "quartile does, and the IQR by at most 2b (in words; b from kusner2016/thm5, "
                "findings gathered here again). So A_j is at least 1 in an interval that holds the "
                "IQR, moves by at most 1 between neighbors that share the interval, and is 1 on "
                "both sides of an end that one change crosses.",
                bound_facts(),
            ),
            Step(
                "That is all that the argument of kusner2016/iqr-ptr-privacy asks of A_j: each of "
                "the two releases is (2ε, δ)-DP, so (3ε, δ)-DP, and two of them add up. x′ and y′ "
                "hold no training data.",
                repaired_facts(),
            ),
        ),
    )


ENTRY = Entry(
    id="kusner2016/sec5-3-iqr-training",
    source=source("section 5.3"),
    printed="we will use IQR algorithm almost identically, except that we will define A_j as the "
    "number of training points required to move the IQR out of an interval. […] a lower bound on "
    "A_j is simply the number of points required to move every input less than the median to the "
    "left and every input larger than the median to the right (or the reverse of these), using the "
    "bound on r in eq. (6). […] which implies (6ε, 2δ)-privacy.",
    words="Algorithm 1 on the two residual vectors, with A_j counted in training points from the "
    "bound on residuals, is together (6ε, 2δ)-DP when one training point is replaced.",
    scope="All ε > 0 and δ; training data in [−1, 1], kernels at most 1, 0 < λ ≤ 1.",
    claim=CLAIM,
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin("The same counterexample against (8ε, 2δ).", replace(CLAIM, epsilon_times=8)),
)
