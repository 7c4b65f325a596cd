"""How one chance of a false alarm is divided: among audits, pairs, rules, tests and releases.

Tests of a session, and the audits of each, get shares in exact arithmetic, every float rounded
down, so that the shares that are spent never add up to more than the session has. A series without
an end gives each look a part of its own.
"""

import math
from fractions import Fraction

from provado.mechanisms import UsageError

EXACT = 0.9
"""Of the alpha of a bound, what an exact test in addition to bets has."""

RESERVE = 1 / 200
"""The part of a pair's alpha that is kept for an experiment that ends before all trials are made;
the binomial bound, which needs all of them, goes without it."""

POINT_SHARE = 1 / 20
"""Of a pair's alpha, what the point of a curve keeps if there is a ladder, too."""

_DOWN = 1 - 1e-9
"""Rounds shares down, so that no error of arithmetic adds up to more than the whole."""


def confidence_of_each(confidence: float, audits: int) -> float:
    """Return the confidence of each of several audits that share 1 − ``confidence`` equally."""
    return 1 - (1 - confidence) / audits


def alpha_of_each(alpha: float, parts: int) -> float:
    """Return the share of each of several pairs, or rules, that share ``alpha`` equally."""
    return alpha / max(parts, 1)


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


FIRST = Fraction(9, 10)
"""Part of a test's share that its first audit gets: most tests make one."""


def session_alpha(confidence: float) -> Fraction:
    """Return 1 − ``confidence``, of the number as it is written: 1/20 for 0.95."""
    return 1 - Fraction(repr(confidence))


def exact(share: float) -> Fraction:
    """Return a share as it is written or as it is held in binary, whichever is less."""
    return min(Fraction(share), Fraction(repr(share)))


def share_of_each(confidence: float, tests: int) -> float:
    """Return the share of each of ``tests`` tests: equal, and together at most the session's."""
    return _down(session_alpha(confidence) / tests)


def call_share(share: float, number: int, calls: int | None = None) -> float:
    """Return what the ``number``-th audit of a test gets of the test's ``share``.

    With ``calls``, the stated number of audits, each gets as much as the others; ``number`` must
    not exceed it. Without, the first gets nine tenths and the k-th 1/(10·k·(k − 1)): any number of
    audits together get at most the whole, since Σ 1/(k(k − 1)) over k ≥ 2 is 1.
    """
    if calls is not None:
        return _down(exact(share) / calls)
    part = FIRST if number == 1 else (1 - FIRST) / (number * (number - 1))
    return _down(exact(share) * part)


def confidence_of(share: float) -> float:
    """Return a float c for which 1 − c, as floats subtract, is ``share`` or hardly less."""
    confidence = 1 - share
    while 1 - confidence > share:
        confidence = math.nextafter(confidence, 1)
    return confidence


def _down(value: Fraction) -> float:
    number = float(value)
    return number if Fraction(number) <= value else math.nextafter(number, 0)
