"""Theorem 4 and what follows: the local sensitivity of the permutation p-value."""

from dataclasses import dataclass
from fractions import Fraction

from provado.mechanisms.graph_discovery.independence_tests.rcit import p_value_bounds
from provado.proofs import ledger
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Enclosed, Fact, MovesMore
from provado.proofs.ledger.theorem import Stated, Wording, in_coq

from . import hsic_scores, source
from .hsic_scores import KERNELS, PRINTED, SHORT, M

_SHARED: hsic_scores.Counts = {(1, 1, 1): M // 2 - 1, (-1, -1, -1): M // 2 - 1, (-1, 1, 1): 1}
_D = hsic_scores.table_of({**_SHARED, (1, -1, -1): 1})
_D_PRIME = hsic_scores.table_of({**_SHARED, (1, 1, -1): 1})


def p_value(table: hsic_scores.Table) -> Fraction:
    """Return the p-value for k permutations, all the one of the table; z is equal in all records.

    HSIC is one number times q², so that the squares of q decide.
    """
    score, permuted = (hsic_scores.covariance(table, place, 1) ** 2 for place in (0, 2))
    return p_value_bounds(score, [permuted], Fraction(0))[0]


@dataclass(frozen=True)
class NoMove(ledger.Claim):
    """Where no permuted score lies within 2Δ_R of the score, the p-value moves by at most 0.

    bound: max{p − A, B − p} on the dataset tried. delta_r: Δ_R, by equation (3).
    """

    bound: int = 0
    delta_r: hsic_scores.Equation3 = hsic_scores.PRINTED_BOUND

    @property
    def formula(self) -> str:
        return (
            f"|p − p̃| ≤ max{{p − A, B − p}} = {self.bound}, tried at m = {M}, Δ_R = {self.delta_r}"
        )

    def counterexamples(self) -> tuple[Fact, ...]:
        # HSIC(ψ(U), V) − HSIC(U, V) − 2Δ_R > 0 under D.
        score, permuted = (
            hsic_scores.trace(hsic_scores.covariance(_D, place, 1), hsic_scores.V)
            for place in (0, 2)
        )
        gap = (permuted - score) * Fraction(1, (M - 1) ** 2) - 2 * self.delta_r.bound(M)
        return (
            MovesMore("zhang2023.p_values.p_value", 1, self.bound),
            Enclosed(gap.as_data(), Fraction(1, 10**6), 1),
        )


@ledger.Entry(
    source=source("Theorem 4, equations (6) to (8)"),
    printed="|p − p̃| ≤ max{p − A, B − p}, where A and B are the shares of the k permutations with "
    "HSIC(U, V) < HSIC(ψ(U), V) − 2Δ_R and HSIC(U, V) < HSIC(ψ(U), V) + 2Δ_R. [Δ_R: the bound of "
    "equation (3) for Z ≠ ∅ and (4) for Z = ∅.]",
    words="Replacing one record moves the permutation p-value no further than the permuted scores "
    "within 2Δ_R of the score allow.",
    scope="Replace-one, permutations that do not depend on the data, Gaussian kernels of fixed "
    "bandwidths. Refuted for Z ≠ ∅; for Z = ∅ it holds.",
    claim=NoMove(),
    expected=ledger.LedgerVerdict.REFUTED,
    twin=ledger.Twin("The same pair as a counterexample to a change of 1.", NoMove(bound=1)),
)
def _thm4(claim: NoMove) -> ledger.Evidence:
    moved, apart = claim.counterexamples()
    return ledger.Evidence(
        printed=(ledger.moves_more(moved, (_D, _D_PRIME), p_value), ledger.show(apart)),
        corrected=ledger.show_claim(PRINTED),
        correction="The inequality holds for every Δ_R that bounds the change of all k + 1 scores: "
        "for Z = ∅ with equation (4), for Z ≠ ∅ with the corrected bound of thm3-eq3.",
        kind="repair",
        argument=(
            "Let z be equal in all m = 700 records, λ = δ_k = δ_l = 1, x and y in {−1, 1}, and let "
            "all k permutations be one ψ. A dataset is the counts of (x, y, x after ψ), in the "
            "order (1, 1, 1), (1, 1, −1), …, (−1, −1, −1). D: 349 of (1, 1, 1) and of "
            "(−1, −1, −1), one (1, −1, −1), one (−1, 1, 1). D′ replaces the y of the third kind.",
            ledger.Step(
                "Under D, q = 696 for the score and 700 for the permuted one, and they are more "
                "than 2Δ_R apart, Δ_R by equation (3) (kernel). So p = A = B = 1, and the theorem "
                "says that p cannot change.",
                (apart,),
            ),
            ledger.Step(
                "Under D′ both are 698; the comparison is strict, and p = 0 (kernel, replayed).",
                (moved,),
            ),
            "The theorem fails because equation (3) does. Given a Δ_R that bounds each of the "
            "scores, permuted or not, it holds: h̃ < h̃_ψ follows from h < h_ψ − 2Δ_R and implies "
            "h < h_ψ + 2Δ_R, so A ≤ p̃ ≤ B.",
            "The printed proof takes Δ_R for the permuted scores too, in which the replaced record "
            "touches two rows. For equation (4) this is right:",
            *hsic_scores.HSIC_STEPS,
            ledger.Step(f"{SHORT} ≤ {PRINTED.bound} for m ≥ 2 (kernel).", PRINTED.obligations()),
            "Even then A and B depend on the data: the bound is a local sensitivity, and noise "
            "scaled to it is not private (thm5).",
        ),
        proof_remark="Equations (9) and (10) carry Δ_R from the score to the permuted scores "
        "without a word.",
    )


# After Theorem 4: the bound that looks to one side of the level only.

_M, _K, _V = 120, 20, Fraction(25, 8)
"""Records; permutations; v = 2/δ² for δ = 4/5."""

_FAR_SHARED: hsic_scores.Counts = {
    (1, 1, 1, 1): 30,
    (1, 1, 1, -1): 29,
    (-1, -1, -1, -1): 30,
    (-1, -1, -1, 1): 29,
    (-1, 1, 1, -1): 1,
}
_FAR = hsic_scores.table_of({**_FAR_SHARED, (1, -1, -1, 1): 1})
_FAR_PRIME = hsic_scores.table_of({**_FAR_SHARED, (1, 1, -1, 1): 1})


def improved_p_value(table: hsic_scores.Table) -> Fraction:
    """Return the p-value for 20 permutations: one as in the third place, 19 as in the fourth."""
    score, near, far = (hsic_scores.covariance(table, place, 1) ** 2 for place in (0, 2, 3))
    return p_value_bounds(score, [near] + [far] * (_K - 1), Fraction(0))[0]


@dataclass(frozen=True)
class OneSided(ledger.Claim):
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
        score, far = (
            hsic_scores.trace(hsic_scores.covariance(_FAR, place, 1), _V) for place in (0, 3)
        )
        gap = score - far - 2 * (self.slope * _M - self.offset)
        return (
            MovesMore("zhang2023.p_values.improved_p_value", 1, self.share),
            Enclosed(gap.as_data(), 1, 10**6),
        )


@dataclass(frozen=True)
class BothSided(ledger.Claim):
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
            "forall (R : realFieldType) (S T : Type) (m K : nat) (k : S -> S -> R) (l : T -> T -> "
            "R) (psi : 'I_K -> 'I_m -> 'I_m) (D D' : dataset (S * T) m) (change := "
            f"{in_coq(self.change.bound, 'm%:R')}) (score := fun E => hsic k l (first E) (second "
            "E)) (permuted := fun E i => hsic_permuted k l (psi i) (first E) (second E)), "
            f"({start} <= m)%N -> {given}`|{p} - {other}| <= Num.max ({p} - {low}) ({high} - {p})",
            (*hsic_scores.DEFINED, "definitions.permutation"),
        )


