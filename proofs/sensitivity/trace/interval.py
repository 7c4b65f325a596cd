"""Intervals of numbers with exact ends, which may be infinite."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from provado.mechanisms import UsageError

LONGEST_TEXT = 20
"""Fractions up to so many characters are printed as they are."""

End = Fraction | float
"""A fraction, or a float that is infinite."""

MOST = {"b": Fraction(2**63 - 1), "i": Fraction(2**63 - 1), "f": Fraction(sys.float_info.max)}
"""The largest number of each kind of dtype: beyond it integers wrap, and floats are infinite."""

TINY = Fraction(1, 2**1060)
"""Below it the last bits of a float are no small part of it."""


def end(value: Any) -> End:
    """Return a number exactly, as it is held; raises ``UsageError`` for what is none."""
    if isinstance(value, np.generic) and str(value.dtype) in ("bool", "int64", "float64"):
        value = value.item()  # Arithmetic in shorter types wraps, or rounds coarsely.
    if isinstance(value, int | Fraction):
        return Fraction(value)
    if isinstance(value, float) and not math.isnan(value):
        return Fraction(value) if math.isfinite(value) else value
    raise UsageError(f"{type(value).__name__} is no number")


def plain(value: Any) -> bool:
    """Tell whether it is a number, and the same for all data: no NaN, and none of a short type."""
    try:
        return bool(end(value) == end(value))
    except UsageError:
        return False


def times(x: End, y: End) -> End:
    """Return the product of two ends, 0 where one of them is 0."""
    if not x or not y:
        return Fraction(0)
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return x * y
    return math.inf if (x > 0) == (y > 0) else -math.inf


def nearest(x: End) -> End:
    """Return what floats make of a number, which is infinite beyond the largest of them."""
    try:
        return end(float(x))
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def outward(x: End, *, up: bool) -> float:
    """Return the next float that is not below a number, or not above it."""
    near = nearest(x)
    inside = near < x if up else near > x
    return math.nextafter(float(near), math.inf if up else -math.inf) if inside else float(near)


def rounded(x: Fraction, digits: int, *, up: bool) -> Decimal:
    """Return the next decimal of so many digits that is not below a number, or not above it."""
    context = Context(prec=digits, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    return context.divide(Decimal(x.numerator), Decimal(x.denominator))


def shown(x: End, *, up: bool = True) -> str:
    """Return a number as text: a long fraction as the next decimal of six digits above, or below.

    up: whether above.
    """
    if not isinstance(x, Fraction) or len(str(x)) <= LONGEST_TEXT:
        return str(x)
    return str(rounded(x, 6, up=up))


def widened(value: float, *, up: bool) -> End:
    """Return a number above or below what a function of floats gives, exact to a few last bits."""
    if not math.isfinite(value):
        return value
    exact = Fraction(value)
    if up:
        return exact + max(abs(exact) / 2**48, TINY)
    below = exact - abs(exact) / 2**48 - (TINY if exact else 0)
    return max(below, Fraction(0)) if exact > 0 else below


@dataclass(frozen=True)
class Interval:
    """All numbers from ``low`` to ``high``, the ends with them where they are finite."""

    low: End
    high: End

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise UsageError(
                f"({self.low}, {self.high}) is no interval: low must not be above high"
            )

    @property
    def width(self) -> End:
        """The distance of the ends."""
        return Fraction(0) if self.low == self.high else self.high - self.low

    @property
    def size(self) -> End:
        """The largest absolute value."""
        return max(self.high, -self.low)

    @property
    def least(self) -> End:
        """The smallest absolute value."""
        return max(self.low, -self.high, Fraction(0))

    def __add__(self, other: Interval) -> Interval:
        low, high = (self.low, other.low), (self.high, other.high)
        return Interval(
            -math.inf if -math.inf in low else sum(low), math.inf if math.inf in high else sum(high)
        )

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def __mul__(self, other: Interval) -> Interval:
        corners = [times(x, y) for x in (self.low, self.high) for y in (other.low, other.high)]
        return Interval(min(corners), max(corners))

    def __truediv__(self, other: Interval) -> Interval:
        """Return all quotients; all numbers where the divisor may be 0."""
        if other.low <= 0 <= other.high:
            return EVERYTHING
        return self * Interval(_inverse(other.high), _inverse(other.low))

    def __abs__(self) -> Interval:
        return Interval(self.least, self.size)

    def power(self, exponent: int) -> Interval:
        """Return all powers by a whole exponent of at least 0."""
        if exponent == 0:
            return Interval(Fraction(1), Fraction(1))
        ends = [x**exponent for x in (self.low, self.high)]
        if exponent % 2:
            return Interval(*ends)
        return Interval(self.least**exponent, max(ends))

    def least_of(self, other: Interval) -> Interval:
        """Return all minima of a number here and one there."""
        return Interval(min(self.low, other.low), min(self.high, other.high))

    def most_of(self, other: Interval) -> Interval:
        """Return all maxima of a number here and one there."""
        return Interval(max(self.low, other.low), max(self.high, other.high))

    def hull(self, other: Interval) -> Interval:
        """Return the least interval around both."""
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def held(self) -> Interval:
        """Return where its numbers lie as floats, too: rounding keeps their order."""
        low, high = nearest(self.low), nearest(self.high)
        return Interval(min(self.low, low), max(self.high, high))

    def rising(self, function: Callable[[float], float]) -> Interval:
        """Return where a rising function of floats takes it, a little widened."""
        low = at(function, outward(self.low, up=False))
        # Where it leaves the range of floats, the largest of them is below it.
        low = min(low, sys.float_info.max) if math.isfinite(self.low) else low
        high = at(function, outward(self.high, up=True))
        return Interval(widened(low, up=False), widened(high, up=True))


def point(value: Any) -> Interval:
    """Return the interval of one number."""
    exact = end(value)
    return Interval(exact, exact)


def around(values: Iterable[Any]) -> Interval:
    """Return the least interval around numbers, of which there is at least one."""
    ends = [end(value) for value in values]
    return Interval(min(ends), max(ends))


EVERYTHING = Interval(-math.inf, math.inf)
TRUTH = Interval(Fraction(0), Fraction(1))
"""What a comparison gives: 0 or 1."""


def _inverse(x: End) -> End:
    return Fraction(0) if math.isinf(x) else 1 / Fraction(x)


def at(function: Callable[[float], float], x: float) -> float:
    """Return a function of a float; infinity beyond the largest float."""
    try:
        return function(x)
    except OverflowError:
        return math.inf
