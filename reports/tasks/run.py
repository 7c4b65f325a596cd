"""One run of ``provado audit``: what was asked, when, by whom, from which code, what came out.

And how an audit of it is repeated: the command, and a short program with source and two datasets.
"""

import ast
import hashlib
import inspect
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

from provado.audit.options.declaration import CONFIDENCE, OPTIONS, TIME_LIMIT
from provado.audit.options.domains import MOST as MOST_TRIALS
from provado.audit.options.domains import flag
from provado.audit.pipeline.explore import MOST_EXPLORED
from provado.audit.result import AuditResult, PairResult
from provado.audit.target.random_state import objects
from provado.mechanisms import Mechanism, Verdict
from provado.reports.documents.exit_status import exit_status_of
from provado.reports.documents.origin import Provenance, parse_location, source_location
from provado.reports.text.report import AuditReport

DATA_FILES = (".csv", ".json", ".npy", ".parquet")
"""Suffixes of files that hold records."""

_COMPILED = (".so", ".pyd", ".dll", ".dylib")
_DEEP = 3


def code_hashes(mechanism: Any, target: str = "") -> dict[str, str]:
    """Return SHA-256 digests of what is audited: its file, its library and what that compiled.

    A file is named as in ``source_location``; a library by distribution and version, with one
    digest over all files that it installed; each compiled file of it has a digest of its own.
    Empty where nothing of it is found; objects of users may raise at any look.
    """
    try:
        result = {}
        name = parse_location(source_location(mechanism, target))[0]
        if name and (file := Path(name)).is_file():
            result[name] = hashlib.sha256(file.read_bytes()).hexdigest()
        for distribution in sorted(_distributions(mechanism)):
            result |= _digests(distribution)
        return result
    except Exception:
        return {}


def _distributions(mechanism: Any) -> set[str]:
    """Return the distributions that the objects of a mechanism come from, but for our own."""
    ours = {"provado", "numpy", "builtins", "__main__"} | sys.stdlib_module_names
    tops = {module.partition(".")[0] for module in _modules(mechanism)} - ours
    if isinstance(mechanism, Mechanism):
        # Those of a library are named after it: ``opendp/count``.
        tops.add(mechanism.name.partition("/")[0])
    known = _packages() if tops else {}
    return {name for top in tops for name in known.get(top, ())}


@cache
def _packages() -> dict[str, list[str]]:
    return dict(metadata.packages_distributions())


def _modules(mechanism: Any) -> Iterator[str]:
    """Yield the names of the modules that a mechanism names, or that its objects come from."""
    for object_ in objects(mechanism, steps=_DEEP):
        if type(object_) is ModuleType:
            yield object_.__name__
            continue
        yield type(object_).__module__
        if isinstance(own := inspect.getattr_static(object_, "__module__", None), str):
            yield own


@cache
def _digests(distribution: str) -> dict[str, str]:
    """Return the digest of a distribution as it is installed, and those of its compiled files."""
    installed = metadata.distribution(distribution)
    name = f"{installed.metadata['Name']} {installed.version}"
    whole, compiled = hashlib.sha256(), {}
    for file in sorted(installed.files or (), key=str):
        place = Path(str(file.locate()))
        if file.suffix == ".pyc" or not place.is_file():
            continue
        digest = hashlib.sha256(place.read_bytes()).hexdigest()
        whole.update(f"{file}\0{digest}\n".encode())
        if file.suffix in _COMPILED:
            compiled[f"{name}: {file}"] = digest
    return {name: whole.hexdigest(), **compiled}


@dataclass(frozen=True)
class Settings:
    """What was asked of a run, or of one of its audits; ``None`` where it was left to each audit.

    samples, seconds: certifying trials (``auto`` or ``auto:N`` for sequential audits), or the wall
        time from which their number is planned.
    confidence: at least 1 − the chance of any false alarm in the whole run, of which each audit
        gets an equal share. seed: the one seed of the run.
    time_limit: seconds after which an audit is ended as unknown. explore: exploration samples,
        where not as many as certify. redact: whether reports leave out records and outputs.
    """

    samples: int | str | None = None
    seconds: float | None = None
    confidence: float = CONFIDENCE
    seed: int = 0
    time_limit: float = TIME_LIMIT
    stop_early: bool = False
    explore: int | str | None = None
    redact: bool = False

    @property
    def anytime(self) -> bool:
        """Whether audits may stop early: their bounds hold at every time."""
        return self.stop_early


