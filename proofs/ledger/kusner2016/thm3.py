"""Theorem 3: the test set sensitivity of HSIC."""

from __future__ import annotations

from provado.proofs.ledger import Bounded, Entry, Evidence, LedgerVerdict, Step, Twin, equal

from . import source
from ._claims import HSIC_TWICE
from ._hsic_bounds import GENERAL, hsic_at_most, hsic_evidence

CLAIM = hsic_at_most("(16m − 8)/(m − 1)²", HSIC_TWICE)
_OWN_COUNT = equal("(2m − 1)(4 + 4)", "16m − 8", "m")
"""The printed proof's own count, for kernels in [0, 1]."""


def _gather(claim: Bounded) -> Evidence:
    return hsic_evidence(
        claim,
        (Step(f"{GENERAL} ≤ {claim.bound} for all m ≥ 2 (kernel).", claim.obligations()),),
        further=(
            Step(
                "The printed proof, for kernels in [0, 1]: |HLH| ≤ 4 and ‖K − K̃‖₁ ≤ 2m − 1, for "
                "both terms, add up to 16m − 8 (kernel); beyond that it needs Hölder's "
                "inequality only.",
                (_OWN_COUNT,),
            ),
        ),
        saving=": for large m 1/7.6 and 1/3.2 of the printed noise.",
        proof_remark="For kernels that are only bounded above by 1 and take negative values, "
        "entries of K − K̃ reach 2, and the step ‖K − K̃‖₁ ≤ 2m − 1 fails; the statement holds by "
        "the argument given here. With bandwidths taken from the data, as in equation (1), the "
        "kernels are not given and the theorem does not apply.",
    )


ENTRY = Entry(
    id="kusner2016/thm3",
    source=source("Theorem 3"),
    printed=f"|HSIC_{{k,l}}(x′, r′_Y) − HSIC_{{k,l}}(x̃′, r̃′_Y)| ≤ {CLAIM.bound}.",
    words="With fixed kernels k, l ≤ 1, replacing one of m records moves the empirical HSIC (4) by "
    f"at most {CLAIM.bound}.",
    scope="All m ≥ 2, replace-one, fixed positive semi-definite kernels with k(x, x) ≤ 1.",
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin(
        "The same argument for 4m/(m − 1)², which it does not reach.",
        hsic_at_most("4m/(m − 1)²", HSIC_TWICE),
    ),
    theorem_of=CLAIM,
)
