"""Section 5.1: the lower bound on the distance to instability of a rank score."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from provado.proofs.ledger import (
    Claim,
    Entry,
    Evidence,
    LedgerVerdict,
    Step,
    Twin,
    moves_more,
    show,
)
from provado.proofs.ledger.fact import Enclosed, Fact, MovesMore

from . import source
from ._exact import Rows, residuals, spearman
from .thm5 import bound_facts, bound_findings

TEST: Rows = ((0, 0), (Fraction(1, 2), Fraction(1, 100)), (1, 1))
"""The public test set (x′, y′)."""
TRAIN: tuple[Rows, Rows] = (((1, 0),), ((1, 1),))
"""Training sets of n = 1 point that are neighbors; λ = 1."""


def rank_score(train: Rows) -> Fraction:
    """Return Spearman's ρ of x′ and the residuals of the linear-kernel ridge regression, λ = 1."""
    return spearman([x for x, _ in TEST], residuals(train, TEST, 1))


def smallest_gap(train: Rows) -> Fraction:
    """Return γ, the smallest distance between two residuals."""
    return min(b - a for a, b in pairwise(sorted(residuals(train, TEST, 1))))


@dataclass(frozen=True)
class Distance(Claim):
    """More than ⌊nγλ^(3/2)/divisor⌋ changes lead from a training set to an unstable one.

    It is tried on ``TRAIN``, n = λ = 1, where d = 0: one change alters the score. γ is the smallest
    gap between residuals on ``TEST``.
    """

    divisor: int = 16
    relation: Literal[">", "≥"] = ">"

    @property
    def formula(self) -> str:
        return f"d {self.relation} ⌊nγλ^(3/2)/{self.divisor}⌋, tried where d = 0 and n = λ = 1"

    def counterexamples(self) -> tuple[Fact, ...]:
        # With > it takes a whole part of 0: a number below 1. With ≥ it takes a number from 1 on.
        gap = smallest_gap(TRAIN[0])
        low, high = (0, Fraction(15, 16)) if self.relation == ">" else (1, Fraction(10**6))
        return (
            MovesMore("kusner2016.sec5_1_distance.rank_score", "replace-one", 0),
            Enclosed(((0, gap),), low, high, ((0, self.divisor),)),
        )


CLAIM = Distance()


def _gather(claim: Distance) -> Evidence:
    unstable, small = claim.counterexamples()
    return Evidence(
        printed=(moves_more(unstable, TRAIN, rank_score), show(small)),
        corrected=bound_findings(),
        correction="d ≥ ⌈nγλ^(3/2)/16⌉ − 1, where γ is the smallest distance between residuals; "
        "it is 0 where the printed bound promises 1.",
        kind="repair",
        argument=(
            "Let the kernel be k(x, y) = xy, n = 1, λ = 1, D = ((1, 0)), D′ = ((1, 1)): f̂ = 0 and "
            "f̂(x) = 2x/3. Let the test set be (0, 0), (1/2, 1/100), (1, 1).",
            Step(
                "The residuals are (0, 1/100, 1) under D and (0, −97/300, 1/3) under D′; "
                "Spearman's ρ of x′ and the residuals is 1 and 1/2 (kernel, replay). So D is "
                "unstable: its distance to instability is d = 0 (Definition 4).",
                (unstable,),
            ),
            Step(
                "γ = 1/100, so nγλ^(3/2)/16 < 1 (kernel) and its whole part is 0. The printed "
                "bound says d > 0.",
                (small,),
            ),
            "Indeed whenever nγλ^(3/2)/16 < 1 the printed bound says d ≥ 1, which no bound on "
            "residuals can give: one change may move them by γ/2 each.",
            Step(
                "Corrected: each change moves a residual by at most b = 8/(nλ^(3/2)) for λ ≤ 1 "
                "(kusner2016/thm5, findings gathered here again), so t changes bring two residuals "
                "closer by at most 2bt. If t < γ/(2b) a gap γ − 2bt > 0 remains, so ranks and "
                "score stay (in words).",
                bound_facts(),
            ),
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
    claim=CLAIM,
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin(
        "That d is at least the whole part, which holds here: 0 ≥ 0.", Distance(relation="≥")
    ),
)
