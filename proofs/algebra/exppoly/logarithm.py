"""Rational bounds on logarithms, for searches: where one decides, the kernel checks e^bound."""

from __future__ import annotations

from fractions import Fraction

from provado.mechanisms.statement.errors import UsageError
from provado.proofs.kernel import Interval, Number

from .exp_sum import exact


def log_enclosure(x: Number, bits: int = 64) -> Interval:
    """Return rationals lo ≤ ln x ≤ hi for x > 0, about 2^(−bits) apart.

    ln x = k·ln 2 + ln z with z in [2/3, 4/3], and ln z = 2·artanh((z − 1)/(z + 1)).
    """
    x = exact(x, "log_enclosure")
    if x <= 0 or bits < 1:
        raise UsageError(f"log_enclosure: ln {x} to {bits} bits is not defined")
    k = x.numerator.bit_length() - x.denominator.bit_length()
    k += x / Fraction(2) ** k > Fraction(4, 3)
    k -= x / Fraction(2) ** k < Fraction(2, 3)
    z = x / Fraction(2) ** k
    w = bits + abs(k).bit_length() + 16
    low, high = _artanh((z - 1) / (z + 1), w)
    two_low, two_high = _artanh(Fraction(1, 3), w)
    ends = sorted((k * two_low, k * two_high))
    return 2 * (low + ends[0]), 2 * (high + ends[1])


def _artanh(s: Fraction, w: int) -> Interval:
    """Enclose Σ s^(2j+1)/(2j+1) for |s| ≤ 1/3; what is left out is below 1/4 of the power next."""
    if s < 0:
        low, high = _artanh(-s, w)
        return -high, -low
    low_sum = high_sum = j = 0
    n, d = s.numerator, s.denominator
    low_power, high_power = (n << w) // d, -(-(n << w) // d)
    while high_power > 1:
        low_sum, high_sum = (
            low_sum + low_power // (2 * j + 1),
            high_sum - (-high_power // (2 * j + 1)),
        )
        low_power, high_power = low_power * n * n // (d * d), -(-high_power * n * n // (d * d))
        j += 1
    return Fraction(low_sum, 1 << w), Fraction(high_sum + 2 * high_power, 1 << w)
