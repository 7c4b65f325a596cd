"""Records of several numbers: a pandas data frame, or an array with a column for each.

A bound on the sensitivity of a query, from how it is built and what a record may be.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Real
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from provado.mechanisms import AddOrRemoveOne, NeighboringRelation, ReplaceOne, UsageError
from provado.mechanisms.definitions.relation import short

from .cells import Keyed, Listed, TracedCells
from .interval import TRUTH, End, Interval, plain, point, times
from .number import Number, TracedSum, number
from .python import PYTHON
from .rows import TracedRows, column
from .run import in_place_of, released_by
from .untraceable import Blocked, QueryStep, QueryTrace, methods, said, stop


def size_of(value: Any) -> Any:
    """Return the number of records of what stands for data: what ``len`` says of it."""
    if isinstance(value, TracedRows):
        return value.size
    if isinstance(value, Matrix):
        return value.of[0].size
    return Number.of(TracedSum(point(0), point(1) if value.chosen is None else TRUTH), "i")


@dataclass(frozen=True, eq=False, repr=False)
class Index(Blocked):
    """The labels of the records; only their number is known. chosen: as in ``TracedRows``."""

    chosen: object = None
    what = "the index"

    _length = size_of

    @property
    def size(self) -> Number:
        """The number of records."""
        return size_of(self)  # type: ignore[no-any-return]


@dataclass(frozen=True, eq=False, repr=False)
class TracedTable(Blocked):
    """Records with named columns. chosen: as in ``TracedRows``."""

    of: Mapping[str, TracedRows]
    chosen: object = None
    what = "the table"

    _length = size_of

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self.of)

    @property
    def index(self) -> Index:
        """Something as long as the table."""
        return Index(self.chosen)

    @property
    def shape(self) -> tuple[Any, int]:
        """The number of records, which moves by 1 where one comes or goes, and that of columns."""
        return (size_of(self), len(self.of))

    def __getitem__(self, key: Any) -> Any:
        """Return a column, several columns, or the records for which a condition holds."""
        if isinstance(key, TracedRows):
            if key.truth and key.chosen is self.chosen:
                return self._chosen(key)
            raise stop("a table is asked for records that were chosen in another way")
        if isinstance(key, list):
            if len(set(key)) < len(key):
                raise stop("a table is asked for one column twice")
            return replace(self, of={name: self[name] for name in key})
        if key not in self.of:
            raise stop(f"the table has no column {said(key)}")
        return self.of[key]

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__") and name in self.of and not _pandas_has(name):
            return self.of[name]
        return super().__getattr__(name)

    def assign(self, **columns: Any) -> TracedTable:
        """Return it with more columns."""
        made = dict(self.of)
        for name, value in columns.items():
            value = value(self) if callable(value) else value
            if not isinstance(value, TracedRows) or value.chosen is not self.chosen:
                raise stop("assign of anything but these records' own numbers is not traced")
            made[name] = value
        return replace(self, of=made)

    def dropna(self) -> TracedTable:
        """Return the records of which nothing is missing."""
        table = self._chosen(object())
        present = {name: replace(rows, missing=False) for name, rows in table.of.items()}
        return replace(table, of=present)

    def groupby(self, by: Any) -> Groups:
        """Return the records by the values of one column, each in one group at most."""
        if not isinstance(by, str) or by not in self.of:
            raise stop("groupby is traced for one column by name")
        return Groups(self, self.of[by].kind == "U")

    def _chosen(self, token: object) -> TracedTable:
        return TracedTable({n: replace(rows, chosen=token) for n, rows in self.of.items()}, token)


@dataclass(frozen=True, eq=False, repr=False)
class Groups(Blocked):
    """Records by the values of a column. text: whether these are text."""

    table: TracedTable
    text: bool
    what = "the groups"

    def __getitem__(self, name: Any) -> GroupedColumn:
        """Return one column of each group."""
        if not isinstance(name, str):
            raise stop("groups are traced for one column by name")
        return GroupedColumn(self.table[name], self.text)

    def size(self) -> Keyed:
        """Return the number of records of each group."""
        return Keyed(point(1), kind="i", text=self.text)


@dataclass(frozen=True, eq=False, repr=False)
class GroupedColumn(Blocked):
    """One column of records by the values of another. text: whether these are text."""

    rows: TracedRows
    text: bool
    what = "the groups"

    def sum(self) -> Keyed:
        """Return the sum of each group; what is missing adds nothing."""
        self._bounded()
        each, kind = self.rows.each, "f" if self.rows.kind == "f" else "i"
        return Keyed(each.hull(point(0)) if self.rows.missing else each, False, kind, self.text)

    def count(self) -> Keyed:
        """Return how many of each group are there."""
        return Keyed(TRUTH if self.rows.missing else point(1), False, "i", self.text)

    def mean(self) -> Keyed:
        """Return the mean of each group."""
        self._bounded()
        if self.rows.missing:
            raise stop("the mean of a group of which all may be missing is NaN")
        Number.of(TracedSum(point(0), self.rows.each))
        return Keyed(self.rows.each, means=True, text=self.text)

    def _bounded(self) -> None:
        if math.isinf(self.rows.each.size):
            raise stop("numbers without bounds: clip them first")


@dataclass(frozen=True, eq=False, repr=False)
class Matrix(Blocked, NDArrayOperatorsMixin):
    """Records as the rows of an array: a ``TracedRows`` for each column."""

    of: tuple[TracedRows, ...]
    what = "the array"

    _length = size_of

    @property
    def shape(self) -> tuple[Any, int]:
        """The number of records, which moves by 1 where one comes or goes, and that of columns."""
        return (size_of(self), len(self.of))

    def __getitem__(self, key: Any) -> Any:
        """Return a column, columns in a row, or the records for which a condition holds."""
        if isinstance(key, TracedRows) and key.truth and key.chosen is self.of[0].chosen:
            return Matrix(tuple(replace(rows, chosen=key) for rows in self.of))
        if isinstance(key, tuple) and len(key) == 2 and key[0] == slice(None):
            if type(key[1]) is int:
                return self.of[key[1]]
            if isinstance(key[1], slice):
                return Matrix(self.of[key[1]])
        raise stop("an array is asked for anything but whole columns, or chosen records")

    def sum(self, axis: Any = None, *, dtype: Any = None) -> Any:
        """Return the sum of each column, or of all."""
        sums = [rows.sum(dtype=dtype) for rows in self.of]
        return _together(sums) if axis == 0 else _all(sums, axis)

    def mean(self, axis: Any = None) -> Any:
        """Return the mean of each column."""
        if axis != 0:
            raise stop("the mean of an array is traced for axis=0 only")
        return _together([rows.mean() for rows in self.of])

    def clip(self, min: Any = None, max: Any = None) -> Matrix:
        """Return each number, moved to the nearest end where it lies outside."""
        return Matrix(tuple(rows.clip(min, max) for rows in self.of))

    def __array__(self, *_: Any, **__: Any) -> Any:
        self._value()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        made = []
        for at in range(len(self.of)):
            each = [self._column(input_, at) for input_ in inputs]
            made.append(getattr(ufunc, method)(*each, **options))
        return Matrix(tuple(made))

    FUNCTIONS: ClassVar[Mapping[str, str]] = methods("sum mean clip")

    def _column(self, value: Any, at: int) -> Any:
        if isinstance(value, Matrix):
            if len(value.of) != len(self.of):
                raise stop("arrays of other numbers of columns meet")
            return value.of[at]
        if isinstance(value, TracedRows):
            raise stop("a column beside an array is not traced")
        array = np.asarray(value)
        if array.shape == (len(self.of),):
            return array[at]
        if array.ndim:
            raise stop("an array beside the records is not traced")
        return value


def _pandas_has(name: str) -> bool:
    import pandas as pd

    return hasattr(pd.DataFrame, name)


def _together(numbers: list[Number]) -> TracedCells:
    within = numbers[0].within
    for item in numbers[1:]:
        within = within.hull(item.within)
    moves = [element.moves for element in numbers]
    item = Number(
        within, max(moves), None, numbers[0].kind, max(element.largest for element in numbers)
    )
    return TracedCells(item, sum(moves), len(numbers))


def _all(numbers: list[Number], axis: Any) -> Number:
    if axis is not None:
        raise stop(f"the sum of an array along axis {axis!r} is not traced")
    total: Any = numbers[0]
    for item in numbers[1:]:
        total = total + item
    return total  # type: ignore[no-any-return]


# A bound on the sensitivity of a query, from how it is built and what a record may be.


@dataclass(frozen=True)
class RecordColumns:
    """The columns of a record.

    names: those of a data frame; ``None`` of an array. several: whether the array has two axes.
    """

    columns: tuple[Any, ...]
    names: tuple[str, ...] | None = None
    several: bool = False

    def standing(self) -> TracedRows | Matrix | TracedTable:
        """Return what stands for any records."""
        rows = tuple(column(item, series=self.names is not None) for item in self.columns)
        if self.names is not None:
            return TracedTable(dict(zip(self.names, rows, strict=True)))
        return Matrix(rows) if self.several else rows[0]

    def made(self, records: Any) -> Any:
        """Return records, which are tuples, as an array or a data frame."""
        # No records have the type of those that there may be.
        rows = list(records) or [tuple(values[0] for values in self.tried())]
        if self.names is not None:
            import pandas as pd

            return pd.DataFrame(rows, columns=list(self.names)).iloc[: len(records)]
        if self.several:
            return np.array(rows, dtype=float)[: len(records)]
        return np.array([item for (item,) in rows])[: len(records)]

    def tried(self) -> list[list[Any]]:
        """Return values of each column that are exact in floating point, the extremes first."""
        return [_values(item) for item in self.columns]


def read_domain(domain: Any) -> RecordColumns:
    """Return what a user calls a domain; raises ``UsageError`` for what is none."""
    if isinstance(domain, Mapping):
        if len(names := tuple(map(str, domain))) != len(set(names)) or not names:
            raise UsageError(f"domain is {short(domain, 60)}: it must name a column, and each once")
        return RecordColumns(tuple(map(_column, domain.values())), names)
    if isinstance(domain, tuple) and domain and all(map(_is_column, domain)):
        return RecordColumns(tuple(_of_an_array(_column(item)) for item in domain), several=True)
    return RecordColumns((_of_an_array(_column(domain)),))


def _is_column(domain: Any) -> bool:
    return isinstance(domain, list | tuple) or domain in (bool, float)


def _column(domain: Any) -> Any:
    """Return a column, with the numbers of NumPy's types as Python's."""
    if isinstance(domain, list | tuple):
        domain = type(domain)(x.item() if isinstance(x, np.generic) else x for x in domain)
    domain = float if domain == (float, None) else domain
    values = domain if isinstance(domain, list | tuple) else ()
    ends = isinstance(domain, tuple) and len(domain) in (2, 3) and all(map(plain, domain[:2]))
    ends = ends and domain[2:] in ((), (None,))
    rule = ""
    if not (ends or domain in (bool, float) or (isinstance(domain, list) and domain)):
        rule = "a column is (low, high), a list of values, bool or float; None for what is missing"
    elif len({isinstance(x, bool) for x in values}) > 1:
        rule = "True and False occur together with other values"
    elif any(isinstance(x, int) and abs(x) > 2**53 for x in values):
        rule = "floats do not hold integers beyond 2**53"
    if rule:
        raise UsageError(f"domain is {short(domain, 60)}: {rule}")
    return domain


def _of_an_array(domain: Any) -> Any:
    """Return a column whose values one array holds, whatever other values are beside them."""
    values = domain if isinstance(domain, list) else [0]
    if not (all(isinstance(x, str) for x in values) or all(isinstance(x, Real) for x in values)):
        raise UsageError(
            f"domain is {short(domain, 60)}: an array holds either numbers or text; beside other "
            "values, such as None, their type depends on the data: use a data frame, or NaN"
        )
    return domain


def _values(domain: Any) -> list[Any]:
    if domain is bool:
        return [False, True]
    if domain is float:
        return [0.0, 1.0, -1.0, 1e6, -1e6, math.nan, math.inf]
    if isinstance(domain, list):
        return domain
    low, high, *missing = domain
    within = [low * (1 - part / 8) + high * (part / 8) for part in (1, 2, 4, 6)]
    within = [item for item in (*within, low + 1, high - 1) if low <= item <= high]
    return [low, high, *(math.nan for _ in missing), *within]


# A bound on the sensitivity of a query, from how it is built.

SCALE = 10**18
"""Roots are exact to one part of it."""


@dataclass(frozen=True)
class Traced:
    """What following a query through its steps showed.

    moves: the most by which it moves between neighbors, all its numbers together (ℓ1); ``None``
    where it could not be followed. most: the most by which one of its numbers moves. numbers: how
    many it releases; 1 for a plain number. steps: what was computed on the way. reason: why it
    could not be followed, with the line; else empty. squares: the most to which the squares of what
    its numbers move by add up.
    """

    moves: End | None
    most: End | None
    numbers: int
    steps: tuple[QueryStep, ...]
    reason: str = ""
    squares: End = Fraction(0)

    def moved(self, norm: str) -> End | None:
        """Return the most by which it moves in a norm: ``"l1"``, ``"l2"`` or ``"linf"``."""
        if norm == "l2" and self.moves is not None:
            return root(self.squares, up=True)
        return self.moves if norm == "l1" else self.most


def root(square: End, *, up: bool) -> End:
    """Return the root of a number from 0 on: a fraction that is just above or below, or equal."""
    if not isinstance(square, Fraction):
        return square
    exact = square.numerator * square.denominator * SCALE**2
    result = math.isqrt(exact)
    return Fraction(result + (up and result**2 < exact), square.denominator * SCALE)


def trace_query(
    query: Callable[..., Any],
    domain: RecordColumns,
    relation: NeighboringRelation,
    size: tuple[int, int | None],
    parameters: Mapping[str, Any] = MappingProxyType({}),
) -> Traced:
    """Follow a query through its steps and return by how much it moves between neighbors.

    query: called once, with something that stands for an array, a series or a data frame of any
        records of the domain. It may use arithmetic, comparisons, NumPy's and pandas' functions of
        columns, sums, means, counts, quantiles, histograms over given edges and groups by given
        keys; whatever else it does ends the trace with a reason, and never with a bound.
    domain: what a record is.
    relation: ``ReplaceOne()`` or ``AddOrRemoveOne()``.
    size: the fewest records and the most, or ``None``; under add-or-remove-one of the larger one
        of two neighbors.
    parameters: the query's further arguments; (low, high) stands for any number between them.

    The bound holds in exact arithmetic: floating point may move a sum by a few last bits more.

    Guarantee: each step's rule is a textbook inequality, in its docstring or beside it; that the
    query does the same on data as on what stands for them is not checked here (``isinstance`` may
    tell them apart).
    """
    rows, trace = domain.standing(), QueryTrace(_one_more(relation), *size)
    further = {
        name: Number(Interval(*value), Fraction(0)) if isinstance(value, tuple) else value
        for name, value in parameters.items()
    }
    released, reason = released_by(query, rows, trace, in_place_of(PYTHON), **further)
    if reason:
        return Traced(None, None, 0, tuple(trace.steps), reason)
    parts = _parts(released)
    if parts is None:
        what = getattr(released, "what", type(released).__name__)
        return Traced(None, None, 0, tuple(trace.steps), f"it returns {what}, no numbers")
    together = [
        part if isinstance(part, TracedCells) else TracedCells(part, part.moves, 1)
        for part in parts
    ]
    moves = sum(cells.moves for cells in together)
    most = max((cells.most for cells in together), default=0)
    many = sum(cells.length for cells in together)
    squares = sum(map(_squares, together), Fraction(0))
    return Traced(moves, most, many, tuple(trace.steps), squares=squares)


def _one_more(relation: NeighboringRelation) -> bool:
    if isinstance(relation, AddOrRemoveOne):
        return True
    if isinstance(relation, ReplaceOne):
        return False
    raise UsageError(f"relation is {relation!r}: it must be ReplaceOne() or AddOrRemoveOne()")


def _parts(released: Any) -> list[Number | TracedCells] | None:
    """Return the numbers that were released; ``None`` where there is anything else."""
    if isinstance(released, Listed):
        return [released.cells]
    if isinstance(released, Number | TracedCells):
        return [released]
    if isinstance(released, Mapping):
        released = list(released.values())
    if isinstance(released, np.ndarray):
        released = released.ravel().tolist()
    if isinstance(released, list | tuple):
        result: list[Number | TracedCells] = []
        for item in released:
            inner = _parts(item)
            if inner is None:
                return None
            result += inner
        return result
    plain = None if isinstance(released, str | bytes) else number(released)
    return None if plain is None else [plain]


def _squares(cells: TracedCells) -> End:
    """Return the most that squares add up to: as many as can move by the most, one by the rest."""
    most, moves = cells.most, min(cells.moves, times(Fraction(cells.length), cells.most))
    if not most or math.isinf(most):
        return most
    full, rest = divmod(moves, most)
    return full * most**2 + rest**2


def finite(value: End | None) -> bool:
    """Tell whether there is a bound, and a finite one."""
    return value is not None and not math.isinf(value)
