"""Theorem 2, type II: how likely sieve-and-examine lets a query below the threshold pass."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs.exppoly import below, laplace
from provado.proofs.exppoly.certificates import same
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.wang2020._errors import exact_tail, missed
from provado.proofs.ledger.wang2020._terms import (
    fails_at,
    grow,
    nonnegative,
    source,
    tail_along,
)

_BITS = (0, 1)
_THRESHOLD, _ALPHA, _TWEAK = Fraction(3, 4), Fraction(1, 4), Fraction(1, 8)
_POINT = 40


def _gather() -> Evidence:
    passed = 1 - missed(_BITS, _THRESHOLD - _TWEAK)
    bound = tail_along(_ALPHA - _TWEAK)
    examined = (1 - below(laplace(0, 2))).piece_at(0)
    return Evidence(
        printed=(fails_at(bound - passed, _POINT, 0), nonnegative(passed - Fraction(1, 4), 16)),
        corrected=(*exact_tail(), same(examined, Fraction(1, 2) * grow(Fraction(-1, 2)))),
        correction="If f(D) ≤ T − α, and on the subset that was drawn f(D′) ≤ T − α too (or "
        "m = n), and α ≥ t: it passes both with probability at most (1/3)e^(−εα/(2Δ))·"
        "(e^(−z/4) − e^(−z/2)/4), z = ε′(α − t)/Δ, and with exactly that for f(D) = f(D′) = T − α.",
        kind="repair",
        argument=(
            "Recovered: the extraction kept exp(−(12εα + ε′(α − t)) …), a 4, and "
            "exp(−(6εα + ε′(α − t)) …). A value T − α passes the sieve with "
            "(2/3)(e^(−z/4) − (1/4)e^(−z/2)) (kernel) and, independently, the examination with "
            "e^(−εα/(2Δ))/2 (kernel). The product is (1/3)(e^(−(2εα + ε′(α − t))/(4Δ)) − "
            "(1/4)e^(−(εα + ε′(α − t))/(2Δ))): the printed shape, with 2 and 1 where 12 and 6 "
            "stand.",
            "Not recovered: which denominators belong to 12 and 6. Over 4Δ and 2Δ, those of the "
            "sieve's noise, they would make the examination's share e^(−3εα/Δ), less than it is.",
            "The theorem speaks of f(D), the sieve sees f(D′). Let D = (0, 1), n = 2, m = 1, f the "
            "mean, so Δ = 1 on the subset; T = 3/4, α = 1/4, t = 1/8. Then f(D) = 1/2 = T − α. "
            "With probability 1/2 the subset is (1), above T − t, and passes the sieve.",
            "The examination multiplies both sides by e^(−εα/(2Δ))/2 and is left out. With x = ε′ "
            "the sieve's factor of the bound is (2/3)(e^(−x/32) − e^(−x/16)/4); the probability "
            "exceeds it at x = 40 (kernel), and stays above 1/4 for all x ≥ 16 (kernel), while "
            "every factor of that shape falls to 0.",
        ),
        proof_remark="Appendix C is not in the text; a bound on the noise alone leaves the subset "
        "out.",
    )


def _twin() -> object:
    return exact_tail(Fraction(-1, 100))


ENTRY = Entry(
    id="wang2020/thm2-type2",
    source=source("Theorem 2, type II error"),
    printed="If α ≥ t, P[E₂^α] ≤ … exp(−(12εα + ε′(α − t))/…) − … 4 … exp(−(6εα + ε′(α − t))/…): "
    "factor and denominators are lost in the extraction. E₂^α: Algorithm 1 fails to filter out "
    "f(D) ≤ T − α.",
    words="A query at least α ≥ t below the threshold passes sieve and examination with a "
    "probability that falls exponentially in ε′(α − t)/Δ and in εα/Δ.",
    scope="All n, m ≤ n, ε, 0 ≤ t ≤ α, the probability over subset and noise; the examination's "
    "share as its noise Lap(2Δ/ε) gives it.",
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin("The exact tail, off by −1/100.", _twin),
)
