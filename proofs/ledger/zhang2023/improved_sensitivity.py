"""After Theorem 4: the bound that looks to one side of the level only."""

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
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Enclosed, Fact, MovesMore
from provado.proofs.ledger.in_coq import Stated, in_coq

from . import source
from ._hsic import DEFINED, KERNELS, PRINTED, Counts, Table, covariance, table_of, trace

_M, _K, _V = 120, 20, Fraction(25, 8)
"""Records; permutations; v = 2/δ² for δ = 4/5."""

_SHARED: Counts = {
    (1, 1, 1, 1): 30,
    (1, 1, 1, -1): 29,
    (-1, -1, -1, -1): 30,
    (-1, -1, -1, 1): 29,
    (-1, 1, 1, -1): 1,
}
_D = table_of({**_SHARED, (1, -1, -1, 1): 1})
_D_PRIME = table_of({**_SHARED, (1, 1, -1, 1): 1})


def p_value(table: Table) -> Fraction:
    """Return the p-value for 20 permutations: one as in the third place, 19 as in the fourth."""
    score, near, far = (covariance(table, place, 1) ** 2 for place in (0, 2, 3))
    return p_value_bounds(score, [near] + [far] * (_K - 1), Fraction(0))[0]


@dataclass(frozen=True)
class OneSided(Claim):
    """The p-value moves by at most the share on the side of the level: here B − p.

    share: B − p on the dataset tried. slope, offset: Δ_R is (slope·m − offset)/(m − 1)², as printed
    in equation (4); the scores of B are more than 2Δ_R below.
    """

    share: Fraction = Fraction(0)
    slope: int = 12
    offset: int = 11

    @property
    def formula(self) -> str:
        return f"p ≤ α moves by at most B − p, which is {self.share} on D; m = {_M}, k = {_K}"

    def counterexamples(self) -> tuple[Fact, ...]:
        score, far = (trace(covariance(_D, place, 1), _V) for place in (0, 3))
        gap = score - far - 2 * (self.slope * _M - self.offset)
        return (
            MovesMore("zhang2023.improved_sensitivity.p_value", 1, self.share),
            Enclosed(gap.as_data(), 1, 10**6),
        )


@dataclass(frozen=True)
class BothSided(Claim):
    """The p-value moves by at most max{p − A, B − p}, with a Δ_R that holds for the scores."""

    change: Stated = PRINTED

    @property
    def formula(self) -> str:
        return f"p moves by at most max{{p − A, B − p}}, Δ_R = {self.change.bound}"

    def obligations(self) -> tuple[Fact, ...]:
        return self.change.obligations()

    def statement(self) -> Statement:
        start = self.change.stretches[0].lower
        given = f"{KERNELS}(forall i, injective (psi i)) -> replace_one D D' -> "
        p, other = (f"p_value (score {d}) (permuted {d})" for d in ("D", "D'"))
        low, high = (f"p_{side} (score D) (permuted D) change" for side in ("low", "high"))
        return Statement(
            "forall (R : realFieldType) (S T : Type) (m K : nat) (k : S -> S -> R) "
            "(l : T -> T -> R) (psi : 'I_K -> 'I_m -> 'I_m) (D D' : dataset (S * T) m) "
            f"(change := {in_coq(self.change.bound, 'm%:R')}) "
            "(score := fun E => hsic k l (first E) (second E)) "
            "(permuted := fun E i => hsic_permuted k l (psi i) (first E) (second E)), "
            f"({start} <= m)%N -> {given}`|{p} - {other}| <= Num.max ({p} - {low}) ({high} - {p})",
            (*DEFINED, "definitions.permutation"),
        )


CLAIM = OneSided()
REPAIRED = BothSided()


def _gather(claim: OneSided) -> Evidence:
    moved, apart = claim.counterexamples()
    return Evidence(
        printed=(moves_more(moved, (_D, _D_PRIME), p_value), show(apart)),
        corrected=show_claim(REPAIRED),
        corrected_claim=REPAIRED,
        correction="Both sides count: p moves by at most max{p − A, B − p}, Δ_R from equation (4).",
        kind="repair",
        argument=(
            "Let Z = ∅, so that equation (4) holds (thm1), m = 120, δ = 4/5, x and y in {−1, 1}, "
            "k = 20 and α = 1/20. A dataset is the counts of (x, y, x after ψ₁, x after ψ₂), in "
            "the order (1, 1, 1, 1), …, (−1, −1, −1, −1); ψ₁ is one permutation, ψ₂ is 19.",
            Step(
                "Under D, q = 116 for the score, 120 after ψ₁, 0 after ψ₂. Only ψ₁ is above: "
                "p = 1/20 ≤ α. The others are more than 2Δ_R below (kernel): B = 1/20, and the "
                "improved bound is B − p = 0.",
                (apart,),
            ),
            Step(
                "D′ replaces one y. Score and ψ₁ then have q = 118, and the comparison is strict: "
                "p = 0 (kernel, replayed). p has moved by 1/20.",
                (moved,),
            ),
            "That a falling p leaves the decision alone is true of the decision without noise. The "
            "improved bound is used as a scale of noise: D would get none, and D′, from where p "
            "can rise, some.",
        ),
    )


ENTRY = Entry(
    id="zhang2023/improved-sensitivity",
    source=source("after Corollary 1"),
    printed="We can improve ΔP by ΔP = B − p in the case of p ≤ α, and by ΔP = p − A in the case "
    "of p > α.",
    words="For a bound on the change of the p-value only the side towards the level counts.",
    scope="Replace-one, fixed permutations, kernels fixed beforehand; Z = ∅ with equation (4).",
    claim=CLAIM,
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin("The same pair as a counterexample to a change of 1/20.", OneSided(Fraction(1, _K))),
    theorem_of=REPAIRED,
)
