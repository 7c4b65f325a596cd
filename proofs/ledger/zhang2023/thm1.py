"""Theorem 1: the global sensitivity of HSIC."""

from __future__ import annotations

from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.zhang2023._terms import HSIC_STEPS, linear, short_bound, source


def _gather() -> Evidence:
    return Evidence(
        printed=(short_bound(),),
        corrected=(short_bound(),),
        correction="8/(m − 1) holds, two thirds of the printed bound for large m, for the permuted "
        "scores too.",
        kind="sharpening",
        argument=(
            *HSIC_STEPS,
            "8(m − 1) ≤ 12m − 11 for m ≥ 2 (kernel); divide by (m − 1)².",
            "If k(x, x) ≤ 1 only, the two diagonals add 2 each, and 8(m − 1) + 4 ≤ 12m − 11 still "
            "holds for m ≥ 2.",
            "The kernels must not depend on the data. The experiments take the median distance as "
            "bandwidth, for which the theorem does not speak.",
        ),
    )


def _twin() -> object:
    return linear(7 - 8, -7 + 8, 3)


ENTRY = Entry(
    id="zhang2023/thm1",
    source=source("Theorem 1, equation (1)"),
    printed="|HSIC(X, Y) − HSIC(X̃, Ỹ)| ≤ (12m − 11)/(m − 1)², where X̃ ≈ X and Ỹ ≈ Y.",
    words="Replacing one of m records, in one column or both, moves HSIC = trace(KHLH)/(m − 1)² by "
    "at most (12m − 11)/(m − 1)².",
    scope="All m ≥ 2, replace-one, kernels fixed beforehand with values in [0, 1]; no "
    "conditioning.",
    expected=LedgerVerdict.PROVED,
    gather=_gather,
    twin=Twin("The step 8(m − 1) ≤ 7(m − 1).", _twin),
)
