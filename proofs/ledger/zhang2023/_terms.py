"""The paper as a source, and the step that Theorem 1 and what builds on it share."""

from __future__ import annotations

from provado.mechanisms import Source
from provado.proofs.ledger import Formula, Line, Stretch
from provado.proofs.ledger.in_coq import Stated, Wording

WORK = "Zhang et al., Differentially Private Nonlinear Causal Discovery from Numerical Data (2023)"

SHORT = Formula("8/(m − 1)", "m")
"""What the argument below gives."""


DEFINED = ("definitions.dataset", "definitions.hsic")
KERNELS = "unit_kernel k -> unit_kernel l -> "


def _moves(score: str) -> Wording:
    return Wording(
        "forall (R : realFieldType) (S T : Type) (m : nat) (k : S -> S -> R) (l : T -> T -> R) "
        f"(D D' : dataset (S * T) m), ({{start}} <= m)%N -> {KERNELS}replace_one D D' -> "
        f"`|{score.format('D')} - {score.format(_OTHER)}| <= {{bound}}",
        DEFINED,
    )


_OTHER = "D'"
HSIC = _moves("hsic k l (first {0}) (second {0})")
RCIT = _moves("rcit_unconditioned k l {0}")
"""How Theorem 1 and equation (4) read in Coq."""


def hsic_at_most(bound: str, start: int = 2, wording: Wording = HSIC) -> Stated:
    """Return the claim that HSIC, permuted or not, moves by at most a printed bound."""
    score = "the move of HSIC when one of m records is replaced"
    return Stated(score, Formula(bound, "m"), (Stretch(SHORT, start),), wording=wording)


PRINTED = hsic_at_most("(12m − 11)/(m − 1)²")


HSIC_STEPS: tuple[Line, ...] = (
    "Let L̄ = HLH. Moving K first, then L: trace(K̃HL̃H) − trace(KHLH) = trace((K̃ − K)·HLH) + "
    "trace((L̃ − L)·HK̃H).",
    "One value changes, so K̃ − K is 0 outside one row i and its column, and on the diagonal, as "
    "k(x, x) = 1; its other entries lie in [−1, 1]. So the first trace is at most "
    "2·Σ_{j ≠ i} |L̄_ij|. L̄_ij = (L_ij − r_i) − (r_j − g) with row means r and the mean g, all in "
    "[0, 1], so |L̄_ij| ≤ 2 and the trace is at most 4(m − 1). The second likewise: 8(m − 1) in "
    "all.",
    "No step asks that the row of K̃ − K is that of L̃ − L: the bound also holds for "
    "HSIC(ψ(U), V), where a permutation ψ moves the replaced value of U to another row.",
    "The steps between the findings are in words; no kernel rule covers them.",
)


def source(place: str) -> Source:
    """Return the paper with a place in it."""
    return Source(WORK, place)
