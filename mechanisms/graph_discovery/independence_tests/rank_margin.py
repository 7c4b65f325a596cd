"""How far the RCIT score lies below a permuted score, and how far one record can move that.

A permutation p-value at most α says that at most ⌊αk⌋ of k permuted scores are above the score,
that is, that the score is at least the r-th largest of them, r = ⌊αk⌋ + 1. The difference of the
two has a sensitivity of the order 1/m, while the p-value itself may go from 0 to 1.

Source: repairs Zhang et al. (2023), Theorems 2 to 5; see the ledger's ``zhang2023/thm5``.
"""

from __future__ import annotations

import math

from provado.mechanisms.definitions.parameters import natural, positive, probability
from provado.mechanisms.regression.kernel_ridge import typical_residual_bound
from provado.mechanisms.scores.score import rows

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
