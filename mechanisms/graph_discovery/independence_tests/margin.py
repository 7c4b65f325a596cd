"""How far a test lies above its threshold, in units of the sensitivity that is taken for it.

In these units each query has sensitivity 1, so that one noise serves tests whose sensitivities
differ. Three readings of Priv-PC's test, named apart: printed, released, proved. Larger means
closer to independence.

Source: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020),
Algorithm 2; the authors' released code; the ledger's ``wang2020/thm3-conditional-kendall``.

**How far the RCIT score lies below a permuted score, and how far one record can move that.** A
permutation p-value at most α says that at most ⌊αk⌋ of k permuted scores are above the score, that
is, that the score is at least the r-th largest of them, r = ⌊αk⌋ + 1. The difference of the two has
a sensitivity of the order 1/m, while the p-value itself may go from 0 to 1.

Source: repairs Zhang et al. (2023), Theorems 2 to 5; see the ledger's ``zhang2023/thm5``.
"""

import math
from dataclasses import dataclass
from typing import Protocol

from provado.mechanisms.definitions.parameters import UsageError, natural, positive, probability
from provado.mechanisms.regression.kernel_ridge import typical_residual_bound
from provado.mechanisms.scores.conditional_ranks import (
    average_sensitivity,
    average_sensitivity_printed,
    p_value_sensitivity_released,
)
from provado.mechanisms.scores.score import rows

from ..tables.coded import Tables
from ..tables.contingency import stratified_tau


@dataclass(frozen=True)
class PublicFacts:
    """What is public of a test before its tables are counted: nothing in it depends on the data.

    m: rows examined, of n records. strata: how many the columns' levels allow. sieve: whether the
    tweaked threshold of the sieve applies.
    """

    m: int
    n: int
    strata: int
    sieve: bool


class Margin(Protocol):
    """A rule that says how far a test lies above its threshold."""

    def __call__(self, tables: Tables, look: PublicFacts) -> float:
        """Return (score − threshold)/sensitivity. tables: of the rows that ``look`` describes."""
        ...


@dataclass(frozen=True)
class PrintedMargin:
    """The score 1 − |τ̄| with sensitivity 9/(2n), and (n/m)·9/(2n) on a subset, as printed.

    threshold, tweak: T and t, in terms of the score. τ̄ is the weighted average; the definition is
    lost. The printed sensitivity is refuted: ``wang2020/thm3-conditional-kendall``. Raises
    ``UsageError`` unless 0 ≤ tweak < threshold < 1.
    """

    threshold: float
    tweak: float

    def __post_init__(self) -> None:
        _check(self.threshold, self.tweak, "threshold")

    def __call__(self, tables: Tables, look: PublicFacts) -> float:
        """Return the margin."""
        score = 1 - abs(stratified_tau(tables).average)
        unit = float(average_sensitivity_printed(look.n)) * look.n / look.m
        return (score - self.threshold + self.tweak * look.sieve) / unit


@dataclass(frozen=True)
class ReleasedMargin:
    """The p-value of the z-score, with the sensitivity that the released code takes for it.

    alpha, tweak: independent where p ≥ alpha; the sieve asks for alpha − tweak. On m of n rows the
    sensitivity is taken √(n/m) times as large. It is no bound: see
    ``p_value_sensitivity_released``. Raises ``UsageError`` unless 0 ≤ tweak < alpha < 1.
    """

    alpha: float = 0.1
    tweak: float = 0.02

    def __post_init__(self) -> None:
        _check(self.alpha, self.tweak, "alpha")

    def __call__(self, tables: Tables, look: PublicFacts) -> float:
        """Return the margin."""
        unit = p_value_sensitivity_released(look.n) * math.sqrt(look.n / look.m)
        return (stratified_tau(tables).p_value - self.alpha + self.tweak * look.sieve) / unit


@dataclass(frozen=True)
class ProvedMargin:
    """The score −|τ̄| over all strata, with the sensitivity that is proved for it.

    alpha, tweak: the threshold is |τ̄| = q/(1.5·√m), q the normal quantile of 1 − alpha, for the
    sieve of 1 − (alpha − tweak). At that level z = Σwτ/√Σw ≈ 1.5·√m·τ̄ has the p-value alpha; the
    threshold itself does not depend on the data, as a p-value's sensitivity is not bounded.

    τ̄ on m rows in at most K strata moves by at most 12/(2m − 7K). Where K, fixed by the levels, is
    above m/7 the test is not asked: the edge stays. Raises ``UsageError`` unless
    0 ≤ tweak < alpha < 1/2.
    """

    alpha: float = 0.1
    tweak: float = 0.02

    def __post_init__(self) -> None:
        _check(self.alpha, self.tweak, "alpha")
        if self.alpha >= 0.5:
            raise UsageError(f"alpha is {self.alpha!r}: it must be below 1/2")

    def __call__(self, tables: Tables, look: PublicFacts) -> float:
        """Return the margin, −∞ where the test is not asked."""
        # Here, so that the catalogue loads without scipy.
        from scipy.special import ndtri

        if 7 * look.strata > look.m:
            return -math.inf
        level = self.alpha - self.tweak * look.sieve
        threshold = -float(ndtri(level)) / (1.5 * math.sqrt(look.m))
        score = -abs(stratified_tau(tables, rule="all").average)
        return (score + threshold) / float(average_sensitivity(look.m, look.strata))


