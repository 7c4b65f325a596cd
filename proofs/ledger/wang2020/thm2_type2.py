"""Theorem 2, type II: how likely sieve-and-examine lets a query below the threshold pass."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from provado.proofs.ledger import (
    All,
    Entry,
    Evidence,
    Formula,
    LaplaceTail,
    LedgerVerdict,
    Step,
    Twin,
    show_claim,
)

from . import source
from ._sieve import RECOVERED, SIEVE_NOISE, ErrorAtMost, error_findings

CLAIM = ErrorAtMost(RECOVERED, Fraction(3, 4), Fraction(1, 4), Fraction(1, 8), passes=True)
_EXAMINED = LaplaceTail((2,), Formula("1/2·e^(−x/2)"), "the examination's noise, in units of Δ/ε")
MEANT = All((SIEVE_NOISE, _EXAMINED))


def _gather(claim: ErrorAtMost) -> Evidence:
    noise, _, fails = claim.counterexamples()
    return Evidence(
        printed=error_findings(claim),
        corrected=show_claim(MEANT),
        corrected_claim=MEANT,
        correction="If f(D) ≤ T − α, and on the subset that was drawn f(D′) ≤ T − α too (or "
        "m = n), and α ≥ t: it passes both with probability at most (1/3)e^(−εα/(2Δ))·"
        "(e^(−z/4) − e^(−z/2)/4), z = ε′(α − t)/Δ, and with exactly that for f(D) = f(D′) = T − α.",
        kind="repair",
        argument=(
            Step(
                "Recovered: the extraction kept exp(−(12εα + ε′(α − t)) …), a 4, and "
                "exp(−(6εα + ε′(α − t)) …). A value T − α passes the sieve with "
                "(2/3)(e^(−z/4) − (1/4)e^(−z/2)) (kernel) and, independently, the examination with "
                "e^(−εα/(2Δ))/2 (kernel). The product is (1/3)(e^(−(2εα + ε′(α − t))/(4Δ)) − "
                "(1/4)e^(−(εα + ε′(α − t))/(2Δ))): the printed shape, with 2 and 1 where 12 and 6 "
                "stand.",
                (noise, *_EXAMINED.obligations()),
            ),
            "Not recovered: which denominators belong to 12 and 6. Over 4Δ and 2Δ, those of the "
            "sieve's noise, they would make the examination's share e^(−3εα/Δ), less than it is.",
            "The theorem speaks of f(D), the sieve sees f(D′). Let D = (0, 1), n = 2, m = 1, f the "
            "mean, so Δ = 1 on the subset; T = 3/4, α = 1/4, t = 1/8. Then f(D) = 1/2 = T − α. "
            "With probability 1/2 the subset is (1), above T − t, and passes the sieve.",
            Step(
                "The examination multiplies both sides by e^(−εα/(2Δ))/2 and is left out. With "
                "x = ε′ the sieve's factor of the bound is (2/3)(e^(−x/32) − e^(−x/16)/4); the "
                "probability exceeds it at x = 40 (kernel), and stays above 1/4 for all x ≥ 16 "
                "(kernel), while every factor of that shape falls to 0.",
                (fails, claim.stays()),
            ),
        ),
        proof_remark="Appendix C is not in the text; a bound on the noise alone leaves the subset "
        "out.",
    )


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
    claim=CLAIM,
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin(
        "The same against a bound larger by 1, which is not exceeded.",
        replace(CLAIM, tail=Formula("1 + 2/3·(e^(−x/4) − 1/4·e^(−x/2))")),
    ),
)
