"""What stands for a data frame and its columns while a query is followed with symbols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partialmethod
from typing import Any, ClassVar

import numpy as np

from provado.proofs.sensitivity.trace.bound import RecordColumns
from provado.proofs.sensitivity.trace.python import Element
from provado.proofs.sensitivity.trace.state import once
from provado.proofs.sensitivity.trace.untraceable import Blocked, methods, stop

from .arrays import SortedArray, SymbolicArray, SymbolicNumber
from .vectors import SymbolicVector


def by_numbers(records: RecordColumns) -> RecordColumns:
    """Return records without names of columns, texts as the numbers of their places in a list."""
    columns = tuple(
        (0, max(len(column) - 1, 1)) if _texts(column) else column for column in records.columns
    )
    return replace(records, names=None, columns=columns) if records.names else records


def _texts(column: Any) -> bool:
    return isinstance(column, list) and all(isinstance(item, str) for item in column)


class FrameColumn(SymbolicArray):
    """A column of numbers of a data frame."""

    what = "a column of a data frame"

    FUNCTIONS: ClassVar[Mapping[str, str]] = methods(
        "sum mean median quantile percentile:_percentile min amin:min max amax:max prod "
        "var:_var std:_std size:_size count_nonzero:_count_nonzero clip where:_where "
        "abs:__abs__ round around:round copy asarray:copy"
    )

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, SymbolicArray):
            raise stop("of a column records are taken by a condition: x[x > 0], or x.to_numpy()")
        return super().__getitem__(key)

    @property
    def values(self) -> SymbolicArray:
        """As an array."""
        return SymbolicArray(self.value, self.following, self.length, self.kind, self.chosen)

    def to_numpy(self) -> SymbolicArray:
        """Return it as an array."""
        return self.values

    def _var(self, *, ddof: Any = 0) -> SymbolicNumber:
        return super().var(ddof=ddof)

    def _std(self, *, ddof: Any = 0) -> SymbolicNumber:
        return super().std(ddof=ddof)

    def var(self, *, ddof: Any = 1) -> SymbolicNumber:
        """Return the variance, over n - 1 as pandas has it."""
        return super().var(ddof=ddof)

    def std(self, *, ddof: Any = 1) -> SymbolicNumber:
        """Return the root of the variance."""
        return super().std(ddof=ddof)

    def cov(self, other: Any) -> SymbolicNumber:
        """Return the covariance with another column, over n - 1 as pandas has it."""
        self._at_least(2)
        both = (self * other).sum() - self.sum() * other.sum() / self.size
        return both / (self.size - 1)  # type: ignore[no-any-return]

    def apply(self, func: Any) -> Any:
        """Return what a function makes of each value."""
        if not callable(func):
            raise stop("apply and map are followed with a function of one value")
        element = Element(self, object())
        return element._row(once(func, element))

    map = apply

    def nlargest(self, n: Any = 5) -> SortedArray:
        """Return the n largest."""
        return self.values._sort()[-n:]  # type: ignore[no-any-return]

    def nsmallest(self, n: Any = 5) -> SortedArray:
        """Return the n least."""
        return self.values._sort()[:n]  # type: ignore[no-any-return]

    def fillna(self, value: Any = None) -> FrameColumn:  # noqa: ARG002
        """Return it as it is: nothing is missing."""
        return self

    def dropna(self) -> FrameColumn:
        """Return it as it is: nothing is missing."""
        return self

    def isin(self, values: Any) -> Any:
        """Tell which are one of some numbers."""
        return np.isin(self, values)

    def count(self) -> SymbolicNumber:
        """Return how many there are; none is missing."""
        return self.size

    def between(self, left: Any, right: Any) -> Any:
        """Tell which lie between two, these among them."""
        return (self >= left) & (self <= right)


class Texts(Blocked):
    """A column of texts, each the number of its place in a list."""

    what = "a column of texts"

    def __init__(self, numbers: SymbolicArray, values: list[str]) -> None:
        self._numbers, self._values = numbers, values

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, str):
            raise stop("a column of texts is compared with a text")
        return self._numbers == (self._values.index(other) if other in self._values else -1)

    def __ne__(self, other: object) -> Any:
        return ~(self == other)

    eq, ne = __eq__, __ne__

    def isin(self, values: Sequence[str]) -> Any:
        """Tell which are one of some texts."""
        result = self == ""
        for value in values:
            result = result | (self == value)
        return result

    def map(self, arg: Any) -> Any:
        """Return the number of each text that a dictionary has."""
        if not isinstance(arg, Mapping) or not all(value in arg for value in self._values):
            raise stop("map of a column of texts is followed with a dictionary of all of them")
        first, *others = self._values
        result = (self == first) * 0 + arg[first]
        return sum(((self == other) * (arg[other] - arg[first]) for other in others), result)

    def value_counts(self) -> NumberOfEachText:
        """Return how often each text occurs, if it does."""
        return NumberOfEachText({value: (self == value).sum() for value in self._values})

    def __getitem__(self, key: Any) -> Texts:
        return Texts(self._numbers[key], self._values)

    def _length(self) -> SymbolicNumber:
        return self._numbers.size


class Frame(Blocked):
    """A data frame. columns: by their names."""

    what = "a data frame"

    def __init__(
        self, columns: Mapping[str, FrameColumn | Texts], *, is_given: bool = False
    ) -> None:
        self._columns, self._is_given = dict(columns), is_given

    @classmethod
    def of(cls, data: Sequence[SymbolicArray], records: RecordColumns) -> Frame:
        """Return the frame of the arrays of its columns."""
        made: dict[str, FrameColumn | Texts] = {}
        for name, array, column in zip(records.names or (), data, records.columns, strict=True):
            frame_column = _column_of(array)
            made[name] = Texts(frame_column, column) if _texts(column) else frame_column
        return cls(made, is_given=True)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, SymbolicArray):
            return Frame({name: column[key] for name, column in self._columns.items()})
        if isinstance(key, list):
            return Frame({name: self[name] for name in key})
        if not isinstance(key, str) or key not in self._columns:
            raise stop(f"a column is one of {', '.join(self._columns)}")
        return self._columns[key]

    def __setitem__(self, key: Any, value: Any) -> None:  # type: ignore[override]
        if self._is_given:
            raise stop("the data frame that is given is changed: change a copy of it")
        if not isinstance(key, str):
            raise stop("one column of a data frame is changed at a time")
        self._columns = self.assign(**{key: value})._columns

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            super().__setattr__(name, value)
        else:
            self[name] = value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._columns:
            return super().__getattr__(name)
        from pandas import DataFrame

        return super().__getattr__(name) if hasattr(DataFrame, name) else self._columns[name]

    def _length(self) -> Any:
        return next(iter(self._columns.values()))._length()

    @property
    def shape(self) -> tuple[Any, int]:
        """The number of records, and of columns."""
        return self._length(), len(self._columns)

    @property
    def loc(self) -> Located:
        """Records by a condition, and columns by name."""
        return Located(self)

    def _by_column(self, name: str) -> SymbolicVector:
        texts = [key for key, column in self._columns.items() if isinstance(column, Texts)]
        if texts:
            raise stop(f"{name} of column {texts[0]}, which holds texts: choose columns of numbers")
        return SymbolicVector(tuple(getattr(column, name)() for column in self._columns.values()))

    sum, mean = partialmethod(_by_column, "sum"), partialmethod(_by_column, "mean")
    min, max = partialmethod(_by_column, "min"), partialmethod(_by_column, "max")
    median, count = partialmethod(_by_column, "median"), partialmethod(_by_column, "count")
    var, std = partialmethod(_by_column, "var"), partialmethod(_by_column, "std")

    def assign(self, **columns: Any) -> Frame:
        """Return it with more columns, or other ones."""
        made = {key: item(self) if callable(item) else item for key, item in columns.items()}
        kept = {key: item for key, item in made.items() if isinstance(item, SymbolicArray)}
        first = next(iter(self._columns.values()))
        records = first._numbers if isinstance(first, Texts) else first
        if len(kept) < len(made) or any(
            (item.length, item.chosen) != (records.length, records.chosen) for item in kept.values()
        ):
            raise stop("columns are followed that are computed of columns, for the same records")
        return Frame(self._columns | {key: _column_of(array) for key, array in kept.items()})

    def copy(self) -> Frame:
        """Return a frame of its own."""
        return Frame(self._columns)

    dropna = copy

    def reset_index(self, *, drop: Any = False) -> Frame:
        """Return a frame of its own, without a column of places."""
        if drop is not True:
            raise stop("reset_index adds a column of places: write reset_index(drop=True)")
        return self.copy()

    def groupby(self, by: Any) -> GroupedRows:
        """Return the records of each text of a column."""
        column = self._columns.get(by) if isinstance(by, str) else None
        if not isinstance(column, Texts):
            raise stop("groupby is followed by one column of texts, which are listed")
        return GroupedRows(self, column)


def _column_of(array: SymbolicArray) -> FrameColumn:
    return FrameColumn(array.value, array.following, array.length, array.kind, array.chosen)


class NumberOfEachText(Blocked):
    """A number for each text that occurs in a column."""

    what = "numbers of those texts that occur (.reindex(texts, fill_value=0) has one of each)"

    __add__ = __sub__ = __mul__ = __truediv__ = __neg__ = Blocked._value

    def __init__(self, cells: Mapping[str, Any]) -> None:
        self._cells = cells

    def reindex(self, index: Any, *, fill_value: Any = None) -> SymbolicVector:
        """Return the number of each of some texts."""
        if fill_value != 0:
            raise stop("reindex of sums and counts is followed with fill_value=0")
        return SymbolicVector(tuple(self._cells.get(key, 0) for key in index))

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the number of one text."""
        return self.reindex([key], fill_value=default)[0]


