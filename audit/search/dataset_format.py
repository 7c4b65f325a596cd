"""The form of a dataset: its records, and how records become a dataset of the same form again."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat
from typing import Any

import numpy as np

from provado.mechanisms import UsageError
from provado.mechanisms.definitions.relation import by_position, record_key

LARGE = 256
"""Data of more records are not taken apart: datasets are made of stretches of them, and about so
many values of each field stand for all."""

Piece = range | tuple[Any, int]
"""Positions in the data that were given; or a record, and how often it comes in a row."""


@dataclass(frozen=True, eq=False)
class Records(Sequence[Any]):
    """Records as stretches of the data that were given, and others; none of the data is copied.

    source: the data that were given; ``None`` on the way between processes.
    """

    source: Any
    pieces: tuple[Piece, ...]

    def __len__(self) -> int:
        return sum(map(_length, self.pieces))

    def __iter__(self) -> Iterator[Any]:
        return chain.from_iterable(
            self.source.rows(piece) if isinstance(piece, range) else repeat(*piece)
            for piece in self.pieces
        )

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            place = range(len(self))[index]
            return next(iter(self[place : place + 1]))
        start, stop, _ = index.indices(len(self))
        found, passed = list[Piece](), 0
        for piece in self.pieces:
            first, last = max(start - passed, 0), min(stop - passed, _length(piece))
            if first < last:
                found.append(
                    piece[first:last] if isinstance(piece, range) else (piece[0], last - first)
                )
            passed += _length(piece)
        return Records(self.source, tuple(found))

    def __add__(self, other: Records) -> Records:
        return Records(self.source, self.pieces + other.pieces)

    def of(self, *records: Any, times: int = 1) -> Records:
        """Return other records alone, each so many times in a row, of the type of the data's."""
        made = (self.source.typed(item) if type(item) is tuple else item for item in records)
        return Records(self.source, tuple((item, times) for item in made if times))

    def key(self) -> Hashable:
        """Return what different records do not share; equal ones do, unless they are many."""
        if len(self) <= LARGE:
            keys = (
                map(record_key, self.source.rows(x))
                if isinstance(x, range)
                else repeat(record_key(x[0]), x[1])
                for x in self.pieces
            )
            return tuple(chain.from_iterable(keys))
        known = (x if isinstance(x, range) else (record_key(x[0]), x[1]) for x in self.pieces)
        return id(self.source), *known


