"""Finds the configuration that holds in a folder, and reads all of it before anything is run.

Every complaint names the file, the line and the key of a value.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import tomllib
from argparse import ArgumentTypeError
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NoReturn

from provado.audit.options.declaration import OF_PAIRS, OF_RUNS
from provado.audit.options.domains import explore, size
from provado.mechanisms import UsageError
from provado.mechanisms.definitions.relation import short
from provado.reports.documents.schema import CONFIG, first_error, refuse_device, rule_of
from provado.reports.targets.argument_parser import is_name
from provado.reports.text.formatting import hint, other_encoding, unreadable

from .keys import EXCLUSIVE, TABLES, config_schema, keys_of, run_keys

_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class ConfigFile:
    """The file of a configuration: its name as it is shown, and its text."""

    file: Path
    shown: str
    text: str

    @property
    def folder(self) -> Path:
        """The folder that relative paths start from."""
        return self.file.parent

    def fail(self, path: Keys, words: str, line: int | None = None) -> NoReturn:
        """Raise ``UsageError`` about a key, in one line."""
        line = line or self.line(path)
        raise UsageError(f"{self.shown}, line {line}: {dotted(path)}: {words}")

    def line(self, path: Keys) -> int:
        """Return the line of a key, or of the nearest table around it."""
        return key_line(self.text, path)

    def commented(self, table: Keys, name: str) -> int | None:
        """Return the line in a table on which this key is commented out, if there is one."""
        head = self.line(table)
        for number, row in enumerate(self.text.split("\n")[head:], start=head + 1):
            if row.lstrip().startswith("["):
                return None
            if re.match(rf"\s*#\s*{re.escape(name)}\s*=", row):
                return number
        return None


def dotted(path: Keys) -> str:
    """Return a key as TOML writes it: ``audits."my count".pairs[0]``."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            written = part if _BARE.fullmatch(part) else '"' + part.replace('"', '\\"') + '"'
            text += f".{written}" if text else written
    return text or "the file"


@dataclass(frozen=True)
class ConfigValue:
    """One value of a configuration of the right form."""

    value: Any
    path: Keys
    source: ConfigFile

    def fail(self, words: str) -> NoReturn:
        """Raise ``UsageError`` that names file, line and key."""
        self.source.fail(self.path, words)

    @contextlib.contextmanager
    def blamed(self) -> Iterator[None]:
        """Raise what is refused inside as a complaint about this value."""
        try:
            yield
        except (UsageError, ArgumentTypeError) as error:
            self.fail(str(error))

    def table(self) -> dict[str, ConfigValue]:
        """Return the entries of a table by their keys."""
        return {
            key: ConfigValue(item, (*self.path, key), self.source)
            for key, item in self.value.items()
        }

    def items(self) -> tuple[ConfigValue, ...]:
        """Return the entries of a list."""
        return tuple(ConfigValue(v, (*self.path, i), self.source) for i, v in enumerate(self.value))


Keys = tuple[str | int, ...]
"""A key with those of the tables around it; an int is a position in an array."""

_DEEPEST = 6
"""Of arrays and inline tables in each other that a line may leave open."""


def key_line(text: str, path: Keys) -> int:
    """Return the line, counted from 1, on which a key or an entry of an array first stands.

    A table has the line of its header, or of the first key that implies it. Of a key that is not
    there, the line of the nearest table around it is returned; the root has line 1. Raises
    ``ValueError`` for what is no TOML.
    """
    # As TOML wants it, the only line end is \n or \r\n, and the reader makes them one.
    lines = text.replace("\r\n", "\n").split("\n")
    whole = tomllib.loads(text)
    while not _has(whole, path):
        path = path[:-1]
    # From ``end`` on no beginning that can be read lacks the key; the first ``start`` lines do.
    start, end = 0, len(lines) if path else 0
    while end - start > 1:
        middle = (start + end) // 2
        beginnings = ((n, _beginning(lines[:n])) for n in range(middle, end))
        number, found = next(
            ((n, item) for n, item in beginnings if item is not None), (end, whole)
        )
        if _has(found, path):
            end = middle
        else:
            start = number
    return start + 1


def _beginning(lines: Sequence[str]) -> dict[str, Any] | None:
    """Return what the first lines of a text say; ``None`` where they end within a value."""
    text = "\n".join(lines)
    for depth in range(_DEEPEST + 1):
        # Only in an array may a line end: its bracket is the first to be closed.
        for others in product("]}", repeat=max(depth - 1, 0)):
            closed = "\n]" + "".join(others) if depth else ""
            with contextlib.suppress(tomllib.TOMLDecodeError):
                return tomllib.loads(text + closed)
    return None


