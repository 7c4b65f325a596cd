"""The scores in exact numbers, as functions of a dataset of records (a, b), for replays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from provado.mechanisms.definitions.parameters import UsageError
from provado.mechanisms.scores.kendall import concordance
from provado.mechanisms.scores.spearman import Ties, squared_rank_differences

Data = tuple[tuple[int, int], ...]
"""Records (a, b) of small whole numbers; only their order and ties count for rank scores."""

ExactKernel = Callable[[Any, Any], int | Fraction]


def spearman_exact(data: Data, ties: Ties = "position") -> Fraction:
    """Return 1 − 6·Σd²/(m(m² − 1)) exactly."""
    a, b = zip(*data, strict=True)
    m = len(data)
    return 1 - 6 * squared_rank_differences(a, b, ties=ties) / (m * (m * m - 1))


def spearman_exact_absolute(data: Data) -> Fraction:
    """Return |1 − 6·Σd²/(m(m² − 1))| exactly."""
    return abs(spearman_exact(data))


def tau_a_exact(data: Data) -> Fraction:
    """Return (C − D)/(m(m − 1)/2) exactly."""
    a, b = zip(*data, strict=True)
    counts = concordance(a, b)
    return Fraction(counts.concordant - counts.discordant, sum(counts))


def tau_a_exact_absolute(data: Data) -> Fraction:
    """Return |τ-a| exactly."""
    return abs(tau_a_exact(data))


def tau_printed_exact(data: Data) -> Fraction:
    """Return (C − D)/(m(m − 1)/2) exactly, where each pair that is not concordant is discordant."""
    a, b = zip(*data, strict=True)
    counts = concordance(a, b)
    return Fraction(2 * counts.concordant - sum(counts), sum(counts))


def tau_printed_exact_absolute(data: Data) -> Fraction:
    """Return |C − D|/(m(m − 1)/2) exactly under the printed rule for ties."""
    return abs(tau_printed_exact(data))


def tau_b_exact(data: Data) -> Fraction:
    """Return τ-b exactly where it is rational; raise ``UsageError`` where it is not, or undefined.

    The pairs that the findings rest on have rational values.
    """
    a, b = zip(*data, strict=True)
    counts = concordance(a, b)
    untied = counts.concordant + counts.discordant
    scale = (untied + counts.tied_b) * (untied + counts.tied_a)
    root = math.isqrt(scale)
    if not scale or (root * root != scale and counts.concordant != counts.discordant):
        raise UsageError(f"data is {data!r}: its τ-b is not a rational number")
    return Fraction(counts.concordant - counts.discordant, root)


def tau_b_exact_absolute(data: Data) -> Fraction:
    """Return |τ-b| exactly where it is rational; see ``tau_b_exact``."""
    return abs(tau_b_exact(data))


def hsic_exact(
    data: Sequence[tuple[Any, Any]], kernel_a: ExactKernel, kernel_b: ExactKernel
) -> Fraction:
    """Return trace(KHLH)/(m − 1)² exactly, for kernels with rational values.

    Equal records are counted, not repeated: the cost grows with the number of distinct ones.
    """
    counts: dict[tuple[Any, Any], int] = {}
    for record in data:
        counts[record] = counts.get(record, 0) + 1
    m = len(data)
    points, weights = list(counts), list(counts.values())
    k = [[Fraction(kernel_a(p[0], q[0])) for q in points] for p in points]
    l_ = [[Fraction(kernel_b(p[1], q[1])) for q in points] for p in points]
    rows_k = [sum(w * v for w, v in zip(weights, row, strict=True)) for row in k]
    rows_l = [sum(w * v for w, v in zip(weights, row, strict=True)) for row in l_]
    every = range(len(points))
    products = sum(weights[i] * weights[j] * k[i][j] * l_[i][j] for i in every for j in every)
    crossed = sum(weights[i] * rows_k[i] * rows_l[i] for i in every)
    sums = sum(weights[i] * rows_k[i] for i in every) * sum(weights[i] * rows_l[i] for i in every)
    return (products - Fraction(2, m) * crossed + Fraction(sums) / (m * m)) / (m - 1) ** 2


def same(x: Any, y: Any) -> int:
    """Return 1 for equal values, 0 for others: the limit of a narrow kernel on far clusters."""
    return int(x == y)


def opposite(x: int, y: int) -> int:
    """Return x·y, for values in [−1, 1] a positive semi-definite kernel bounded by 1."""
    return x * y
