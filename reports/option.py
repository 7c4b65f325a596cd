"""Types of command-line options: each complains with the value and the rule that it broke."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable

MOST = 10**12
"""Of anything that is counted: more would not be done in years."""

MOST_SEED = 2**128 - 1

MOST_JOBS = 1_000

MOST_SECONDS = 10**6
"""Eleven days; the system's timers end not far beyond. The library has the same limits."""


def whole(at_least: int, at_most: int = MOST) -> Callable[[str], int]:
    """Return a reader of whole numbers, ``1e6`` among them."""
    rule = f"it must be a whole number of at least {at_least}"

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = _whole_float(text, rule)
        if value < at_least:
            raise argparse.ArgumentTypeError(f"{_shown(text)} is refused: {rule}")
        if value > at_most:
            raise argparse.ArgumentTypeError(
                f"{_shown(text)} is refused: it must be at most {at_most:,}"
            )
        return value

    return read


seed, jobs = whole(0, MOST_SEED), whole(1, MOST_JOBS)


def real(rule: str, holds: Callable[[float], bool]) -> Callable[[str], float]:
    """Return a reader of numbers for which ``holds`` is true; NaN never passes."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if math.isnan(value) or not holds(value):
            raise argparse.ArgumentTypeError(f"{_shown(text)} is refused: it must be {rule}")
        return value

    return read


positive = real("a finite number above 0", lambda x: 0 < x < math.inf)
seconds = real(
    f"a number above 0 and at most {MOST_SECONDS:,} (seconds)", lambda x: 0 < x <= MOST_SECONDS
)
share = real("a number above 0 and below 1", lambda x: 0 < x < 1)
small_share = real("a number of at least 0 and below 1", lambda x: 0 <= x < 1)


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _whole_float(text: str, rule: str) -> int:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value == int(value)):
        raise argparse.ArgumentTypeError(f"{_shown(text)} is refused: {rule}")
    return int(value)


def _shown(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"
