"""A package of the atlas: how it is installed, and which file lists its rows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.museum.environment import environment
from benchmarks.museum.exhibit import Version
from provado.mechanisms.adapters.interpreter import OtherInterpreter

PACKAGES = Path(__file__).parent / "packages"
ENVIRONMENTS = Path("build/atlas").absolute()
SUFFIX = "_rows.py"


@dataclass(frozen=True)
class Package:
    """One released package.

    name, version: as the package index has them. what: it offers this, in a few words.
    file: in ``packages``, with the rows; empty where nothing of it was audited.
    requirements, alone, python: see ``museum.exhibit.Version``; ``alone`` if it needs too much.
    left_out: the reason why nothing of it was audited.
    """

    name: str
    version: str
    what: str
    file: str = ""
    requirements: tuple[str, ...] = ()
    alone: bool = False
    python: str = "3.11"
    left_out: str = ""

    @property
    def release(self) -> Version:
        """The release as the museum's frame installs it."""
        pinned = (f"{self.name}=={self.version}",)
        if self.alone:
            return Version(self.python, self.requirements, alone=pinned)
        return Version(self.python, (*pinned, *self.requirements))

    def interpreter(self) -> str:
        """Return the interpreter of its environment; raise ``NotInstalledError``."""
        return str(environment(self.release, ENVIRONMENTS))

    def ask(self, interpreter: str, function: str, argument: Any = None) -> Any:
        """Return what a function of the file answers in the package's environment."""
        return OtherInterpreter(interpreter, f"{self.file}:{function}", str(PACKAGES))(argument)


def packages() -> Iterator[Package]:
    """Yield the packages by name: those that have a file, then those that were left out."""
    for file in sorted(PACKAGES.glob(f"*{SUFFIX}")):
        yield Package(file=file.name, **_literal(file, "PACKAGE"))
    for one in _literal(PACKAGES / "left_out.py", "LEFT_OUT"):
        yield Package(**one)


def _literal(file: Path, name: str) -> Any:
    """Return a literal of a file that cannot be imported here."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            return ast.literal_eval(node.value)
    raise ValueError(f"{file.name} has no {name}")
