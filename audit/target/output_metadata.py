"""What is read of an output beside its key: numbers, words, the order of keys, types of arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

MOST_WORDS, LONGEST_WORD = 256, 1000
"""Words of an output that are kept, and characters of a word."""


class Note(NamedTuple):
    """Words and keys in their order, and the types of NumPy arrays; of one output alone."""

    words: tuple[str, ...]
    keys: tuple[str, ...]
    types: tuple[str, ...]


class OutputReading:
    """What was read of one output so far.

    typed: whether the types of its arrays are its own. They are not where it is an entry of an
    array, of which another entry may have decided the type. unread: whether a part stayed unread.
    active: what is being read, from the outside in, by its identity. seen: what can be told from
    others by its identity, and its number. parts: how many objects and containers there were.
    """

    __slots__ = ("active", "keys", "leaves", "parts", "seen", "typed", "types", "unread", "words")

    def __init__(self, *, typed: bool = True) -> None:
        self.leaves: list[float] = []
        self.words: list[str] = []
        self.keys: list[str] = []
        self.types: list[str] = []
        self.typed, self.unread, self.parts = typed, False, 0
        self.active: dict[int, int] = {}
        self.seen: dict[int, tuple[int, Any]] = {}

    def note(self) -> Note | None:
        """Return what is noted; ``None`` where there is nothing."""
        if not (self.words or self.keys or self.types):
            return None
        _, *found = self._lists()
        return Note(*(tuple(w[:LONGEST_WORD] for w in some[:MOST_WORDS]) for some in found))

    def _lists(self) -> tuple[list[Any], ...]:
        return self.leaves, self.words, self.keys, self.types

    def inside(self) -> OutputReading:
        """Return one for a part that is to be put in its place later."""
        part = OutputReading(typed=self.typed)
        part.active, part.seen, part.parts = self.active, self.seen, self.parts
        return part

    def add(self, other: OutputReading) -> None:
        """Append what was read of a part."""
        for mine, others in zip(self._lists(), other._lists(), strict=True):
            mine += others
        self.parts = max(self.parts, other.parts)
        self.unread |= other.unread
