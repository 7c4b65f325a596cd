"""Reading a JSON document: every complaint names the file, the key, the value and the rule."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from provado.mechanisms import UsageError
from provado.mechanisms.intervention import short

_NAMED = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


MOST_DEPTH = 100
"""Of lists and objects in each other; far more than any form of ours has."""

MOST_COUNT = 2**53
"""Of a count in a document: beyond it not every integer is a double."""


def load_json(file: Path, *, constants: bool = False) -> Any:
    """Return the data of a JSON file; raises ``UsageError`` where it cannot be read.

    An object that has a key twice is refused, and so is what JSON has no word for: NaN and Infinity
    (unless ``constants``).
    """
    try:
        found = json.loads(
            file.read_text(encoding="utf-8-sig"),
            parse_constant=None if constants else _no_constant,
            object_pairs_hook=_distinct,
        )
        _check_depth(found)
        return found
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror or error}") from error
    except RecursionError as error:
        raise UsageError(f"{file}: not readable as JSON: nested too deeply") from error
    except ValueError as error:
        raise UsageError(f"{file}: not readable as JSON: {error}") from error


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"it holds {name}, which is no number in JSON")


def _distinct(entries: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in entries:
        if key in found:
            raise ValueError(f"an object has the key {short(key, 60)} twice")
        found[key] = value
    return found


def _check_depth(value: Any) -> None:
    level = [value]
    for _ in range(MOST_DEPTH):
        level = [
            entry
            for one in level
            if isinstance(one, list | dict)
            for entry in (one.values() if isinstance(one, dict) else one)
            if isinstance(entry, list | dict)
        ]
        if not level:
            return
    raise RecursionError


@dataclass(frozen=True)
class Node:
    """One value of a document, and where it stands."""

    value: Any
    file: str
    path: str = ""

    def refuse(self, rule: str) -> NoReturn:
        """Raise ``UsageError`` for this value."""
        where = self.path or "the document"
        raise UsageError(f"{self.file}: {where} is {short(self.value, 60)}: {rule}")

    @contextlib.contextmanager
    def naming(self) -> Iterator[None]:
        """Put file and path in front of the complaint of a constructor."""
        try:
            yield
        except UsageError as error:
            raise UsageError(f"{self.file}: {self.path}: {error}") from error

    def fields(self, *keys: str) -> tuple[Node, ...]:
        """Return the values of an object that has exactly these keys."""
        if not isinstance(self.value, dict):
            self.refuse("it must be an object")
        missing = [key for key in keys if key not in self.value]
        if missing:
            where = self.path or "the document"
            raise UsageError(f"{self.file}: {where} has no key {missing[0]!r}, which is required")
        for key in self.value:
            if key not in keys:
                where = self.path or "the document"
                raise UsageError(f"{self.file}: {where} has the key {key!r}, which is not known")
        return tuple(self._child(key) for key in keys)

    def items(self) -> tuple[Node, ...]:
        """Return the entries of a list."""
        if not isinstance(self.value, list):
            self.refuse("it must be a list")
        entries = enumerate(self.value)
        return tuple(Node(entry, self.file, f"{self.path}[{i}]") for i, entry in entries)

    def mapping(self) -> dict[str, Any]:
        """Return an object as it stands."""
        if not isinstance(self.value, dict):
            self.refuse("it must be an object")
        return dict(self.value)

    def text(self) -> str:
        """Return a string."""
        if not isinstance(self.value, str):
            self.refuse("it must be a string")
        return str(self.value)

    def texts(self) -> tuple[str, ...]:
        """Return a list of strings."""
        return tuple(entry.text() for entry in self.items())

    def integer(self, at_least: int = 0, at_most: int = MOST_COUNT) -> int:
        """Return a whole number."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int) or value < at_least:
            self.refuse(f"it must be an integer of at least {at_least}")
        if value > at_most:
            self.refuse(f"it must be at most {at_most}")
        return int(value)

    def number(self) -> float:
        """Return a number, infinities and NaN by their names among them."""
        if isinstance(self.value, str) and self.value in _NAMED:
            return _NAMED[self.value]
        return self._finite('it must be a number, "inf", "-inf" or "nan"')

    def between(self, low: float, high: float, *, closed_low: bool = False) -> float:
        """Return a finite number between the two, the lower one included if ``closed_low``."""
        rule = f"it must lie between {low:g} and {high:g}"
        value = self._finite(rule)
        if not (low < value < high or (closed_low and value == low)):
            self.refuse(rule)
        return value

    def boolean(self) -> bool:
        """Return true or false."""
        if not isinstance(self.value, bool):
            self.refuse("it must be true or false")
        return bool(self.value)

    def _finite(self, rule: str) -> float:
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            self.refuse(rule)
        try:
            value = float(self.value)
        except OverflowError:
            value = math.inf
        if not math.isfinite(value):
            self.refuse(rule)
        return value

    def _child(self, key: str) -> Node:
        return Node(self.value[key], self.file, f"{self.path}.{key}" if self.path else key)
