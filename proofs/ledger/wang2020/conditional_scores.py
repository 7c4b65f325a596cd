"""Section 3.3 and Theorem 3: the sensitivity of conditional Kendall's τ and Spearman's ρ."""

from dataclasses import dataclass, replace
from fractions import Fraction

from provado.mechanisms.scores.conditional_ranks import (
    conditional_rho_average,
    conditional_tau_average,
)
from provado.proofs import ledger
from provado.proofs.algebra import ExpPoly
from provado.proofs.kernel import Number
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import AtLeastZero, Fact, MovesMore

from . import source

Record = tuple[int, int, int]
"""x, y and the conditioning value."""
Records = tuple[Record, ...]


def tau_average(records: Records) -> Fraction:
    """Return Σwτ/Σw over the strata."""
    x, y, given = zip(*records, strict=True)
    return conditional_tau_average(x, y, given)


def rho_average(records: Records) -> Fraction:
    """Return Σwρ/Σw over the strata."""
    x, y, given = zip(*records, strict=True)
    return conditional_rho_average(x, y, given)


def moving_record(a: int) -> tuple[Records, Records]:
    """Return neighbors of 2a + 1 records in two strata of a and one that moves between them.

    The first stratum is in the same order in both columns, the second in opposite orders. The
    record disagrees with all of the first stratum, and in the second it agrees with all.
    """
    first = tuple((i, i, 0) for i in range(a))
    second = tuple((i, -i, 1) for i in range(a))
    return ((a, -1, 0), *first, *second), ((a, a, 1), *first, *second)


def one_stratum_of_two(n: int) -> tuple[Records, Records]:
    """Return neighbors of n records, two in one stratum and each other one alone in its own."""
    alone = tuple((0, 0, i) for i in range(1, n - 1))
    return ((1, 1, 0), (0, 0, 0), *alone), ((1, -1, 0), (0, 0, 0), *alone)


X = ExpPoly.term(power=1)

# For ``moving_record`` the average moves by 2(3a + 4)/(2a² + 6a − 1) and Σw is
# 9a(2a² + 6a − 1)/((2a + 5)(2a + 7)), before and after; x = a.
_TOP = 2 * (3 * X + 4)
_BOTTOM = 2 * X * X + 6 * X - 1
_SIZE = 2 * X + 1


def family_facts() -> tuple[Fact, ...]:
    """Return, for all a: n·change > 5 and < 6 from 3 on; n·(change of z)² > 36 from 50 on."""
    # change² of z is change²·Σw.
    squared = _TOP * _TOP * 9 * X * _SIZE - 36 * _BOTTOM * (2 * X + 5) * (2 * X + 7)
    return (
        AtLeastZero((_TOP * _SIZE - 5 * _BOTTOM).as_data(), 3, strict=True),
        AtLeastZero(squared.as_data(), 50, strict=True),
        AtLeastZero((6 * _BOTTOM - _TOP * _SIZE).as_data(), 3, strict=True),
    )


@dataclass(frozen=True)
class FewStrata(ledger.Claim):
    """The average over at most K strata, fixed beforehand, moves by at most 12/(2n − 7K).

    both, apart: bounds on G + h and G − h; their sum over the least weight gives the 12. weight,
    shift: w(n) ≥ weight·(n − shift).
    """

    both: Number = 9
    apart: Number = Fraction(9, 2)
    weight: Number = Fraction(9, 4)
    shift: Number = Fraction(7, 2)

    @property
    def formula(self) -> str:
        top, each = 2 * (self.both + self.apart) / self.weight, 2 * self.shift
        return f"the average over K strata moves by at most {top}/(2n − {each}K)"

    def statement(self) -> Statement | None:
        top = Fraction(2 * (self.both + self.apart)) / Fraction(self.weight)
        each = Fraction(2 * self.shift)
        if top.denominator != 1 or each.denominator != 1:
            return None
        return Statement(
            "forall (R : realFieldType) (Z : finType) (m : nat) (D D' : dataset ((R * R) * Z) m), "
            f"({each} * #|Z| < 2 * m)%N -> replace_one D D' -> `|conditional_tau D - "
            f"conditional_tau D'| <= {top}%:R / (2%:R * m%:R - {each}%:R * #|Z|%:R)",
            ("definitions.dataset", "definitions.conditional"),
        )

    def obligations(self) -> tuple[Fact, ...]:
        small, large = 2 * X + 5, 2 * X + 7
        # Over 2·(2a + 5)(2a + 7): what the record's pairs do to w·τ, and how w itself changes.
        pairs = 18 * X * (X - 1) + 18 * X * small
        weight = 9 * X * (X + 1) * small - 9 * X * (X - 1) * large
        common: ExpPoly = 2 * small * large
        weighed = 9 * X * (X - 1) - 4 * self.weight * (X - self.shift) * (X + Fraction(5, 2))
        return (
            AtLeastZero((self.both * common - pairs - weight).as_data(), 0),
            AtLeastZero((self.apart * common - pairs + weight).as_data(), 0),
            AtLeastZero(weighed.as_data(), 0),
        )


