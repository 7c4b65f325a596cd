"""The last line of the appendix, which prints the improved HSIC bound with N² − 1."""

from __future__ import annotations

from provado.proofs import kernel
from provado.proofs.exppoly import ExpPoly
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.kusner2016._hsic_bounds import (
    CORRECTION,
    GENERAL_STEPS,
    UNIT_STEPS,
    below,
    general_findings,
    unit_findings,
)
from provado.proofs.ledger.kusner2016._terms import X, same, source


def small_sizes(numerator: ExpPoly) -> kernel.Checked:
    """Return that (N/(N − 1))² ≤ numerator/(N² − 1) for N = 2 and 3, times (N − 1)²(N + 1)."""
    difference = numerator * (X - 1) - X**2 * (X + 1)
    claim = kernel.ExpressionSign(difference.as_data(), 2, None, 3, integers_to=4)
    return kernel.check(claim)


def _gather() -> Evidence:
    return Evidence(
        printed=(
            *general_findings(),
            below(12 * X - 11, X**2 - 1, start=4),
            small_sizes(12 * X - 11),
        ),
        corrected=(
            *general_findings(),
            *unit_findings(),
            same((2 * X - 1) + (4 * X - 5) + (6 * X - 5), 12 * X - 11),
        ),
        correction=CORRECTION + ".",
        kind="sharpening",
        argument=(
            *GENERAL_STEPS,
            "5/N + 16/N² ≤ (12N − 11)/(N² − 1) for all N ≥ 4 (kernel).",
            "For N = 2 and 3: the score lies between 0 and (N/(N − 1))²·‖C‖², ‖C‖ ≤ 1, so it moves "
            "by at most (N/(N − 1))², which is at most (12N − 11)/(N² − 1) (kernel, both).",
            *UNIT_STEPS,
        ),
        proof_remark="The derivation gives (N − 1)²|ΔHSIC| ≤ 12N − 11 (the three maxima add up to "
        "that: kernel), so its last line should read (12N − 11)/(N − 1)². The smaller printed "
        "number, a misprint, happens to be true, by the argument given here.",
    )


ENTRY = Entry(
    id="kusner2016/appendix-hsic-final-bound",
    source=source("appendix, last line of the proof of the tighter HSIC bound"),
    printed="Therefore, we have derived that for all practical purposes, the overall bound is "
    "(12N − 11)/(N² − 1).",
    words="Replacing one of N records moves the empirical HSIC by at most (12N − 11)/(N² − 1).",
    scope="All N ≥ 2, replace-one, fixed positive semi-definite kernels with k(x, x) ≤ 1.",
    expected=LedgerVerdict.PROVED,
    gather=_gather,
    twin=Twin(
        "The same for (11N − 11)/(N² − 1), which the small sizes do not bear.",
        lambda: small_sizes(11 * X - 11),
    ),
)
