"""The sensitivity that the released code takes for the p-value of conditional Kendall's τ."""

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
    show_claim,
)
from provado.proofs.ledger.fact import Fact, MovesMore
from provado.proofs.ledger.wang2020._strata import FewStrata

from . import source
from ._terms import one_of, p_value_bound, stratum_comes_in

_RECORDS, _ROOT = 144, 12
_K, _LESS = 303, 44
"""1,971 records, and a root below theirs."""
_NAME = "curate2024._terms.p_value_bound"


@dataclass(frozen=True)
class RootBound(Claim):
    """The p-value moves by at most constant/√n; tried at 144 records, and at 1,971."""

    constant: Fraction = Fraction(7253, 10000)

    @property
    def formula(self) -> str:
        return f"the p-value of conditional τ moves by at most ({self.constant})/√n"

    def counterexamples(self) -> tuple[Fact, ...]:
        return tuple(
            MovesMore(_NAME, "replace-one", self.constant / root) for root in (_ROOT, _LESS)
        )


CLAIM = RootBound()
REPAIRED = FewStrata()


def _gather(claim: RootBound) -> Evidence:
    plain, conditioned = claim.counterexamples()
    return Evidence(
        printed=(
            moves_more(plain, one_of(_RECORDS), p_value_bound),
            moves_more(conditioned, stratum_comes_in(_K), p_value_bound),
        ),
        corrected=show_claim(REPAIRED),
        corrected_claim=REPAIRED,
        correction="A p-value over strata has no sensitivity that falls with n. The average of τ "
        "over at most K strata, all of which count, moves by at most 12/(2n − 7K).",
        kind="repair",
        argument=(
            "By the released code: p = Pr[N(0, 1) > |z|], z = Σwτ/√Σw over the strata of at least "
            "three records in which neither column is constant, τ-a in each, "
            "w = 9n(n − 1)/(4n + 10).",
            "The score here is a fraction not below p, and 1/2 where z = 0, as p is then: so p "
            "moves at least as far as the score between a dataset with z = 0 and any other.",
            Step(
                "Without conditioning: let 144 records hold 2, 1, 94, 47 times (0, 0), (0, 1), "
                "(1, 0), (1, 1). z = 0. One record goes from (0, 1) to (0, 0): |z| is above .243, "
                "and p falls by more than .09, where 0.7253/12 is .0605 (kernel, replayed). For "
                "large n such a record moves z by 3/√n, and p by 1.19/√n.",
                (plain,),
            ),
            Step(
                "With conditioning: let a stratum of 4 have z = 1.36, and let x be constant in "
                "another of any size, which does not count. One record turns x there: it counts, "
                "and balances the first. p goes from below .1 to 1/2, at every such n; at 1,971 "
                "records 0.7253/√n is below 0.7253/44 = .017 (kernel, replayed).",
                (conditioned,),
            ),
            Step(
                "The repaired form is that of wang2020/thm3-conditional-kendall, its facts "
                "checked here again (kernel).",
                REPAIRED.obligations(),
            ),
        ),
        proof_remark="Where 0.7253 comes from is not said in the code.",
    )


ENTRY = Entry(
    id="curate2024/sensitivity",
    source=source("the authors' released code, noise of a test"),
    printed="[Code:] each p-value gets Laplace noise of scale Δ/ε with Δ = 0.7253/√n.",
    words="Replacing one of n records moves the p-value of conditional τ by at most 0.7253/√n.",
    scope="Replace-one, any columns and conditioning sets, without subsampling (q = 1, the code's "
    "default).",
    claim=CLAIM,
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin(
        "The same pairs against 1.2/√n, which the one without conditioning does not exceed.",
        RootBound(Fraction(6, 5)),
    ),
)
