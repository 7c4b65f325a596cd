"""Discrete columns as small whole numbers, and the contingency tables that they form.

A table of rows answers every test of PC through one ``numpy.bincount``. Where all columns together
have few combinations, the rows are kept as counts of combinations: a test then costs as much as
there are combinations, whatever n, and a subset drawn without replacement is a draw from the
multivariate hypergeometric distribution.

**Numeric columns in bins of equal width, and columns of several tables beside each other.**
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from provado.mechanisms.definitions.parameters import UsageError, natural

from .numeric import NumericTable

Tables = NDArray[np.int64]
"""Contingency tables of two columns, one for each stratum: shape (strata, levels, levels)."""

_LARGE = 1 << 20
"""Strata are renumbered to those that occur before their possible number exceeds this."""

_COLLAPSE = 8
"""Combinations are counted where there are at least this many rows for each possible one."""


@dataclass(frozen=True, eq=False)
class CodedTable:
    """Rows of discrete columns, or combinations of levels with how often each occurs.

    names: of the d columns. levels: how many levels each may take, fixed beforehand.
    codes: shape (d, rows), each from 0 to its column's levels less one.
    counts: how often each combination occurs, shape (rows,); ``None`` where each is one row.
    n: how many records there are.
    """

    names: tuple[str, ...]
    levels: tuple[int, ...]
    codes: NDArray[Any]
    counts: NDArray[np.int64] | None
    n: int

    def strata(self, given: Sequence[int]) -> int:
        """Return how many strata the levels of these columns allow, whether they occur or not."""
        return math.prod(self.levels[i] for i in given)

    def tables(self, x: int, y: int, given: Sequence[int] = ()) -> Tables:
        """Return the contingency table of columns ``x`` and ``y`` in each stratum.

        given: the conditioning columns. Strata that do not occur may be left out, or be zero.
        Time is linear in the rows; nothing is sorted.
        """
        stratum, strata = self._numbered(given)
        a, b = self.levels[x], self.levels[y]
        cells = strata * a * b
        first = self.codes[x]
        code = _joined(stratum, first, a, cells) if stratum is not None else first
        code = _joined(code, self.codes[y], b, cells)
        return self._counted(code, cells).reshape(strata, a, b)

    def subset(self, m: int, rng: Generator) -> CodedTable:
        """Return ``m`` of the n records, drawn without replacement.

        Raises ``UsageError`` unless m is a whole number from 1 to n.
        """
        if natural(m, "m") > self.n:
            raise UsageError(f"m is {m!r}: a subset of {self.n} records has at most {self.n}")
        if m == self.n:
            return self
        if self.counts is None:
            rows = rng.choice(self.n, size=m, replace=False, shuffle=False)
            codes = np.take(self._by_row, rows, axis=0).T
            return CodedTable(self.names, self.levels, codes, None, m)
        counts = rng.multivariate_hypergeometric(self.counts, m, method="marginals")
        return CodedTable(self.names, self.levels, self.codes, counts, m)

    def collapsed(self) -> CodedTable:
        """Return the same records as counts of combinations, if that is much shorter, or itself."""
        possible = math.prod(self.levels)
        if self.counts is not None or possible * _COLLAPSE > self.n:
            return self
        return self.onto(range(len(self.levels)))

    def onto(self, columns: Sequence[int]) -> CodedTable:
        """Return the same records as counts of the combinations that occur in these columns."""
        code, possible = self._numbered(columns)
        if code is None:
            raise UsageError("columns is empty: at least one column is needed")
        counts = self._counted(code, possible)
        occur = np.flatnonzero(counts)
        # Any record with a combination tells its levels; of several, the last one written stays.
        shown = np.empty(possible, dtype=np.int64)
        shown[code] = np.arange(code.size)
        return CodedTable(
            tuple(self.names[i] for i in columns),
            tuple(self.levels[i] for i in columns),
            np.take(self.codes[list(columns)], shown[occur], axis=1),
            counts[occur],
            self.n,
        )

    def _counted(self, code: NDArray[Any], cells: int) -> NDArray[np.int64]:
        return np.bincount(code, self.weights, cells).astype(np.int64)

    @cached_property
    def weights(self) -> NDArray[np.float64] | None:
        """The counts as floats, which are exact below 2^53."""
        return None if self.counts is None else self.counts.astype(np.float64)

    @cached_property
    def _by_row(self) -> NDArray[Any]:
        """The codes with each record's together, from which a subset is gathered far quicker."""
        return np.ascontiguousarray(self.codes.T)

    def _numbered(self, given: Sequence[int]) -> tuple[NDArray[Any] | None, int]:
        """Return the number of each row's stratum, ``None`` for a single one, and how many."""
        code: NDArray[Any] | None = None
        strata = 1
        for column in given:
            width = self.levels[column]
            if strata * width > _LARGE and code is not None:
                code, strata = _renumbered(code, strata)
            strata *= width
            own = self.codes[column]
            code = own if code is None else _joined(code, own, width, strata)
        if code is not None and strata > self.n:
            code, strata = _renumbered(code, strata)
        return code, strata


