"""Any output of a mechanism as a pattern (its structure) and a row of numbers (its leaves).

Any value is taken (``readings.py``). Two outputs have the same pattern when they differ in finite
numbers only; NaN and the infinities belong to the pattern, so that "no number" is an outcome like
any other.

The encoding of an output depends on that output alone, never on the batch that it came in: a guess
that examined its neighbors would depend on them, and counts of such guesses have no guarantee.
So what a batch has in common, such as an array's type, which one output can change for all, is no
part of an encoding. It is compared from batch to batch, and where it differs it counts as unread,
as does what cannot be read: the audit then gives no pass.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions.relation import counted, cut, one_line

from .flatten import (
    NUMBERS,
    SCALARS,
    flatten,
    flatten_plain,
    leaf_names,
    outline,
    real,
    spell,
    unread_parts,
)
from .output_metadata import Note, OutputReading
from .output_types import common_parts, entry_types, layout_words

Ints = NDArray[np.int64]
Notes = NDArray[np.object_]

LONGEST = 400
"""Of an output in words, in characters."""

UNSEEN = -1
"""Pattern of an output whose structure was never seen while exploring."""

_EXACT = 2**53
"""Whole numbers below this size are doubles without loss."""

MOST_NAMED = 100
"""Structures that are asked for the names of their numbers."""

MOST_UNREAD, LONGEST_PATH = 8, 80
"""Parts of outputs that are named because they stayed unread, and characters of their paths."""

MOST_STRUCTURES = 2**14
"""Structures that are told apart; where there are more, text and keys are random by themselves."""

_MIX = 0x9E3779B97F4A7C15


class BrokenMechanismError(Exception):
    """The mechanism under audit broke its protocol; the message says how. The verdict: unknown."""


@dataclass(frozen=True)
class Encoded:
    """n outputs. ``pattern``: (n,) structure keys; ``values``: (n, k) leaves, NaN where absent.

    coarse: (n,) keys of the structure without text, names of keys, NaN and ∞. rest: (n, k) what
    the values leave off whole numbers; ``None`` where nothing. notes: (n,) each a ``Note``, or
    ``None``; ``None`` for all where no output has any. only: the columns that the values still
    hold, where not all.
    """

    pattern: Ints
    values: NDArray[Any]
    coarse: Ints
    rest: Ints | None = None
    notes: Notes | None = None
    only: tuple[int, ...] | None = None

    def __len__(self) -> int:
        return len(self.pattern)

    @property
    def alike(self) -> bool:
        """Whether all are known to have one structure, with NaN and ∞ in the same places."""
        # Arrays without steps hold one number for all outputs: see ``encode``.
        return not (self.pattern.strides[0] or self.coarse.strides[0])

    def column(self, j: int) -> NDArray[np.float64]:
        """Return column j as doubles."""
        at = j if self.only is None else self.only.index(j)
        return self.values[:, at].astype(np.float64, copy=False)

    def part(self, rows: slice | Ints | NDArray[np.bool_]) -> Encoded:
        """Return some rows, by a slice, their numbers or a mask: a view of a slice of them."""
        return Encoded(
            self.pattern[rows],
            self.values[rows],
            self.coarse[rows],
            None if self.rest is None else self.rest[rows],
            None if self.notes is None else self.notes[rows],
            self.only,
        )

    def cut(self, width: int) -> Encoded:
        """Return the first columns, at most ``width``."""
        rest = None if self.rest is None else self.rest[:, :width]
        return replace(self, values=self.values[:, :width], rest=rest)


@dataclass
class PatternBook:
    """The structures seen while exploring. Once closed, a new structure is ``UNSEEN``.

    keys: the first ``MOST_STRUCTURES`` of them; later ones are ``UNSEEN``, too. outlines: what is
    left of them without text and names of keys. marked: patterns with a mark of non-finite or very
    large numbers, and the structure below it. noted: whether notes are taken of outputs. common:
    what the first batch had in common, by name, and by pattern the types of entries of arrays, of
    which the pattern says nothing. unread: parts of outputs that stayed unread, by
    path: their type, and why.
    """

    keys: dict[Hashable, int] = field(default_factory=dict)
    outlines: dict[Hashable, int] = field(default_factory=dict)
    marked: dict[int, int] = field(default_factory=dict)
    width: int = 0
    closed: bool = False
    noted: bool = True
    common: dict[str | int, Hashable] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)

    def note_unread(self, path: str, what: str) -> None:
        """Remember a part that stayed unread; of many the first."""
        if len(self.unread) < MOST_UNREAD:
            self.unread.setdefault(cut(path, LONGEST_PATH), what)

    def compare(self, outputs: Any) -> None:
        """Compare what a batch has in common with the first; what differs stays unread."""
        for name, part in common_parts(outputs):
            into = OutputReading()
            key: Any = flatten(part, into)
            known = (key, tuple(into.leaves), into.note())
            for path, what in unread_parts(key, f"the {name} of a batch") if into.unread else ():
                self.note_unread(path, what)
            if self.common.setdefault(name, known) != known:
                self.note_unread(f"the {name} of a batch", "differs from batch to batch")

    def compare_types(self, pattern: int, types: Any) -> None:
        """Compare the types of an entry of an array with those of the first of its pattern."""
        if pattern != UNSEEN and self.common.setdefault(pattern, known := repr(types)) != known:
            self.note_unread("the types of numbers in an array", "differ from output to output")

    def unread_words(self) -> str:
        """Return in words which part stayed unread, and what to do; empty where all was read."""
        path, what = next(iter(self.unread.items()), ("", ""))
        return path and (
            f"returned a part that is not read: {path} is {what}; return plain values instead, or "
            "give a function from the output to something readable: read=function, in a "
            "configuration read = 'file.py:function', on the command line --read file.py:function"
        )

    @property
    def full(self) -> bool:
        """Whether there were too many structures to count each."""
        return len(self.keys) >= MOST_STRUCTURES

    def number(self, key: Hashable, leaves: int) -> int:
        """Return the number of a structure with so many numeric leaves."""
        if not self.closed:
            self.width = max(self.width, leaves)
        return self._number(self.keys, key)

    def outline(self, key: Hashable) -> int:
        """Return the number of what is left of a structure without text and names of keys."""
        return self._number(self.outlines, outline(key))

    def _number(self, known: dict[Hashable, int], key: Hashable) -> int:
        number = known.get(key, UNSEEN)
        if number == UNSEEN and not self.closed and len(known) < MOST_STRUCTURES:
            number = known[key] = len(known)
        return number

    def named(self) -> Callable[[str], str]:
        """Return a function that puts keys and labels in the place of ``output[3]`` in a text.

        Structures that differ may name one number differently; then it stays as it is.
        """
        names: list[set[str]] = [set() for _ in range(self.width)]
        for key in islice(self.keys, MOST_NAMED):
            for seen, label in zip(names, leaf_names(key), strict=False):
                seen.add(label)
        form = r"\boutput\[(\d+)\]" if self.width > 1 else r"(?<!the )\boutput\b(?!\[)()"

        def name(match: re.Match[str]) -> str:
            at = int(match[1] or 0)
            known = names[at] if at < len(names) else set()
            return next(iter(known)) if len(known) == 1 else match[0]

        return lambda text: re.sub(form, name, text)

    def words(self, encoded: Encoded, row: int) -> str:
        """Return one encoded output as text, cut where it is long."""
        values = encoded.values[row].tolist()
        pattern = int(encoded.pattern[row])
        base = self.marked.get(pattern, pattern)
        for key, number in self.keys.items():
            if number == base:
                return cut(spell(key, iter(values)), LONGEST)
        numbers = ("a number" if v is None else f"{v:.17g}" for v in values)
        return cut(f"({', '.join(numbers)})", LONGEST)


def encode(outputs: Any, size: int, book: PatternBook) -> Encoded:
    """Encode ``size`` outputs along the first axis of ``outputs``.

    Raises ``BrokenMechanismError`` where there are more or fewer of them, or one cannot be read.
    """
    with _readable():
        frame = hasattr(outputs, "to_numpy")
        if not frame and not isinstance(outputs, np.ndarray | list | tuple):
            raise BrokenMechanismError(
                f"returned a {type(outputs).__name__} for a batch; "
                "outputs must stand along the first axis of an array, list or tuple"
            )
        if isinstance(outputs, np.ndarray) and outputs.ndim == 0:
            raise BrokenMechanismError(
                f"returned one {outputs.dtype} for a batch of {size}; "
                "outputs must stand along the first axis"
            )
        book.compare(outputs)
        if frame:
            outputs = outputs.to_numpy()
        if len(outputs) != size:
            raise BrokenMechanismError(
                f"returned {counted(len(outputs), 'output')} where {size} "
                f"{'was' if size == 1 else 'were'} requested"
            )
        notes: Notes | None = None
        if not isinstance(outputs, np.ndarray):
            array, key = _stacked(outputs)
            if array is None:
                return _encode_objects(outputs, book, flatten)
            if book.noted and isinstance(outputs[0], np.ndarray):
                notes = np.full(size, None, dtype=object)
                notes.fill(Note((), (), (layout_words(outputs[0]),)))
        elif outputs.dtype.kind not in NUMBERS:
            return _encode_objects(_entries(outputs), book, flatten_plain)
        else:
            array, key = _rows(outputs)
        rows = array.reshape(size, math.prod(array.shape[1:]))
        number = book.number(key, rows.shape[1])
        if isinstance(outputs, np.ndarray):
            book.compare_types(number, entry_types(outputs))
        rounded = _left_off(rows)
        # One number stands for all, which also shows that they are the same.
        coarse, pattern = (
            np.ndarray(size, np.int64, np.array([item]), strides=(0,))
            for item in (book.outline(key), number)
        )
        pattern = _mark(pattern, rows, rounded, book)
        if rounded:
            rows = rows.astype(np.float64)
        return Encoded(pattern, _fit(rows, book), coarse, _rest(rounded, rows.shape, book), notes)


def join(parts: Sequence[Encoded], width: int) -> Encoded:
    """Return several batches as one, their rows padded with NaN to ``width`` columns."""
    return Encoded(
        np.concatenate([part.pattern for part in parts]),
        np.concatenate([_pad(part.values, width) for part in parts]),
        np.concatenate([part.coarse for part in parts]),
        _joined_rest(parts, width),
        _joined_notes(parts),
    )


def constant_words(a: Encoded, b: Encoded, book: PatternBook) -> str:
    """Return in words what all outputs are, where they do not differ in anything; else nothing."""
    if not (len(a) and len(b)) or a.pattern[0] == UNSEEN or book.unread:
        return ""
    # The first few distinguish most samples; all are examined only where these are alike.
    for rows in (slice(0, 64), slice(None)):
        both = join([a.part(rows), b.part(rows)], a.values.shape[1])
        bits = np.ascontiguousarray(both.values, dtype=np.float64).view(np.int64)
        columns = (both.pattern, bits, both.rest, both.notes)
        if not all(column is None or np.all(column == column[:1]) for column in columns):
            return ""
    return book.words(a, 0)


def mix(key: Ints, values: NDArray[Any], salt: int) -> Ints:
    """Return keys that also depend on ``values`` (64-bit hashes; equal numbers, equal keys)."""
    # + 0.0 turns −0.0 into 0.0, which compares equal to it.
    return _mix_bits(key, (values.astype(np.float64) + 0.0).view(np.int64), salt)


def _mix_bits(key: Ints, bits: Ints, salt: int) -> Ints:
    """Return keys that also depend on ``bits``; those with 0 stay as they are."""
    # The finalizer of SplitMix64 on the chained key. A sum of one product a column would not do:
    # it is linear in the column's number, and rows of 0 and 1 would meet by the thousand.
    z = key.view(np.uint64) + (bits.view(np.uint64) + np.uint64(salt)) * np.uint64(_MIX)
    z ^= z >> np.uint64(30)
    z *= np.uint64(0xBF58476D1CE4E5B9)
    z ^= z >> np.uint64(27)
    z *= np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return np.where(bits == 0, key, z.view(np.int64))


@contextlib.contextmanager
def _readable() -> Iterator[None]:
    """Turn whatever a user's object may raise while it is read into ``BrokenMechanismError``."""
    try:
        yield
    except (BrokenMechanismError, MemoryError):
        raise
    except Exception as error:
        raise BrokenMechanismError(
            f"returned an output that cannot be read ({one_line(error)})"
        ) from error


