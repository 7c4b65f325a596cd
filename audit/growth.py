"""What a block of outputs adds to what an audit knows, so that it can be read again later."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from .experiment import Sides
from .outputs import PatternBook
from .raised import Raises

A_NOTE = 200
"""Bytes that are counted for what is noted of an output beside its numbers."""

Items = tuple[tuple[Any, int], ...]


@dataclass(frozen=True)
class Seen:
    """The outputs of one block, and what they added.

    keys, outlines, marked, width: what the book of structures has since. raises: all that single
    runs had raised by then.
    """

    sides: Sides
    keys: Items
    outlines: Items
    marked: Items
    width: int
    raises: Raises

    def put_into(self, book: PatternBook) -> None:
        """Let a book know what this block added."""
        book.keys.update(self.keys)
        book.outlines.update(self.outlines)
        book.marked.update(self.marked)
        book.width = self.width


def size_of(sides: Sides) -> int:
    """Return about how many bytes the outputs of a block take."""
    arrays = [array for one in (sides.a, sides.b) for array in (one.pattern, one.values, one.rest)]
    notes = sum(len(one) for one in (sides.a, sides.b) if one.notes is not None)
    return sum(array.nbytes for array in arrays if array is not None) + A_NOTE * notes


class Growing:
    """Remembers how much a book of structures held, to tell what was added since."""

    def __init__(self, book: PatternBook) -> None:
        self._book = book
        self._sizes = [len(known) for known in self._dicts()]

    def seen(self, sides: Sides, raises: Raises) -> Seen:
        """Return a block, and what the book has since this was made."""
        keys, outlines, marked = (
            tuple(islice(known.items(), size, None))
            for known, size in zip(self._dicts(), self._sizes, strict=True)
        )
        return Seen(sides, keys, outlines, marked, self._book.width, raises)

    def _dicts(self) -> tuple[dict[Hashable, int], dict[Hashable, int], dict[Any, int]]:
        return self._book.keys, self._book.outlines, self._book.marked
