"""Reads a configuration file, all of it, before anything is run."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provado.mechanisms import UsageError

from .entry import Entry, Source
from .keys import AUDIT_KEYS, DEFAULT_KEYS, EXCLUSIVE, RUN_KEYS, TABLES, Key, is_name
from .lines import Path as Keys


@dataclass(frozen=True)
class AuditSpec:
    """One audit of a configuration.

    settings: by key what the file states, the defaults included. entries: where each stands.
    """

    name: str
    table: Entry
    settings: Mapping[str, Any]
    entries: Mapping[str, Entry]

    def missing(self, key: str, words: str) -> None:
        """Raise ``UsageError`` that names the line on which this key is to be filled in."""
        source, path = self.table.source, self.table.path
        line = source.commented(path, key)
        how = "take away the # on this line and fill it in" if line else "add it to this table"
        source.fail((*path, key), f"missing: {words}; {how}", line)


@dataclass(frozen=True)
class Configuration:
    """A configuration file. Paths in it are relative to its folder.

    run: by key what holds for the whole run (``confidence``, ``out``, ``baseline``, ``format``).
    """

    source: Source
    root: Entry
    run: Mapping[str, Any]
    audits: Mapping[str, AuditSpec]

    @property
    def folder(self) -> Path:
        """The folder that relative paths start from."""
        return self.source.file.parent


def is_configuration(file: Path) -> bool:
    """Tell whether a file that can be read has something for provado."""
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
        found = _table(document)
        if found is None:
            raise UsageError(f"{shown}: it has no table [tool.provado]")
        document = found
    text = file.read_text(encoding="utf-8-sig")
    source = Source(file, shown, text)
    root = Entry(document, prefix, source)
    return _configuration(root)


def _configuration(root: Entry) -> Configuration:
    names = [*(key.name for key in RUN_KEYS), *TABLES]
    table = _keys(root, names, "the top of the configuration")
    defaults = table.get("defaults")
    shared = {} if defaults is None else _keys(defaults, _names(DEFAULT_KEYS), "[defaults]")
    _read(DEFAULT_KEYS, shared)
    _check_exclusive(shared)
    run = _read(RUN_KEYS, table)
    if "alpha" in run and "confidence" in run:
        table["alpha"].fail("confidence is given too, and both say the same; keep one of them")
    if "alpha" in run:
        run["confidence"] = 1 - run.pop("alpha")
        if not run["confidence"] < 1:
            table["alpha"].refuse("large enough that 1 − alpha is below 1")
    audits = {}
    for name, entry in (table["audits"].table() if "audits" in table else {}).items():
        if not is_name(name):
            entry.fail(
                "the name of an audit may have letters, digits, '_', '-' and '.' only, and "
                "not end in .py"
            )
        audits[name] = _audit(name, entry, shared)
    return Configuration(root.source, root, run, audits)


def _audit(name: str, table: Entry, shared: Mapping[str, Entry]) -> AuditSpec:
    own = _keys(table, _names(AUDIT_KEYS), "an audit")
    _check_exclusive(own)
    aside = {other for group in EXCLUSIVE if own.keys() & set(group) for other in group}
    if "pairs" in own:
        aside.add("values")
    kept = {key: entry for key, entry in shared.items() if key not in aside}
    if "relation" in own and own["relation"].value != "bounded-answers":
        kept = {k: v for k, v in kept.items() if k not in _OF_ANSWERS}
    entries = {**kept, **own}
    spec = AuditSpec(name, table, _read(AUDIT_KEYS, entries), entries)
    if "target" not in entries:
        spec.missing("target", "what is audited, path/to/file.py:name or module:name")
    if "values" in own and "data" not in entries:
        own["values"].fail("they are what may stand in data, and there is no data")
    for key in _OF_ANSWERS:
        if key in entries and spec.settings.get("relation") != "bounded-answers":
            entries[key].fail("it belongs to relation = 'bounded-answers'")
    return spec


_OF_ANSWERS = ("sensitivity", "monotone", "at-most")


def _keys(table: Entry, known: list[str], place: str) -> dict[str, Entry]:
    """Return the entries of a table; a key that belongs elsewhere is told where."""
    everywhere = {
        "the top of the configuration": [*_names(RUN_KEYS), *TABLES],
        "[defaults]": _names(DEFAULT_KEYS),
        "an audit": _names(AUDIT_KEYS),
    }
    if isinstance(table.value, dict):
        for key in table.value:
            at = [where for where, names in everywhere.items() if key in names]
            if key not in known and at:
                entry = Entry(table.value[key], (*table.path, key), table.source)
                entry.fail(f"there is no such key in {place}; it belongs in {' or '.join(at)}")
    return table.table(known)


def _names(keys: Iterable[Key]) -> list[str]:
    return [key.name for key in keys]


def _read(keys: Iterable[Key], entries: Mapping[str, Entry]) -> dict[str, Any]:
    return {key.name: key.read(entries[key.name]) for key in keys if key.name in entries}


def _check_exclusive(entries: Mapping[str, Entry]) -> None:
    for group in EXCLUSIVE:
        given = [key for key in group if key in entries]
        if len(given) > 1:
            entries[given[1]].fail(f"{given[0]} is given too; keep one of them")


def _table(document: dict[str, Any]) -> Any:
    """Return what stands under ``tool.provado``, or ``None``."""
    tool = document.get("tool")
    return tool.get("provado") if isinstance(tool, dict) else None


def _load(file: Path, shown: str) -> dict[str, Any]:
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise UsageError(f"{shown}: cannot be read: {error.strerror or error}") from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{shown}, line {line}: not UTF-8, which TOML must be") from error
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise UsageError(f"{shown}: not readable as TOML: nested too deeply") from error
    except ValueError as error:
        raise UsageError(_broken(shown, text, str(error))) from error


def _broken(shown: str, text: str, words: str) -> str:
    """Return a complaint of the reader of TOML with its line in front and that line's text."""
    found = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", words)
    if found is None:
        return f"{shown}: not readable as TOML: {words}"
    rows = text.split("\n")
    number = int(found[1]) if found[1] else max(1, len(text.rstrip().split("\n")))
    row = rows[number - 1].strip() if number <= len(rows) else ""
    shown_row = row if len(row) <= 60 else f"{row[:57]}…"
    return f"{shown}, line {number}: not readable as TOML: {words[: found.start()]}: {shown_row}"
