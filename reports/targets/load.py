"""Finds what a user wants audited: ``path/to/file.py:name``, ``module:name``, or by a filter.

A file or a module without a name is answered by what it has to audit, each with a command.
"""

import contextlib
import functools
import importlib
import importlib.util
import inspect
import os
import shlex
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

from provado.audit.workers import Broken, can_isolate
from provado.mechanisms import ExactlyDecidable, Mechanism, UsageError
from provado.mechanisms.adapters.interpreter import OtherInterpreter
from provado.mechanisms.adapters.measurement_like import MeasurementLikeAdapter
from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.definitions.relation import one_line
from provado.mechanisms.programs import Program, is_program
from provado.reports.tasks.resources import run_in_processes
from provado.reports.text.formatting import clean, counted, file_hint, hint, other_encoding

IMPORT_SECONDS = 300.0
"""After so long an import counts as hanging."""


@dataclass(frozen=True)
class LoadedTarget:
    """What a target names, and the folder it is from.

    mechanism: a callable, a ``Mechanism``, a table of exact probabilities, or an object that an
        adapter turns into a ``Mechanism``. current: the folder that it made the current one.
    """

    text: str
    name: str
    mechanism: Any
    folder: Path
    current: Path

    @contextlib.contextmanager
    def importable(self) -> Iterator[None]:
        """Let the target import its neighbors and find its files, as while it was imported."""
        with _on_path(self.folder), contextlib.chdir(self.current):
            yield


class NoNameError(UsageError):
    """A target names a file or a module, but nothing in it; ``module`` is what was imported."""

    def __init__(self, text: str, module: ModuleType) -> None:
        offered = ", ".join(callables(module)) or "none"
        super().__init__(
            f"target {text!r}: say which, as {text.rstrip(':')}:name; callables there: {offered}"
        )
        self.text = text
        self.module = module


def load_target(text: str, folder: Path | None = None, python: str | None = None) -> LoadedTarget:
    """Return what ``text`` names; raises ``UsageError`` that says which part is wrong.

    folder: that files and modules are looked for from; the current one by default.
    python: another interpreter in which the target is imported and runs, instead of this one.

    A file is imported under its own name with its folder on the path, a module as Python would
    from ``folder``. Nothing is written beside either. What is imported is run: in another process
    first, which it may end, or keep busy for ever, without taking this one along. It may neither
    take the output streams nor the current folder from the rest of the program. Where no name is
    given the error is a ``NoNameError``.
    """
    place, _, name = text.rpartition(":")
    if python is not None:
        mechanism = OtherInterpreter(python, text, str(folder or ""))
        return LoadedTarget(text, name, mechanism, Path(mechanism.folder), Path.cwd())
    if not place or text.endswith(".py"):
        place, name = text, ""
    if _looks_like_file(place):
        file = Path(os.path.normpath((folder or Path()).absolute() / place))
        folder = file.parent
        module, current = _import(text, place, folder, lambda: _module_of_file(file, place, text))
    else:
        folder = (folder or Path()).absolute()
        module, current = _import(text, place, folder, lambda: importlib.import_module(place))
    if not name and getattr(module, "__file__", None) is None:
        raise UsageError(f"target {text!r}: it is a folder; name a file in it, as {place}/mine.py")
    if not name:
        raise NoNameError(text, module)
    try:
        result = attrgetter(name)(module)
    except AttributeError:
        known = callables(module)
        raise UsageError(
            f"target {text!r}: {place} has no {name!r}{hint(name, known)}; "
            f"callables there: {', '.join(known) or 'none'}"
        ) from None
    stated = isinstance(result, Mechanism | ExactlyDecidable) or is_measurement(result)
    if not (callable(result) or stated):
        raise UsageError(
            f"target {text!r}: {name} is of type {type(result).__name__}; it must be a callable or "
            "a provado.mechanisms.Mechanism"
        )
    own = result.name if isinstance(result, Mechanism) else name
    return LoadedTarget(text, own, result, folder, current)


