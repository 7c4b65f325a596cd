"""Theorem 3: the sensitivity of conditional Kendall's τ."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

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
from provado.proofs.ledger.fact import Fact, MovesMore

from . import source
from ._strata import FewStrata, family_facts, moving_record, one_stratum_of_two, tau_average

_FEW, _ROOT = 4, 6


@dataclass(frozen=True)
class Limit(Claim):
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


_TAU = "wang2020._strata.tau_average"
CLAIM = Limit()
REPAIRED = FewStrata()


def _gather(claim: Limit) -> Evidence:
    small, large = claim.counterexamples()[:2]
    family = family_facts()
    strata = REPAIRED.obligations()
    return Evidence(
        printed=(
            moves_more(small, moving_record(_FEW), tau_average),
            moves_more(large, one_stratum_of_two(_ROOT**2), tau_average),
            *map(show, family),
        ),
        corrected=show_claim(REPAIRED),
        corrected_claim=REPAIRED,
        correction="The average over at most K strata, fixed beforehand, moves by at most "
        "12/(2n − 7K) = (6 + o(1))/n, for n > 7K/2. By the cases below alone: 6 is sharp for two "
        "strata, and without K the bound is 2, whatever n.",
        kind="repair",
        argument=(
            "Definition 6 is lost. By the released code: τ-a in each stratum with the weight "
            "w = 9n(n − 1)/(4n + 10); as the average Σwτ/Σw, or as the z-score Σwτ/√Σw. If the "
            "extraction lost a root, the printed form is c₁/√n. All four are decided.",
            Step(
                "Let two strata hold a records each, the first in the same order, the second in "
                "opposite orders, and let one record more disagree with all of the first. D′ moves "
                "it into the second, where it agrees with all. The average moves by "
                "2(3a + 4)/(2a² + 6a − 1), which n = 2a + 1 times is above 5 for all a ≥ 3, below "
                "6, and tends to 6 (kernel); at n = 9 it is 32/55, above 1/2 (kernel, replayed).",
                (small, family[0], family[2]),
            ),
            Step(
                "So c₁/n with c₁ → 9/2 fails for the average. z moves on the same pairs by more "
                "than 6/√n for all a ≥ 50 (kernel), towards 9/√n: c₁/√n with c₁ → 9/2 fails for z, "
                "and c₁/n the more.",
                (family[1],),
            ),
            Step(
                "c₁/√n for the average, and all four at any n: let two records form a stratum and "
                "each other one its own, of weight 0. Turning one record turns τ from 1 to −1: the "
                "average, and z too as Σw = w = 1, move by 2, where 9/(2√36) = 3/4 (kernel, "
                "replayed at n = 36). With the code's rule, a stratum of three does the same: 4/3.",
                (large,),
            ),
            "The code also drops a stratum in which a column is constant: one record then brings "
            "in a stratum of any weight, and the average moves by nearly 1/2 for two equal strata.",
            Step(
                "Bound for K strata. Let the record leave a stratum of a + 1 and enter one of b. "
                "τ̄′ − τ̄ = (Δ(Σwτ) − τ̄·Δ(Σw))/Σw′. With w·τ = 9S/(2n + 5), S over pairs, each side "
                "changes Σwτ by at most G(a) = 9a(a − 1)/((2a + 5)(2a + 7)) + 9a/(2a + 7), and Σw "
                "by h(a) = w(a + 1) − w(a). G + h ≤ 9 and G − h ≤ 9/2 for all sizes (kernel), so "
                "the numerator is at most G(a) + G(b) + |h(a) − h(b)| ≤ 27/2. A record that stays "
                "moves it by at most 18(n − 1)/(2n + 5) < 9. w(n) ≥ (9/4)(n − 7/2) (kernel), so "
                "Σw′ ≥ (9/4)(n − 7K/2), and the quotient is at most 6/(n − 7K/2).",
                strata,
            ),
            "A record that keeps its conditioning value moves the average by 4/n·(1 + o(1)) at "
            "most for a fixed number of strata: under that restriction 9/(2n) is large enough in "
            "the limit. The paper does not make it.",
        ),
        proof_remark="Appendix D is not in the text.",
    )


ENTRY = Entry(
    id="wang2020/thm3-conditional-kendall",
    source=source("Theorem 3"),
    printed="The sensitivity of conditional Kendall's τ in Definition 6 (Appendix D) is c₁/n where "
    "n is the size of the input dataset and c₁ is an explicit constant approaching 9/2 when the "
    "dataset size grows. [A root over n may be lost in the extraction.]",
    words="Replacing one of n records moves the stratified τ by at most c₁/n, c₁ → 9/2.",
    scope="Replace-one, any columns and conditioning sets, c₁ a function of n alone; both "
    "normalisations; c₁/n and c₁/√n.",
    claim=CLAIM,
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin("The same pair against 6/n, which it does not exceed.", Limit(Fraction(6))),
    theorem_of=REPAIRED,
)
