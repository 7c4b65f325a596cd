"""Finds what a user wants audited: ``path/to/file.py:name`` or ``module:name``."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

from provado.mechanisms import ExactlyDecidable, Mechanism, UsageError
from provado.reports import nearest
from provado.reports.adapted import is_measurement


@dataclass(frozen=True)
class Target:
    """What a target names, and the folder it is from.

    mechanism: a callable, a ``Mechanism``, a table of exact probabilities, or an object that an
        adapter turns into a ``Mechanism``.
    """

    text: str
    name: str
    mechanism: Any
    folder: Path

    @contextlib.contextmanager
    def importable(self) -> Iterator[None]:
        """Let the target import its neighbors, as it could while it was imported itself."""
        with _on_path(self.folder):
            yield


class NoNameError(UsageError):
    """A target names a file or a module, but nothing in it; ``module`` is what was imported."""

    def __init__(self, text: str, module: ModuleType) -> None:
        offered = ", ".join(callables(module)) or "none"
        super().__init__(f"target {text!r}: say which, as {text}:name; callables there: {offered}")
        self.text = text
        self.module = module


def load_target(text: str, folder: Path | None = None) -> Target:
    """Return what ``text`` names; raises ``UsageError`` that says which part is wrong.

    folder: that files and modules are looked for from; the current one by default.

    A file is imported under its own name with its folder on the path, a module as Python would
    from ``folder``. Nothing is written beside either. What is imported is run. Where no name is
    given the error is a ``NoNameError``.
    """
    place, _, name = text.rpartition(":")
    if not place or text.endswith(".py"):
        place, name = text, ""
    if _looks_like_file(place):
        file = Path(os.path.normpath((folder or Path()).absolute() / place))
        folder = file.parent
        module = _import(text, place, folder, lambda: _module_of_file(file, place, text))
    else:
        folder = (folder or Path()).absolute()
        module = _import(text, place, folder, lambda: importlib.import_module(place))
    if not name:
        raise NoNameError(text, module)
    try:
        found = attrgetter(name)(module)
    except AttributeError:
        known = callables(module)
        raise UsageError(
            f"target {text!r}: {place} has no {name!r}{nearest.hint(name, known)}; "
            f"callables there: {', '.join(known) or 'none'}"
        ) from None
    stated = isinstance(found, Mechanism | ExactlyDecidable) or is_measurement(found)
    if not (callable(found) or stated):
        raise UsageError(
            f"target {text!r}: {name} is a {type(found).__name__}; it must be a callable or a "
            "provado.mechanisms.Mechanism"
        )
    own = found.name if isinstance(found, Mechanism) else name
    return Target(text, own, found, folder)


def callables(module: ModuleType) -> list[str]:
    """Return the public names of a module that can be audited and are its own, not imported."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (
            isinstance(value, Mechanism)
            or (isinstance(value, ExactlyDecidable) and not isinstance(value, type))
            or is_measurement(value)
            or (callable(value) and getattr(value, "__module__", None) == module.__name__)
        )
    ]


def _looks_like_file(text: str) -> bool:
    return text.endswith(".py") or "/" in text or "\\" in text


def _module_of_file(file: Path, place: str, text: str) -> ModuleType:
    if not file.is_file():
        raise UsageError(f"target {text!r}: there is no file {place!r}{_near_file(file)}")
    name = file.stem
    loaded = sys.modules.get(name)
    if loaded is not None:
        if getattr(loaded, "__file__", None) == str(file):
            return loaded
        raise UsageError(
            f"target {text!r}: a module named {name!r} is in use already; rename the file"
        )
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UsageError(f"target {text!r}: {place!r} is not a Python file (.py)")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _near_file(file: Path) -> str:
    """Return a hint at a file of the same folder whose name is near."""
    try:
        return nearest.hint(file.name, sorted(one.name for one in file.parent.glob("*.py")))
    except (OSError, ValueError):
        return ""


def _import(text: str, place: str, folder: Path, load: Callable[[], ModuleType]) -> ModuleType:
    """Return the module; whatever the import raises becomes one line."""
    try:
        # A module that prints while it is imported must not end up in the JSON.
        with _on_path(folder), contextlib.redirect_stdout(sys.stderr):
            return load()
    except (UsageError, KeyboardInterrupt):
        raise
    except SyntaxError as error:
        where = f"{error.filename or place}, line {error.lineno}"
        raise UsageError(f"target {text!r}: {where}: {error.msg}") from error
    except ModuleNotFoundError as error:
        raise UsageError(f"target {text!r}: there is no module {error.name!r}") from error
    except BaseException as error:
        words = " ".join(str(error).split())
        raise UsageError(
            f"target {text!r}: importing {place} raised {type(error).__name__}: {words}"
        ) from error


@contextlib.contextmanager
def _on_path(folder: Path) -> Iterator[None]:
    """Look for modules in ``folder`` first, and leave no compiled files behind."""
    path, writes = list(sys.path), sys.dont_write_bytecode
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.path[:], sys.dont_write_bytecode = path, writes
