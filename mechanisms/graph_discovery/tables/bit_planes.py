"""Counts of three discrete columns at a time from bits: one plane of n bits for each level.

A cell of a table is then the number of ones that three planes have in common, 64 rows to a word.
The last level of a column needs no plane in a product: its count is what the others leave of the
table without that column. Where the columns have few levels this is several times quicker than to
number every row's cell; all counts are whole numbers, the same as ``CodedTable.tables`` gives.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .coded import CodedTable, Tables

_KEPT = 1 << 15
"""Tables of three columns that are kept."""

_LANES = 1023
"""Words whose ones are added up in 16 bits: 1,023 times 64 is below 2^16."""


@dataclass(frozen=True, eq=False)
class BitPlanes:
    """One plane for each level of each column, and the tables of all pairs of columns.

    levels: of the d columns. first: where each column's levels start in a numbering of all of
    them, and their number last. planes: shape (levels of all columns, words). pairs: shape (levels
    of all columns, the same), how many rows have both levels.
    """

    levels: tuple[int, ...]
    first: NDArray[np.int64]
    planes: NDArray[np.uint64]
    pairs: NDArray[np.int64]
    _known: dict[tuple[int, ...], Tables] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(data: CodedTable) -> BitPlanes:
        """Return the planes of a table whose codes are rows, not counted combinations.

        Memory is n·Σlevels bits.
        """
        first = np.concatenate(([0], np.cumsum(data.levels))).astype(np.int64)
        planes = np.zeros((int(first[-1]), (data.n + 63) // 64), dtype=np.uint64)
        octets = planes.view(np.uint8)
        for column, codes in enumerate(data.codes):
            for level in range(data.levels[column]):
                packed = np.packbits(codes == level)
                octets[first[column] + level, : packed.size] = packed
        return BitPlanes(data.levels, first, planes, _pairs(data, first, planes))

    def pair(self, x: int, y: int) -> NDArray[np.int64]:
        """Return the contingency table of two columns; shape (levels of x, levels of y)."""
        return self.pairs[self.first[x] : self.first[x + 1], self.first[y] : self.first[y + 1]]

    def cost(self, columns: tuple[int, int, int]) -> int:
        """Return how many cells of these columns' table are counted from the planes."""
        return math.prod(self.levels[column] - 1 for column in columns)

    def triples(self, x: int, y: int, given: Sequence[int]) -> list[Tables]:
        """Return the tables of x and y in each level of each of the given columns, one by one.

        For each given column, shape (its levels, levels of x, levels of y). A table of three
        columns is counted once, whichever two of them are asked about.
        """
        if len(self._known) > _KEPT:
            self._known.clear()
        axes = [_ascending((z, x, y)) for z in given]
        missing = [i for i, (key, _) in enumerate(axes) if key not in self._known]
        if missing:
            columns = [given[i] for i in missing]
            ends = np.cumsum([self.levels[z] for z in columns])
            counted = np.split(self._counted(x, y, columns), ends[:-1])
            for i, table in zip(missing, counted, strict=True):
                key, order = axes[i]
                self._known[key] = table.transpose(order)
            if len(missing) == len(given):
                return counted
        return [
            self._known[key].transpose(order.index(0), order.index(1), order.index(2))
            for key, order in axes
        ]

    def _counted(self, x: int, y: int, given: Sequence[int]) -> Tables:
        levels = np.concatenate([np.arange(self.first[z], self.first[z + 1]) for z in given])
        ends = np.cumsum([self.levels[z] for z in given])
        last = np.zeros(levels.size, dtype=bool)
        last[ends - 1] = True
        a, b = self.levels[x], self.levels[y]
        found = np.empty((levels.size, a, b), dtype=np.int64)
        inner = np.empty((levels.size - ends.size, a - 1, b - 1), dtype=np.int64)
        within = self.planes[levels[~last]]
        room = np.empty_like(within)
        for i in range(a - 1):
            for j in range(b - 1):
                both = self.planes[self.first[x] + i] & self.planes[self.first[y] + j]
                np.bitwise_and(within, both, out=room)
                inner[:, i, j] = _ones(room)
        found[~last, :-1, :-1] = inner
        starts = np.concatenate(([0], ends[:-1])) - np.arange(ends.size)
        found[last, :-1, :-1] = self.pair(x, y)[:-1, :-1] - np.add.reduceat(inner, starts, axis=0)
        of_x = self.pairs[levels, self.first[x] : self.first[x + 1]]
        of_y = self.pairs[levels, self.first[y] : self.first[y + 1]]
        found[:, :-1, -1] = of_x[:, :-1] - found[:, :-1, :-1].sum(axis=2)
        found[:, -1, :] = of_y - found[:, :-1, :].sum(axis=1)
        return found


def _ascending(columns: tuple[int, int, int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the columns in ascending order, and where each stood."""
    order = tuple(sorted(range(3), key=columns.__getitem__))
    return tuple(columns[i] for i in order), order


def _pairs(
    data: CodedTable, first: NDArray[np.int64], planes: NDArray[np.uint64]
) -> NDArray[np.int64]:
    """Return the tables of all pairs, the last level of each column being 1 less the others."""
    last = np.zeros(planes.shape[0], dtype=bool)
    last[first[1:] - 1] = True
    kept = np.flatnonzero(~last)
    ones = planes[kept]
    counts = np.empty((kept.size + 1, kept.size + 1), dtype=np.int64)
    counts[0, 0] = data.n
    counts[0, 1:] = counts[1:, 0] = _ones(ones)
    for i in range(kept.size):
        counts[i + 1, i + 1 :] = counts[i + 1 :, i + 1] = _ones(ones[i:] & ones[i])
    # Row r says how level r is made of the constant 1 and the levels that were kept.
    made = np.zeros((last.size, kept.size + 1), dtype=np.int64)
    made[kept, np.arange(1, kept.size + 1)] = 1
    column = np.searchsorted(first, kept, side="right")
    made[first[column] - 1, np.arange(1, kept.size + 1)] = -1
    made[first[1:] - 1, 0] = 1
    pairs: NDArray[np.int64] = made @ counts @ made.T
    return pairs


def _ones(words: NDArray[np.uint64]) -> NDArray[Any]:
    """Return how many ones each row of words has."""
    counts = np.bitwise_count(words)
    if counts.shape[1] <= _LANES:
        return np.asarray(counts.sum(axis=1, dtype=np.uint16), dtype=np.int64)
    starts = np.arange(0, counts.shape[1], _LANES)
    lanes = [counts[:, s : s + _LANES].sum(axis=1, dtype=np.uint16) for s in starts]
    return np.asarray(np.sum(lanes, axis=0, dtype=np.int64))
