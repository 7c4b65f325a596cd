"""One chance of a false alarm for a series without an end: which part of it each look may spend."""

from __future__ import annotations

import math

from provado.mechanisms import UsageError

_DOWN = 1 - 1e-9
"""Rounds shares down, so that no error of arithmetic adds up to more than the whole."""


def share_of(alpha: float, look: int) -> float:
    """Return the part of ``alpha`` for a look, the first of which is 1: 6α/(π²k²).

    Guarantee: all shares together are at most ``alpha``, however many looks there will be, so that
    with probability 1 − alpha no look raises a false alarm; the bounds of all of them hold
    together. Nothing is asked of what lies between the looks, which may depend on all before.
    Source: Σ 1/k² = π²/6 (Euler), and a union bound.
    """
    if isinstance(look, bool) or not isinstance(look, int) or look < 1:
        raise UsageError(f"look is {look!r}: it must be a whole number of at least 1")
    return alpha * 6 / (math.pi * look) ** 2 * _DOWN


def left_after(alpha: float, looks: int) -> float:
    """Return what is left of ``alpha`` for all looks after so many, rounded down."""
    spent = math.fsum(share_of(alpha, look) for look in range(1, looks + 1))
    return max(alpha - spent / _DOWN, 0.0)
