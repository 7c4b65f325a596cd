"""How a session's chance of a false alarm is shared: by its tests, then by a test's audits.

Exact arithmetic, and every float rounded down, so that the shares that are spent never add up to
more than the session has.
"""

from __future__ import annotations

import math
from fractions import Fraction

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