def _stacked(outputs: Sequence[Any]) -> tuple[NDArray[Any] | None, Hashable]:
    """Return a list of like numbers or arrays as one array, with the key that each has alone."""
    kinds = set(map(type, outputs))
    if len(kinds) != 1:
        return None, None
    kind = next(iter(kinds))
    if kind is float or (kind is int and min(outputs) > -_EXACT and max(outputs) < _EXACT):
        return np.array(outputs, dtype=kind), (kind.__name__,)
    # A difference of times is a kind of integer, too.
    number = kind in SCALARS and outputs[0].dtype.kind in "iuf"
    if number and outputs[0].dtype.itemsize <= 8:
        leaf = "float" if issubclass(kind, np.floating) else "int"
        return np.array(outputs), (kind.__name__, (leaf,))
    if kind is np.ndarray and len({_like(o) for o in outputs}) == 1:
        if outputs[0].dtype.kind not in NUMBERS or outputs[0].dtype.metadata is not None:
            return None, None
        array = real(np.stack(outputs))
        return array, ("array", array.shape[1:])
    return None, None


def _like(array: NDArray[Any]) -> Hashable:
    flags = array.flags.writeable, array.dtype.metadata is None
    return array.shape, array.dtype, array.strides, *flags


def _rows(outputs: NDArray[Any]) -> tuple[NDArray[Any], Hashable]:
    """Return a batch of numbers, and the key that each has alone; a mask is kept with its data."""
    array = real(np.asarray(outputs))
    key: Hashable = ("array", array.shape[1:])
    if not isinstance(outputs, np.ma.MaskedArray):
        return array, key
    mask = np.ma.getmaskarray(outputs)
    both = (array.reshape(len(array), -1), mask.reshape(len(mask), -1).astype(array.dtype))
    return np.hstack(both), ("sequence", key, ("array", mask.shape[1:]))


