"""One value of a configuration and where it stands: every complaint names file, line and key."""

from __future__ import annotations

import contextlib
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NoReturn

from provado.mechanisms import UsageError

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
        """Return the line in a table on which this key stands behind a #, if there is one."""
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

    def table(self) -> dict[str, ConfigValue]:
        """Return the entries of a table by their keys."""
        return {
            key: ConfigValue(one, (*self.path, key), self.source) for key, one in self.value.items()
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
        number, found = next(((n, one) for n, one in beginnings if one is not None), (end, whole))
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