class GroupedRows(Blocked):
    """The records of each text of a column."""

    what = "groups of records"

    def __init__(self, frame: Frame, texts: Texts, column: str = "") -> None:
        self._frame, self._texts, self._chosen = frame, texts, column

    def __getitem__(self, key: Any) -> GroupedRows:
        if not isinstance(self._frame[key], SymbolicArray):
            raise stop("of groups a column of numbers is taken, by its name")
        return GroupedRows(self._frame, self._texts, key)

    def __getattr__(self, name: str) -> Any:
        own = name[:1] != "_" and name in self._frame._columns
        return self[name] if own else super().__getattr__(name)

    def size(self) -> NumberOfEachText:
        """Return how many records each group has."""
        return self._texts.value_counts()

    count = size

    def sum(self) -> NumberOfEachText:
        """Return the sum of each group."""
        if not self._chosen:
            raise stop("the sums of one column are followed: groupby(…)[column].sum()")
        column = self._frame[self._chosen]
        each = {value: column[self._texts == value].sum() for value in self._texts._values}
        return NumberOfEachText(each)

    def mean(self) -> NumberOfEachText:
        """Refuse: of an empty group there is none."""
        raise stop(
            "the mean of a group, of which there may be none: divide the sums by "
            "np.maximum(counts, 1), both with .reindex(texts, fill_value=0)"
        )


class Located(Blocked):
    """``frame.loc``."""

    what = "loc of a data frame"

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    def __getitem__(self, key: Any) -> Any:
        rows, *columns = key if isinstance(key, tuple) else (key,)
        if isinstance(rows, slice) and rows == slice(None):
            result: Any = self._frame
        elif isinstance(rows, SymbolicArray):
            result = self._frame[rows]
        else:
            raise stop("records are taken by a condition on them")
        return result[columns[0]] if columns else result
