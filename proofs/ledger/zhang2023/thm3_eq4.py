"""Theorem 3, equation (4): the sensitivity of the RCIT score without a conditioning set."""

from __future__ import annotations

from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.zhang2023._terms import HSIC_STEPS, linear, short_bound, source


def _gather() -> Evidence:
    return Evidence(
        printed=(short_bound(),),
        corrected=(short_bound(),),
        correction="8/(m − 1) holds, for the permuted scores too.",
        kind="sharpening",
        argument=(
            "With Z = ∅ Definition 4 sets U = X and V = Y, which are not changed by a regression.",
            *HSIC_STEPS,
            "8(m − 1) ≤ 12m − 11 for m ≥ 2 (kernel); divide by (m − 1)².",
        ),
    )


def _twin() -> object:
    return linear(8 - 8, -9 + 8, 2)


ENTRY = Entry(
    id="zhang2023/thm3-eq4",
    source=source("Theorem 3, equation (4)"),
    printed="If Z = ∅, then |HSIC(U, V) − HSIC(Ũ, Ṽ)| ≤ (12m − 11)/(m − 1)².",
    words="Without a conditioning set the RCIT score is HSIC of the data, with its sensitivity.",
    scope="All m ≥ 2, replace-one, kernels fixed beforehand with values in [0, 1].",
    expected=LedgerVerdict.PROVED,
    gather=_gather,
    twin=Twin("The step 8(m − 1) ≤ 8m − 9.", _twin),
)
