"""Numeric columns in bins of equal width, and columns of several tables beside each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import natural

from .coded import CodedTable
from .numeric import NumericTable


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
    found = {
        name: (table.levels[i], table.codes[i])
        for table in tables
        for i, name in enumerate(table.names)
    }
    if sorted(found) != sorted(names):
        raise UsageError(f"names is {list(names)!r}: it must have each column of the tables once")
    levels, codes = zip(*(found[name] for name in names), strict=True)
    return CodedTable(tuple(names), levels, np.array(codes), None, tables[0].n)