def source_file(text: str, folder: Path | None = None) -> Path | None:
    """Return the file that a target was loaded from, ``None`` where it is from none."""
    place = text.rpartition(":")[0]
    if _looks_like_file(place):
        return (folder or Path()) / place
    file = getattr(sys.modules.get(place), "__file__", None)
    return None if file is None else Path(file)


def callables(module: ModuleType) -> list[str]:
    """Return the public names of a module that can be audited and are its own, not imported."""

    def audited(value: Any) -> bool:
        table = isinstance(value, ExactlyDecidable) and not isinstance(value, type)
        if isinstance(value, Mechanism) or table or is_measurement(value):
            return True
        return callable(value) and getattr(value, "__module__", None) == module.__name__

    return [name for name, var in vars(module).items() if not name.startswith("_") and audited(var)]


def _looks_like_file(text: str) -> bool:
    return text.endswith(".py") or "/" in text or "\\" in text


def _module_of_file(file: Path, place: str, text: str) -> ModuleType:
    if not file.is_file():
        raise UsageError(f"target {text!r}: there is no file {place!r}{file_hint(file)}")
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


Load = Callable[[], ModuleType]
"""What imports a module."""


def _import(text: str, place: str, folder: Path, load: Load) -> tuple[ModuleType, Path]:
    """Return the module and the folder it works in; whatever the import raises becomes one line."""
    if place not in sys.modules and can_isolate():
        # Some end their process, or never come back: not in this one.
        attempt = partial(_attempt, text, place, folder, load)
        outcome = run_in_processes([attempt], processes=1, time_limit=IMPORT_SECONDS)[0]
        if isinstance(outcome, Broken):
            raise UsageError(f"target {text!r}: importing {place}: {outcome.reason}")
    return _load(text, place, folder, load)


def _attempt(text: str, place: str, folder: Path, load: Load) -> None:
    """Import a module silently, only to see whether that fails."""
    silence = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(silence, stream)
    try:
        _load(text, place, folder, load)
    except KeyboardInterrupt as error:
        raise UsageError(_raised(text, place, error)) from None


def _load(text: str, place: str, folder: Path, load: Load) -> tuple[ModuleType, Path]:
    before = Path.cwd()
    try:
        # A module that prints while it is imported must not end up in the JSON.
        with (
            _on_path(folder),
            contextlib.chdir(before),
            contextlib.redirect_stderr(sys.stderr),
            contextlib.redirect_stdout(sys.stderr),
        ):
            return load(), Path.cwd()
    except (UsageError, KeyboardInterrupt):
        raise
    except SyntaxError as error:
        file = Path(error.filename or place)
        of_bytes = "codec" in error.msg or "null bytes" in error.msg
        if of_bytes and file.is_file() and (encoding := other_encoding(file)):
            raise UsageError(f"target {text!r}: {file}: {encoding}") from None
        where = f"{error.filename or place}, line {error.lineno}"
        raise UsageError(f"target {text!r}: {where}: {error.msg}") from None
    except ModuleNotFoundError as error:
        if place.endswith(".ipynb"):
            more = "; audit inside the notebook, or export it to a Python file (.py)"
        elif place.startswith(str(error.name)):
            more = (
                "; the name of a Python file must end in .py" if (folder / place).exists() else ""
            )
        else:
            more = f", which {place} imports: install it in this environment"
        raise UsageError(f"target {text!r}: there is no module {error.name!r}{more}") from None
    except BaseException as error:
        # Its own failures of input and output are none of ours: no cause is kept.
        raise UsageError(_raised(text, place, error)) from None


def _raised(text: str, place: str, error: BaseException) -> str:
    words = one_line(error)
    if place.endswith(".py") and "relative import" in words:
        words += f"; give it as a module: {place[:-3].replace('/', '.')}:name"
    return f"target {text!r}: importing {place} raised {words}"