def code_columns(
    columns: Mapping[str, Sequence[Hashable] | NDArray[Any]],
    *,
    levels: Mapping[str, Sequence[Hashable]] | None = None,
) -> CodedTable:
    """Return discrete columns of any type as a coded table.

    columns: values by the column's name, all of one length.
    levels: for each column its possible values, in order; the order counts for τ. A private method
        relies on levels that do not depend on the data. Without it, the values that occur are
        taken, sorted if they can be, otherwise by their text.

    Raises ``UsageError`` for no columns or rows, lengths that differ, NaN or ``None``, a constant
    column, repeated levels, or a value that is not among the levels.
    """
    if not columns:
        raise UsageError("columns is empty: at least one column is needed")
    known = levels or {}
    coded, widths, n = [], [], -1
    for name, values in columns.items():
        listed = values.tolist() if isinstance(values, np.ndarray) else list(values)
        if n not in (-1, len(listed)):
            raise UsageError(f"column {name!r} has {len(listed)} rows: the ones before it have {n}")
        n = len(listed)
        codes, width = _coded(name, listed, known.get(name))
        coded.append(codes)
        widths.append(width)
    kind = np.uint8 if max(widths) <= 1 << 8 else np.uint16
    return CodedTable(tuple(columns), tuple(widths), np.array(coded, dtype=kind), None, n)


def _coded(
    name: str, values: list[Any], levels: Sequence[Hashable] | None
) -> tuple[NDArray[np.int64], int]:
    distinct = dict.fromkeys(values)
    if not distinct:
        raise UsageError(f"column {name!r} has no rows: at least one is needed")
    missing = [v for v in distinct if _is_missing(v)]
    if missing:
        raise UsageError(f"column {name!r} holds {missing[0]!r}: a missing value has no level")
    order = _sorted(list(distinct)) if levels is None else list(levels)
    if len(order) < 2:
        raise UsageError(f"column {name!r} is constant at {order[0]!r}: leave it out")
    if len(order) > 1 << 16:
        raise UsageError(f"column {name!r} has {len(order)} levels: at most 65,536 are coded")
    number = {level: i for i, level in enumerate(order)}
    if len(number) < len(order):
        raise UsageError(f"levels of column {name!r} repeat: each must stand once")
    strange = [v for v in distinct if v not in number]
    if strange:
        raise UsageError(f"column {name!r} holds {strange[0]!r}: it is not among its levels")
    return np.fromiter((number[v] for v in values), dtype=np.int64, count=len(values)), len(order)


def _is_missing(value: Any) -> bool:
    """Return whether a value is None or not equal to itself, as NaN and NaT are, or raises."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):
        # So does pandas' missing value.
        return True


def _sorted(values: list[Any]) -> list[Any]:
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=lambda v: (str(v), type(v).__name__))


def _joined(code: NDArray[Any], more: NDArray[Any], width: int, numbers: int) -> NDArray[Any]:
    """Return code·width + more; all of it is below ``numbers``. Short integers are quicker."""
    kind = np.uint8 if numbers < 1 << 8 else np.uint16 if numbers < 1 << 16 else np.int64
    joined: Any = code.astype(kind)
    joined *= width
    # All columns share one type, which may be wider than what these two need.
    np.add(joined, more, out=joined, casting="unsafe")
    return np.asarray(joined)


def _renumbered(code: NDArray[Any], strata: int) -> tuple[NDArray[Any], int]:
    """Return the codes numbered 0, 1, … over those that occur, and how many do."""
    occurs = np.zeros(strata, dtype=bool)
    occurs[code] = True
    number = np.cumsum(occurs) - 1
    return number[code], int(number[-1]) + 1


def binned(data: NumericTable, bins: int) -> CodedTable:
    """Return numeric columns in ``bins`` bins of equal width over their ranges.

    A record's bins depend on that record alone where the ranges were known beforehand. Raises
    ``UsageError`` unless bins is from 2 to 256.
    """
    if not 2 <= natural(bins, "bins") <= 1 << 8:
        raise UsageError(f"bins is {bins!r}: it must be from 2 to 256")
    place = np.floor((data.values + 1) / 2 * bins).astype(np.int64)
    codes = np.minimum(place, bins - 1).astype(np.uint8)
    return CodedTable(data.names, (bins,) * len(data.names), codes, None, data.n)


def beside(tables: Sequence[CodedTable], names: Sequence[str]) -> CodedTable:
    """Return the columns of several tables of the same records, in the order of ``names``.

    Raises ``UsageError`` for tables of different numbers of rows, and for names that are not those
    of the columns.
    """
    rows = sorted({(table.n, table.codes.shape[1]) for table in tables})
    if len(rows) > 1 or any(table.counts is not None for table in tables):
        raise UsageError(f"tables have {rows} rows: they must be of the same records")
    result = {
        name: (table.levels[i], table.codes[i])
        for table in tables
        for i, name in enumerate(table.names)
    }
    if sorted(result) != sorted(names):
        raise UsageError(f"names is {list(names)!r}: it must have each column of the tables once")
    levels, codes = zip(*(result[name] for name in names), strict=True)
    return CodedTable(tuple(names), levels, np.array(codes), None, tables[0].n)
