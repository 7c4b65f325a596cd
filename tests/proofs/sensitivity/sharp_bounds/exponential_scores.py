"""HSIC with squared exponential kernels as an exact sum of exponentials, for replays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from provado.proofs.kernel import Sum

Exponent = Callable[[Any, Any], Fraction]
"""−(x − y)²/(2h²) for two values of a column."""


def squared_exponential(bandwidth: Fraction | int) -> Exponent:
    """Return the exponent of the squared exponential kernel of this bandwidth."""
    return lambda x, y: -(Fraction(x - y) ** 2) / (2 * Fraction(bandwidth) ** 2)


def hsic_sum(data: tuple[tuple[Any, Any], ...], exponent_a: Exponent, exponent_b: Exponent) -> Sum:
    """Return trace(KHLH)/(m − 1)² as Σ c·e^q, exactly.

    Equal records are counted, not repeated: the cost grows with the square of the number of
    distinct ones, for the product of the two sums of all entries with their distinct exponents.
    """
    m = len(data)
    counts = Counter(data)
    k = {(p, r): exponent_a(p[0], r[0]) for p in counts for r in counts}
    l_ = {(p, r): exponent_b(p[1], r[1]) for p in counts for r in counts}
    total: Counter[Fraction] = Counter()
    sums_k: Counter[Fraction] = Counter()
    sums_l: Counter[Fraction] = Counter()
    for p, v in counts.items():
        row_k: Counter[Fraction] = Counter()
        row_l: Counter[Fraction] = Counter()
        for r, w in counts.items():
            total[k[p, r] + l_[p, r]] += Fraction(v * w)  # type: ignore[assignment]
            row_k[k[p, r]] += w
            row_l[l_[p, r]] += w
        _add_product(total, row_k, row_l, Fraction(-2 * v, m))
        for exponent, w in row_k.items():
            sums_k[exponent] += v * w
        for exponent, w in row_l.items():
            sums_l[exponent] += v * w
    _add_product(total, sums_k, sums_l, Fraction(1, m * m))
    return tuple((q, Fraction(c) / (m - 1) ** 2) for q, c in sorted(total.items()) if c)


def _add_product(
    total: Counter[Fraction],
    left: Counter[Fraction],
    right: Counter[Fraction],
    factor: Fraction,
) -> None:
    for q, c in left.items():
        for r, d in right.items():
            total[q + r] += factor * c * d  # type: ignore[assignment]


def median_distance(column: tuple[Any, ...]) -> Fraction:
    """Return the lower median of |x_i − x_j| over pairs i < j, exactly, as ``median_bandwidth``."""
    counts = sorted(Counter(column).items())
    distances: Counter[Fraction] = Counter()
    for i, (x, v) in enumerate(counts):
        distances[Fraction(0)] += v * (v - 1) // 2
        for y, w in counts[i + 1 :]:
            distances[Fraction(y - x)] += v * w
    m = len(column)
    wanted = (m * (m - 1) // 2 + 1) // 2
    for distance in sorted(distances):
        wanted -= distances[distance]
        if wanted <= 0:
            return distance
    raise AssertionError("the counts add up to the number of pairs")
