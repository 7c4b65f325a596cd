"""HSIC: the step that Theorem 1 and others share, and its exact values on columns of two values.

A dataset of columns that hold −1 and 1 only is a tuple of counts, one for each cell of
``product((1, -1), repeat=r)``: the first two places of a cell are s and t, the others s after a
permutation of the rows. Replacing one record moves one unit from a cell to another. With
k(x, y) = e^(−(x − y)²/(2δ²)) and v = 2/δ² the kernel matrix of ±1 is
(1 + e^(−v))/2 + s·sᵀ·(1 − e^(−v))/2, so that trace(KHLH) = (1 − e^(−v))²/4·q² with
q = Σst − (Σs)(Σt)/m.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from provado.proofs.algebra.exppoly import ExpSum, exp
from provado.proofs.ledger import Formula, Line, Stretch
from provado.proofs.ledger.in_coq import Stated, Wording

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


Table = tuple[int, ...]


def cells(table: Sequence[int]) -> list[tuple[tuple[int, ...], int]]:
    """Return the cells with their counts."""
    columns = (len(table) - 1).bit_length()
    return list(zip(product((1, -1), repeat=columns), table, strict=True))


def covariance(table: Sequence[int], first: int, second: int) -> Fraction:
    """Return Σst − (Σs)(Σt)/m for two places of a cell."""
    found = cells(table)
    both = sum(cell[first] * cell[second] * count for cell, count in found)
    one, other = (sum(cell[place] * count for cell, count in found) for place in (first, second))
    return both - Fraction(one * other, sum(table))


def trace(q: Fraction | int, v: Fraction | int) -> ExpSum:
    """Return (1 − e^(−v))²/4·q², the trace of KHLH for kernels with v = 2/δ²."""
    width = 1 - exp(-v)
    return width * width * Fraction(q * q, 4)


Counts = dict[tuple[int, ...], int]


def table_of(counts: Counts) -> Table:
    """Return the table with these counts and 0 elsewhere."""
    columns = len(next(iter(counts)))
    return tuple(counts.get(cell, 0) for cell in product((1, -1), repeat=columns))
