"""Records of several numbers: a pandas data frame, or an array with a column for each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from .cells import Keyed, TracedCells
from .interval import TRUTH, point
from .number import Number, TracedSum
from .rows import TracedRows
from .untraceable import Blocked, methods, said, stop


@dataclass(frozen=True, eq=False, repr=False)
class Index(Blocked):
    """The labels of the records; only their number is known. chosen: as in ``TracedRows``."""

    chosen: object = None
    what = "the index"

    def _length(self) -> Number:
        return size_of(self)  # type: ignore[no-any-return]

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

    def _length(self) -> Number:
        return size_of(self)  # type: ignore[no-any-return]

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
        found = self._chosen(object())
        present = {name: replace(one, missing=False) for name, one in found.of.items()}
        return replace(found, of=present)

    def groupby(self, by: Any) -> Groups:
        """Return the records by the values of one column, each in one group at most."""
        if not isinstance(by, str) or by not in self.of:
            raise stop("groupby is traced for one column by name")
        return Groups(self, self.of[by].kind == "U")

    def _chosen(self, token: object) -> TracedTable:
        return TracedTable({n: replace(one, chosen=token) for n, one in self.of.items()}, token)


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

    def _length(self) -> Number:
        return size_of(self)  # type: ignore[no-any-return]

    @property
    def shape(self) -> tuple[Any, int]:
        """The number of records, which moves by 1 where one comes or goes, and that of columns."""
        return (size_of(self), len(self.of))

    def __getitem__(self, key: Any) -> Any:
        """Return a column, columns in a row, or the records for which a condition holds."""
        if isinstance(key, TracedRows) and key.truth and key.chosen is self.of[0].chosen:
            return Matrix(tuple(replace(one, chosen=key) for one in self.of))
        if isinstance(key, tuple) and len(key) == 2 and key[0] == slice(None):
            if type(key[1]) is int:
                return self.of[key[1]]
            if isinstance(key[1], slice):
                return Matrix(self.of[key[1]])
        raise stop("an array is asked for anything but whole columns, or chosen records")

    def sum(self, axis: Any = None, *, dtype: Any = None) -> Any:
        """Return the sum of each column, or of all."""
        sums = [one.sum(dtype=dtype) for one in self.of]
        return _together(sums) if axis == 0 else _all(sums, axis)

    def mean(self, axis: Any = None) -> Any:
        """Return the mean of each column."""
        if axis != 0:
            raise stop("the mean of an array is traced for axis=0 only")
        return _together([one.mean() for one in self.of])

    def clip(self, min: Any = None, max: Any = None) -> Matrix:
        """Return each number, moved to the nearest end where it lies outside."""
        return Matrix(tuple(one.clip(min, max) for one in self.of))

    def __array__(self, *_: Any, **__: Any) -> Any:
        self._value()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        made = []
        for at in range(len(self.of)):
            each = [self._column(one, at) for one in inputs]
            made.append(getattr(ufunc, method)(*each, **options))
        return Matrix(tuple(made))

    FUNCTIONS: ClassVar[Mapping[str, str]] = methods("sum:sum mean:mean clip:clip")

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


def size_of(value: Any) -> Any:
    """Return the number of records of what stands for data: what ``len`` says of it."""
    if isinstance(value, TracedRows):
        return value.size
    if isinstance(value, Matrix):
        return value.of[0].size
    return Number.of(TracedSum(point(0), point(1) if value.chosen is None else TRUTH), "i")


def _together(numbers: list[Number]) -> TracedCells:
    within = numbers[0].within
    for one in numbers[1:]:
        within = within.hull(one.within)
    moves = [one.moves for one in numbers]
    one = Number(within, max(moves), None, numbers[0].kind, max(one.largest for one in numbers))
    return TracedCells(one, sum(moves), len(numbers))


def _all(numbers: list[Number], axis: Any) -> Number:
    if axis is not None:
        raise stop(f"the sum of an array along axis {axis!r} is not traced")
    total: Any = numbers[0]
    for one in numbers[1:]:
        total = total + one
    return total  # type: ignore[no-any-return]