@dataclass(frozen=True)
class Form:
    """How a dataset holds its records.

    kind: ``"array"``, ``"list"``, ``"tuple"``, ``"frame"``, ``"series"``, or ``"number"``: one
        that is the dataset itself. columns: the names of a record's fields, empty where it is one
        value; of a list or tuple, the keys that all its records, which are dictionaries, have.
        width: how many fields a record has, 0 for one value. sample: a dataset of this form, of
        which types and names are taken.
    """

    kind: str
    columns: tuple[Any, ...]
    width: int
    sample: Any

    def build(self, records: Sequence[Any]) -> Any:
        """Return a dataset of these records. Types are those of the sample where they hold them."""
        if self.kind == "number":
            return records[0]
        if self.kind in ("list", "tuple"):
            if self.columns and isinstance(records, Records):
                each = (
                    records.source.sample[piece.start : piece.stop]
                    if isinstance(piece, range)
                    else repeat(dict(zip(self.columns, piece[0], strict=True)), piece[1])
                    for piece in records.pieces
                )
                records = list(chain.from_iterable(each))
            return list(records) if self.kind == "list" else tuple(records)
        if self.kind == "array":
            return _array(records, self.sample)
        return (
            _frame(records, self.sample) if self.kind == "frame" else _series(records, self.sample)
        )

    def pair(self, one: Records, other: Records) -> tuple[Any, Any]:
        """Return two datasets of the same types, so that types do not distinguish them."""
        if self.kind in ("number", "list", "tuple"):
            return self.build(one), self.build(other)
        kind, mine = type(self.sample), one.source is self or self.kind == "array"
        plain = kind is np.ndarray or kind.__module__.partition(".")[0] == "pandas"
        if len(one) + len(other) > 2 * LARGE and plain and mine:
            return self._joined(one, other)
        both = self.build([*one, *other])
        first, second = both[: len(one)], both[len(one) :]
        if self.kind in ("frame", "series"):
            second = second.reset_index(drop=True)
        return first, second

    def _joined(self, one: Records, other: Records) -> tuple[Any, Any]:
        """Return the two of stretches of the data as they are, and of few records that are built.

        What decides on the types is joined to both, and cut off again. A single stretch of the data
        is not copied.
        """
        put_in = [x[0] for each in (one, other) for x in each.pieces if isinstance(x, tuple)]
        built, numbers, found = self.build(put_in), iter(range(len(put_in))), list[Any]()
        edge = [built]
        if len(put_in) < len(one.pieces) + len(other.pieces):
            edge.append(by_position(self.sample)[:1])
        for each in (one, other):
            parts = [
                by_position(each.source.sample)[x.start : x.stop]
                if isinstance(x, range)
                else by_position(built)[np.full(x[1], next(numbers))]
                for x in each.pieces
            ]
            if self.kind == "array":
                # An order in memory of its own would round sums otherwise, and tell the two apart.
                plain = len(parts) == 1 and parts[0].flags.c_contiguous
                whole = plain and parts[0].dtype == np.result_type(*edge)
                joined = parts[0] if whole else np.concatenate([*parts, *edge])[: len(each)]
                made = np.ascontiguousarray(joined)
            else:
                import pandas as pd

                whole = len(parts) == 1 and bool(np.all(parts[0].dtypes == built.dtypes))
                made = parts[0] if whole else pd.concat([*parts, *edge])[: len(each)]
                made = made.reset_index(drop=True)
                made.attrs = {}
            found.append(made)
        return found[0], found[1]

    @cached_property
    def typed(self) -> Callable[[Any], Any]:
        """What makes of a tuple a record of the type that all records of the data have."""
        kinds = (
            {*map(type, self.sample)} if self.width and self.kind in ("list", "tuple") else set()
        )
        kind = tuple if len(kinds) != 1 else next(iter(kinds))
        return list if kind is list else getattr(kind, "_make", tuple)

    @property
    def size(self) -> int:
        """The number of records of the data."""
        return 1 if self.kind == "number" else len(self.sample)

    def rows(self, places: range) -> tuple[Any, ...]:
        """Return the records of the data at these positions; rows of a table are tuples."""
        if self.size <= LARGE:
            return self._few[places.start : places.stop]
        return self._taken(by_position(self.sample)[places.start : places.stop])

    @cached_property
    def _few(self) -> tuple[Any, ...]:
        return (self.sample,) if self.kind == "number" else self._taken(self.sample)

    def _taken(self, data: Any) -> tuple[Any, ...]:
        keyed = self.columns and self.kind in ("list", "tuple")
        return tuple(tuple(record.values()) for record in data) if keyed else _rows(data)

    @cached_property
    def values(self) -> tuple[list[Any], ...]:
        """The values of each field; of large data a sample (see ``seen``)."""
        return tuple(map(self.seen, range(self.width) if self.width else [None]))

    def seen(self, position: int | None = None) -> list[Any]:
        """Return the values of a field, or the records.

        Of large data some: of numbers the ends, quantiles and kinds of values, so that a range that
        holds these holds all; of others one of each, the commonest first; of very many, which none
        could read, the commonest and the rarest.
        """
        if self.size <= LARGE:
            return [row if position is None else row[position] for row in self._few]
        column = self._column(position)
        numbers = _numbers(column)
        if numbers is None:
            values = _rows(column)
            try:
                result = [value for value, _ in Counter(values).most_common()]
            except TypeError:
                return list(values)
            numbered = any(isinstance(value, int | float | np.number) for value in result)
            many = len(result) > 2 * LARGE and not numbered
            return [*result[:LARGE], *result[-LARGE:]] if many else result
        known = np.sort(numbers[numbers == numbers])
        different = known[np.append(True, known[1:] != known[:-1])[: len(known)]]
        picked = [
            known[np.linspace(0, len(known) - 1, min(LARGE, len(known))).astype(int)],
            different[:: len(different) // LARGE + 1],
            known[np.floor(known) != known][:1],
            numbers[numbers != numbers][:1],
        ]
        chosen: list[Any] = np.concatenate(picked).tolist()
        return chosen

    @cached_property
    def extremes(self) -> tuple[int, int]:
        """Positions of the smallest and the largest record of large data, by their numbers."""
        columns = map(self._column, range(self.width) if self.width else [None])
        read = (numbers for numbers in map(_numbers, columns) if numbers is not None)
        total = sum((np.where(np.abs(x) < 1e300, x, 0.0) for x in read), np.zeros(self.size))
        return int(np.argmin(total)), self.size - 1 - int(np.argmax(total[::-1]))

    def _column(self, position: int | None) -> Any:
        if position is None:
            return self.sample
        if self.kind in ("list", "tuple"):
            key = self.columns[position] if self.columns else position
            return [record[key] for record in self.sample]
        return by_position(self.sample)[:, position]

    def field(self, position: int) -> str:
        """Return the name of a field in a sentence."""
        return repr(self.columns[position]) if self.columns else f"field {position}"


def read_form(data: Any, *, keyed: bool = True) -> tuple[Form, Records]:
    """Return the form of a dataset and its records; rows of numbers come as tuples.

    keyed: whether dictionaries with the same keys are taken apart, too.
    Raises ``UsageError`` for what is no array, list, tuple or data frame.
    """
    form = _form(data, keyed=keyed)
    return form, Records(form, (range(form.size),) if form.size else ())


def _form(data: Any, *, keyed: bool) -> Form:
    if hasattr(data, "iloc"):
        names = tuple(data.columns) if data.ndim == 2 else ()
        return Form("frame" if data.ndim == 2 else "series", names, len(names), data)
    if isinstance(data, np.ndarray) and data.ndim in (1, 2):
        return Form("array", (), data.shape[1] if data.ndim == 2 else 0, data)
    if isinstance(data, int | float | np.number):
        return Form("number", (), 0, data)
    if isinstance(data, list | tuple):
        keys = {tuple(item) if type(item) is dict else () for item in data} if keyed else set()
        names = keys.pop() if len(keys) == 1 else ()
        widths = {len(item) if isinstance(item, list | tuple) else len(names) for item in data}
        width = widths.pop() if len(widths) == 1 else 0
        return Form("list" if isinstance(data, list) else "tuple", names, width, data)
    raise UsageError(
        f"data is of type {type(data).__name__}: neighbors are made from an array of one or two "
        "dimensions, a list, a tuple, a data frame or a number; else give pair, two datasets"
    )


def _length(piece: Piece) -> int:
    return len(piece) if isinstance(piece, range) else piece[1]


def _rows(data: Any) -> tuple[Any, ...]:
    if hasattr(data, "iloc"):
        held = data.astype(object)
        return tuple(held if data.ndim == 1 else map(tuple, held.itertuples(index=False)))
    if isinstance(data, np.ndarray):
        return tuple(data.tolist() if data.ndim == 1 else map(tuple, data.tolist()))
    return tuple(data)


def _numbers(values: Any) -> Any:
    """Return an array of a column of numbers; ``None`` of any other."""
    if isinstance(values, list | tuple):
        plain = set(map(type, values)) <= {int, float}
        values = np.array(values) if plain else np.empty(0, dtype=object)
    kind = values.dtype.kind if isinstance(values.dtype, np.dtype) and values.ndim == 1 else "O"
    return np.asarray(values, dtype=np.float64 if kind == "f" else None) if kind in "fiu" else None


def _array(records: Sequence[Any], sample: np.ndarray[Any, Any]) -> Any:
    if not records:
        return np.empty((0, *sample.shape[1:]), dtype=sample.dtype)
    made = np.array(list(records), dtype=object if sample.dtype.kind == "O" else None)
    if made.dtype.kind in "OUSV" or sample.dtype.kind in "OUSV":
        return made
    cast = made.astype(sample.dtype, casting="unsafe")
    same = np.array_equal(cast, made, equal_nan=made.dtype.kind == "f")
    return cast if same else made


def _frame(records: Sequence[Any], sample: Any) -> Any:
    import pandas as pd

    columns = {
        name: _series([record[j] for record in records], sample.iloc[:, j])
        for j, name in enumerate(sample.columns)
    }
    return pd.DataFrame(columns, columns=sample.columns)


def _series(values: Sequence[Any], sample: Any) -> Any:
    """Return a column of the sample's type, where that holds every value; of objects otherwise."""
    import pandas as pd

    made = pd.Series(list(values), dtype=object, name=sample.name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # Of a category that the sample has not.
            cast = made.astype(sample.dtype)
    except (TypeError, ValueError, OverflowError, Warning):
        return made.infer_objects()
    missing = made.isna()
    same = cast.astype(object)[~missing].eq(made[~missing]).all() and cast.isna().equals(missing)
    return cast if same else made.infer_objects()