def _has(value: Any, path: Keys) -> bool:
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return False
    return True


@dataclass(frozen=True)
class Spec:
    """One audit, proof or replay of a configuration.

    settings: by key what the file states, the defaults included. entries: where each stands.
    """

    name: str
    table: ConfigValue
    settings: Mapping[str, Any]
    entries: Mapping[str, ConfigValue]

    @property
    def source(self) -> ConfigFile:
        """The file that states it."""
        return self.table.source

    def missing(self, key: str, words: str) -> None:
        """Raise ``UsageError`` that names the line on which this key is to be filled in."""
        source, path = self.table.source, self.table.path
        line = source.commented(path, key)
        how = "take away the # on this line and fill it in" if line else "add it to this table"
        source.fail((*path, key), f"missing: {words}; {how}", line)


@dataclass(frozen=True)
class Configuration:
    """A configuration file. Paths in it are relative to its folder.

    run: by key what holds for the whole run (``confidence``, ``out``, ``format``, …). audits,
    proofs, replays: each by its name.
    """

    source: ConfigFile
    root: ConfigValue
    run: Mapping[str, Any]
    audits: Mapping[str, Spec]
    proofs: Mapping[str, Spec]
    replays: Mapping[str, Spec]

    @property
    def folder(self) -> Path:
        """The folder that relative paths start from."""
        return self.source.folder


def is_configuration(file: Path) -> bool:
    """Return whether a file that can be read has something for provado."""
    if file.name != "pyproject.toml":
        return file.is_file()
    return file.is_file() and _table(_load(file, str(file))) is not None


def read_configuration(file: Path, shown: str | None = None) -> Configuration:
    """Return the configuration of a ``pyproject.toml`` (``[tool.provado]``) or any other TOML file.

    shown: the file's name in complaints. Raises ``UsageError``, one line with the file, the line,
    the key by its dotted name, the rule, and the nearest right key for a wrong one.
    """
    shown = shown or str(file)
    document = _load(file, shown)
    prefix: Keys = ()
    if file.name == "pyproject.toml":
        prefix = ("tool", "provado")
        result = _table(document)
        if result is None:
            raise UsageError(f"{shown}: it has no table [tool.provado]")
        document = result
    source = ConfigFile(file, shown, file.read_text(encoding="utf-8-sig"))
    return _configuration(ConfigValue(document, prefix, source))


def _configuration(root: ConfigValue) -> Configuration:
    error = first_error(CONFIG, root.value, config_schema())
    if error is not None:
        _refuse(root, error)
    table = root.table()
    shared = table["defaults"].table() if "defaults" in table else {}
    _check_exclusive(shared)
    run = _read(run_keys(), table)
    if "format" in run:
        run["format"] = (run["format"],) if isinstance(run["format"], str) else tuple(run["format"])
    if "alpha" in run and "confidence" in run:
        table["alpha"].fail("confidence is given too, and both say the same; keep one of them")
    if "alpha" in run:
        run["confidence"] = 1 - run.pop("alpha")
        if not run["confidence"] < 1:
            alpha = table["alpha"]
            alpha.fail(
                f"{alpha.value!r} is refused: it must be large enough that 1 − alpha is below 1"
            )
    if "memory" in run:
        with table["memory"].blamed():
            run["memory"] = size(run["memory"])
    named = (_named(root, *kind, shared) for kind in (("audits", "audit"), *_OTHERS))
    return Configuration(root.source, root, run, *named)


_OTHERS = (("prove", "proof"), ("replay", "replay"))
"""Tables beside audits, and the kind of what they hold; defaults are not for them."""


def _named(
    root: ConfigValue, table: str, kind: str, shared: Mapping[str, ConfigValue]
) -> dict[str, Spec]:
    """Return what a table holds, by name."""
    result = {}
    entries = root.table()[table].table() if table in root.value else {}
    for name, entry in entries.items():
        if not is_name(name):
            entry.fail(
                f"the name of {_A[kind]} may have letters, digits, '_', '-' and '.' only, and "
                "not end in .py"
            )
        result[name] = _spec(kind, name, entry, shared if kind == "audit" else {})
    return result


_A = {"audit": "an audit", "proof": "a proof", "replay": "a replay"}