@contextlib.contextmanager
def _on_path(folder: Path) -> Iterator[None]:
    """Import modules from ``folder`` first, and leave no compiled files behind.

    Folders that a file adds to the path stay there: what it calls may import from them later.
    """
    path, writes = list(sys.path), sys.dont_write_bytecode
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        own = {str(folder), *path}
        sys.path[:] = [*(text for text in sys.path if text not in own), *path]
        sys.dont_write_bytecode = writes


_NEITHER = (
    *(Mechanism, ExactlyDecidable, type, types.ModuleType, functools.partial),
    *(types.FunctionType, types.MethodType, types.BuiltinFunctionType),
)


def is_measurement(found: Any) -> bool:
    """Return whether an object, no function or class, can release and speaks of its cost."""
    if isinstance(found, _NEITHER):
        return False
    return MeasurementLikeAdapter().matches(found)


def adapted(
    result: Any, name: str, claim: Mapping[str, Any], pairs: Sequence[tuple[Any, Any]] | None
) -> Any:
    """Return the object as a ``Mechanism`` with the claim it states itself, or as it is.

    A plain function that calls the noise of ``mechanisms.programs`` becomes a ``Program``, of which
    many runs are drawn at once. As it is: what needs no adapter, and a callable for which ``claim``
    has ``epsilon``, or another promise, instead.
    Raises ``UsageError`` where the adapters need to be told more.
    """
    if is_program(result):
        return Program(result)
    claimed = claim.get("epsilon") or claim.get("promise")
    if not is_measurement(result) or (callable(result) and claimed is not None):
        return result
    if not pairs:
        raise UsageError(
            f"--pair: {name} is of type {type(result).__name__}, which states its claim but has no "
            "neighbors; give --pair D0 D1"
        )
    from provado.mechanisms.adapters.plugins import as_mechanism

    return as_mechanism(result, pairs=pairs, relation=claim.get("relation"), name=name)


def load_function(text: str, folder: Path | None = None, option: str = "") -> Callable[[Any], Any]:
    """Return the function of an output that ``text`` names; raises ``UsageError`` for others.

    option: is named in the complaint.
    """
    try:
        result: Any = load_target(text, folder).mechanism
        if isinstance(result, Mechanism) or not callable(result):
            raise UsageError(f"{text!r} is a Mechanism: it must be a function of an output")
    except UsageError as error:
        if not option:
            raise
        raise UsageError(f"{option}: {error}") from error
    return result  # type: ignore[no-any-return]


def library_mechanisms(only: Sequence[str] = ()) -> tuple[tuple[Mechanism, ...], tuple[str, ...]]:
    """Return what the adapters release, and a line for each adapter that had to be left out.

    only: patterns of names; an adapter none of whose releases could match is not asked, and its
        library not imported.
    """
    try:
        # A library that greets its user on import must not do so in the JSON.
        with contextlib.redirect_stdout(sys.stderr):
            from provado.mechanisms.adapters.plugins import released_mechanisms

            released = released_mechanisms(
                lambda name: not only or any(_may_match(name, pattern) for pattern in only)
            )
    except ImportError as error:
        raise UsageError(
            f"--libraries: {error}; install them with pip install 'provado[libraries]'"
        ) from error
    return released.mechanisms, tuple(each.words() for each in released.broken)


def select(
    from_catalogue: bool, from_libraries: bool, only: Sequence[str]
) -> list[tuple[str, Mechanism]]:
    """Return the chosen mechanisms, each with the option that it comes from, in catalogue order.

    only: patterns as a shell's, of which a name must match one; a pattern that matches no name
    raises ``UsageError``. Adapters that are left out are told about on standard error.
    """
    chosen: list[tuple[str, Mechanism]] = []
    left_out: tuple[str, ...] = ()
    if from_catalogue:
        chosen += [("--catalogue", mechanism) for mechanism in catalogue()]
    if from_libraries:
        mechanisms, left_out = library_mechanisms(only)
        chosen += [("--libraries", mechanism) for mechanism in mechanisms]
    for pattern in only:
        if not any(_matches(mechanism.name, pattern) for _, mechanism in chosen):
            reasons = "".join(f"; {line}" for line in left_out)
            near = hint(pattern, (mechanism.name for _, mechanism in chosen))
            raise UsageError(
                f"--only {pattern!r}: no name matches; `provado list` shows them{near}{reasons}"
            )
    for line in left_out:
        print(f"provado: warning: {line}", file=sys.stderr)
    if not only:
        return chosen
    return [item for item in chosen if any(_matches(item[1].name, pattern) for pattern in only)]


