"""Theorem 3: the test set sensitivity of HSIC."""

from __future__ import annotations

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


def _gather() -> Evidence:
    return Evidence(
        printed=(*general_findings(), below(16 * X - 8, (X - 1) ** 2)),
        corrected=(
            *general_findings(),
            *unit_findings(),
            # The printed proof's own count, for kernels in [0, 1].
            same((2 * X - 1) * (4 + 4), 16 * X - 8),
        ),
        correction=CORRECTION + ": for large m 1/7.6 and 1/3.2 of the printed noise.",
        kind="sharpening",
        argument=(
            *GENERAL_STEPS,
            "5/m + 16/m² ≤ (16m − 8)/(m − 1)² for all m ≥ 2 (kernel).",
            *UNIT_STEPS,
            "The printed proof, for kernels in [0, 1]: |HLH| ≤ 4 and ‖K − K̃‖₁ ≤ 2m − 1, for both "
            "terms, add up to 16m − 8 (kernel); beyond that it needs Hölder's "
            "inequality only.",
        ),
        proof_remark="For kernels that are only bounded above by 1 and take negative values, "
        "entries of K − K̃ reach 2, and the step ‖K − K̃‖₁ ≤ 2m − 1 fails; the statement holds by "
        "the argument given here. With bandwidths taken from the data, as in equation (1), the "
        "kernels are not given and the theorem does not apply.",
    )


ENTRY = Entry(
    id="kusner2016/thm3",
    source=source("Theorem 3"),
    printed="|HSIC_{k,l}(x′, r′_Y) − HSIC_{k,l}(x̃′, r̃′_Y)| ≤ (16m − 8)/(m − 1)².",
    words="With fixed kernels k, l ≤ 1, replacing one of m records moves the empirical HSIC (4) by "
    "at most (16m − 8)/(m − 1)².",
    scope="All m ≥ 2, replace-one, fixed positive semi-definite kernels with k(x, x) ≤ 1.",
    expected=LedgerVerdict.PROVED,
    gather=_gather,
    twin=Twin(
        "The same argument for 4m/(m − 1)², which it does not reach.",
        lambda: below(4 * X, (X - 1) ** 2),
    ),
)
