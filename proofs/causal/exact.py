"""Exact numbers at the door: rationals, finite distributions, and ratios that may be infinite."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from fractions import Fraction
from numbers import Rational
from typing import Any

from provado.mechanisms.statement.errors import UsageError

Value = Hashable
"""A value of a variable."""

Values = tuple[Value, ...]
"""One value for each of several variables."""

Number = Fraction | int

Factor = Fraction | float
"""A rational number, or ``math.inf``; no other float."""


def exact(value: Any, name: str) -> Fraction:
    """Return an ``int`` or ``Fraction`` as a ``Fraction``; a float raises ``UsageError``."""
    if isinstance(value, bool) or not isinstance(value, Rational):
        raise UsageError(
            f"{name} is {value!r}: it must be an int or a Fraction; floats are inexact"
        )
    return Fraction(value)


def distribution(weights: Mapping[Any, Any], name: str) -> dict[Any, Fraction]:
    """Return a finite distribution without its zeros; ``UsageError`` unless it is one, exactly."""
    total, kept = Fraction(0), {}
    for value, weight in weights.items():
        number = exact(weight, f"{name}: the probability of {value!r}")
        if number < 0:
            raise UsageError(f"{name}: the probability of {value!r} is {number}, below 0")
        total += number
        if number:
            kept[value] = number
    if total != 1:
        raise UsageError(f"{name}: the probabilities add up to {total}, not to 1")
    return kept


def ratio(p: Fraction, q: Fraction) -> Factor | None:
    """Return the smallest t with p ≤ t·q: p/q, ``math.inf`` for p > 0 = q, ``None`` for 0 and 0.

    With both 0 the comparison asks nothing, whatever t is.
    """
    if q:
        return p / q
    return math.inf if p else None


def factor_at_most_exp(factor: Factor, epsilon: Number) -> bool:
    """Return whether ``factor`` ≤ e^ε for a rational ε ≥ 0, exactly.

    For rational ε ≠ 0 the number e^ε is irrational (Lindemann), so the partial sums of its series,
    with twice the next term added, close in on one side of the factor.
    """
    exponent = exact(epsilon, "epsilon")
    if exponent < 0:
        raise UsageError(f"epsilon is {epsilon!r}: it must be at least 0")
    if factor == math.inf:
        return False
    if exponent == 0:
        return factor <= 1
    low, term, k = Fraction(0), Fraction(1), 0
    while True:
        low, k = low + term, k + 1
        term = term * exponent / k
        if factor <= low:
            return True
        # From here on each term is at most half of the one before.
        if k >= 2 * exponent and factor >= low + 2 * term:
            return False