def _spec(kind: str, name: str, table: ConfigValue, shared: Mapping[str, ConfigValue]) -> Spec:
    own = table.table()
    _check_exclusive(own)
    aside = {other for group in EXCLUSIVE if own.keys() & set(group) for other in group}
    if "pairs" in own:
        aside |= {"values", "fixed-size"}
    if kind == "audit":
        aside |= _aside_of_runs(own)
    kept = {key: entry for key, entry in shared.items() if key not in aside}
    if "relation" in own and own["relation"].value != "bounded-answers":
        kept = {k: v for k, v in kept.items() if k not in _OF_ANSWERS}
    entries = {**kept, **own}
    spec = Spec(name, table, _read(keys_of(kind), entries), entries)
    if isinstance(spec.settings.get("explore"), str):
        with entries["explore"].blamed():
            explore(spec.settings["explore"])
    if "target" not in entries:
        spec.missing("target", f"{_DONE[kind]}, path/to/file.py:name or module:name")
    if "values" in own and "data" not in entries:
        own["values"].fail("they are what may stand in data, and there is no data")
    if spec.settings.get("fixed-size"):
        relation = spec.settings.get("relation", "replace-one")
        if "data" not in entries or relation != "replace-one":
            entries["fixed-size"].fail("it belongs to data with relation = 'replace-one'")
    if kind == "proof":
        return spec
    for key in _OF_ANSWERS:
        if key in entries and spec.settings.get("relation") != "bounded-answers":
            entries[key].fail("it belongs to relation = 'bounded-answers'")
    return spec


def _aside_of_runs(own: Mapping[str, ConfigValue]) -> set[str]:
    """Return the defaults that are not for this audit: it is one of few runs, or it is not."""
    few = "canaries" in own
    why = "it is for audits of pairs" if few else "it needs canaries"
    other = [option.in_file for option in (OF_PAIRS if few else OF_RUNS)]
    for key in other:
        if key in own:
            own[key].fail(f"{why}, and there are {'canaries' if few else 'none'}")
    return {*other, *(("data", "relation") if few else ())}


_DONE = {"audit": "what is audited", "proof": "what is proved", "replay": "what is replayed"}
_OF_ANSWERS = ("sensitivity", "monotone", "at-most")


def _refuse(root: ConfigValue, error: Any) -> NoReturn:
    """Raise ``UsageError`` about what breaks the form: a key that is not known, or its value."""
    path = tuple(error.absolute_path)
    if error.validator == "additionalProperties":
        path = (*path, next(key for key in error.instance if key not in error.schema["properties"]))
    elif error.validator != "not":
        value, rule, near = error.instance, rule_of(error), ""
        if isinstance(value, str):
            near = hint(value, error.schema.get("enum", ()))
            if re.match(r"it must be a (finite |whole )?number (above|of|from)", rule):
                near = "; a number is written in digits, without quotes"
        typed = str(value).lower() if isinstance(value, bool) else short(value, 60)
        words = f"{typed} is refused: {rule}{near}"
        root.source.fail((*root.path, *path), words)
    everywhere = {
        "the top of the configuration": [*run_keys(), *TABLES],
        "[defaults]": [key for key in keys_of("audit") if key not in ("target", "canaries")],
        **{words: [*keys_of(kind)] for kind, words in _A.items()},
    }
    kinds = {"defaults": "[defaults]", "audits": "an audit"}
    kinds |= {table: _A[kind] for table, kind in _OTHERS}
    place = next(iter(everywhere)) if len(path) == 1 else kinds[path[0]]
    there = everywhere[place]
    more = hint(path[-1], there) or f"; known are {', '.join(there)}"
    if at := [where for where, names in everywhere.items() if path[-1] in names]:
        more = f" in {place}; it belongs in {' or '.join(at)}"
    root.source.fail((*root.path, *path), f"there is no such key{more}")


def _read(keys: Mapping[str, Any], entries: Mapping[str, ConfigValue]) -> dict[str, Any]:
    """Return the values by key; TOML may write a whole number as ``1e6``, and a real one as 1."""
    kinds = {"integer": int, "number": float}
    result = {}
    for key, rules in keys.items():
        if key in entries:
            value, kind = entries[key].value, kinds.get(str(rules.get("type")))
            result[key] = value if kind is None else kind(value)
    return result


def _check_exclusive(entries: Mapping[str, ConfigValue]) -> None:
    for group in EXCLUSIVE:
        given = [key for key in group if key in entries]
        if len(given) > 1:
            entries[given[1]].fail(f"{given[0]} is given too; keep one of them")


def _table(document: dict[str, Any]) -> Any:
    """Return the table ``tool.provado``, or ``None``."""
    tool = document.get("tool")
    return tool.get("provado") if isinstance(tool, dict) else None


def _load(file: Path, shown: str) -> dict[str, Any]:
    refuse_device(file)
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise UsageError(f"{shown}: {unreadable(file, error)}") from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"{shown}, line {line}: not UTF-8, which TOML must be: {other_encoding(file)}"
        ) from error
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise UsageError(f"{shown}: not readable as TOML: nested too deeply") from error
    except ValueError as error:
        raise UsageError(_broken(shown, text, str(error))) from error


