"""Exact quartiles, and how many points move the interquartile range out of an interval.

Quartiles are order statistics, x_(⌈m/4⌉) and x_(⌈3m/4⌉): the inverse of the empirical distribution,
which needs no interpolation. The paper leaves the estimate open.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.algebra.exppoly.logarithm import log_enclosure

Number = int | Fraction


def quartile_ranks(m: int) -> tuple[int, int]:
    """Return the ranks p = ⌈m/4⌉ and q = ⌈3m/4⌉, from 1."""
    return -(-m // 4), -(-3 * m // 4)


def interquartile_range(values: Sequence[Number]) -> Fraction:
    """Return x_(q) − x_(p)."""
    p, q = quartile_ranks(len(values))
    ordered = sorted(values)
    return Fraction(ordered[q - 1]) - Fraction(ordered[p - 1])


def reachable(values: Sequence[Number], t: int) -> tuple[Fraction, Fraction | None]:
    """Return the lowest and highest range after replacing t points; ``None`` for no highest.

    Highest: u of the points go far up and t − u far down. Lowest: t points leave both ends and
    gather between the quartiles, so that a window of q − p − t + 1 old points remains.
    """
    x = sorted(values)
    m, (p, q) = len(x), quartile_ranks(len(x))
    wide = [
        None if q + u > m or p - (t - u) < 1 else Fraction(x[q + u - 1]) - x[p - (t - u) - 1]
        for u in range(t + 1)
    ]
    highest = None if None in wide else max(w for w in wide if w is not None)
    if t >= q - p:
        return Fraction(0), highest
    lowest = min(Fraction(x[j + q - p - t - 1]) - x[j - 1] for j in range(p, p + t + 1))
    return lowest, highest


def below_exp(value: Number, exponent: Number) -> bool:
    """Return whether value < e^exponent, exactly."""
    return kernel.sum_sign(((exponent, 1), (0, -Fraction(value)))) > 0


def changes_to_leave(values: Sequence[Number], low: Number, high: Number) -> int:
    """Return how many points must be replaced to move the range out of [e^low, e^high).

    0 if it is outside already.
    """
    t = 0
    while True:
        lowest, highest = reachable(values, t)
        if highest is None or not below_exp(highest, high) or below_exp(lowest, low):
            return t
        t += 1


def floor_log(value: Number, offset: Number = 0) -> int:
    """Return ⌊ln value + offset⌋ for value > 0, exactly."""
    k = int((log_enclosure(value)[1] + offset) // 1)
    return k - 1 if below_exp(value, k - offset) else k
