"""Tables for many conditioning sets of one pair at once, from work that the tests of PC share.

Three kinds of shared work. Order 0 and 1: bits, see ``BitPlanes``. Higher orders: all sets of one
search are drawn from one family of columns, such as a vertex with its neighbors. The rows are
counted once by their combination in the family, then every test works on these combinations, which
are few; a family within another starts from the larger one's. Last, the tables of many sets are
counted in one pass over the combinations.

Nothing is approximated: the tables are those that ``CodedTable.tables`` gives.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .coded import CodedTable, Tables
from .contingency import BitPlanes

_MANY = 1 << 12
"""From as many rows on, bits are set up and families are counted."""

_DEAR = 48
"""Cells of a table, beyond which counting every row is quicker than counting bits."""

_FEW = 1 << 9
"""Combinations that are few enough to serve a smaller family as they are."""

_LONG = 1 << 11
"""Rows, from which on each set has a pass to itself, that stays in a near cache."""

_AT_ONCE = 1 << 17
"""Most rows, and most cells, of all the sets that one pass counts."""

_TOGETHER = 1 << 12
"""Pairs of columns whose tables are counted before any is examined."""

_ROOM = 1 << 26
"""Bytes of counted families that are kept."""


@dataclass(frozen=True, eq=False)
class Stack:
    """The contingency tables of one pair of columns given several sets, one after another.

    tables: shape (strata of all sets, levels, levels). starts: shape (sets,), each set's first
    stratum; every set has at least one.
    """

    tables: Tables
    starts: NDArray[np.int64]


class SharedTables:
    """A table of rows, and what its earlier questions left that later ones can use.

    It answers the same whatever was asked before; only the time differs.
    """

    def __init__(self, data: CodedTable) -> None:
        """Take the rows; nothing is counted yet."""
        self._data = data
        self._whole = _Family(data, {i: i for i in range(len(data.levels))})
        self._families: dict[frozenset[int], _Family] = {}
        self._held = 0
        long = data.counts is None and data.n >= _MANY
        # Planes of many levels would take more memory than the rows do.
        few = min(data.levels) >= 2 and sum(data.levels) <= 8 * len(data.levels)
        self._planes = BitPlanes.of(data) if long and few else None

    def stack(
        self, x: int, y: int, sets: Sequence[tuple[int, ...]], around: Sequence[int]
    ) -> Stack:
        """Return the tables of columns x and y given each of the sets, which have one size.

        around: the columns from which these and later sets of the same search are drawn.
        """
        planes, order = self._planes, len(sets[0])
        if planes is not None:
            if order == 0:
                return Stack(planes.pair(x, y)[None], np.zeros(1, dtype=np.int64))
            if order == 1:
                columns = [given[0] for given in sets]
                if sum(planes.cost((x, y, z)) for z in columns) <= _DEAR * len(sets):
                    return _joined(planes.triples(x, y, columns))
        family = self._family(frozenset((x, y, *around))) if order else self._whole
        return family.stack(x, y, sets)

    def pairs(self) -> Iterator[tuple[list[tuple[int, int]], Stack]]:
        """Yield all pairs of columns x < y with their tables, many of the same levels together."""
        levels = self._data.levels
        alike = defaultdict[tuple[int, int], list[tuple[int, int]]](list)
        for x, y in combinations(range(len(levels)), 2):
            alike[levels[x], levels[y]].append((x, y))
        for every in alike.values():
            for start in range(0, len(every), _TOGETHER):
                some = every[start : start + _TOGETHER]
                tables = np.concatenate([self.stack(x, y, [()], ()).tables for x, y in some])
                yield some, Stack(tables, np.arange(len(some)))

    def _family(self, columns: frozenset[int]) -> _Family:
        if self._whole.rows < _MANY or len(columns) == len(self._data.levels):
            return self._whole
        known = self._families.get(columns)
        if known is not None:
            return known
        source = min(
            (f for key, f in self._families.items() if key > columns),
            key=lambda f: f.rows,
            default=self._whole,
        )
        if source.rows <= _FEW:
            return source
        smaller = source.onto(sorted(columns))
        # Where combinations are hardly fewer, another copy of them is not worth its memory.
        if 2 * smaller.rows > source.rows:
            smaller = source.again()
        self._families[columns] = smaller
        self._held += smaller.bytes
        while self._held > _ROOM and len(self._families) > 1:
            self._held -= self._families.pop(next(iter(self._families))).bytes
        return smaller


class _Family:
    """Some columns of a table: where each stands in it, and the bytes that it takes of its own."""

    def __init__(self, data: CodedTable, place: dict[int, int], own: bool = True) -> None:
        self._data, self._place = data, place
        self.rows = data.codes.shape[1]
        self.bytes = data.codes.nbytes + 16 * self.rows if own else 0

    def again(self) -> _Family:
        """Return the same columns of the same table, which take no more memory."""
        return _Family(self._data, self._place, own=False)

    def onto(self, columns: Sequence[int]) -> _Family:
        """Return the counted combinations of these columns."""
        return _Family(
            self._data.onto([self._place[c] for c in columns]),
            {c: i for i, c in enumerate(columns)},
        )

    def stack(self, x: int, y: int, sets: Sequence[tuple[int, ...]]) -> Stack:
        """Return the tables of columns x and y given each of the sets."""
        place, levels = self._place, self._data.levels
        u, v = place[x], place[y]
        given = [tuple(place[z] for z in item) for item in sets]
        strata = [self._data.strata(item) for item in given]
        cells = sum(strata) * levels[u] * levels[v]
        if self.rows > _LONG or max(self.rows * len(sets), cells) > _AT_ONCE:
            return _joined([self._data.tables(u, v, item) for item in given])
        starts = np.cumsum([0, *strata[:-1]])
        return Stack(self._counted(u, v, np.array(given, dtype=np.int64), starts, cells), starts)

    def _counted(
        self, u: int, v: int, given: NDArray[np.int64], starts: NDArray[np.int64], cells: int
    ) -> Tables:
        codes, levels = self._data.codes, self._data.levels
        a, b = levels[u], levels[v]
        width = np.array(levels, dtype=np.int64)[given]
        # The last column of a set runs fastest; below it run the levels of x, then of y.
        step = np.ones_like(width)
        step[:, :-1] = np.cumprod(width[:, :0:-1], axis=1)[:, ::-1]
        step *= a * b
        # All cells' numbers are below _AT_ONCE; short integers are quicker to add.
        small = step.astype(np.uint32)
        code = (starts * (a * b)).astype(np.uint32)[:, None] + (codes[u] * np.uint32(b) + codes[v])
        for j in range(given.shape[1]):
            code += codes[given[:, j]] * small[:, j, None]
        weights = self._data.weights
        every = None if weights is None else np.tile(weights, code.shape[0])
        return np.bincount(code.ravel(), every, cells).astype(np.int64).reshape(-1, a, b)


def _joined(tables: list[Tables]) -> Stack:
    strata = [table.shape[0] for table in tables]
    return Stack(np.concatenate(tables), np.cumsum([0, *strata[:-1]]))
