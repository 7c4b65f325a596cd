"""Corollary 1: what the bound of Theorem 4 costs to compute."""

from __future__ import annotations

from provado.proofs.ledger import (
    Entry,
    Evidence,
    Formula,
    LedgerVerdict,
    Step,
    Stretch,
    Twin,
    show_claim,
)
from provado.proofs.ledger.in_coq import Stated, Wording

from . import source

_PROGRAM = Wording(
    "forall (R : realFieldType) (K : nat) (score p change : R) (permuted : 'I_K -> R), "
    "({start} <= K)%N -> "
    "((bound_program score (codom permuted) p change).2 <= {bound})%N /\\ "
    "(bound_program score (codom permuted) p change).1 = Num.max "
    "(p - p_low score permuted change) (p_high score permuted change - p)",
    ("definitions.permutation", "definitions.counted"),
    "K",
    suffix="",
)
"""The program's operations, and that it computes the bound."""


def at_most(bound: str) -> Stated:
    """Return the claim that the operations are at most ``bound``."""
    counted = Stretch(Formula("6k + 6", "k"), 1)
    score = "the operations for k permuted scores"
    return Stated(score, Formula(bound, "k"), (counted,), wording=_PROGRAM)


CLAIM = at_most("12k")


def _gather(claim: Stated) -> Evidence:
    return Evidence(
        printed=show_claim(claim),
        argument=(
            "Given the k + 1 scores, p and Δ_R: one doubling; for each permuted score one "
            "subtraction, one addition, two comparisons and at most two steps of a counter; then "
            "two divisions, two subtractions and one maximum.",
            Step(
                f"That is at most 6k + 6 operations, at most {claim.bound} for all k ≥ 1 (kernel).",
                claim.obligations(),
            ),
            "Numbers are taken to be compared in one step.",
        ),
    )


ENTRY = Entry(
    id="zhang2023/corollary1",
    source=source("Corollary 1"),
    printed="Given 1 + k scores of HSIC(U, V) and HSIC(ψ_i(U), V) (i = 1, …, k), the time "
    "complexity of calculating the bound of sensitivity in Equ. (6) is O(k).",
    words="With k permutations the bound is computed in at most 12k operations.",
    scope="All k ≥ 1; the scores are given. It says nothing on whether the bound holds.",
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("6k + 6 operations as at most 6k.", at_most("6k")),
    theorem_of=CLAIM,
)