@dataclass(frozen=True)
class Record:
    """One audit as it is reported: its result, what repeats it, and where it is from.

    selection: the arguments of ``provado audit`` that name it and its claim. settings: its own,
    with its own share of the run's chance of a false alarm.
    location: ``file:line`` of the mechanism's source, empty where it is not known. code: SHA-256
    digests of that file and of the library audited, by name.
    """

    result: AuditResult
    selection: tuple[str, ...]
    settings: Settings
    location: str = ""
    code: dict[str, str] = field(default_factory=dict)

    @cached_property
    def report(self) -> AuditReport:
        """What it has to say; each text is made once."""
        return AuditReport(self.result, anytime=self.settings.anytime)


@dataclass(frozen=True)
class Run:
    """A run, complete: ``versions`` holds Python's and each relevant package's, by name.

    provenance: when, by whom and from which code it was made.
    """

    provado: str
    versions: dict[str, str]
    settings: Settings
    records: tuple[Record, ...]
    provenance: Provenance = field(default_factory=Provenance)

    @property
    def results(self) -> tuple[AuditResult, ...]:
        """The results alone, in the order of the run."""
        return tuple(record.result for record in self.records)

    @property
    def records_of(self) -> str:
        """The sentence on whose records the report holds, or leaves out; empty without any."""
        words = (word for record in self.records for word in record.selection[1:])
        files = [Path(word).name for word in words if Path(word).suffix in DATA_FILES]
        named = ", ".join(dict.fromkeys(files))
        if self.settings.redact:
            return f"Redacted: records{named and f' of {named}'} and outputs are left out."
        return named and f"Contains records of {named}; --redact leaves them out."

    @property
    def exit_status(self) -> int:
        """0 as expected, 1 if any result is a surprise, else 3 if any is unknown."""
        return exit_status_of(
            surprising=any(result.surprising for result in self.results),
            incomplete=any(result.verdict is Verdict.UNKNOWN for result in self.results),
        )


def words(selection: Sequence[str], settings: Settings, result: AuditResult) -> list[str]:
    """Return the arguments of ``provado``, with the number of trials that was planned."""
    found = ["audit", *selection]
    # Where time alone set a limit and no trial was planned, the number says nothing.
    if 0 < result.samples < MOST_TRIALS or (result.samples and settings.samples is not None):
        found += ["--samples", str(result.replay_samples)]
        if explored := explore_again(result, settings.explore):
            found += ["--explore", str(explored)]
    elif settings.seconds is not None:
        found += ["--seconds", f"{settings.seconds:g}"]
    found += ["--seed", str(settings.seed), "--confidence", f"{settings.confidence!r}"]
    for option in OPTIONS:
        if option.domain is flag and getattr(settings, option.name, False):
            found.append(f"--{option.word}")
    if settings.time_limit != TIME_LIMIT:
        found += ["--time-limit", f"{settings.time_limit:g}"]
    return found


def explore_again(result: AuditResult, given: int | str | None = None) -> int | str | None:
    """Return the ``explore`` of the same audit with ``replay_samples``; ``None`` for the usual one.

    It says how far the search for the pair came, where this followed from a time. given: what was
    asked for.
    """
    best, searched, usual = result.best, result.search, min(result.samples, MOST_EXPLORED)
    asked, _, search = str(given or "").partition("search=")
    if best is not None:
        # How many a sequential audit threw away follows from the seed.
        asked = "" if best.method.bettors else str(best.replay_explore)
    if searched is not None and searched.timed and (searched.cut or searched.planned_runs != usual):
        search = f"{searched.planned_runs}" + (f":{searched.cut_after}" if searched.cut else "")
    size = "" if asked.strip(",") == f"{usual}" else asked.strip(",")
    again = ",".join(filter(None, (size, search and f"search={search}")))
    return int(again) if again.isdecimal() else again or None


