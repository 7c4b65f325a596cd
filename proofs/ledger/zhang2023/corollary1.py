"""Corollary 1: what the bound of Theorem 4 costs to compute."""

from __future__ import annotations

from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.zhang2023._terms import linear, source


def _gather() -> Evidence:
    return Evidence(
        printed=(linear(12 - 6, -6, 1),),
        argument=(
            "Given the k + 1 scores, p and Δ_R: one doubling; for each permuted score one "
            "subtraction, one addition, two comparisons and at most two steps of a counter; then "
            "two divisions, two subtractions and one maximum.",
            "That is at most 6k + 6 operations, at most 12k for all k ≥ 1 (kernel).",
            "Numbers are taken to be compared in one step.",
        ),
    )


def _twin() -> object:
    return linear(6 - 6, -6, 1)


ENTRY = Entry(
    id="zhang2023/corollary1",
    source=source("Corollary 1"),
    printed="Given 1 + k scores of HSIC(U, V) and HSIC(ψ_i(U), V) (i = 1, …, k), the time "
    "complexity of calculating the bound of sensitivity in Equ. (6) is O(k).",
    words="The bound takes a number of operations that grows linearly in the permutations.",
    scope="All k ≥ 1; the scores are given. It says nothing on whether the bound holds.",
    expected=LedgerVerdict.PROVED,
    gather=_gather,
    twin=Twin("6k + 6 operations as at most 6k.", _twin),
)