REPAIRED = BothSided()


@ledger.Entry(
    source=source("after Corollary 1"),
    printed="We can improve ΔP by ΔP = B − p in the case of p ≤ α, and by ΔP = p − A in the case "
    "of p > α.",
    words="For a bound on the change of the p-value only the side towards the level counts.",
    scope="Replace-one, fixed permutations, kernels fixed beforehand; Z = ∅ with equation (4).",
    claim=OneSided(),
    expected=ledger.LedgerVerdict.REFUTED,
    twin=ledger.Twin(
        "The same pair as a counterexample to a change of 1/20.", OneSided(Fraction(1, _K))
    ),
    theorem_of=REPAIRED,
)
def _improved_sensitivity(claim: OneSided) -> ledger.Evidence:
    moved, apart = claim.counterexamples()
    return ledger.Evidence(
        printed=(
            ledger.moves_more(moved, (_FAR, _FAR_PRIME), improved_p_value),
            ledger.show(apart),
        ),
        corrected=ledger.show_claim(REPAIRED),
        corrected_claim=REPAIRED,
        correction="Both sides count: p moves by at most max{p − A, B − p}, Δ_R from equation (4).",
        kind="repair",
        argument=(
            "Let Z = ∅, so that equation (4) holds (thm1), m = 120, δ = 4/5, x and y in {−1, 1}, "
            "k = 20 and α = 1/20. A dataset is the counts of (x, y, x after ψ₁, x after ψ₂), in "
            "the order (1, 1, 1, 1), …, (−1, −1, −1, −1); ψ₁ is one permutation, ψ₂ is 19.",
            ledger.Step(
                "Under D, q = 116 for the score, 120 after ψ₁, 0 after ψ₂. Only ψ₁ is above: "
                "p = 1/20 ≤ α. The others are more than 2Δ_R below (kernel): B = 1/20, and the "
                "improved bound is B − p = 0.",
                (apart,),
            ),
            ledger.Step(
                "D′ replaces one y. Score and ψ₁ then have q = 118, and the comparison is strict: "
                "p = 0 (kernel, replayed). p has moved by 1/20.",
                (moved,),
            ),
            "That a falling p leaves the decision alone is true of the decision without noise. The "
            "improved bound is used as a scale of noise: D would get none, and D′, from where p "
            "can rise, some.",
        ),
    )


