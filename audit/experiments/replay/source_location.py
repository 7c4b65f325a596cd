"""Where in the user's own code something happens: file, line, function."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import provado.mechanisms


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
    """Tells the user's own code from that of libraries, by its file.

    files: files that are the user's own wherever they lie, the mechanism's among them.
    """

    def __init__(self, files: Iterable[str] = ()) -> None:
        self._files = frozenset(files)
        self._known: dict[CodeType, bool] = {}

    def holds(self, code: CodeType) -> bool:
        """Say whether code is the user's own, and is no module's body."""
        known = self._known.get(code)
        if known is None:
            known = self._known[code] = code.co_name != "<module>" and self.file(code.co_filename)
        return known

    def file(self, name: str) -> bool:
        """Say whether a file is the user's own."""
        if name in self._files:
            return True
        if name.startswith("<"):
            # What is typed or compiled from text (a notebook's cells have names of their own).
            return not name.startswith(("<frozen", "<__array_function__", "<string>"))
        return not _of_libraries(os.path.abspath(name))  # noqa: PTH100

    def importing(self) -> bool:
        """Say whether a module is being imported: what it draws is none of the run's."""
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
    """Say whether a file lies among libraries; every run asks that of every module there is."""
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