def _entries(outputs: NDArray[Any]) -> Sequence[Any]:
    """Return a batch of other things as a list."""
    if isinstance(outputs, np.ma.MaskedArray):
        both = (np.asarray(outputs), np.ma.getmaskarray(outputs))
        return list(zip(*map(_entries, both), strict=True))
    entries: list[Any] = outputs.tolist()
    names = outputs.dtype.names
    if names is None or outputs.ndim > 1:
        return entries
    return [dict(zip(names, entry, strict=True)) for entry in entries]


def _left_off(rows: NDArray[Any]) -> dict[int, Ints]:
    """Return by column what a double leaves off whole numbers that it rounds; mostly nothing."""
    if rows.dtype.kind not in "iu" or rows.dtype.itemsize < 8:
        return {}
    large = rows >= _EXACT
    if rows.dtype.kind == "i":
        large |= rows <= -_EXACT
    result = {}
    for j in np.flatnonzero(large.any(axis=0)).tolist():
        # In two halves, each of which a double holds, as it does their distance from the whole.
        column = rows[:, j]
        high, low = column >> 32, (column & 0xFFFFFFFF).astype(np.float64)
        above = column.astype(np.float64) - high.astype(np.float64) * 2.0**32
        result[j] = (low - above).astype(np.int64)
    return result