# Corollary 1: what the bound of Theorem 4 costs to compute.

_PROGRAM = Wording(
    "forall (R : realFieldType) (K : nat) (score p change : R) (permuted : 'I_K -> R), "
    "({start} <= K)%N -> "
    "((bound_program score (codom permuted) p change).2 <= {bound})%N /\\ "
    "(bound_program score (codom permuted) p change).1 = Num.max "
    "(p - p_low score permuted change) (p_high score permuted change - p)",
    ("definitions.permutation", "definitions.counted"),
    "K",
    suffix="",
)
"""The program's operations, and that it computes the bound."""


def at_most(bound: str) -> Stated:
    """Return the claim that the operations are at most ``bound``."""
    counted = ledger.Stretch(ledger.Formula("6k + 6", "k"), 1)
    score = "the operations for k permuted scores"
    return Stated(score, ledger.Formula(bound, "k"), (counted,), wording=_PROGRAM)


@ledger.Entry(
    source=source("Corollary 1"),
    printed="Given 1 + k scores of HSIC(U, V) and HSIC(ψ_i(U), V) (i = 1, …, k), the time "
    "complexity of calculating the bound of sensitivity in Equ. (6) is O(k).",
    words="With k permutations the bound is computed in at most 12k operations.",
    scope="All k ≥ 1; the scores are given. It says nothing on whether the bound holds.",
    claim=at_most("12k"),
    twin=ledger.Twin("6k + 6 operations as at most 6k.", at_most("6k")),
)
def _corollary1(claim: Stated) -> ledger.Evidence:
    return ledger.Evidence(
        printed=ledger.show_claim(claim),
        argument=(
            "Given the k + 1 scores, p and Δ_R: one doubling; for each permuted score one "
            "subtraction, one addition, two comparisons and at most two steps of a counter; then "
            "two divisions, two subtractions and one maximum.",
            ledger.Step(
                f"That is at most 6k + 6 operations, at most {claim.bound} for all k ≥ 1 (kernel).",
                claim.obligations(),
            ),
            "Numbers are taken to be compared in one step.",
        ),
    )


ENTRIES = (_thm4, _improved_sensitivity, _corollary1)
