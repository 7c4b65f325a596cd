"""Theorem 2, type I: how likely sieve-and-examine filters out a query above the threshold."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.wang2020._errors import exact_tail, missed
from provado.proofs.ledger.wang2020._terms import fails_at, nonnegative, source, tail_along

_BITS = (0, 1)
_THRESHOLD = _ALPHA = Fraction(1, 4)
_TWEAK = Fraction(1, 8)
_POINT = 40


def _gather() -> Evidence:
    wrong = missed(_BITS, _THRESHOLD - _TWEAK)
    bound = tail_along(_ALPHA + _TWEAK)
    return Evidence(
        printed=(fails_at(bound - wrong, _POINT, 0), nonnegative(wrong - Fraction(1, 4), 16)),
        corrected=exact_tail(),
        correction="If f(D′) ≥ T + α on the subset that was drawn (or m = n): the sieve misses it "
        "with probability at most (2/3)(e^(−z/4) − e^(−z/2)/4), z = ε′(α + t)/Δ, and with exactly "
        "that for f(D′) = T + α.",
        kind="repair",
        argument=(
            "Recovered: the extraction kept exp(−ε′(α + t) …) twice and a 4 between. The sieve "
            "misses a value T + α when Lap(2Δ/ε′) − Lap(4Δ/ε′) exceeds α + t, which is "
            "(2/3)(e^(−z/4) − (1/4)e^(−z/2)) (kernel, from the differential equations of the two "
            "convolutions). That is the printed shape; the factor and the denominators are lost.",
            "The theorem speaks of f(D), the sieve sees f(D′). Let D = (0, 1), n = 2, m = 1, f the "
            "mean, so Δ = 1 on the subset; T = α = 1/4, t = 1/8. Then f(D) = 1/2 = T + α. With "
            "probability 1/2 the subset is (0), below T − t, and the sieve misses it.",
            "With x = ε′ the recovered bound is (2/3)(e^(−3x/32) − e^(−3x/16)/4); the probability "
            "exceeds it at x = 40 (kernel), and stays above 1/4 for all x ≥ 16 (kernel), while "
            "every bound of the printed shape falls to 0, whatever the lost constants.",
            "Not counted either: a query that passes the sieve and fails its examination.",
        ),
        proof_remark="Appendix C is not in the text; a bound on the noise alone leaves the subset "
        "out.",
    )


def _twin() -> object:
    return exact_tail(Fraction(1, 100))


ENTRY = Entry(
    id="wang2020/thm2-type1",
    source=source("Theorem 2, type I error"),
    printed="P[E₁^α] ≤ … exp(−ε′(α + t)/…) − … 4 … exp(−ε′(α + t)/…): factor and denominators are "
    "lost in the extraction. E₁^α: Algorithm 1 filters out f(D) ≥ T + α.",
    words="A query at least α above the threshold is filtered out with a probability that falls "
    "exponentially in ε′(α + t)/Δ.",
    scope="All n, m ≤ n, ε, t ≥ 0, α > 0, the probability over subset and noise. True for m = n.",
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin("The exact tail, off by 1/100.", _twin),
)
