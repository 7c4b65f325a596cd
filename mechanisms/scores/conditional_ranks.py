"""Rank correlations given other columns, stratum by stratum: Kendall's τ and Spearman's ρ.

Strata are the rows of two columns, divided by the values of the conditioning columns. Which strata
count. ``"all"`` takes every stratum of at least two rows, so that a pair of rows exists.
``"released"`` is the rule of the code that the authors of Priv-PC released: a stratum needs three
rows, and neither column may be constant in it. The second rule makes weights jump: one record can
bring a large stratum in or take it out.

**Kendall's τ** and **Spearman's ρ** each have two normalisations that are named apart.

Source of τ: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery
(2020), Definition 6 and Theorem 3. The extracted text lost the definition; it follows the authors'
released code: τ-a in each stratum, weighted by w = 9n(n − 1)/(4n + 10), the inverse of its variance
under independence. The text speaks of a weighted average, Σwτ/Σw; the code computes Σwτ/√Σw, which
has variance 1 under independence.

On the sensitivity of τ. The text prints c₁/n, or c₁/√n if the extraction lost a root, with c₁ →
9/2. No function of n alone bounds either form: with one stratum of two rows and all others of one
row, the average is ±1, whatever n. For at most K strata, ``average_sensitivity`` is proved; see the
ledger's ``wang2020/thm3-conditional-kendall``.

Source of ρ: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery
(2020), section 3.3 and Appendix E, after Taylor, Kendall's and Spearman's Correlation Coefficients
in the Presence of a Blocking Variable (1987). The extracted text holds neither the definition nor
the sensitivity. The weights here are n − 1, the inverse of the variance of ρ under independence.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import UsageError, answers, natural

from .kendall import concordance
from .score import Column, columns
from .spearman import Ties, squared_rank_differences

Rule = Literal["all", "released"]


def strata(
    a: ArrayLike, b: ArrayLike, given: ArrayLike, rule: Rule
) -> Iterator[tuple[Column, Column]]:
    """Yield the two columns of each stratum that counts under ``rule``.

    a, b: columns of one length m ≥ 2. given: the conditioning values, shape (m,) for one column or
    (m, s) for s of them; equal rows form a stratum.

    Raises ``UsageError`` for bad columns, other shapes, NaN, or an unknown rule.
    """
    first, second = columns(a, b)
    if rule not in ("all", "released"):
        raise UsageError(f"rule is {rule!r}: it must be 'all' or 'released'")
    for part in _rows_by_value(given, first.size):
        x, y = first[part], second[part]
        if rule == "released" and (x.size < 3 or np.ptp(x) == 0 or np.ptp(y) == 0):
            continue
        if x.size >= 2:
            yield x, y


def _rows_by_value(given: ArrayLike, m: int) -> Iterator[NDArray[np.int64]]:
    values = answers(given, "given")
    if values.ndim not in (1, 2) or values.shape[0] != m:
        raise UsageError(f"given has shape {values.shape}: it must have one row for each of {m}")
    _, code = np.unique(values.reshape(m, -1), axis=0, return_inverse=True)
    order = np.argsort(code.ravel(), kind="stable")
    yield from np.split(order, np.cumsum(np.bincount(code.ravel()))[:-1])


def conditional_tau_sums(
    a: ArrayLike, b: ArrayLike, given: ArrayLike, *, rule: Rule = "all"
) -> tuple[Fraction, Fraction]:
    """Return Σ w_k·τ_k and Σ w_k exactly; both 0 where no stratum counts.

    a, b: columns of one length m ≥ 2. given: conditioning values, shape (m,) or (m, s).
    rule: which strata count; see ``strata``. w_k·τ_k is 9(C − D)/(2n + 5). Raises ``UsageError``
    as ``strata`` does.
    """
    top = bottom = Fraction(0)
    for x, y in strata(a, b, given, rule):
        n, counts = x.size, concordance(x, y)
        top += Fraction(9 * (counts.concordant - counts.discordant), 2 * n + 5)
        bottom += Fraction(9 * n * (n - 1), 4 * n + 10)
    return top, bottom


def conditional_tau_average(
    a: ArrayLike, b: ArrayLike, given: ArrayLike, *, rule: Rule = "all"
) -> Fraction:
    """Return Σwτ/Σw in [−1, 1], exactly; 0 where no stratum counts.

    See ``conditional_tau_sums`` for arguments and errors.
    """
    top, bottom = conditional_tau_sums(a, b, given, rule=rule)
    return top / bottom if bottom else Fraction(0)


def average_sensitivity_printed(n: int) -> Fraction:
    """Return 9/(2n), the limit form of the printed c₁/n; it is no bound."""
    return Fraction(9, 2 * natural(n, "n"))


def average_sensitivity(n: int, strata: int) -> Fraction:
    """Return min(2, 12/(2n − 7K)): no replaced record moves the average by more.

    n: records. strata: the most K strata that the conditioning columns can form, fixed beforehand.

    Guarantee: under replacement of one record, its conditioning values too, for the rule ``"all"``.
    Source: the ledger's ``wang2020/thm3-conditional-kendall``. Raises ``UsageError`` unless both
    are whole numbers from 1 on.
    """
    left = 2 * natural(n, "n") - 7 * natural(strata, "strata")
    return min(Fraction(2), Fraction(12, left)) if left > 0 else Fraction(2)


def p_value_sensitivity_released(n: int) -> float:
    """Return ∫ from 0 to 6/√n of the normal density, as the released code takes it; no bound.

    It stands for a z-score that moves by at most 6/√n, which holds for large strata and a record
    that stays in its own. Raises ``UsageError`` unless n is a whole number from 1 on.
    """
    return math.erf(6 / math.sqrt(2 * natural(n, "n"))) / 2


def p_value_sensitivity_curate(n: int) -> float:
    """Return 0.7253/√n, as the released code of CURATE takes it; no bound, conditioned or not.

    Source: the code of Bhattacharjee and Tandon (2024); the ledger's ``curate2024/sensitivity``.
    Raises ``UsageError`` unless n is a whole number from 1 on.
    """
    return 0.7253 / math.sqrt(natural(n, "n"))


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
