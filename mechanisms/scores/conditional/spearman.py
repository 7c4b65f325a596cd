"""Conditional Spearman's ρ over strata, under two normalisations that are named apart.

Source: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020),
section 3.3 and Appendix E, after Taylor, Kendall's and Spearman's Correlation Coefficients in the
Presence of a Blocking Variable (1987). The extracted text holds neither the definition nor the
sensitivity. The weights here are n − 1, the inverse of the variance of ρ under independence.
"""

from __future__ import annotations

import math
from fractions import Fraction

from numpy.typing import ArrayLike

from provado.mechanisms.scores.ranks.spearman import Ties, squared_rank_differences

from .strata import Rule, strata


def conditional_rho_sums(
    a: ArrayLike, b: ArrayLike, given: ArrayLike, *, rule: Rule = "all", ties: Ties = "position"
) -> tuple[Fraction, Fraction]:
    """Return Σ w_k·ρ_k and Σ w_k exactly, with w = n − 1; both 0 where no stratum counts.

    a, b: columns of one length m ≥ 2. given: conditioning values, shape (m,) or (m, s).
    rule: which strata count; see ``strata``. ties: see ``spearman``. ρ is 1 − 6Σd²/(n(n² − 1)).
    Raises ``UsageError`` as ``strata`` does.
    """
    top = bottom = Fraction(0)
    for x, y in strata(a, b, given, rule):
        n = x.size
        rho = 1 - 6 * squared_rank_differences(x, y, ties=ties) / (n * (n * n - 1))
        top += (n - 1) * rho
        bottom += n - 1
    return top, bottom


def conditional_rho_average(
    a: ArrayLike, b: ArrayLike, given: ArrayLike, *, rule: Rule = "all", ties: Ties = "position"
) -> Fraction:
    """Return Σwρ/Σw in [−1, 1], exactly; 0 where no stratum counts."""
    top, bottom = conditional_rho_sums(a, b, given, rule=rule, ties=ties)
    return top / bottom if bottom else Fraction(0)


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