def _broken(shown: str, text: str, words: str) -> str:
    """Return a complaint of the reader of TOML with its line in front and that line's text."""
    match = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", words)
    if match is None:
        return f"{shown}: not readable as TOML: {words}"
    rows = text.split("\n")
    number = int(match[1]) if match[1] else max(1, len(text.rstrip().split("\n")))
    row = rows[number - 1].strip() if number <= len(rows) else ""
    shown_row = row if len(row) <= 60 else f"{row[:57]}…"
    return f"{shown}, line {number}: not readable as TOML: {words[: match.start()]}: {shown_row}"


NAMES = ("provado.toml", "pyproject.toml")


def find_configuration(path: Path | None = None) -> Configuration | None:
    """Return the configuration to use, or ``None`` where there is none.

    path: the file that the user names. Without it, the first folder from the current one upward
    that holds a ``provado.toml``, or a ``pyproject.toml`` with ``[tool.provado]``; both in one
    folder raise ``UsageError``, since one of them would be silently without effect.
    """
    if path is not None:
        return read_configuration(path)
    try:
        here = Path.cwd()
    except OSError as error:
        raise UsageError(f"the current folder cannot be read: {error.strerror}") from error
    for folder in (here, *here.parents):
        paths = [folder / name for name in NAMES if is_configuration(folder / name)]
        if len(paths) > 1:
            raise UsageError(
                f"{shown(paths[0])}: {shown(paths[1])} has [tool.provado] too; keep one of them"
            )
        if paths:
            return read_configuration(paths[0], str(shown(paths[0])))
    return None


def shown(file: Path) -> Path:
    """Return a path as it is reached from the current folder."""
    return Path(os.path.relpath(file))


@dataclass(frozen=True)
class Chosen:
    """Targets that were typed, and what is asked for of the configuration.

    configuration: ``None`` where nothing of it is.
    """

    plain: tuple[str, ...]
    specs: tuple[Spec, ...] = ()
    configuration: Configuration | None = None

    def out(self, typed: Path | None) -> Path | None:
        """Return the folder for reports: the one typed, or that of the configuration."""
        if typed is not None or self.configuration is None:
            return typed
        out = self.configuration.run.get("out")
        return None if out is None else shown(self.configuration.folder / out)

    def redacted(self, typed: bool) -> bool:
        """Return whether reports leave records out: as typed, or as the configuration says."""
        return typed or bool(self.configuration and self.configuration.run.get("redact"))


def choose(targets: Sequence[str], table: str, config: Path | None) -> Chosen:
    """Return what is asked for.

    targets: those typed; without any, all that the configuration has. table: ``prove`` or
    ``replay``. config: the file typed. Raises ``UsageError`` where there is nothing to do, and for
    a name that nothing has.
    """
    names = [text for text in targets if is_name(text)]
    if targets and not names:
        if config is not None:
            raise UsageError(
                "--config: none of its entries is named; leave the TARGETs out or name one"
            )
        return Chosen(tuple(targets))
    configuration = find_configuration(config)
    if configuration is None:
        if not targets:
            raise UsageError(
                f"nothing to {table}: give a TARGET, or write [{table}.NAME] into provado.toml"
            )
        return Chosen(tuple(targets))
    known = configuration.proofs if table == "prove" else configuration.replays
    if not targets:
        if not known:
            raise UsageError(f"{configuration.source.shown}: it has no table [{table}.NAME]")
        return Chosen((), tuple(known.values()), configuration)
    configured = [
        text for text in names if is_known(text, known, configuration, f"[{table}.{text}]")
    ]
    twice = next((name for name in configured if configured.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"TARGET {twice!r}: it is given twice; once is enough")
    plain = tuple(text for text in targets if text not in configured)
    specs = tuple(known[name] for name in configured)
    return Chosen(plain, specs, configuration if specs else None)


def is_known(text: str, known: Mapping[str, Spec], configuration: Configuration, what: str) -> bool:
    """Return whether the configuration has this name; else a module must have it.

    what: is missing, in words, where neither has: raises ``UsageError``.
    """
    if text in known:
        return True
    try:
        module = importlib.util.find_spec(text.partition(".")[0])
    except (ImportError, ValueError):
        module = None
    if module is not None or Path(f"{text}.py").is_file():
        return False
    more = hint(text, list(known)) or f"; it has {', '.join(known) or 'none'}"
    raise UsageError(f"target {text!r}: {configuration.source.shown} has no {what}{more}")
