"""What the numbers of an output leave out: words, the order of keys, types of arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

MOST_WORDS, LONGEST_WORD = 256, 1000
"""Words of an output that are kept, and characters of a word."""


class Note(NamedTuple):
    """Words and keys in their order, and the types of NumPy arrays; of one output alone."""

    words: tuple[str, ...]
    keys: tuple[str, ...]
    types: tuple[str, ...]


def note_of(output: Any, *, types: bool = True) -> Note | None:
    """Return what is noted of an output; ``None`` where there is nothing.

    types: whether the types of its arrays are its own. They are not where it is an entry of an
    array, of which another entry may have decided the type.
    """
    if output is None or isinstance(output, int | float):
        return None
    if isinstance(output, str):
        return Note((output[:LONGEST_WORD],), (), ())
    if isinstance(output, dict) and all(isinstance(key, str) for key in output):
        for value in output.values():
            if not isinstance(value, int | float):
                break
        else:
            return Note((), tuple(output)[:MOST_WORDS], ())
    words: list[str] = []
    keys: list[str] = []
    kinds: list[str] = []
    _note(output, words, keys, kinds)
    if not types:
        kinds = []
    if not (words or keys or kinds):
        return None
    return Note(tuple(words[:MOST_WORDS]), tuple(keys[:MOST_WORDS]), tuple(kinds[:MOST_WORDS]))


def _note(output: Any, words: list[str], keys: list[str], kinds: list[str]) -> None:
    if isinstance(output, str):
        words.append(output[:LONGEST_WORD])
    elif isinstance(output, bytes):
        words.append(output[:LONGEST_WORD].decode("latin-1"))
    elif isinstance(output, dict):
        for key, value in output.items():
            keys.append(key[:LONGEST_WORD] if isinstance(key, str) else repr(key)[:LONGEST_WORD])
            if not isinstance(value, int | float):
                _note(value, words, keys, kinds)
    elif isinstance(output, list | tuple):
        for entry in output:
            if not isinstance(entry, int | float):
                _note(entry, words, keys, kinds)
    elif isinstance(output, np.ndarray):
        if output.dtype.kind in "OUS":
            _note(output.tolist(), words, keys, [])
        if output.dtype.kind not in "US":
            # The width of a type of strings is that of the longest of them.
            kinds.append(output.dtype.name)