def _rest(left_off: dict[int, Ints], shape: tuple[int, ...], book: PatternBook) -> Ints | None:
    """Return as a matrix what doubles leave off."""
    if not left_off:
        return None
    rest = np.zeros((shape[0], book.width if book.closed else shape[1]), dtype=np.int64)
    for j, column in left_off.items():
        if j < rest.shape[1]:
            rest[:, j] = column
    return rest


def _joined_rest(parts: Sequence[Encoded], width: int) -> Ints | None:
    if all(part.rest is None for part in parts):
        return None
    rests = [np.zeros((len(part), width), dtype=np.int64) for part in parts]
    for part, rest in zip(parts, rests, strict=True):
        if part.rest is not None:
            rest[:, : part.rest.shape[1]] = part.rest
    return np.concatenate(rests)


def _joined_notes(parts: Sequence[Encoded]) -> Notes | None:
    if all(part.notes is None for part in parts):
        return None
    none = [np.full(len(part), None, dtype=object) for part in parts]
    return np.concatenate(
        [gap if part.notes is None else part.notes for part, gap in zip(parts, none, strict=True)]
    )


def _mark(pattern: Ints, rows: NDArray[Any], left_off: dict[int, Ints], book: PatternBook) -> Ints:
    """Mix into the patterns what a finite double does not say; other rows stay as they are.

    rows: numbers; a row may be padded with zeros. Marked are NaN and infinities by their place,
    and whole numbers that a double rounds by what it leaves off.
    """
    marked = pattern
    if rows.dtype.kind == "f":
        for salt, mask in enumerate(_not_finite(rows)):
            for byte, packed in enumerate(_bytes(mask)):
                if packed.any():
                    marked = mix(marked, packed, 3 * byte + salt)
    # In order of columns, however they were found: each mark is chained to the last.
    for j, bits in sorted(left_off.items(), key=lambda item: item[0]):
        marked = _mix_bits(marked, bits, 4000 + j)
    if marked is not pattern and not book.closed:
        keys, at = np.unique(marked, return_index=True)
        book.marked.update(
            (key, number)
            for key, number in zip(keys.tolist(), pattern[at].tolist(), strict=True)
            if key != number
        )
    return marked


