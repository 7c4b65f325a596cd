"""Finds the line of a key of a TOML text, which Python's reader of TOML does not tell.

A key stands on the line after the longest beginning of the text that can be read and lacks it. A
beginning that ends inside arrays is read with their brackets closed.
"""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Sequence
from itertools import product
from typing import Any

Path = tuple[str | int, ...]
"""A key with those of the tables around it; an int is a position in an array."""

_DEEPEST = 6
"""Of arrays and inline tables in each other that a line may leave open."""


def key_line(text: str, path: Path) -> int:
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


def _has(value: Any, path: Path) -> bool:
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return False
    return True
