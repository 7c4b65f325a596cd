"""Theorem 2, type I: how likely sieve-and-examine filters out a query above the threshold."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from provado.proofs.ledger import Entry, Evidence, Formula, LedgerVerdict, Step, Twin, show_claim

from . import source
from ._sieve import RECOVERED, SIEVE_NOISE, ErrorAtMost, error_findings

CLAIM = ErrorAtMost(RECOVERED, Fraction(1, 4), Fraction(1, 4), Fraction(1, 8), passes=False)
MEANT = SIEVE_NOISE


def _gather(claim: ErrorAtMost) -> Evidence:
    noise, _, fails = claim.counterexamples()
    return Evidence(
        printed=error_findings(claim),
        corrected=show_claim(MEANT),
        corrected_claim=MEANT,
        correction="If f(D′) ≥ T + α on the subset that was drawn (or m = n): the sieve misses it "
        "with probability at most (2/3)(e^(−z/4) − e^(−z/2)/4), z = ε′(α + t)/Δ, and with exactly "
        "that for f(D′) = T + α.",
        kind="repair",
        argument=(
            Step(
                "Recovered: the extraction kept exp(−ε′(α + t) …) twice and a 4 between. The sieve "
                "misses a value T + α when Lap(2Δ/ε′) − Lap(4Δ/ε′) exceeds α + t, which is "
                "(2/3)(e^(−z/4) − (1/4)e^(−z/2)) (kernel, from the definition of the noise). That "
                "is the printed shape; the factor and the denominators are lost.",
                (noise,),
            ),
            "The theorem speaks of f(D), the sieve sees f(D′). Let D = (0, 1), n = 2, m = 1, f the "
            "mean, so Δ = 1 on the subset; T = α = 1/4, t = 1/8. Then f(D) = 1/2 = T + α. With "
            "probability 1/2 the subset is (0), below T − t, and the sieve misses it.",
            Step(
                "With x = ε′ the recovered bound is (2/3)(e^(−3x/32) − e^(−3x/16)/4); the "
                "probability exceeds it at x = 40 (kernel), and stays above 1/4 for all x ≥ 16 "
                "(kernel), while every bound of the printed shape falls to 0, whatever the lost "
                "constants.",
                (fails, claim.stays()),
            ),
            "Not counted either: a query that passes the sieve and fails its examination.",
        ),
        proof_remark="Appendix C is not in the text; a bound on the noise alone leaves the subset "
        "out.",
    )


ENTRY = Entry(
    id="wang2020/thm2-type1",
    source=source("Theorem 2, type I error"),
    printed="P[E₁^α] ≤ … exp(−ε′(α + t)/…) − … 4 … exp(−ε′(α + t)/…): factor and denominators are "
    "lost in the extraction. E₁^α: Algorithm 1 filters out f(D) ≥ T + α.",
    words="A query at least α above the threshold is filtered out with a probability that falls "
    "exponentially in ε′(α + t)/Δ.",
    scope="All n, m ≤ n, ε, t ≥ 0, α > 0, the probability over subset and noise. True for m = n.",
    claim=CLAIM,
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin(
        "The same against a bound larger by 1, which is not exceeded.",
        replace(CLAIM, tail=Formula("1 + 2/3·(e^(−x/4) − 1/4·e^(−x/2))")),
    ),
)