# Theorem 3: the sensitivity of conditional Kendall's τ.

_FEW, _ROOT = 4, 6


@dataclass(frozen=True)
class Limit(ledger.Claim):
    """The stratified τ moves by at most c₁/n, or c₁/√n, with c₁ → limit.

    records: a number n at which c₁/n is tried with the limit itself. root: √n at which c₁/√n is. It
    is refuted in the limit by ``family_facts`` as well.
    """

    limit: Fraction = Fraction(9, 2)
    records: int = 2 * _FEW + 1
    root: int = _ROOT

    @property
    def formula(self) -> str:
        return f"conditional τ moves by at most c₁/n, or c₁/√n, with c₁ → {self.limit}"

    def counterexamples(self) -> tuple[Fact, ...]:
        return (
            MovesMore(_TAU, "replace-one", self.limit / self.records),
            MovesMore(_TAU, "replace-one", self.limit / self.root),
            *family_facts(),
        )


_TAU = "wang2020.conditional_scores.tau_average"
REPAIRED = FewStrata()


@ledger.Entry(
    source=source("Theorem 3"),
    printed="The sensitivity of conditional Kendall's τ in Definition 6 (Appendix D) is c₁/n where "
    "n is the size of the input dataset and c₁ is an explicit constant approaching 9/2 when the "
    "dataset size grows. [A root over n may be lost in the extraction.]",
    words="Replacing one of n records moves the stratified τ by at most c₁/n, c₁ → 9/2.",
    scope="Replace-one, any columns and conditioning sets, c₁ a function of n alone; both "
    "normalisations; c₁/n and c₁/√n.",
    claim=Limit(),
    expected=ledger.LedgerVerdict.REFUTED,
    twin=ledger.Twin("The same pair against 6/n, which it does not exceed.", Limit(Fraction(6))),
    theorem_of=REPAIRED,
)
def _thm3_conditional_kendall(claim: Limit) -> ledger.Evidence:
    small, large = claim.counterexamples()[:2]
    family = family_facts()
    strata = REPAIRED.obligations()
    return ledger.Evidence(
        printed=(
            ledger.moves_more(small, moving_record(_FEW), tau_average),
            ledger.moves_more(large, one_stratum_of_two(_ROOT**2), tau_average),
            *map(ledger.show, family),
        ),
        corrected=ledger.show_claim(REPAIRED),
        corrected_claim=REPAIRED,
        correction="The average over at most K strata, fixed beforehand, moves by at most "
        "12/(2n − 7K) = (6 + o(1))/n, for n > 7K/2. By the cases below alone: 6 is sharp for two "
        "strata, and without K the bound is 2, whatever n.",
        kind="repair",
        argument=(
            "Definition 6 is lost. By the released code: τ-a in each stratum with the weight "
            "w = 9n(n − 1)/(4n + 10); as the average Σwτ/Σw, or as the z-score Σwτ/√Σw. If the "
            "extraction lost a root, the printed form is c₁/√n. All four are decided.",
            ledger.Step(
                "Let two strata hold a records each, the first in the same order, the second in "
                "opposite orders, and let one record more disagree with all of the first. D′ moves "
                "it into the second, where it agrees with all. The average moves by "
                "2(3a + 4)/(2a² + 6a − 1), which n = 2a + 1 times is above 5 for all a ≥ 3, below "
                "6, and tends to 6 (kernel); at n = 9 it is 32/55, above 1/2 (kernel, replayed).",
                (small, family[0], family[2]),
            ),
            ledger.Step(
                "So c₁/n with c₁ → 9/2 fails for the average. z moves on the same pairs by more "
                "than 6/√n for all a ≥ 50 (kernel), towards 9/√n: c₁/√n with c₁ → 9/2 fails for z, "
                "and c₁/n the more.",
                (family[1],),
            ),
            ledger.Step(
                "c₁/√n for the average, and all four at any n: let two records form a stratum and "
                "each other one its own, of weight 0. Turning one record turns τ from 1 to −1: the "
                "average, and z too as Σw = w = 1, move by 2, where 9/(2√36) = 3/4 (kernel, "
                "replayed at n = 36). With the code's rule, a stratum of three does the same: 4/3.",
                (large,),
            ),
            "The code also drops a stratum in which a column is constant: one record then brings "
            "in a stratum of any weight, and the average moves by nearly 1/2 for two equal strata.",
            ledger.Step(
                "Bound for K strata. τ̄′ − τ̄ = (Δ(Σwτ) − τ̄·Δ(Σw))/Σw′. In a stratum of a + 1 or b "
                "records that it leaves or enters, the record changes Σwτ by at most G and Σw by "
                "h, where G + h ≤ 9 and G − h ≤ 9/2 (kernel): the numerator is at most 27/2. "
                "w(n) ≥ (9/4)(n − 7/2) (kernel), so the quotient is at most 6/(n − 7K/2).",
                strata,
            ),
            "A record that keeps its conditioning value moves the average by 4/n·(1 + o(1)) at "
            "most for a fixed number of strata: under that restriction 9/(2n) is large enough in "
            "the limit. The paper does not make it.",
        ),
        proof_remark="Appendix D is not in the text.",
    )


