"""Which lines of the user's own code a run executes, in order."""

from __future__ import annotations

import contextlib
import sys
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

from .source_location import Own, Site

MOST_LINES = 20_000_000
"""Lines that are kept of a run; beyond them nothing is compared. They take 8 bytes each."""


@dataclass(eq=False)
class Trace:
    """The lines, each as a number; ``sites`` says what a number is. Shared by both runs."""

    own: Own
    numbers: dict[tuple[CodeType, int], int] = field(default_factory=dict)
    lines: array[int] = field(default_factory=lambda: array("q"))

    def length(self) -> int:
        """Return how many lines were executed so far."""
        return len(self.lines)

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        """Record meanwhile, in this thread; frames of libraries are left out."""
        before = sys.gettrace()
        sys.settrace(self._called)
        try:
            yield
        finally:
            sys.settrace(before)

    def _called(self, frame: FrameType, event: str, _: Any) -> Any:
        if event != "call" or not self.own.holds(frame.f_code):
            return None
        numbers, lines, code = self.numbers, self.lines, frame.f_code

        def line(frame: FrameType, event: str, _: Any) -> Any:
            if event == "line" and len(lines) < MOST_LINES:
                key = code, frame.f_lineno
                number = numbers.get(key)
                if number is None:
                    number = numbers[key] = len(numbers)
                lines.append(number)
            return line

        frame.f_trace_lines = True
        return line

    def site(self, place: int) -> Site | None:
        """Return the line that was executed at a place of the order; None past the end."""
        if place >= len(self.lines):
            return None
        code, line = next(key for key, one in self.numbers.items() if one == self.lines[place])
        return Site(code.co_filename, line, code.co_qualname)


@dataclass(frozen=True)
class Parting:
    """Where control flow parts: the last line that both runs execute, and what each does next.

    at: how many lines they share. d, d_prime: the next line of each run; None where it ends.
    """

    after: Site | None
    d: Site | None
    d_prime: Site | None
    at: int


def parting(first: Trace, second: Trace) -> Parting | None:
    """Return where two runs part, or None where they execute the same lines."""
    import numpy as np

    a, b = (np.frombuffer(one.lines, dtype=np.int64) for one in (first, second))
    shared = min(a.size, b.size)
    differ = np.flatnonzero(a[:shared] != b[:shared])
    if not differ.size and a.size == b.size:
        return None
    at = int(differ[0]) if differ.size else shared
    return Parting(first.site(at - 1) if at else None, first.site(at), second.site(at), at)
