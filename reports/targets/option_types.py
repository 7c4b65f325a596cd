"""Types of command-line options: each complains with the value and the rule that it broke."""

from __future__ import annotations

import argparse
import contextlib
import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MOST = 10**12
"""Of anything that is counted: more would not be done in years."""

MOST_SEED = 2**128 - 1

MOST_JOBS = 1_000

MOST_SECONDS = 10**6
"""Eleven days; the system's timers end not far beyond. The library has the same limits."""


@dataclass(frozen=True)
class Rule:
    """What a number must be, wherever it is given; called with a text, it reads an option.

    words: complete "it must be". holds: asked of the number; NaN never passes. most: beyond this
    it is refused, too.
    """

    words: str
    holds: Callable[[float], bool]
    whole: bool = False
    most: float = math.inf

    def __call__(self, text: str) -> Any:
        """Return an option's value, of whole numbers ``1e6`` too."""
        try:
            value = self.of(_number(text, self.whole))
        except ValueError as error:
            shown = text if len(text) <= 60 else f"{text[:57]}…"
            raise argparse.ArgumentTypeError(f"{shown} is refused: it must be {error}") from None
        return value

    def of(self, value: float) -> Any:
        """Return the number, a whole one as an ``int``; raises ``ValueError`` with the rule."""
        try:
            value = int(value) if self.whole and value == int(value) else float(value)
        except (OverflowError, ValueError):
            raise ValueError(self.words) from None
        if (self.whole and isinstance(value, float)) or not self.holds(value):
            raise ValueError(self.words)
        if value > self.most:
            raise ValueError(f"at most {self.most:,}")
        return value


def _number(text: str, whole: bool) -> float:
    for kind in (int, float) if whole else (float,):
        with contextlib.suppress(ValueError):
            return kind(text)
    return math.nan


def whole(at_least: int, at_most: int = MOST) -> Rule:
    """Return the rule of whole numbers between the two."""
    words = f"a whole number of at least {at_least}"
    return Rule(words, lambda x: x >= at_least, whole=True, most=at_most)


def samples(text: str) -> int | str:
    """Return a number of trials; ``N:END``, ``auto`` and ``auto:N`` as they are."""
    word, colon, most = text.partition(":")
    if word != "auto":
        return _at_most(text, 1)
    return f"auto:{whole(1)(most)}" if colon else word


def explore(text: str) -> int | str:
    """Return a number of exploration samples; ``N:KEPT,search=RUNS:END`` as it is.

    N of them are drawn and KEPT of these kept; the search for a pair plans RUNS, and ends after
    END. The part before or after the comma, and each number after a colon, may be left out.
    """
    size, word, planned = text.partition("search=")
    if not word:
        return _at_most(text, 2)
    search = f"{word}{_at_most(planned, 1)}"
    return f"{_at_most(size.removesuffix(','), 2)},{search}" if size else search


def _at_most(text: str, least: int) -> int | str:
    """Return a number; ``N:PART``, where the part is at most that, as it is."""
    number, colon, part = text.partition(":")
    most: int = whole(least)(number)
    return f"{most}:{whole(least, most)(part)}" if colon else most


def size(text: str) -> int:
    """Return a number of bytes: a number and M or G, for 2²⁰ and 2³⁰ of them."""
    factors = {"M": 2**20, "G": 2**30}
    factor = factors.get(text[-1:].upper())
    number = _number(text[:-1], whole=False) if factor else math.nan
    if factor is None or not 2**20 <= number * factor <= 2**50:
        raise argparse.ArgumentTypeError(
            f"{text} is refused: it must be a number and M or G, of at least 1M"
        )
    return int(number * factor)


seed, jobs = whole(0, MOST_SEED), whole(1, MOST_JOBS)
finite = Rule("a finite number", math.isfinite)
positive = Rule("a finite number above 0", lambda x: 0 < x < math.inf)
seconds = Rule(
    f"a number above 0 and at most {MOST_SECONDS:,} (seconds)", lambda x: 0 < x <= MOST_SECONDS
)
share = Rule("a number above 0 and below 1", lambda x: 0 < x < 1)
small_share = Rule("a number of at least 0 and below 1", lambda x: 0 <= x < 1)


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