# Section 3.3: the sensitivity of conditional Spearman's ρ.

_N = 36


_RHO = "wang2020.conditional_scores.rho_average"


def moves_at_most(bound: str) -> ledger.Sensitivity:
    """Return the claim that the stratified ρ moves by at most a bound, tried at 36 records."""
    return ledger.Sensitivity(
        "the stratified ρ", "replace-one", ledger.Formula(bound, "n"), ((_RHO, _N),)
    )


CONDITIONAL_SPEARMAN_CLAIM = ledger.Unstated(
    "the definition and the sensitivity of Appendix E: the text gives neither the weights nor the "
    "coefficient",
    moves_at_most("30/n"),
)


@ledger.Entry(
    source=source("section 3.3, on Appendix E"),
    printed="Conditional Spearman's ρ is another candidate but it can only be used on large "
    "datasets because of the large coefficient in its sensitivity (Appendix E).",
    words="The sensitivity of the stratified ρ falls with n, with a large coefficient.",
    scope="Replace-one. The appendix is not in the text.",
    claim=CONDITIONAL_SPEARMAN_CLAIM,
    expected=ledger.LedgerVerdict.INCOMPLETE,
    twin=ledger.Twin(
        "The same pair against 72/n, which is 2 for 36 records.",
        replace(CONDITIONAL_SPEARMAN_CLAIM, reading=moves_at_most("72/n")),
    ),
)
def _conditional_spearman(claim: ledger.Unstated) -> ledger.Evidence:
    (moved,) = claim.reading.counterexamples() if claim.reading else ()
    return ledger.Evidence(
        corrected=(ledger.moves_more(moved, one_stratum_of_two(_N), rho_average),),
        correction="No bound of the form c/n or c/√n holds without a bound on the number of "
        "strata.",
        kind="reading",
        corrected_claim=claim.reading,
        argument=(
            "The text says only that the coefficient is large, so that the score serves large "
            "datasets; there is no number to decide.",
            ledger.Step(
                "What can be said: with ρ in each stratum and weights n − 1, let two records form "
                "a stratum and each other one its own, of weight 0. Turning one record moves the "
                "average from 1 to −1, whatever n; for n = 36 beyond 30/n, Kusner et al.'s bound "
                "for the unconditional ρ (kernel, replayed). The change is 2 for weights of any "
                "kind.",
                (moved,),
            ),
        ),
    )


ENTRIES = (_thm3_conditional_kendall, _conditional_spearman)
