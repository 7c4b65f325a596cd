"""The gamma approximation of the distribution of HSIC under independence.

Source: Gretton et al., A Kernel Statistical Test of Independence (2008), section 3, after Gretton
et al., Measuring Statistical Dependence with Hilbert-Schmidt Norms (2005).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.scores.hsic import low_rank
from provado.mechanisms.scores.score import Column, columns

LEAST_ROWS = 6
"""The variance has the factor (m − 4)(m − 5)."""


@dataclass(frozen=True)
class GammaMoments:
    """trace(KHLH)/m², and the estimates of its mean and variance under independence."""

    statistic: float
    mean: float
    variance: float


def _constant(column: Column) -> bool:
    return bool(column.min() == column.max())


def hsic_gamma_p_value(
    u: ArrayLike, v: ArrayLike, kernel_u: low_rank.KernelFunction, kernel_v: low_rank.KernelFunction
) -> float:
    """Return Pr[G ≥ trace(KHLH)/m²] for a gamma variable G of the estimated mean and variance.

    u, v: columns of one length m ≥ 6; 1 where a column is constant.
    kernel_u, kernel_v: symmetric kernels that broadcast.

    Asymptotic, and an approximation even so: the limit for m → ∞ is a weighted sum of χ² variables,
    of which two moments are matched. No level is guaranteed at any m; far out in the tail the ratio
    to the true probability is not bounded. ``hsic_permuted`` has a guaranteed one. O(m²) time,
    O(m) memory. Raises ``UsageError`` for bad columns, m < 6, or a kernel that does not broadcast.
    """
    # Here, so that the catalogue loads without scipy.
    from scipy.special import gammaincc

    found = gamma_moments(u, v, kernel_u, kernel_v)
    if not (found.mean > 0 and found.variance > 0):
        return 1.0
    shape, scale = found.mean**2 / found.variance, found.variance / found.mean
    return float(gammaincc(shape, max(found.statistic, 0.0) / scale))


def gamma_moments(
    u: ArrayLike, v: ArrayLike, kernel_u: low_rank.KernelFunction, kernel_v: low_rank.KernelFunction
) -> GammaMoments:
    """Return the statistic with the estimated moments; arguments as ``hsic_gamma_p_value``.

    Mean: (1 + ‖μ_u‖²‖μ_v‖² − ‖μ_u‖² − ‖μ_v‖²)/m for k(x, x) = 1, where ‖μ‖² is the mean of the
    entries off the diagonal; so 1 − ‖μ‖² is trace(HKH)/(m − 1), and this form needs no k(x, x) = 1.
    Variance: 2(m − 4)(m − 5)/(m(m − 1)(m − 2)(m − 3)) times the mean, off the diagonal, of
    (HKH ∘ HLH)². Source: Gretton et al. (2008), Theorems 3 and 4.
    """
    first, second = columns(u, v)
    m = first.size
    if m < LEAST_ROWS:
        raise UsageError(f"u has {m} rows: the gamma approximation needs at least {LEAST_ROWS}")
    k, l = low_rank.centred_kernel(first, kernel_u), low_rank.centred_kernel(second, kernel_v)  # noqa: E741
    if _constant(first) or _constant(second):
        return GammaMoments(0.0, 0.0, 0.0)
    total = squares = trace_k = trace_l = 0.0
    for part in low_rank.row_blocks(m):
        beside = slice(part.start, None)
        block_k, block_l = k.block(part, beside), l.block(part, beside)
        diagonal_k, diagonal_l = np.diagonal(block_k), np.diagonal(block_l)
        trace_k, trace_l = trace_k + float(diagonal_k.sum()), trace_l + float(diagonal_l.sum())
        on_diagonal = diagonal_k * diagonal_l
        block_k *= block_l
        height = part.stop - part.start
        # The square on the diagonal holds both halves, the rest of the block one.
        square, beyond = block_k[:, :height], block_k[:, height:]
        total += float(square.sum()) + 2 * float(beyond.sum())
        for entries, weight in ((square, 1), (beyond, 2), (on_diagonal, -1)):
            squares += weight * float(np.vecdot(entries, entries).sum())
    falling = m * (m - 1) * (m - 2) * (m - 3)
    return GammaMoments(
        total / m**2,
        trace_k * trace_l / (m * (m - 1) ** 2),
        2 * (m - 4) * (m - 5) / falling * squares / (m * (m - 1)),
    )
