"""The Hilbert-Schmidt independence criterion, for any kernels, in O(m²) time and O(m) memory.

Source: Kusner et al., Private Causal Inference (2016), equation (4), Theorem 3, section 4.2 and
appendix; Gretton et al., Measuring Statistical Dependence with Hilbert-Schmidt Norms (2005).

trace(KHLH) = Σ K∘L − (2/m)·Σ_i K_i·L_i + (ΣK)(ΣL)/m², with row sums K_i and L_i; so the matrices
are needed one block at a time, and, kernels being symmetric, only on and above the diagonal.
"""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from provado.mechanisms.definitions import Source
from provado.mechanisms.regression.kernels import SquaredExponential, median_bandwidth
from provado.mechanisms.scores.hsic import low_rank

from ..score import Column, DependenceScore, columns, rows

BLOCK = 256
"""Rows and columns of a block: two blocks and what the kernels need beside stay in the cache."""

TOLERANCE = 1e-9
"""Largest certified relative error at which ``hsic`` takes the low-rank value."""

_WORK = "Kusner et al., Private Causal Inference (2016)"


def hsic(
    a: ArrayLike, b: ArrayLike, kernel_a: low_rank.KernelFunction, kernel_b: low_rank.KernelFunction
) -> float:
    """Return trace(KHLH)/(m − 1)² with K_ij = kernel_a(a_i, a_j), L_ij = kernel_b(b_i, b_j).

    a, b: columns of one length m ≥ 2.
    kernel_a, kernel_b: symmetric kernels with values in [0, 1] that broadcast.

    Two squared exponential kernels go through low-rank factors where that is cheaper, and its
    value is taken if its certified relative error is at most ``TOLERANCE``; all else goes through
    ``hsic_blocked``. Source: Kusner et al. (2016), equation (4). Raises ``UsageError`` for bad
    columns, and for a kernel that does not broadcast.
    """
    first, second = columns(a, b)
    factors = cheaper_factors(first, second, kernel_a, kernel_b)
    if factors is not None:
        score = low_rank.hsic_of_factors(*factors)
        if score.error <= TOLERANCE * score.value:
            return score.value
    return hsic_blocked(first, second, kernel_a, kernel_b)


def hsic_blocked(
    a: ArrayLike, b: ArrayLike, kernel_a: low_rank.KernelFunction, kernel_b: low_rank.KernelFunction
) -> float:
    """Return the same as ``hsic``, from blocks of the kernel matrices.

    Rounding: the three sums are of the order m² and may cancel, for independent columns down to
    the order m.
    """
    first, second = columns(a, b)
    m = first.size
    rows_k, rows_l = np.zeros(m), np.zeros(m)
    products: list[float] = []
    for top in range(0, m, BLOCK):
        above = slice(top, top + BLOCK)
        for left in range(top, m, BLOCK):
            beside = slice(left, left + BLOCK)
            block_k = low_rank.kernel_block(kernel_a, first[above], first[beside])
            block_l = low_rank.kernel_block(kernel_b, second[above], second[beside])
            product = float(np.vdot(block_k, block_l))
            # A block off the diagonal stands for its mirror image too.
            products.append(product if left == top else 2 * product)
            for sums, block in ((rows_k, block_k), (rows_l, block_l)):
                sums[above] += block.sum(axis=1)
                if left > top:
                    sums[beside] += block.sum(axis=0)
    trace = math.fsum(
        (
            *products,
            -2 / m * float(np.dot(rows_k, rows_l)),
            math.fsum(rows_k) / m * (math.fsum(rows_l) / m),
        )
    )
    return trace / (m - 1) ** 2


def hsic_median_heuristic(a: ArrayLike, b: ArrayLike) -> float:
    """Return ``hsic`` with squared exponential kernels of the columns' median distances.

    The bandwidths depend on the data, as in the paper's equation (1): the sensitivities below are
    for fixed kernels and are not claimed for this score. Raises ``UsageError`` for bad columns and
    where ``median_bandwidth`` does.
    """
    first, second = columns(a, b)
    fitted = [SquaredExponential(median_bandwidth(column)) for column in (first, second)]
    return hsic(first, second, *fitted)


def hsic_sensitivity(m: int) -> Fraction:
    """Return (16m − 8)/(m − 1)², the bound of Kusner et al. (2016), Theorem 3."""
    return Fraction(16 * rows(m) - 8, (m - 1) ** 2)


def hsic_sensitivity_improved(m: int) -> Fraction:
    """Return (12m − 11)/(m − 1)², the bound of section 4.2, whose proof is in the appendix."""
    return Fraction(12 * rows(m) - 11, (m - 1) ** 2)


def cheaper_factors(
    first: Column,
    second: Column,
    kernel_a: low_rank.KernelFunction,
    kernel_b: low_rank.KernelFunction,
) -> tuple[low_rank.CentredFactor, low_rank.CentredFactor] | None:
    """Return low-rank factors of two columns where both kernels have them and they are cheaper."""
    if isinstance(kernel_a, SquaredExponential) and isinstance(kernel_b, SquaredExponential):
        counts = low_rank.frequencies(first, kernel_a), low_rank.frequencies(second, kernel_b)
        if low_rank_is_cheaper(first.size, *counts):
            return low_rank.centred_factor(first, kernel_a), low_rank.centred_factor(
                second, kernel_b
            )
    return None


def low_rank_is_cheaper(m: int, count_a: float, count_b: float) -> bool:
    """Return whether low-rank factors of so many frequencies cost less than m² kernel values.

    Compares m² with m·(frequencies and their products), in measured units.
    """
    return count_a * count_b + 4 * (count_a + count_b) < 10 * m


def _hsic_unit(a: ArrayLike, b: ArrayLike) -> float:
    kernel = SquaredExponential(1.0)
    return hsic(a, b, kernel, kernel)


HSIC = DependenceScore(
    name="hsic",
    of=_hsic_unit,
    sensitivity=hsic_sensitivity,
    source=Source(_WORK, "equation (4) and Theorem 3"),
    summary="HSIC with squared exponential kernels of bandwidth 1, whatever the data.",
)

SCORE = HSIC
