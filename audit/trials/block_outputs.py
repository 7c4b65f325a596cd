"""What a block of outputs adds to what an audit knows, so that it can be read again later."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from provado.audit.target.exceptions import Raises
from provado.audit.target.output_encoding import PatternBook

from .experiment import Sides

A_NOTE = 200
"""Bytes that are counted for what is noted of an output beside its numbers."""

Items = tuple[tuple[Any, Any], ...]


@dataclass(frozen=True)
class Seen:
    """The outputs of one block, and what they added.

    raises: all that single runs had raised by then. width, added: what the book of structures has
    since.
    """

    sides: Sides
    raises: Raises
    width: int
    added: tuple[Items, ...]

    def put_into(self, book: PatternBook) -> None:
        """Let a book know what this block added."""
        for known, added in zip(_known(book), self.added, strict=True):
            known.update(added)
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
        self._sizes = [len(known) for known in _known(book)]

    def seen(self, sides: Sides, raises: Raises) -> Seen:
        """Return a block, and what the book has since this was made."""
        sized = zip(_known(self._book), self._sizes, strict=True)
        added = tuple(tuple(islice(known.items(), size, None)) for known, size in sized)
        return Seen(sides, raises, self._book.width, added)


def _known(book: PatternBook) -> tuple[dict[Any, Any], ...]:
    return book.keys, book.outlines, book.marked, book.common, book.unread
