"""One value of a configuration and where it stands: every complaint names file, line and key."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from provado.mechanisms import UsageError

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
class Placed:
    """One value of a configuration of the right form."""

    value: Any
    path: Keys
    source: Source

    def fail(self, words: str) -> NoReturn:
        """Raise ``UsageError`` that names file, line and key."""
        self.source.fail(self.path, words)

    def table(self) -> dict[str, Placed]:
        """Return the entries of a table by their keys."""
        return {key: Placed(one, (*self.path, key), self.source) for key, one in self.value.items()}

    def items(self) -> tuple[Placed, ...]:
        """Return the entries of a list."""
        return tuple(Placed(v, (*self.path, i), self.source) for i, v in enumerate(self.value))
