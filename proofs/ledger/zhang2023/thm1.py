"""Theorem 1: the global sensitivity of HSIC."""

from __future__ import annotations

from provado.proofs.ledger import Entry, Evidence, LedgerVerdict, Step, Twin, show_claim
from provado.proofs.ledger.in_coq import Stated

from . import source
from ._hsic import HSIC_STEPS, PRINTED, SHORT, hsic_at_most

CLAIM = PRINTED


def _gather(claim: Stated) -> Evidence:
    return Evidence(
        printed=show_claim(claim),
        correction="8/(m − 1) holds, two thirds of the printed bound for large m, for the permuted "
        "scores too.",
        kind="sharpening",
        argument=(
            *HSIC_STEPS,
            Step(f"{SHORT} ≤ {claim.bound} for m ≥ 2 (kernel).", claim.obligations()),
            "If k(x, x) ≤ 1 only, the two diagonals add 2 each, and 8(m − 1) + 4 ≤ 12m − 11 still "
            "holds for m ≥ 2.",
            "The kernels must not depend on the data. The experiments take the median distance as "
            "bandwidth, for which the theorem does not speak.",
        ),
    )


ENTRY = Entry(
    id="zhang2023/thm1",
    source=source("Theorem 1, equation (1)"),
    printed=f"|HSIC(X, Y) − HSIC(X̃, Ỹ)| ≤ {CLAIM.bound}, where X̃ ≈ X and Ỹ ≈ Y.",
    words="Replacing one of m records, in one column or both, moves HSIC = trace(KHLH)/(m − 1)² by "
    f"at most {CLAIM.bound}.",
    scope="All m ≥ 2, replace-one, kernels fixed beforehand with values in [0, 1]; no "
    "conditioning.",
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("The step 8(m − 1) ≤ 7(m − 1).", hsic_at_most("7/(m − 1)")),
    theorem_of=CLAIM,
)
