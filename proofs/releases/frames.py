"""What stands for a data frame and its columns while a function of records is followed.

Of pandas' operations those are followed that mean the same of arrays: none that depends on an
index, and no variance without ``ddof``, which pandas and NumPy take for different ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from provado.proofs.sensitivity.change.arrays import SymbolicArray, SymbolicNumber
from provado.proofs.sensitivity.change.prove import Columns
from provado.proofs.sensitivity.change.vectors import SymbolicVector
from provado.proofs.sensitivity.trace.bound import RecordColumns
from provado.proofs.sensitivity.trace.untraceable import Blocked, methods, stop


def by_numbers(records: RecordColumns) -> RecordColumns:
    """Return records without names of columns, texts as the numbers of their places in a list."""
    columns = tuple((0, max(len(one) - 1, 1)) if _texts(one) else one for one in records.columns)
    return replace(records, names=None, columns=columns) if records.names else records


def _texts(column: Any) -> bool:
    return isinstance(column, list) and all(isinstance(one, str) for one in column)


class FrameColumn(SymbolicArray):
    """A column of numbers of a data frame."""

    what = "a column of a data frame"

    FUNCTIONS: ClassVar[Mapping[str, str]] = methods(
        "sum:sum mean:mean median:median quantile:quantile percentile:_percentile min:min amin:min "
        "max:max amax:max prod:prod var:var std:std size:_size count_nonzero:_count_nonzero "
        "clip:clip where:_where abs:__abs__ round:round around:round copy:copy asarray:copy"
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

    def var(self, *, ddof: Any = None) -> SymbolicNumber:
        """Return the variance."""
        return super().var(ddof=_stated(ddof))

    def std(self, *, ddof: Any = None) -> SymbolicNumber:
        """Return the root of the variance."""
        return super().std(ddof=_stated(ddof))

    def count(self) -> SymbolicNumber:
        """Return how many there are; none is missing."""
        return self.size

    def between(self, left: Any, right: Any) -> Any:
        """Tell which lie between two, these among them."""
        return (self >= left) & (self <= right)


def _stated(ddof: Any) -> Any:
    if ddof is None:
        raise stop("a variance of a column has a ddof: pandas' is 1, and NumPy's is 0")
    return ddof


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

    def __getitem__(self, key: Any) -> Texts:
        return Texts(self._numbers[key], self._values)

    def _length(self) -> SymbolicNumber:
        return self._numbers.size


class Frame(Blocked):
    """A data frame. columns: by their names."""

    what = "a data frame"

    def __init__(self, columns: Mapping[str, FrameColumn | Texts]) -> None:
        self._columns = dict(columns)

    @classmethod
    def of(cls, data: Columns, records: RecordColumns) -> Frame:
        """Return the frame of an array with columns."""
        made: dict[str, FrameColumn | Texts] = {}
        for k, (name, column) in enumerate(zip(records.names or (), records.columns, strict=True)):
            array = data[:, k]
            one = FrameColumn(array.value, array.following, array.length, array.kind)
            made[name] = Texts(one, column) if _texts(column) else one
        return cls(made)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, SymbolicArray):
            return Frame({name: one[key] for name, one in self._columns.items()})
        if isinstance(key, list):
            return Frame({name: self[name] for name in key})
        if not isinstance(key, str) or key not in self._columns:
            raise stop(f"a column is one of {', '.join(self._columns)}")
        return self._columns[key]

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
        return SymbolicVector(tuple(getattr(one, name)() for one in self._columns.values()))

    def sum(self) -> SymbolicVector:
        """Return the sum of each column."""
        return self._by_column("sum")

    def mean(self) -> SymbolicVector:
        """Return the mean of each column."""
        return self._by_column("mean")


class Located(Blocked):
    """``frame.loc``."""

    what = "loc of a data frame"

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    def __getitem__(self, key: Any) -> Any:
        rows, *columns = key if isinstance(key, tuple) else (key,)
        if isinstance(rows, slice) and rows == slice(None):
            found: Any = self._frame
        elif isinstance(rows, SymbolicArray):
            found = self._frame[rows]
        else:
            raise stop("records are taken by a condition on them")
        return found[columns[0]] if columns else found
