"""Section 4.2 and appendix: the improved test set sensitivity of HSIC."""

from __future__ import annotations

from provado.proofs.ledger import Bounded, Entry, Evidence, LedgerVerdict, Step, Twin

from ._hsic_bounds import GENERAL, hsic_at_most, hsic_evidence
from ._terms import source

CLAIM = hsic_at_most("(12m − 11)/(m − 1)²")


def _gather(claim: Bounded) -> Evidence:
    return hsic_evidence(
        claim,
        (Step(f"{GENERAL} ≤ {claim.bound} for all m ≥ 2 (kernel).", claim.obligations()),),
        saving=": for large m 1/5.7 and 1/2.4 of the printed noise.",
        proof_remark="The appendix maximises three sums over kernel matrices; for the second it "
        'reasons "on small matrices inductively", and for the third it needs N > 3. With entries '
        "in [0, 1] all three differences grow with the entries that stay and with the new row, and "
        "fall with the old one, so its maxima are right; with negative entries they are not. Its "
        "last line prints another denominator: see kusner2016/appendix-hsic-final-bound.",
    )


ENTRY = Entry(
    id="kusner2016/thm3-improved",
    source=source("section 4.2, after Theorem 3, and appendix"),
    printed=f"In fact, we can improve this bound to {CLAIM.bound} using trace identities.",
    words="With fixed kernels k, l ≤ 1, replacing one of m records moves the empirical HSIC by at "
    f"most {CLAIM.bound}.",
    scope="All m ≥ 2, replace-one, fixed positive semi-definite kernels with k(x, x) ≤ 1.",
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin(
        "The same argument for (5m − 4)/(m − 1)², which fails for small m.",
        hsic_at_most("(5m − 4)/(m − 1)²"),
    ),
)
