"""Theorem 3: the sensitivity of conditional Kendall's τ."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.wang2020._strata import (
    Records,
    bound_findings,
    family_findings,
    moving_record,
    one_stratum_of_two,
    tau_average,
)
from provado.proofs.ledger.wang2020._terms import source

_FEW, _MANY = 3, 36


def _refuted(pair: tuple[Records, Records], claimed: Fraction) -> kernel.Checked:
    values = tau_average(pair[0]), tau_average(pair[1])
    claim = kernel.ChangeCounterexample(*pair, "replace-one", values, claimed)
    return kernel.check(claim, tau_average)


def _gather() -> Evidence:
    few, many = moving_record(_FEW), one_stratum_of_two(_MANY)
    return Evidence(
        printed=(
            _refuted(few, Fraction(9, 2 * len(few[0]))),
            _refuted(many, Fraction(9, 2 * 6)),
            *family_findings(),
        ),
        corrected=bound_findings(),
        correction="The average over at most K strata, fixed beforehand, moves by at most "
        "12/(2n − 7K) = (6 + o(1))/n, for n > 7K/2; 6 is sharp for two strata. Without K the bound "
        "is 2, whatever n.",
        kind="repair",
        argument=(
            "Definition 6 is lost. By the released code: τ-a in each stratum with the weight "
            "w = 9n(n − 1)/(4n + 10); as the average Σwτ/Σw, or as the z-score Σwτ/√Σw. If the "
            "extraction lost a root, the printed form is c₁/√n. All four are decided.",
            "Let two strata hold a records each, the first in the same order, the second in "
            "opposite orders, and let one record more disagree with all of the first. D′ moves it "
            "into the second, where it agrees with all. The average moves by "
            "2(3a + 4)/(2a² + 6a − 1), which n = 2a + 1 times is above 5 for all a ≥ 3, below 6, "
            "and tends to 6 (kernel); at n = 7 it is 26/35, above 9/14 (kernel, replayed).",
            "So c₁/n with c₁ → 9/2 fails for the average. z moves on the same pairs by more than "
            "6/√n for all a ≥ 50 (kernel), towards 9/√n: c₁/√n with c₁ → 9/2 fails for z, and c₁/n "
            "the more.",
            "c₁/√n for the average, and all four at any n: let two records form a stratum and each "
            "other one its own, of weight 0. Turning one record turns τ from 1 to −1: the average, "
            "and z too as Σw = w = 1, move by 2, where 9/(2√36) = 3/4 (kernel, replayed at n = "
            "36). With the code's rule, a stratum of three does the same: 4/3.",
            "The code also drops a stratum in which a column is constant: one record then brings "
            "in a stratum of any weight, and the average moves by nearly 1/2 for two equal strata.",
            "Bound for K strata. Let the record leave a stratum of a + 1 and enter one of b. "
            "τ̄′ − τ̄ = (Δ(Σwτ) − τ̄·Δ(Σw))/Σw′. With w·τ = 9S/(2n + 5), S over pairs, each side "
            "changes Σwτ by at most G(a) = 9a(a − 1)/((2a + 5)(2a + 7)) + 9a/(2a + 7), and Σw by "
            "h(a) = w(a + 1) − w(a). G + h ≤ 9 and G − h ≤ 9/2 for all sizes (kernel), so the "
            "numerator is at most G(a) + G(b) + |h(a) − h(b)| ≤ 27/2. A record that stays moves it "
            "by at most 18(n − 1)/(2n + 5) < 9. w(n) ≥ (9/4)(n − 7/2) (kernel), so "
            "Σw′ ≥ (9/4)(n − 7K/2), and the quotient is at most 6/(n − 7K/2).",
            "A record that keeps its conditioning value moves the average by 4/n·(1 + o(1)) at "
            "most for a fixed number of strata: under that restriction 9/(2n) is large enough in "
            "the limit. The paper does not make it.",
        ),
        proof_remark="Appendix D is not in the text.",
    )


def _twin() -> object:
    return bound_findings(Fraction(1, 100))


ENTRY = Entry(
    id="wang2020/thm3-conditional-kendall",
    source=source("Theorem 3"),
    printed="The sensitivity of conditional Kendall's τ in Definition 6 (Appendix D) is c₁/n where "
    "n is the size of the input dataset and c₁ is an explicit constant approaching 9/2 when the "
    "dataset size grows. [A root over n may be lost in the extraction.]",
    words="Replacing one of n records moves the stratified τ by at most c₁/n, c₁ → 9/2.",
    scope="Replace-one, any columns and conditioning sets, c₁ a function of n alone; both "
    "normalisations; c₁/n and c₁/√n.",
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin("The bound for K strata with constants smaller by 1/100.", _twin),
)
