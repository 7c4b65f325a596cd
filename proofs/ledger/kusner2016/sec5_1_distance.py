"""Section 5.1: the lower bound on the distance to instability of a rank score."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from provado.proofs import kernel
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.kusner2016._linear_ridge import Rows, residuals, spearman
from provado.proofs.ledger.kusner2016._terms import source
from provado.proofs.ledger.kusner2016.thm5 import bound_findings

TEST: Rows = ((0, 0), (Fraction(1, 2), Fraction(1, 100)), (1, 1))
"""The public test set (x′, y′)."""
TRAIN: tuple[Rows, Rows] = (((1, 0),), ((1, 1),))
"""Training sets of n = 1 point that are neighbors; λ = 1."""


def rank_score(train: Rows) -> Fraction:
    """Return Spearman's ρ of x′ and the residuals of the linear-kernel ridge regression, λ = 1."""
    return spearman([x for x, _ in TEST], residuals(train, TEST, 1))


def unstable(train: tuple[Rows, Rows]) -> kernel.Checked:
    """Return the refutation of "the score is the same on both training sets"."""
    d, d_prime = train
    values = rank_score(d), rank_score(d_prime)
    change = kernel.ChangeCounterexample(d, d_prime, "replace-one", values, 0)
    return kernel.check(change, rank_score)


def smallest_gap(train: Rows) -> Fraction:
    """Return γ, the smallest distance between two residuals."""
    return min(b - a for a, b in pairwise(sorted(residuals(train, TEST, 1))))


def _gather() -> Evidence:
    gap = smallest_gap(TRAIN[0])
    # nγλ^(3/2)/16 with n = λ = 1 is below 1, so its whole part is 0.
    small = kernel.Enclosure(((0, gap),), 0, Fraction(15, 16), ((0, 16),))
    # 0 = d > 0 is what the printed bound says of this training set.
    return Evidence(
        printed=(unstable(TRAIN), kernel.check(small)),
        corrected=bound_findings(),
        correction="d ≥ ⌈nγλ^(3/2)/16⌉ − 1, where γ is the smallest distance between residuals; "
        "it is 0 where the printed bound promises 1.",
        kind="repair",
        argument=(
            "Let the kernel be k(x, y) = xy, n = 1, λ = 1, D = ((1, 0)), D′ = ((1, 1)): f̂ = 0 and "
            "f̂(x) = 2x/3. Let the test set be (0, 0), (1/2, 1/100), (1, 1).",
            "The residuals are (0, 1/100, 1) under D and (0, −97/300, 1/3) under D′; Spearman's ρ "
            "of x′ and the residuals is 1 and 1/2 (kernel, replay). So D is unstable: its "
            "distance to instability is d = 0 (Definition 4).",
            "γ = 1/100, so nγλ^(3/2)/16 < 1 (kernel) and its whole part is 0. The printed bound "
            "says d > 0.",
            "Indeed whenever nγλ^(3/2)/16 < 1 the printed bound says d ≥ 1, which no bound on "
            "residuals can give: one change may move them by γ/2 each.",
            "Corrected: each change moves a residual by at most b = 8/(nλ^(3/2)) for λ ≤ 1 "
            "(kusner2016/thm5, findings gathered here again), so t changes bring two residuals "
            "closer by at most 2bt. If t < γ/(2b) a gap γ − 2bt > 0 remains, so ranks and "
            "score stay (in words).",
            "Let D* be the nearest unstable training set, d changes away; a neighbor of it has "
            "another score, so within d + 1 changes of D the score changes: d + 1 ≥ γ/(2b) = "
            "nγλ^(3/2)/16, and d, being whole, is at least ⌈nγλ^(3/2)/16⌉ − 1 (in words).",
            "That bound, cut off at 0, may stand in for d in Algorithm 13: it is at most d, so 0 "
            "on unstable sets, and as γ moves by at most 2b it moves by at most 1.",
        ),
        proof_remark='The text bounds how many changes keep the ranks, "the largest number […] '
        'so that the closest ranks do not overlap"; an unstable set may be one change nearer, and '
        "for a whole number nγλ^(3/2)/16 the ranks may tie.",
    )


ENTRY = Entry(
    id="kusner2016/sec5-1-distance",
    source=source("section 5.1, after Theorem 6"),
    printed="Let γ be the smallest absolute distance between any two ranks. Then a lower bound on "
    "d is d > ⌊nγλ^(3/2)/16⌋.",
    words="More than ⌊nγλ^(3/2)/16⌋ training points must change to reach a training set on which "
    "one more change alters the rank score; γ is the smallest gap between two test residuals.",
    scope="Training data in [−1, 1], kernels at most 1, 0 < λ ≤ 1, residuals without ties.",
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin(
        "A pair of training sets that leaves the ranks as they are.",
        lambda: unstable((((1, 0),), ((1, Fraction(1, 100)),))),
    ),
)
