"""Finds what looks like a mechanism in Python files, from their text alone: nothing is imported."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MOST_FILES = 500

_NOISE = re.compile(
    r"laplace|gumbel|gauss|noise|noisy|^(standard_|log)?normal$|normalvariate|exponential|"
    r"expovariate|geometric|binomial|^logistic$|randomi[sz]ed_response",
    re.IGNORECASE,
)
_SKIPPED = {"build", "dist", "env", "node_modules", "site-packages", "venv", "__pycache__"}


@dataclass(frozen=True)
class Seen:
    """Something that can be audited, or could be with a wrapper.

    target: as ``provado audit`` takes it, with the file relative to the folder. why: what it was
    recognised by. stated: it is a ``Mechanism``, which brings its own claim. epsilon: the default
    of a parameter of that name. needs: parameters beside the data that have no default, so that a
    wrapper is needed. line: where it stands in its file.
    """

    name: str
    target: str
    why: str
    line: int
    stated: bool = False
    epsilon: float | None = None
    needs: tuple[str, ...] = ()


def scan_folder(folder: Path) -> tuple[Seen, ...]:
    """Return what the Python files of a folder and those below hold, by file and line.

    Skipped are hidden folders, environments, tests, files that cannot be read or parsed, and
    files beyond the first 500.
    """
    found: list[Seen] = []
    for number, file in enumerate(_files(folder)):
        if number >= MOST_FILES:
            break
        found += scan_file(file, file.relative_to(folder).as_posix())
    return tuple(found)


def scan_file(file: Path, shown: str) -> tuple[Seen, ...]:
    """Return what one file holds, in its order; nothing where it cannot be read or parsed.

    Seen are public functions of the module that have the keywords ``size`` and ``rng``, or call
    something that is named like noise, themselves or through another function of the file; and
    names that a ``Mechanism(...)`` is assigned to.
    """
    try:
        with warnings.catch_warnings():
            # Of a file that is only looked at, a wrong escape is no business of ours.
            warnings.simplefilter("ignore")
            tree = ast.parse(file.read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return ()
    functions = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}
    noisy = _noisy(functions)
    found: list[Seen] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found += _function(node, noisy, shown)
        else:
            found += _mechanism(node, shown)
    return tuple(found)


def _files(folder: Path) -> Iterator[Path]:
    """Yield files, those of a folder before those below it, in the order of their names."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        tests = entry.name.startswith("test_") or entry.name in ("conftest.py", "setup.py")
        if entry.suffix == ".py" and not tests and entry.is_file():
            yield entry
    for entry in entries:
        hidden = entry.name.startswith(".") or entry.name in _SKIPPED or entry.name == "tests"
        if entry.is_dir() and not (hidden or entry.is_symlink() or (entry / "pyvenv.cfg").exists()):
            yield from _files(entry)


def _function(node: ast.FunctionDef, noisy: dict[str, str], shown: str) -> Iterator[Seen]:
    arguments = node.args
    names = {one.arg for one in (*arguments.args, *arguments.kwonlyargs)}
    batch = {"size", "rng"} <= names
    if node.name.startswith("_") or not (batch or node.name in noisy):
        return
    own = {"size", "rng"} if batch else set()
    positional = [*arguments.posonlyargs, *arguments.args]
    required = positional[: len(positional) - len(arguments.defaults)]
    lacking = [
        one.arg
        for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is None
    ]
    if not positional and arguments.vararg is None:
        return
    others = [one.arg for one in required[1:]] + lacking
    yield Seen(
        name=node.name,
        target=f"{shown}:{node.name}",
        why="it takes size and rng" if batch else f"it calls {noisy[node.name]}",
        line=node.lineno,
        epsilon=_epsilon(arguments),
        needs=tuple(name for name in others if name not in own),
    )


def _mechanism(node: ast.stmt, shown: str) -> Iterator[Seen]:
    if isinstance(node, ast.AnnAssign):
        targets: list[ast.expr] = [node.target]
        value = node.value
    elif isinstance(node, ast.Assign):
        targets, value = node.targets, node.value
    else:
        return
    if not (isinstance(value, ast.Call) and _called(value) == "Mechanism"):
        return
    for target in targets:
        if isinstance(target, ast.Name) and not target.id.startswith("_"):
            name = target.id
            yield Seen(name, f"{shown}:{name}", "it is a Mechanism", node.lineno, stated=True)


def _noisy(functions: dict[str, ast.FunctionDef]) -> dict[str, str]:
    """Return the functions that call noise, and by what name each calls it."""
    calls = {
        name: [_called(one) for one in ast.walk(node) if isinstance(one, ast.Call)]
        for name, node in functions.items()
    }
    found: dict[str, str] = {}
    grown = True
    while grown:
        grown = False
        for name, called in calls.items():
            why = next((one for one in called if _NOISE.search(one) or one in found), None)
            if name not in found and why is not None and why != name:
                found[name] = why
                grown = True
    return found


def _called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _epsilon(arguments: ast.arguments) -> float | None:
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    pairs = zip(
        [*positional, *arguments.kwonlyargs],
        [*defaults, *arguments.defaults, *arguments.kw_defaults],
        strict=True,
    )
    for one, default in pairs:
        if one.arg in ("epsilon", "eps", "ε") and isinstance(default, ast.Constant):
            value = default.value
            if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e308:
                return float(value)
    return None
