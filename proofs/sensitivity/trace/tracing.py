"""What a query is called with instead of data: how it is stopped, and what it did, step by step."""

from __future__ import annotations

import sys
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

HERE = str(Path(__file__).parent)


class UntraceableError(BaseException):
    """Ends a trace. No ``Exception``: a query that catches these must not go on all the same."""


@dataclass(frozen=True)
class Step:
    """One step of a query.

    line: of the query's file; 0 where it is not known. words: what was computed, and how far it
    moves between neighbors.
    """

    line: int
    words: str


@dataclass
class Trace:
    """One run of a query.

    one_more: whether neighbors differ by a record more or less; else one is replaced. least, most:
    the numbers of records, ``most`` ``None`` where there is no limit. stopped: why it ended early.
    """

    one_more: bool
    least: int
    most: int | None
    steps: list[Step] = field(default_factory=list)
    stopped: str = ""

    def note(self, words: str) -> None:
        """Write down a step, with the line of the query that made it."""
        self.steps.append(Step(_line(), words))


_CURRENT: ContextVar[Trace] = ContextVar("trace")


def current() -> Trace:
    """Return the trace that is running."""
    return _CURRENT.get()


def running(trace: Trace) -> None:
    """Make a trace the one that is running in this context."""
    _CURRENT.set(trace)


def stop(reason: str) -> UntraceableError:
    """Return what ends the trace; whatever the query makes of it, the reason stands."""
    trace, line = current(), _line()
    trace.stopped = trace.stopped or (f"line {line}: {reason}" if line else reason)
    return UntraceableError(reason)


def _line() -> int:
    """Return the line of the innermost frame that is neither ours nor of a library below us."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _ours(frame):
        frame = frame.f_back
    return 0 if frame is None else frame.f_lineno


def _ours(frame: FrameType) -> bool:
    name = frame.f_code.co_filename
    return name.startswith(HERE) or "/numpy/" in name
