"""dpHSIC: a permutation test of independence whose decision is differentially private.

The score is √HSIC, with HSIC = trace(KHLH)/m² the V-statistic. The score of the columns as they are
and each permuted one get Laplace noise of scale 2Δ/ξ; the test rejects independence where
p = (1 + #{noisy permuted ≥ noisy score})/(B + 1) is at most α.

Source: Kim and Schrab, Differentially Private Permutation Tests: Applications to Kernel Methods
(2023), as the authors' package dpkernel computes it. The body of the text was not at hand; the
arguments are those of the ledger's ``kim2023/root-hsic`` and ``kim2023/decision``.
"""

import math

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import check_delta, natural, positive, probability

from ..score import columns, rows
from .hsic import TOLERANCE
from .low_rank import KernelFunction
from .permuted import PermutationTest, draw_permutations, hsic_permuted


def root_hsic_sensitivity(m: int) -> float:
    """Return 4(m − 1)/m²: no replaced record moves √(trace(KHLH))/m by more.

    m: records, from 2 on.

    Guarantee: under replacement of one record, for fixed positive semi-definite kernels with values
    in [0, 1], and for the columns under any permutation of the rows of one of them, in which the
    values of the replaced record may stand in two rows. Source: the ledger's ``kim2023/root-hsic``.
    Raises ``UsageError`` for m below 2.
    """
    return 4 * (rows(m) - 1) / m**2


def rounding(m: int) -> float:
    """Return how far the computed roots of two datasets may be off, both together.

    ``hsic_permuted`` is within ``TOLERANCE`` times m²/(m − 1)³ of trace(KHLH)/(m − 1)², at most,
    by low-rank factors, and closer otherwise; the root of a number so near 0 is off by the root.
    Raises ``UsageError`` for m below 2.
    """
    return 2 * math.sqrt(TOLERANCE / (rows(m) - 1))


def noise_scale(m: int, epsilon: float, delta: float = 0.0) -> float:
    """Return 2Δ/ξ, the scale of the Laplace noise on every score, ξ = ε + ln(1/(1 − δ)).

    Δ is ``root_hsic_sensitivity`` and the ``rounding`` of both datasets. Raises ``UsageError`` for
    m below 2, ε not above 0 or δ outside [0, 1).
    """
    loss = positive(epsilon, "epsilon") - math.log1p(-check_delta(delta))
    return 2 * (root_hsic_sensitivity(m) + rounding(m)) / loss


def roots(test: PermutationTest, m: int) -> tuple[float, NDArray[np.float64]]:
    """Return √(trace(KHLH))/m of the columns, and under each permutation, shape (B,)."""
    share = (rows(m) - 1) / m
    permuted = np.sqrt(np.maximum(test.permuted, 0.0)) * share
    return math.sqrt(max(test.score, 0.0)) * share, permuted


def p_value_allows(alpha: float, permutations: int) -> int:
    """Return the most noisy permuted scores that may reach the noisy score: ⌊α(B + 1)⌋ − 1.

    −1 where not even none suffices. A product that rounds to a whole number counts as that. Raises
    ``UsageError`` unless 0 < α < 1 and B is a whole number from 1 on.
    """
    product = probability(alpha, "alpha") * (natural(permutations, "permutations") + 1)
    near = round(product)
    return (near if math.isclose(product, near, rel_tol=1e-12) else math.floor(product)) - 1


def rejects(
    score: float, permuted: NDArray[np.float64], *, alpha: float, scale: float, rng: Generator
) -> bool:
    """Return whether p ≤ alpha, each number with Laplace noise of ``scale`` (0: none) of its own.

    Ties count for independence. Only this decision is private: p itself tells more.
    """
    noise = rng.laplace(size=1 + permuted.size) * scale
    reached = int((permuted + noise[1:] >= score + noise[0]).sum())
    return reached <= p_value_allows(alpha, permuted.size)


def dphsic(
    u: ArrayLike,
    v: ArrayLike,
    kernel_u: KernelFunction,
    kernel_v: KernelFunction,
    *,
    epsilon: float,
    rng: Generator,
    alpha: float = 0.05,
    delta: float = 0.0,
    permutations: int = 199,
) -> bool:
    """Return whether independence of two columns is rejected at level alpha.

    u, v: columns of one length m ≥ 2. kernel_u, kernel_v: as of ``root_hsic_sensitivity``, fixed
    without looking at the data. permutations: B, drawn whatever the data.

    Guarantee: the decision is (ε, δ)-DP under replacement of one record, m fixed. Given the
    permutations and the permuted scores' noise, it compares the noisy score with the k-th largest
    noisy permuted score; the difference moves by at most 2Δ, and the score's own noise is Laplace
    of scale 2Δ/ξ.
    Under independence it rejects with probability at most alpha, at every m: score and permuted
    scores are exchangeable, and so are they with independent noise. Noise is drawn in floating
    point. Raises ``UsageError`` for bad columns and arguments out of range.
    """
    first, second = columns(u, v)
    scale = noise_scale(first.size, epsilon, delta)
    orders = draw_permutations(first.size, permutations, rng)
    score, permuted = roots(hsic_permuted(first, second, orders, kernel_u, kernel_v), first.size)
    return rejects(score, permuted, alpha=alpha, scale=scale, rng=rng)
