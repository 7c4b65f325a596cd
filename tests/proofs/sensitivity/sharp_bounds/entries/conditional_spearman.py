"""Conditional Spearman's ρ over strata, weighted by n − 1: the same picture as for Kendall."""

from __future__ import annotations

from fractions import Fraction

from provado.mechanisms import ReplaceOne, Source
from provado.mechanisms.scores.conditional_ranks import conditional_rho_average
from provado.proofs.kernel import ChangeCounterexample, Checked, check
from tests.proofs.sensitivity.sharp_bounds.entries.conditional_kendall import one_pair, two_strata
from tests.proofs.sensitivity.sharp_bounds.finding import (
    Dataset,
    SensitivityFinding,
    UnboundedFinding,
    WorstPair,
    worst_of,
)
from tests.proofs.sensitivity.sharp_bounds.polynomial import (
    combine,
    minus,
    nonnegative,
    nonnegative_from,
    variable,
)

_SOURCE = Source(
    "Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020)",
    "section 3.3 and Appendix E",
)
_LOST = (
    "The text holds neither the definition nor the printed constant; this is for weights n − 1 and "
    "ties ranked by position."
)


def average(data: Dataset) -> Fraction:
    """Return Σ(n − 1)ρ/Σ(n − 1) exactly; records (a, b, stratum)."""
    return conditional_rho_average(*zip(*data, strict=True))


def upper(n: int, strata: int) -> Fraction:
    """Return min(2, 10/(n − K)): no replaced record moves the average by more, for K strata."""
    return min(Fraction(2), Fraction(10, n - strata)) if n > strata else Fraction(2)


def whole_range(claimed: Fraction) -> Checked:
    """Return the kernel's refutation of any claim below 2, for n = 1,000."""
    d, d_prime = one_pair(1000)
    values = average(d), average(d_prime)
    return check(ChangeCounterexample(d, d_prime, "replace-one", values, claimed), average)


def _certificates() -> tuple[Checked, ...]:
    # n² + n − (n − w²/n)·n/2 − n − w² with n = w + t.
    w, t = variable(0, 2), variable(1, 2)
    n = combine((1, [w]), (1, [t]))
    half = Fraction(1, 2)
    left = combine((1, [n, n]), (1, [n]), (-half, [n, n]), (half, [w, w]), (-1, [n]), (-1, [w, w]))
    # 5 − 6n/(n + 2) + 1 ≥ 0 over n + 2.
    return nonnegative_from(left, (0, 0)), nonnegative(minus((12, 6), (0, 6)), 1, over=(2, 1))


def _worst(n: int) -> WorstPair:
    return worst_of(*two_strata(n), average)


FINDINGS = (
    SensitivityFinding(
        score="conditional Spearman's ρ, weighted average, 2 strata",
        relation=ReplaceOne(),
        scope="at most two strata, fixed beforehand; the conditioning value of the replaced record "
        "may change too",
        source=_SOURCE,
        printed=None,
        printed_words="lost from the text",
        upper=lambda n: upper(n, 2),
        upper_words="10/(n − K) for K strata, K = 2",
        steps=(
            "In a stratum of n + 1 rows that loses one, Σ(n − 1)ρ moves by n·ρ_{n+1} − (n − "
            "1)·ρ_n = "
            "1 − 6·(E′/((n + 1)(n + 2)) − E/(n(n + 1))), E and E′ the smaller and the larger Σd².",
            "As for ρ itself (see there), E′ ≤ (1 + c)·E + (n − w²/n)/c + n + w² with c = 2/n, so "
            "that E′/(n + 2) − E/n ≤ n(n + 1)/(n + 2) (kernel): the move is at least "
            "1 − 6n/(n + 2) ≥ −5 (kernel), and by reversing a column at most 5.",
            "A record that changes stratum moves the sum by at most 10, the weights cancelling; "
            "where a stratum of one row empties or begins, by 5 + 1. The weights add up to n less "
            "the number of strata that hold a record.",
        ),
        certificates=_certificates,
        worst=_worst,
        smallest=5,
        remark=_LOST
        + " Pair and bound both behave as 10/n: sharp in the limit. A record that stays "
        "in its stratum moves the average by at most 6/(n − K).",
    ),
    UnboundedFinding(
        score="conditional Spearman's ρ, weighted average, any strata",
        relation=ReplaceOne(),
        scope="any number of strata",
        source=_SOURCE,
        printed="lost from the text",
        beyond=whole_range,
        steps=(
            "One stratum of two rows and n − 2 of one row: turning the pair over takes 1 to −1.",
        ),
        remark=_LOST,
    ),
)
