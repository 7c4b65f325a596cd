"""Variants of the dependence scores, for tests and benchmarks.

Kendall's τ-a and τ-b; conditional τ and ρ of variance 1 under independence; HSIC by the median
heuristic, by low-rank factors alone, and the appendix's misprinted bound; the variance score of
Gaussian additive noise models (Kusner et al. 2016, section 3.3, after Bühlmann et al., CAM, 2014).
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from provado.mechanisms.definitions import Source, UsageError
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.conditional_ranks import (
    Rule,
    conditional_rho_sums,
    conditional_tau_sums,
)
from provado.mechanisms.scores.hsic.hsic import _WORK, hsic_median_heuristic
from provado.mechanisms.scores.hsic.low_rank import LowRankHSIC, centred_factor, hsic_of_factors
from provado.mechanisms.scores.kendall import concordance, kendall_sensitivity
from provado.mechanisms.scores.score import Column, DependenceScore, columns, rows
from provado.mechanisms.scores.spearman import Ties


def tau_a(a: ArrayLike, b: ArrayLike) -> float:
    """Return (C − D)/(m(m − 1)/2) in [−1, 1]; a tied pair counts 0.

    Raises ``UsageError`` for bad columns.
    """
    counts = concordance(a, b)
    return (counts.concordant - counts.discordant) / sum(counts)


def kendall_a(a: ArrayLike, b: ArrayLike) -> float:
    """Return |τ-a|; see ``tau_a``."""
    return abs(tau_a(a, b))


def tau_b(a: ArrayLike, b: ArrayLike) -> float:
    """Return (C − D)/√((pairs untied in a)·(pairs untied in b)) in [−1, 1].

    Raises ``UsageError`` for bad columns, and for a constant one, where τ-b is not defined.
    """
    counts = concordance(a, b)
    untied = counts.concordant + counts.discordant
    for name, pairs in (("a", untied + counts.tied_b), ("b", untied + counts.tied_a)):
        if not pairs:
            raise UsageError(f"{name} is constant: Kendall's τ-b is defined for two values or more")
    scale = (untied + counts.tied_b) * (untied + counts.tied_a)
    # Where no rounding is needed, none is made: equal factors give an exact root.
    root = math.isqrt(scale)
    return (counts.concordant - counts.discordant) / (
        root if root * root == scale else math.sqrt(scale)
    )


def kendall_b(a: ArrayLike, b: ArrayLike) -> float:
    """Return |τ-b|; see ``tau_b``."""
    return abs(tau_b(a, b))


KENDALL_A = DependenceScore(
    name="kendall/a",
    of=kendall_a,
    sensitivity=kendall_sensitivity,
    source=Source(_WORK, "section 3.3 and Theorem 1, with τ-a of Kendall (1945)"),
    summary="Absolute value of Kendall's τ-a; a tied pair counts as neither.",
)


KENDALL_B = DependenceScore(
    name="kendall/b",
    of=kendall_b,
    sensitivity=None,
    source=Source("Kendall, The Treatment of Ties in Ranking Problems (1945)", "τ-b"),
    summary="Absolute value of Kendall's τ-b, corrected for ties; no sensitivity is claimed.",
)


def conditional_tau_z(
    a: ArrayLike, b: ArrayLike, given: ArrayLike, *, rule: Rule = "released"
) -> float:
    """Return Σwτ/√Σw, of variance 1 under independence; 0 where no stratum counts.

    See ``conditional_tau_sums`` for arguments and errors.
    """
    top, bottom = conditional_tau_sums(a, b, given, rule=rule)
    return float(top) / math.sqrt(bottom) if bottom else 0.0


def conditional_rho_z(
    a: ArrayLike,
    b: ArrayLike,
    given: ArrayLike,
    *,
    rule: Rule = "released",
    ties: Ties = "position",
) -> float:
    """Return Σwρ/√Σw, of variance 1 under independence; 0 where no stratum counts."""
    top, bottom = conditional_rho_sums(a, b, given, rule=rule, ties=ties)
    return float(top) / math.sqrt(bottom) if bottom else 0.0


def hsic_sensitivity_appendix_printed(m: int) -> Fraction:
    """Return (12m − 11)/(m² − 1), the last line of the appendix: a misprint.

    The derivation above that line bounds (m − 1)² times the change by 12m − 11, as section 4.2
    says; m² − 1 is larger than (m − 1)², so that the printed bound would be smaller.
    """
    return Fraction(12 * rows(m) - 11, m * m - 1)


HSIC_MEDIAN = DependenceScore(
    name="hsic/median-heuristic",
    of=hsic_median_heuristic,
    sensitivity=None,
    source=Source(_WORK, "equation (1)"),
    summary="HSIC with bandwidths taken from the data; no sensitivity is claimed.",
)


def variance_score(a: ArrayLike, b: ArrayLike) -> float:
    """Return log V(a) + log V(b), V the mean squared deviation from the mean (divisor m).

    The paper does not say which divisor; m − 1 would add 2·log(m/(m − 1)) to each score, which
    changes no comparison. A constant column gives −∞. No finite sensitivity exists: one record
    moves a variance by any factor. Raises ``UsageError`` for bad columns.
    """
    first, second = columns(a, b)
    return _log_variance(first) + _log_variance(second)


def _log_variance(x: Column) -> float:
    """Return log V(x) without overflow or underflow on the way; −∞ for a constant."""
    if x.min() == x.max():
        return -math.inf
    # Scaled by a power of two, the largest is below 1 and no square leaves the range of floats.
    exponent = math.frexp(float(np.abs(x).max()))[1]
    scaled = np.ldexp(x, -exponent)
    return math.log(float(np.var(scaled - scaled.min()))) + 2 * exponent * math.log(2)


VARIANCE = DependenceScore(
    name="variance",
    of=variance_score,
    sensitivity=None,
    source=Source("Kusner et al., Private Causal Inference (2016)", "section 3.3"),
    summary="Sum of the logarithms of the two variances; its sensitivity has no finite bound.",
)


def hsic_low_rank(
    a: ArrayLike, b: ArrayLike, kernel_a: SquaredExponential, kernel_b: SquaredExponential
) -> LowRankHSIC:
    """Return trace(KHLH)/(m − 1)² with a certified error.

    a, b: columns of one length m ≥ 2. The exact value is that of the floating-point numbers given.
    kernel_a, kernel_b: their kernels.

    Source of the score: Kusner et al. (2016), equation (4). Raises ``UsageError`` for bad columns
    and for a kernel so narrow that its factor would pass ``MOST_COLUMNS`` columns.
    """
    first, second = columns(a, b)
    return hsic_of_factors(centred_factor(first, kernel_a), centred_factor(second, kernel_b))