def _check(level: float, tweak: float, name: str) -> None:
    if not 0 <= tweak < probability(level, name):
        raise UsageError(f"tweak is {tweak!r}: it must be at least 0 and below {name}, {level!r}")


ROUNDING = 1e-8
"""Added to each bound: scores are computed to a relative 1e-9, and lie below 1."""


def rank_of_level(alpha: float, permutations: int) -> int:
    """Return r, such that p ≤ α just where the score is at least the r-th largest permuted one.

    r = ⌊αk⌋ + 1, from 1 to k, where a share of permutations that rounds to α counts as α: at
    α = .29 and k = 100 r is 30, though .29 is held as a binary number a little below 29/100. Raises
    ``UsageError`` unless 0 < α < 1 and k is a whole number from 1 on.
    """
    level, k = probability(alpha, "alpha"), natural(permutations, "permutations")
    below = round(level * k)
    return below + 1 if below / k <= level else below


def score_range(m: int) -> float:
    """Return (m/(m − 1))²/4: HSIC with kernels in [0, 1] lies between 0 and that.

    ‖HKH‖² ≤ ‖K − κ‖² ≤ m²(κ − κ²) ≤ m²/4 in the Frobenius norm, κ the mean entry, as K∘K ≤ K; and
    trace(KHLH) ≤ ‖HKH‖·‖HLH‖.
    """
    return (rows(m) / (m - 1)) ** 2 / 4


def margin_sensitivity(m: int, slope: float, lam: float | None = None) -> float:
    """Return how far one replaced record moves (r-th largest permuted score) − (score), at most.

    m: records. slope: L, the steepest slope of the kernels on the two columns,
    ``Kernel.lipschitz``. lam: λ of the regressions; ``None`` where there is no conditioning set.

    Guarantee: under replacement of one record, data in [−1, 1]; kernels with values in [0, 1] and
    k(x, x) = 1 (that of the regression positive semi-definite) and permutations that do not depend
    on the data.

    Proof. Scores S move by the moves of residuals, then by the replaced record itself.

    *Residuals.* Let d_i be the move of the residual of record i, 0 for the replaced record, whose
    turn comes later. An entry of K moves by at most L·|d_i − d_j|, so that ‖ΔK‖² ≤ L²·Σ(d_i − d_j)²
    ≤ 2mL²·Σd_i² ≤ 2m²L²s² in the Frobenius norm, s the bound of ``typical_residual_bound``. With
    L̄ = HLH, moving K first and then L: trace(K′HL′H) − trace(KHLH) = trace(ΔK·L̄) + trace(ΔL·K̄′),
    each at most √2·m·L·s·m/2, as ‖L̄‖ ≤ m/2 (see ``score_range``). So S moves by at most
    √2·L·s·(m/(m − 1))², permuted or not, as a permutation leaves Σd_i² alone.

    *Replaced record, score.* One row changes, in both columns: 21/(10m) + 4/m² at most, which the
    sensitivity finding "HSIC, fixed kernels in [0, 1]" proves.

    *Replaced record, permuted scores.* Its value of U stands in one row, its value of V in another
    (or in the same: then the bound above applies, which is less). Take one row and one column at
    a time. In the notation of that finding, of which the other m − 1 rows Q are common,
    S = V + 2h/m + p·q/m², h = Cov(α − g, β − γ); only α and p change. So h moves by
    Cov(δ, β) − Cov(δ, γ), δ = α − α′ in [−1, 1]. As Var δ ≤ 1 and Var β ≤ 1/4, Cov(δ, β) ≤ 1/2. As
    γ is the mean of rows of L in [0, 1], −Cov(δ, γ) is the mean over independent i and j of
    l(y_i, y_j)·(δ̄ − (δ_i + δ_j)/2), at most half the mean size of what l multiplies, at most
    √(Var δ/2)/2 ≤ 1/√8. And p, q lie in [0, 2]. So S moves by at most (1 + 1/√2)/m + 4/m², and by
    twice that for both columns.

    *Together.* An order statistic moves by no more than the numbers that it ranks. The sum of the
    bounds for a permuted score and for the score is (4.1 + √2)/m + 12/m², and 2√2·L·s·(m/(m − 1))²
    with a conditioning set. ∎

    The ledger's bounds on each score give 16/(m − 1), 2.9 times as much, and with a conditioning
    set 2·``rcit_sensitivity``, 9.3 times as much for λ and bandwidths of 1. Raises ``UsageError``
    for m below 2 or numbers not above 0.
    """
    records = rows(m)
    moved = (4.1 + math.sqrt(2)) / records + 12 / records**2 + ROUNDING
    if lam is None:
        return moved
    typical = typical_residual_bound(records, lam)
    factor = (records / (records - 1)) ** 2
    return moved + 2 * math.sqrt(2) * positive(slope, "slope") * typical * factor


def is_asked(m: int, slope: float, lam: float | None = None) -> bool:
    """Return whether a test is worth asking: its sensitivity is below ``score_range``.

    The margin is never above that range; beyond it no score could stand out by one sensitivity.
    The rule does not look at the data. Arguments and errors as of ``margin_sensitivity``.
    """
    return margin_sensitivity(m, slope, lam) < score_range(m)