def _bytes(mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return eight columns a byte, so that each byte costs one mixing, shape (bytes, rows)."""
    rows, columns = mask.shape
    whole = np.zeros((rows, -(-columns // 8) * 8), dtype=np.bool_)
    whole[:, :columns] = mask
    # Packed as one long vector, which is several times faster than along an axis.
    return np.ascontiguousarray(np.packbits(whole).reshape(rows, -1).T)


def _not_finite(rows: NDArray[Any]) -> tuple[NDArray[np.bool_], ...]:
    """Return where NaN stands, where ∞ and where −∞; later ones left off where there are none."""
    with np.errstate(over="ignore", invalid="ignore"):
        # A sum with one of them in it is none of the finite numbers.
        if np.isfinite(rows.sum()):
            return ()
    finite = np.count_nonzero(np.isfinite(rows))
    if finite == rows.size:
        return ()
    nan = np.isnan(rows)
    if finite + np.count_nonzero(nan) == rows.size:
        return (nan,)
    return nan, rows == np.inf, rows == -np.inf


def _fit(rows: NDArray[Any], book: PatternBook) -> NDArray[Any]:
    if not book.closed or rows.shape[1] == book.width:
        return rows
    return _pad(rows[:, : book.width], book.width)


def _pad(rows: NDArray[Any], width: int) -> NDArray[Any]:
    missing = width - rows.shape[1]
    if missing <= 0:
        return rows
    return np.hstack([rows.astype(np.float64), np.full((len(rows), missing), np.nan)])


def _encode_objects(
    outputs: Sequence[Any], book: PatternBook, flatten: Callable[[Any, OutputReading], Hashable]
) -> Encoded:
    numbers: list[int] = []
    coarse: list[int] = []
    outlines: dict[int, int] = {}
    leaves: list[list[float]] = []
    notes = np.full(len(outputs), None, dtype=object)
    types = flatten is not flatten_plain
    for i, output in enumerate(outputs):
        into = OutputReading(typed=types)
        key = flatten(output, into)
        number = book.number(key, len(into.leaves))
        if not types:
            book.compare_types(number, entry_types(output))
        for path, what in unread_parts(key) if into.unread else ():
            book.note_unread(path, what)
        if number == UNSEEN or number not in outlines:
            outlines[number] = book.outline(key)
        notes[i] = into.note() if book.noted else None
        numbers.append(number)
        coarse.append(outlines[number])
        leaves.append(into.leaves)
    width = max((len(row) for row in leaves), default=0)
    values = np.zeros((len(outputs), width))
    padding = np.ones(values.shape, dtype=bool)
    rounded: dict[int, Ints] = {}
    for i, row in enumerate(leaves):
        values[i, : len(row)] = row
        padding[i, : len(row)] = False
        for j, leaf in enumerate(row):
            if isinstance(leaf, int) and not -_EXACT < leaf < _EXACT:
                column = rounded.setdefault(j, np.zeros(len(outputs), dtype=np.int64))
                # What a double leaves off, reduced to 61 bits.
                rest = leaf - int(float(leaf))
                column[i] = rest if abs(rest) < 2**61 else rest % (2**61 - 1)
    pattern = _mark(np.array(numbers, dtype=np.int64), values, rounded, book)
    values[padding] = np.nan
    return Encoded(
        pattern,
        _fit(values, book),
        np.array(coarse, dtype=np.int64),
        _rest(rounded, values.shape, book),
        notes if notes.any() else None,
    )
