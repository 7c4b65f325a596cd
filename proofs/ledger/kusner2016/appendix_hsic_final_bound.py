"""The last line of the appendix, which prints the improved HSIC bound with N² − 1."""

from __future__ import annotations

from provado.proofs.ledger import (
    Entry,
    Evidence,
    Formula,
    LedgerVerdict,
    Step,
    Stretch,
    Twin,
    equal,
)
from provado.proofs.ledger.in_coq import Stated

from . import source
from ._claims import HSIC
from ._hsic_bounds import GENERAL, MOVE, hsic_evidence

SMALL = Formula("m²/(m − 1)²", "m")
"""The largest score, and so a bound on its move, for few records."""


def at_most(bound: str) -> Stated:
    """Return the claim, by ``GENERAL`` from 4 records on and by ``SMALL`` for 2 and 3."""
    stretches = (Stretch(GENERAL, 4), Stretch(SMALL, 2, 3, integers=True))
    return Stated(MOVE, Formula(bound, "m"), stretches, wording=HSIC)


CLAIM = at_most("(12m − 11)/(m² − 1)")
_MAXIMA = equal("(2m − 1) + (4m − 5) + (6m − 5)", "12m − 11", "m")


def _gather(claim: Stated) -> Evidence:
    large, small = claim.obligations()
    return hsic_evidence(
        claim,
        (
            Step(f"With m for N, {GENERAL} ≤ {claim.bound} for all m ≥ 4 (kernel).", (large,)),
            Step(
                "For m = 2 and 3: the score lies between 0 and (m/(m − 1))²·‖C‖², ‖C‖ ≤ 1, so it "
                f"moves by at most {SMALL}, which is at most {claim.bound} (kernel, both).",
                (small,),
            ),
        ),
        further=(
            Step("The printed derivation's three maxima add up to 12m − 11 (kernel).", (_MAXIMA,)),
        ),
        saving=".",
        proof_remark="The derivation gives (N − 1)²|ΔHSIC| ≤ 12N − 11, so its last line should "
        "read (12N − 11)/(N − 1)². The smaller printed number, a misprint, happens to be true, by "
        "the argument given here.",
    )


ENTRY = Entry(
    id="kusner2016/appendix-hsic-final-bound",
    source=source("appendix, last line of the proof of the tighter HSIC bound"),
    printed="Therefore, we have derived that for all practical purposes, the overall bound is "
    f"{CLAIM.bound}. [With N for m.]",
    words=f"Replacing one of m records moves the empirical HSIC by at most {CLAIM.bound}.",
    scope="All m ≥ 2, replace-one, fixed positive semi-definite kernels with k(x, x) ≤ 1.",
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin(
        "The same for (11m − 11)/(m² − 1), which the small sizes do not bear.",
        at_most("(11m − 11)/(m² − 1)"),
    ),
    theorem_of=CLAIM,
)
