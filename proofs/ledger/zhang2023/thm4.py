"""Theorem 4: the local sensitivity of the permutation p-value."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from provado.mechanisms.scores.rcit import p_value_bounds
from provado.proofs.ledger import (
    Claim,
    Entry,
    Evidence,
    LedgerVerdict,
    Step,
    Twin,
    moves_more,
    show,
    show_claim,
)
from provado.proofs.ledger.fact import Enclosed, Fact, MovesMore

from . import source
from ._hsic import HSIC_STEPS, PRINTED, SHORT, Counts, Table, covariance, table_of, trace
from .thm3_eq3 import PRINTED_BOUND, Equation3, M, V

_SHARED: Counts = {(1, 1, 1): M // 2 - 1, (-1, -1, -1): M // 2 - 1, (-1, 1, 1): 1}
_D = table_of({**_SHARED, (1, -1, -1): 1})
_D_PRIME = table_of({**_SHARED, (1, 1, -1): 1})


def p_value(table: Table) -> Fraction:
    """Return the p-value for k permutations, all the one of the table; z is equal in all records.

    HSIC is one number times q², so that the squares of q decide.
    """
    score, permuted = (covariance(table, place, 1) ** 2 for place in (0, 2))
    return p_value_bounds(score, [permuted], Fraction(0))[0]


@dataclass(frozen=True)
class NoMove(Claim):
    """Where no permuted score lies within 2Δ_R of the score, the p-value moves by at most 0.

    bound: max{p − A, B − p} on the dataset tried. delta_r: Δ_R, by equation (3).
    """

    bound: int = 0
    delta_r: Equation3 = PRINTED_BOUND

    @property
    def formula(self) -> str:
        return (
            f"|p − p̃| ≤ max{{p − A, B − p}} = {self.bound}, tried at m = {M}, Δ_R = {self.delta_r}"
        )

    def counterexamples(self) -> tuple[Fact, ...]:
        # HSIC(ψ(U), V) − HSIC(U, V) − 2Δ_R > 0 under D.
        score, permuted = (trace(covariance(_D, place, 1), V) for place in (0, 2))
        gap = (permuted - score) * Fraction(1, (M - 1) ** 2) - 2 * self.delta_r.bound(M)
        return (
            MovesMore("zhang2023.thm4.p_value", 1, self.bound),
            Enclosed(gap.as_data(), Fraction(1, 10**6), 1),
        )


CLAIM = NoMove()


def _gather(claim: NoMove) -> Evidence:
    moved, apart = claim.counterexamples()
    return Evidence(
        printed=(moves_more(moved, (_D, _D_PRIME), p_value), show(apart)),
        corrected=show_claim(PRINTED),
        correction="The inequality holds for every Δ_R that bounds the change of all k + 1 scores: "
        "for Z = ∅ with equation (4), for Z ≠ ∅ with the corrected bound of thm3-eq3.",
        kind="repair",
        argument=(
            "Let z be equal in all m = 700 records, λ = δ_k = δ_l = 1, x and y in {−1, 1}, and let "
            "all k permutations be one ψ. A dataset is the counts of (x, y, x after ψ), in the "
            "order (1, 1, 1), (1, 1, −1), …, (−1, −1, −1). D: 349 of (1, 1, 1) and of "
            "(−1, −1, −1), one (1, −1, −1), one (−1, 1, 1). D′ replaces the y of the third kind.",
            Step(
                "Under D, q = 696 for the score and 700 for the permuted one, and they are more "
                "than 2Δ_R apart, Δ_R by equation (3) (kernel). So p = A = B = 1, and the theorem "
                "says that p cannot change.",
                (apart,),
            ),
            Step(
                "Under D′ both are 698; the comparison is strict, and p = 0 (kernel, replayed).",
                (moved,),
            ),
            "The theorem fails because equation (3) does. Given a Δ_R that bounds each of the "
            "scores, permuted or not, it holds: h̃ < h̃_ψ follows from h < h_ψ − 2Δ_R and implies "
            "h < h_ψ + 2Δ_R, so A ≤ p̃ ≤ B.",
            "The printed proof takes Δ_R for the permuted scores too, in which the replaced record "
            "touches two rows. For equation (4) this is right:",
            *HSIC_STEPS,
            Step(f"{SHORT} ≤ {PRINTED.bound} for m ≥ 2 (kernel).", PRINTED.obligations()),
            "Even then A and B depend on the data: the bound is a local sensitivity, and noise "
            "scaled to it is not private (thm5).",
        ),
        proof_remark="Equations (9) and (10) carry Δ_R from the score to the permuted scores "
        "without a word.",
    )


ENTRY = Entry(
    id="zhang2023/thm4",
    source=source("Theorem 4, equations (6) to (8)"),
    printed="|p − p̃| ≤ max{p − A, B − p}, where A and B are the shares of the k permutations with "
    "HSIC(U, V) < HSIC(ψ(U), V) − 2Δ_R and HSIC(U, V) < HSIC(ψ(U), V) + 2Δ_R. [Δ_R: the bound of "
    "equation (3) for Z ≠ ∅ and (4) for Z = ∅.]",
    words="Replacing one record moves the permutation p-value no further than the permuted scores "
    "within 2Δ_R of the score allow.",
    scope="Replace-one, permutations that do not depend on the data, Gaussian kernels of fixed "
    "bandwidths. Refuted for Z ≠ ∅; for Z = ∅ it holds.",
    claim=CLAIM,
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin("The same pair as a counterexample to a change of 1.", NoMove(bound=1)),
)
