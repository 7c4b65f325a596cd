"""One exact number from a user's score, or the reason why there is none."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np

from provado.mechanisms.statement.errors import UsageError

Score = Callable[[Any], Any]
"""A function of one dataset; returns a number."""

Make = Callable[[Sequence[Any]], Any]
"""Builds what the score takes from a sequence of records."""

Claim = Rational | int | float | Callable[[int], Any]
"""A bound on the change, or a function from the number of records to such a bound."""


class BrokenScoreError(Exception):
    """The score gave no finite number; the message says on which data and what came instead."""


def exact_value(score: Score, make: Make, data: Sequence[Any]) -> Fraction:
    """Return the score of ``data`` exactly; a float stands for the binary number it holds.

    Raises ``BrokenScoreError`` where the score raises, or returns anything but a finite real
    number. The records are handed over in a container of their own, so that a score that changes
    its argument does not change the caller's data.
    """
    try:
        value = score(make(tuple(data)))
    except Exception as error:
        text = " ".join(str(error).split())[:200]
        raise BrokenScoreError(
            f"on D = {list(data)!r} the score raises {type(error).__name__}: {text}"
        ) from error
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int | float | Rational):
        raise BrokenScoreError(
            f"on D = {list(data)!r} the score returns {value!r}, a {type(value).__name__}: it must "
            "return one real number"
        )
    if isinstance(value, float) and not math.isfinite(value):
        raise BrokenScoreError(f"on D = {list(data)!r} the score returns {value!r}")
    if isinstance(value, float):
        return Fraction(value)
    # A Fraction may hold whole numbers of numpy's, which overflow.
    return Fraction(int(value.numerator), int(value.denominator))


def claim_of(claimed: Claim, size: int) -> Fraction:
    """Return the claimed bound for ``size`` records exactly.

    Raises ``UsageError`` unless it is a finite number, 0 or above.
    """
    value = claimed(size) if callable(claimed) else claimed
    place = f"claimed({size})" if callable(claimed) else "claimed"
    if isinstance(value, np.generic):
        value = value.item()
    bound = Fraction(-1)
    if isinstance(value, int | float | Rational) and not isinstance(value, bool):
        with suppress(ValueError, OverflowError):  # NaN and infinity
            bound = Fraction(value)
    if bound < 0:
        raise UsageError(f"{place} is {value!r}: it must be a finite number, 0 or above")
    return bound
