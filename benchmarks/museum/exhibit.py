"""What an exhibit is: a flaw, the versions before and after its fix, and where to look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Version:
    """One side of an exhibit: what is installed, and which function of the file is audited.

    python: the interpreter's minor version that the release ran on, ``3.8``.
    requirements: what pip is asked for, the release first. alone: what is installed without what
        it asks for itself, since no more of it is used.
    function: in the exhibit's file in ``released``. remark: what it does to the release.
    """

    python: str
    requirements: tuple[str, ...]
    alone: tuple[str, ...] = ()
    function: str = "release"
    remark: str = ""

    @property
    def words(self) -> str:
        """The release, its version, and the remark."""
        return (self.alone or self.requirements)[0].replace("==", " ") + self.remark


@dataclass(frozen=True)
class Exhibit:
    """One published flaw.

    file: in ``released``, a file that runs with either version; its ``claim(data)`` returns the ε
        and δ that the library itself states there. It is asked for each pair.
    pairs: neighbors, tried one after another, which share alpha. source: where the flaw is told.
    fixed: the version after the fix; ``None`` where none was released.
    """

    name: str
    flaw: str
    source: str
    file: str
    flawed: Version
    fixed: Version | None
    pairs: tuple[tuple[Any, Any], ...]

    def target(self, version: Version) -> str:
        """Return the function that is audited, as an auditor takes it."""
        return f"{self.file}:{version.function}"


def exhibits() -> Iterator[Exhibit]:
    """Yield all exhibits by the names of their files."""
    for module in sorted(iter_modules([str(HERE / "exhibits")]), key=lambda one: one.name):
        yield import_module(f"{__package__}.exhibits.{module.name}").EXHIBIT