def replay(record: Record) -> str:
    """Return the command as text for a shell, each word quoted where needed."""
    return shlex.join(["provado", *words(record.selection, record.settings, record.result)])


MOST_LINES = 30


def reproducer(record: Record, pair: PairResult) -> str:
    """Return the program, at most 30 lines; empty where it cannot be written.

    It can where the target is a function of a file that is still there and not too long, with what
    it uses, and where the datasets are as short as their text: numbers, texts and lists of them.
    """
    target = record.selection[0] if record.selection else ""
    file, _, name = target.rpartition(":")
    kinds = {Path(word).suffix for word in record.selection[1:]}
    data = [_literal(text, kinds) for text in (pair.witness.d, pair.witness.d_prime)]
    result = record.result
    written = parse_location(record.location)[0] and not result.read
    if not written or None in data or not name.isidentifier():
        return ""
    claim = f"epsilon={result.epsilon!r}, delta={result.delta!r}"
    ideal = ', arithmetic="ideal"' if result.arithmetic == "ideal" else ""
    again = f"samples={result.replay_samples!r}, seed={result.seed}{ideal}"
    if explored := explore_again(replace(result, search=None)):
        again += f", explore={explored!r}"
    if result.confidence != CONFIDENCE:
        again += f", confidence={result.confidence!r}"
    tail = [
        "",
        f"D = {data[0]}",
        f"D_PRIME = {data[1]}",
        f"result = audit({name}, {claim}, pair=(D, D_PRIME), {again})",
        'print(result.verdict, f"{result.epsilon_lower:.3f}")',
    ]
    made = " ".join(filter(None, data))
    libraries = (("np.", "import numpy as np"), ("pd.", "import pandas as pd"))
    head = [line for name, line in libraries if made.startswith(name)]
    head += ["from provado import audit", ""]
    source = _excerpt(Path(file), name)
    lines = [*head, *source, *tail]
    return "\n".join(lines) + "\n" if source and len(lines) <= MOST_LINES else ""


def _literal(text: str, kinds: set[str]) -> str | None:
    """Return a dataset as Python makes it again; ``None`` where its text does not say it whole.

    kinds: suffixes of the files that were given. A text says nothing of the types that ``.npy``
    and ``.parquet`` keep, and of an empty table not which columns it has.
    """
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None
    if "…" in text or {".npy", ".parquet"} & kinds or (".csv" in kinds and not value):
        return None
    if ".csv" not in kinds:
        return repr(value)
    return f"pd.DataFrame({value!r})" if isinstance(value[0], dict) else f"np.array({value!r})"


def _excerpt(file: Path, name: str) -> list[str]:
    """Return the lines of a file that define a function and what it uses of that file."""
    try:
        tree = ast.parse(file.read_text("utf-8"))
    except (OSError, ValueError, SyntaxError):
        return []
    defined = {text: node for node in tree.body for text in _names(node)}
    if not isinstance(defined.get(name), ast.FunctionDef):
        return []
    needed, waiting = set[ast.stmt](), [defined[name]]
    while waiting:
        node = waiting.pop()
        if node not in needed:
            needed.add(node)
            used = {item.id for item in ast.walk(node) if isinstance(item, ast.Name)}
            waiting += [defined[text] for text in sorted(used) if text in defined]
    lines: list[str] = []
    for node in tree.body:
        if node in needed:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                lines += [] if not lines or lines[-1] == "" else [""]
            try:
                lines += ast.unparse(_without_docstring(node)).split("\n")
            except ValueError:  # A text of an f-string that its own syntax cannot hold.
                return []
    return lines


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [name.asname or name.name.partition(".")[0] for name in node.names]
    targets = node.targets if isinstance(node, ast.Assign) else []
    targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
    return [
        item.id for target in targets for item in ast.walk(target) if isinstance(item, ast.Name)
    ]


def _without_docstring(node: ast.stmt) -> ast.stmt:
    if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) and len(node.body) > 1:
        node.body = node.body[1:]
    return node
