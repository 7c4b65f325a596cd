"""Where in the user's own code something happens, and which of its lines a run executes."""

from __future__ import annotations

import contextlib
import os
import sys
import sysconfig
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import provado.mechanisms

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


@dataclass(frozen=True)
class Site:
    """A line of code. file: as Python knows it; empty where there is none. line: from 1 on."""

    file: str = ""
    line: int = 0
    function: str = ""

    def words(self) -> str:
        """Return ``mine.py:12``."""
        return f"{os.path.basename(self.file)}:{self.line}" if self.file else "no line"  # noqa: PTH119


NOWHERE = Site()

_INSTALLED = frozenset({"site-packages", "dist-packages"})


class Own:
    """Distinguishes the user's own code from that of libraries, by its file.

    files: files that are the user's own wherever they lie, the mechanism's among them.
    """

    def __init__(self, files: Iterable[str] = ()) -> None:
        self._files = frozenset(files)
        self._known: dict[CodeType, bool] = {}

    def holds(self, code: CodeType) -> bool:
        """Return whether code is the user's own, and is no module's body."""
        known = self._known.get(code)
        if known is None:
            known = self._known[code] = code.co_name != "<module>" and self.file(code.co_filename)
        return known

    def file(self, name: str) -> bool:
        """Return whether a file is the user's own."""
        if name in self._files:
            return True
        if name.startswith("<"):
            # What is typed or compiled from text (a notebook's cells have names of their own).
            return not name.startswith(("<frozen", "<__array_function__", "<string>"))
        return not _of_libraries(os.path.abspath(name))  # noqa: PTH100

    def importing(self) -> bool:
        """Return whether a module is being imported: what it draws is none of the run's."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename.startswith("<frozen importlib"):
                return True
            if self.holds(frame.f_code):
                return False
            frame = frame.f_back
        return False

    def site(self) -> Site:
        """Return the innermost line of the user's own code that runs now."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if self.holds(frame.f_code):
                return Site(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_qualname)
            frame = frame.f_back
        return NOWHERE


def files_of(mechanism: Any) -> frozenset[str]:
    """Return the files of a mechanism's own functions, as far as they show."""
    found = set[str]()
    for one in (mechanism, getattr(mechanism, "func", None), type(mechanism).__call__):
        code = getattr(getattr(one, "__func__", one), "__code__", None)
        if isinstance(code, CodeType):
            found.add(code.co_filename)
    return frozenset(found)


@lru_cache(maxsize=2**15)
def _of_libraries(name: str) -> bool:
    """Return whether a file lies among libraries; every run asks that of every module there is."""
    folder, file = os.path.split(name)
    place = os.path.join(_resolved(folder), file)  # noqa: PTH118
    if os.path.islink(place):  # noqa: PTH114
        place = os.path.realpath(place)
    return place.startswith(_libraries()) or not _INSTALLED.isdisjoint(Path(place).parts)


_resolved = lru_cache(maxsize=2**12)(os.path.realpath)


@cache
def _libraries() -> tuple[str, ...]:
    """Return the folders whose code is not the user's: Python's, what is installed, and ours."""
    ours = Path(provado.mechanisms.__file__).resolve().parent.parent
    rooms = [str(ours / room) for room in ("mechanisms", "proofs", "audit", "reports")]
    kinds = ("stdlib", "platstdlib", "purelib", "platlib")
    python = [os.path.realpath(sysconfig.get_path(kind)) for kind in kinds]
    return tuple(f"{folder}{os.sep}" for folder in (*rooms, *python))
