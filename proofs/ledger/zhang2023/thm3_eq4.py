"""Theorem 3, equation (4): the sensitivity of the RCIT score without a conditioning set."""

from __future__ import annotations

from dataclasses import replace

from provado.proofs.ledger import Entry, Evidence, LedgerVerdict, Step, Twin, show_claim
from provado.proofs.ledger.in_coq import Stated

from . import source
from ._hsic import HSIC_STEPS, PRINTED, RCIT, SHORT, hsic_at_most

CLAIM = replace(PRINTED, wording=RCIT)


def _gather(claim: Stated) -> Evidence:
    return Evidence(
        printed=show_claim(claim),
        correction="8/(m − 1) holds, for the permuted scores too.",
        kind="sharpening",
        argument=(
            "With Z = ∅ Definition 4 sets U = X and V = Y, which are not changed by a regression.",
            *HSIC_STEPS,
            Step(f"{SHORT} ≤ {claim.bound} for m ≥ 2 (kernel).", claim.obligations()),
        ),
    )


ENTRY = Entry(
    id="zhang2023/thm3-eq4",
    source=source("Theorem 3, equation (4)"),
    printed=f"If Z = ∅, then |HSIC(U, V) − HSIC(Ũ, Ṽ)| ≤ {CLAIM.bound}.",
    words="Without a conditioning set the RCIT score is HSIC of the data, with its sensitivity.",
    scope="All m ≥ 2, replace-one, kernels fixed beforehand with values in [0, 1].",
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("The step 8(m − 1) ≤ 8m − 9.", hsic_at_most("(8m − 9)/(m − 1)²", wording=RCIT)),
    theorem_of=CLAIM,
)
