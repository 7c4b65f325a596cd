"""Intervals of numbers with exact ends, which may be infinite."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from provado.mechanisms import UsageError

End = Fraction | float
"""A fraction, or a float that is infinite."""

UP = Fraction(1) + Fraction(1, 2**48)
"""By this factor a float's result is widened; the functions used are exact to a few last bits."""


def end(value: Any) -> End:
    """Return a number exactly, as it is held; raises ``UsageError`` for what is none."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, int | Fraction):
        return Fraction(value)
    if isinstance(value, float) and not math.isnan(value):
        return Fraction(value) if math.isfinite(value) else value
    raise UsageError(f"{type(value).__name__} is no number")


def times(x: End, y: End) -> End:
    """Return the product of two ends, 0 where one of them is 0."""
    return Fraction(0) if not x or not y else x * y


def widened(value: float, *, up: bool) -> End:
    """Return a float's value, a little above or below it, as an exact end."""
    if not math.isfinite(value):
        return value
    if up and value == 0:
        return Fraction(np.nextafter(0.0, 1.0).item())
    exact = Fraction(value)
    return exact * UP if up == (exact >= 0) else exact / UP


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
        ends = [_power(x, exponent) for x in (self.low, self.high)]
        if exponent % 2:
            return Interval(*ends)
        return Interval(_power(self.least, exponent), max(ends))

    def least_of(self, other: Interval) -> Interval:
        """Return all minima of a number here and one there."""
        return Interval(min(self.low, other.low), min(self.high, other.high))

    def most_of(self, other: Interval) -> Interval:
        """Return all maxima of a number here and one there."""
        return Interval(max(self.low, other.low), max(self.high, other.high))

    def hull(self, other: Interval) -> Interval:
        """Return the least interval around both."""
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def rising(self, function: Callable[[float], float]) -> Interval:
        """Return where a rising function of floats takes it, a little widened."""
        low, high = (_at(function, x) for x in (self.low, self.high))
        # Where it leaves the range of floats, the largest of them is below it.
        low = min(low, sys.float_info.max) if math.isfinite(self.low) else low
        return Interval(widened(low, up=False), widened(high, up=True))


def point(value: Any) -> Interval:
    """Return the interval of one number."""
    at = end(value)
    return Interval(at, at)


def around(values: Iterable[Any]) -> Interval:
    """Return the least interval around numbers, of which there is at least one."""
    ends = [end(value) for value in values]
    return Interval(min(ends), max(ends))


EVERYTHING = Interval(-math.inf, math.inf)
TRUTH = Interval(Fraction(0), Fraction(1))
"""What a comparison gives: 0 or 1."""


def _inverse(x: End) -> End:
    return Fraction(0) if math.isinf(x) else 1 / Fraction(x)


def _power(x: End, exponent: int) -> End:
    return x**exponent


def _at(function: Callable[[float], float], x: End) -> float:
    try:
        return function(float(x))
    except OverflowError:
        return math.inf
