"""One value of a configuration and where it stands: every complaint names file, line and key."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from provado.mechanisms import UsageError
from provado.mechanisms.statement.intervention import short
from provado.reports.ask import nearest, option

from .lines import Path as Keys
from .lines import key_line

_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class Source:
    """The file of a configuration: its name as it is shown, and its text."""

    file: Path
    shown: str
    text: str

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
class Entry:
    """One value. Each reader returns it as what its name says, or raises ``UsageError``."""

    value: Any
    path: Keys
    source: Source

    def fail(self, words: str) -> NoReturn:
        """Raise ``UsageError`` that names file, line and key."""
        self.source.fail(self.path, words)

    def refuse(self, rule: str) -> NoReturn:
        """Raise ``UsageError`` that names the value, too."""
        self.fail(f"{short(self.value, 60)} is refused: it must be {rule}")

    def table(self, known: Iterable[str] | None = None, elsewhere: str = "") -> dict[str, Entry]:
        """Return a table by its keys; with ``known``, any other key is refused.

        elsewhere: words for a wrong key that no known one is near to.
        """
        if not isinstance(self.value, dict):
            self.refuse("a table")
        found = {key: Entry(one, (*self.path, key), self.source) for key, one in self.value.items()}
        names = None if known is None else list(known)
        for key, entry in found.items():
            if names is not None and key not in names:
                more = nearest.hint(key, names) or elsewhere or f"; known are {', '.join(names)}"
                entry.fail(f"there is no such key{more}")
        return found

    def items(self, rule: str = "a list") -> tuple[Entry, ...]:
        """Return the entries of a list."""
        if not isinstance(self.value, list):
            self.refuse(rule)
        return tuple(Entry(v, (*self.path, i), self.source) for i, v in enumerate(self.value))

    def text(self, rule: str = "a text in quotes, and not empty") -> str:
        """Return a text that is not blank."""
        if not isinstance(self.value, str) or not self.value.strip() or "\0" in self.value:
            self.refuse(rule)
        return str(self.value)

    def choice(self, known: Iterable[str]) -> str:
        """Return one of the known words."""
        names = list(known)
        rule = f"one of {', '.join(map(repr, names))}"
        if self.value not in names:
            near = nearest.hint(self.value, names) if isinstance(self.value, str) else ""
            self.refuse(f"{rule}{near}")
        return str(self.value)

    def boolean(self) -> bool:
        """Return true or false."""
        if not isinstance(self.value, bool):
            self.refuse("true or false")
        return bool(self.value)

    def number(self, rule: option.Rule) -> Any:
        """Return a number that keeps a rule; of whole ones, ``1e6`` is one."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            self.refuse(rule.words)
        try:
            return rule.of(self.value)
        except ValueError as error:
            self.refuse(str(error))