def _matches(name: str, pattern: str) -> bool:
    return name == pattern or fnmatchcase(name, pattern)


def _may_match(adapter: str, pattern: str) -> bool:
    """Return whether a name that starts with ``adapter/`` could match: the pattern's start does.

    Stars, question marks and brackets match the stroke too, so each may be where the beginning
    ends.
    """
    ends = [i + 1 for i, character in enumerate(pattern) if character in "*?]/"]
    return any(fnmatchcase(f"{adapter}/", pattern[:end]) for end in ends)


PAIR = "--pair d0.json d1.json --relation replace-one"
DATA = "--data d.json --relation replace-one"


def suggestions(asked: NoNameError) -> str:
    """Return the list as lines of text: of each thing to audit what it is, and its command."""
    names = callables(asked.module)
    if not names:
        return f"{clean(asked.text)} has nothing to audit: no function and no Mechanism of its own."
    lines = [f"{clean(asked.text)} has {counted(len(names), 'mechanism')} to audit:"]
    claimed = False
    for name in names:
        result = getattr(asked.module, name)
        claim = _claim(result)
        claimed |= "--epsilon" in claim
        lines += ["", f"  {name}: {_words(result)}"]
        if needs := _needs(result):
            lines.append(f"    also takes {', '.join(needs)}: write a function of the data alone")
        else:
            target = shlex.quote(f"{asked.text}:{name}")
            lines.append(f"    {clean(f'provado audit {target} {claim}')}")
    if claimed:
        lines += [
            "",
            "Replace the 1 after --epsilon by your claim and d.json by your dataset (.json, .csv,",
            ".npy or .parquet). The audit then searches for its worst pair of neighbors.",
            "`provado init` writes a configuration with all of these mechanisms.",
        ]
    return "\n".join(lines)


def _claim(found: Any) -> str:
    """Return the options that state the claim of what states none itself, and its datasets."""
    if isinstance(found, Mechanism):
        return ""
    if isinstance(found, ExactlyDecidable):
        return "--epsilon 1"
    if is_measurement(found):
        return PAIR
    default = getattr(_parameters(found).get("epsilon"), "default", None)
    given = isinstance(default, int | float) and not isinstance(default, bool) and default > 0
    return f"--epsilon {default if given else 1} {DATA}"


def _needs(found: Any) -> list[str]:
    """Return the parameters without a default, beside the data, ``size`` and ``rng``."""
    if isinstance(found, Mechanism | ExactlyDecidable) or is_measurement(found):
        return []
    named = [
        item
        for item in _parameters(found).values()
        if item.default is item.empty and item.kind not in (item.VAR_POSITIONAL, item.VAR_KEYWORD)
    ]
    first = next((item for item in named if item.kind is not item.KEYWORD_ONLY), None)
    return [item.name for item in named if item is not first and item.name not in ("size", "rng")]


def _parameters(found: Any) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(found).parameters
    except (TypeError, ValueError):
        return {}


def _words(found: Any) -> str:
    if isinstance(found, Mechanism):
        return clean(f"a Mechanism, promises {found.promise.words()}")
    if isinstance(found, ExactlyDecidable):
        return "a table of exact probabilities, decided without samples"
    if is_measurement(found):
        return f"a {type(found).__name__}, states its own cost"
    text = (inspect.getdoc(found) or "").strip().partition("\n")[0]
    return clean(text) or "no docstring"
