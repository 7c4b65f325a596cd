"""Finds the line of each key of a TOML text, which Python's reader of TOML does not tell.

The text must have been accepted by that reader: of a wrong one the lines may be wrong. Only
where keys stand is read here; what their values are is left to ``tomllib``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping

Path = tuple[str | int, ...]
"""A key with those of the tables around it; an int is a position in an array."""

_SPACE = re.compile(r"[ \t]*")
_VOID = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}(?!")'
    r"|'''.*?'{3,5}(?!')"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}#\r\n]+")


def key_lines(text: str) -> Mapping[Path, int]:
    """Return the line, counted from 1, on which each key and each entry of an array first stands.

    Tables have the line of their header, or of the first key that implies them; the root has
    none. Source: TOML v1.0.0, https://toml.io/en/v1.0.0.
    """
    # As TOML wants it, the only line end is \n or \r\n, and the reader makes them one.
    return _Scan(text.replace("\r\n", "\n")).lines


class _Scan:
    """One pass over a text; ``self._at`` is how far it has come."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line, self._counted = 1, 0
        self._lengths: dict[Path, int] = {}
        self.lines: dict[Path, int] = {}
        table: Path = ()
        self._skip(_VOID)
        while self._at < len(text):
            if text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_VOID)

    def _header(self) -> Path:
        line = self._here()
        array = self._text.startswith("[[", self._at)
        self._at += 2 if array else 1
        *above, last = self._key()
        self._at += 2 if array else 1
        table = self._latest((), above, line)
        table = (*table, last)
        self.lines.setdefault(table, line)
        if array:
            index = self._lengths.get(table, 0)
            self._lengths[table] = index + 1
            table = (*table, index)
            self.lines[table] = line
        elif table in self._lengths:
            table = (*table, self._lengths[table] - 1)
        return table

    def _latest(self, table: Path, names: list[str], line: int) -> Path:
        """Return where the dotted names lead: in an array of tables, to the last table so far."""
        for name in names:
            table = (*table, name)
            self.lines.setdefault(table, line)
            if table in self._lengths:
                table = (*table, self._lengths[table] - 1)
        return table

    def _pair(self, table: Path) -> None:
        line = self._here()
        *above, last = self._key()
        self._at += 1  # The sign =.
        self._skip(_SPACE)
        path = (*self._latest(table, above, line), last)
        self.lines.setdefault(path, line)
        self._value(path)

    def _key(self) -> list[str]:
        """Return the parts of a dotted key, and stand on what follows it."""
        parts = []
        while True:
            self._skip(_SPACE)
            if self._text[self._at] in "\"'":
                parts.append(_unquoted(self._take(_STRING)))
            else:
                parts.append(self._take(_BARE))
            self._skip(_SPACE)
            if not self._text.startswith(".", self._at):
                return parts
            self._at += 1

    def _value(self, path: Path) -> None:
        first = self._text[self._at]
        if first == "[":
            self._entries(path)
        elif first == "{":
            self._inline(path)
        elif first in "\"'":
            self._take(_STRING)
        else:
            self._take(_SCALAR)

    def _entries(self, path: Path) -> None:
        self._at += 1
        index = 0
        self._skip(_VOID)
        while self._text[self._at] != "]":
            self.lines[(*path, index)] = self._here()
            self._value((*path, index))
            index += 1
            self._skip(_VOID)
            if self._text[self._at] == ",":
                self._at += 1
                self._skip(_VOID)
        self._at += 1

    def _inline(self, path: Path) -> None:
        self._at += 1
        self._skip(_VOID)
        while self._text[self._at] != "}":
            self._pair(path)
            self._skip(_VOID)
            if self._text[self._at] == ",":
                self._at += 1
                self._skip(_VOID)
        self._at += 1

    def _here(self) -> int:
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def _skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self._text, self._at)
        assert found is not None
        self._at = found.end()

    def _take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        if found is None:
            raise ValueError(f"line {self._here()}: not TOML, or not as this reader knows it")
        self._at = found.end()
        return found[0]


def _unquoted(text: str) -> str:
    return str(tomllib.loads(f"key = {text}")["key"])
