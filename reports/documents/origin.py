"""Where a result comes from: who ran it and when, the mechanism's ``file:line``, versions.

A place is relative to the current folder. Some libraries only some outputs need.
"""

import ast
import contextlib
import inspect
import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from importlib import metadata
from pathlib import Path, PurePosixPath
from types import CodeType
from typing import Any

from provado.mechanisms import ExactlyDecidable, Mechanism
from provado.mechanisms.adapters.interpreter import OtherInterpreter
from provado.mechanisms.definitions.parameters import optional


def source_location(mechanism: Any, target: str = "") -> str:
    """Return ``file:line`` of the function that is audited, empty where it has no source.

    Partial applications, wrappers that name what they wrap, bound methods, classes and callable
    objects are followed to their function; a ``Mechanism`` to its ``run``. For a mechanism that is
    data, the line of ``path/to/file.py:name`` (``target``) that assigns it is returned.

    A file below the current folder is named relative to it. Any other is named by its module, as
    it would lie in a source folder: no path of the machine gets into a report.
    """
    try:
        if isinstance(mechanism, OtherInterpreter):
            return _assigned(str(Path(mechanism.folder, mechanism.target)))
        # What decides its claim exactly is a table, and the code of its class says nothing of it.
        result = None if isinstance(mechanism, ExactlyDecidable) else _code(mechanism)
        if result is None:
            return _assigned(target)
        code, module = result
        return _named(Path(code.co_filename), module, code.co_firstlineno) or _assigned(target)
    except Exception:
        # Objects of users may raise at any look: a report without a line beats none.
        return ""


def shown_place(file: str, line: int) -> str:
    """Return ``file:line`` of a line of code as ``source_location`` would; empty where none is."""
    try:
        return _named(Path(file), "", line) if file else ""
    except (OSError, ValueError):
        return ""


def parse_location(text: str) -> tuple[str, int]:
    """Return file and line of a location; no file and line 1 where there is none."""
    file, _, line = text.rpartition(":")
    return (file, int(line)) if file and line.isascii() and line.isdigit() else ("", 1)


def _code(mechanism: Any) -> tuple[CodeType, str] | None:
    for _ in range(100):  # Wrappers may go round in a circle.
        if isinstance(mechanism, Mechanism):
            mechanism = mechanism.run
        elif isinstance(mechanism, partial):
            mechanism = mechanism.func
        elif inspect.ismethod(mechanism):
            mechanism = mechanism.__func__
        elif (wrapped := inspect.getattr_static(mechanism, "__wrapped__", None)) is not None:
            mechanism = wrapped
        elif isinstance(code := getattr(mechanism, "__code__", None), CodeType):
            return code, str(getattr(mechanism, "__module__", None) or "")
        elif isinstance(mechanism, type):
            mechanism = vars(mechanism).get("__init__")
        else:
            # EventSet up on the class, as Python does for a call.
            mechanism = inspect.getattr_static(type(mechanism), "__call__", None)
    return None


def _assigned(target: str) -> str:
    place, _, name = target.rpartition(":")
    file = Path(place)
    if not place.endswith(".py") or not file.is_file():
        return ""
    first = name.partition(".")[0]
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        names: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            names = node.targets
        elif isinstance(node, ast.AnnAssign):
            names = [node.target]
        defined = isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == first
        if defined or any(isinstance(item, ast.Name) and item.id == first for item in names):
            return _named(file, "", node.lineno)
    return _named(file, "", 1)


def _named(file: Path, module: str, line: int) -> str:
    if not file.name.endswith(".py"):
        return ""  # Code without a file calls itself <string>.
    place, here = file.resolve(), Path.cwd().resolve()
    if place.is_relative_to(here):
        return f"{place.relative_to(here).as_posix()}:{line}"
    if not module or module == "__main__":
        return f"{place.name}:{line}"
    folder = module.split(".")
    folder = folder if place.name == "__init__.py" else folder[:-1]
    return f"{PurePosixPath(*folder, place.name)}:{line}"


@dataclass(frozen=True)
class Provenance:
    """Facts on a run beside its numbers; empty where unknown, or left out on request.

    date: when it ended, in UTC (of ``SOURCE_DATE_EPOCH`` where that is set). system: the operating
    system and processor. who, where: login and host name. commit: of the repository that the
    current folder is in; clean: whether nothing that it tracks had been changed since.
    """

    date: str = ""
    system: str = ""
    who: str = ""
    where: str = ""
    commit: str = ""
    clean: bool | None = None

    def facts(self) -> list[tuple[str, str]]:
        """Return it as names and texts, without those that are empty."""
        state = {True: "nothing changed since", False: "with changes since", None: ""}[self.clean]
        facts = [
            ("Date", self.date),
            ("Run by", " at ".join(filter(None, (self.who, self.where)))),
            ("System", self.system),
            ("Commit", " · ".join(filter(None, (self.commit, state))) if self.commit else ""),
        ]
        return [fact for fact in facts if fact[1]]


def provenance(*, anonymous: bool = False) -> Provenance:
    """Return it for a run that ends now; ``anonymous`` leaves out who and where."""
    import getpass
    import socket

    commit = _git("rev-parse", "HEAD")
    who = ""
    if not anonymous:
        with contextlib.suppress(OSError, KeyError, ImportError):
            who = getpass.getuser()
    return Provenance(
        date=_now(),
        system=f"{platform.system()} {platform.machine()}",
        who=who,
        where="" if anonymous else socket.gethostname(),
        commit=commit or "",
        clean=_git("status", "--porcelain", "--untracked-files=no") == "" if commit else None,
    )


def _now() -> str:
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _git(*words: str) -> str | None:
    """Return what git says of the current folder; ``None`` where it is in no repository."""
    import subprocess

    try:
        done = subprocess.run(
            ["git", *words], capture_output=True, text=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


PACKAGES = (*("numpy", "scipy", "scikit-learn", "sympy"), *("opendp", "diffprivlib", "python-dp"))
"""Packages whose version is recorded where they are installed; the last three are audited."""


def provado_version() -> str:
    """Return the version of the installed package, ``unknown`` when run from bare sources."""
    return _version("provado") or "unknown"


def versions() -> dict[str, str]:
    """Return ``{"python": …, "numpy": …, …}``; nothing about the machine."""
    result = {name: _version(name) for name in PACKAGES}
    return {"python": platform.python_version()} | {k: v for k, v in result.items() if v}


@cache
def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def library(name: str) -> Any:
    """Return a package that only pictures and GraphML need; ``UsageError`` where it is missing."""
    return optional(name, "--out", "pictures")
