"""Exploration of wide outputs beyond those that are kept: counted first, then kept in part.

A streaming histogram counts, on fine cells of every coordinate, outputs that are not kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from provado.audit.events.features.feature import Column, Exact, Floats
from provado.audit.events.learners.piecewise import PENALTY, CellRatios
from provado.audit.events.learners.table import Table
from provado.audit.events.threshold import rank_grid, tally
from provado.audit.target.output_encoding import Encoded, PatternBook, join

Counts = NDArray[np.int64]

CELL = 8
"""Outputs in a cell, of those that the cells were chosen on; fewer in the tails."""


@dataclass
class Sieve:
    """Cells of every coordinate, and how many outputs under D and under D′ fell into each.

    edges: of each coordinate, sorted. counts: (2, k, m), D first; a coordinate with fewer cells
    leaves the last of the m empty. Memory does not grow with the outputs that are counted.
    """

    edges: tuple[Floats, ...]
    counts: NDArray[np.int32]

    @classmethod
    def of(cls, a: Encoded, b: Encoded) -> Sieve:
        """Choose the cells on outputs of both sides: some of these in each cell, one in the last.

        A value that stands for several cells has one of its own, and so has what lies beyond all
        values seen.
        """
        pooled = np.sort(np.concatenate([a.values, b.values]).T.astype(np.float64), axis=1)
        edges = tuple(map(_edges, pooled))
        most = 1 + max(map(len, edges), default=0)
        return cls(edges, np.zeros((2, len(edges), most), dtype=np.int32))

    def add(self, a: Encoded, b: Encoded) -> None:
        """Count outputs under D (``a``) and under D′ (``b``); a NaN is in no cell."""
        for counts, part in zip(self.counts, (a, b), strict=True):
            ordered = np.sort(part.values.T.astype(np.float64), axis=1)
            for cells, edges, x in zip(counts, self.edges, ordered, strict=True):
                cells[: len(edges) + 1] += tally(edges, _numbers(x))

    def telling(self, most: int) -> tuple[CellRatios, ...]:
        """Return cells of the coordinates with the most informative runs of cells, best first."""
        gains = np.array([telling_run(*self._of(j)) for j in range(len(self.edges))])
        best = [j for j in np.argsort(-gains, kind="stable")[:most].tolist() if gains[j] > 0]
        features = [Column(j, len(self.edges)) for j in best]
        return tuple(
            CellRatios.counted(
                feature, self.edges[feature.j], *self._of(feature.j), penalty=PENALTY
            )
            for feature in features
        )

    def _of(self, j: int) -> tuple[Counts, Counts]:
        a, b = self.counts[:, j, : len(self.edges[j]) + 1].astype(np.int64)
        return a, b


def telling_run(a: Counts, b: Counts) -> float:
    """Return the log-likelihood that the most informative run of cells gains by a share of its own.

    a, b: counts of the two sides, of equally many outputs. Runs have 1, 2, 4, … neighboring cells,
    in steps of half of that. What no run tells is 0.
    """
    best, length = 0.0, 1
    under_a, under_b = (np.concatenate([[0], np.cumsum(side)]) for side in (a, b))
    while length <= len(a):
        first = np.arange(0, len(a) - length + 1, max(length // 2, 1))
        x, y = (side[first + length] - side[first] for side in (under_a, under_b))
        n = np.maximum(x + y, 1)
        best = max(best, float(np.max(xlogy(x, x / n) + xlogy(y, y / n) + (x + y) * math.log(2))))
        length *= 2
    return best


def _edges(ordered: Floats) -> Floats:
    """Return the edges of one coordinate from sorted values, NaN last."""
    x = _numbers(ordered)
    x = x[np.isfinite(x)]
    if not len(x):
        return np.empty(0)
    at = x[rank_grid(len(x), 1, max(len(x) // CELL, 1))]
    # An edge behind a value that is met again, and behind the largest.
    behind = np.nextafter(np.append(at[1:][at[1:] == at[:-1]], x[-1]), np.inf)
    return np.unique(np.concatenate([x[:1], at, behind]))


def _numbers(ordered: Floats) -> Floats:
    return ordered[: len(ordered) - int(np.count_nonzero(np.isnan(ordered)))]


MOST_NUMBERS = 2**29
"""So many numbers are examined."""

WORTHWHILE = 2
"""So many times as many outputs as are kept must be left, for any of them to be drawn."""

COUNTED = 0.45
"""Share of them that are only counted; of the others single coordinates are kept."""

DEARER = 5
"""Counting an output takes about so many times as long as drawing it at the least."""

SLOWER = 1.25
"""So many times as long as the first block others are planned to take."""

COLUMNS = 16
"""Coordinates of which cells are learned, and which are then kept: the most informative ones."""

NOT_SEEN = "an output of a structure that was not seen at first"


@dataclass(frozen=True)
class WideSample:
    """Outputs drawn after those that exploration keeps whole, and what was learned before them.

    a, b: outputs under D and under D′, of which only the coordinates of ``scores`` are kept; those
    that are kept whole come first. scores: learned from other outputs than these. drawn: how many
    of each side in all.
    """

    a: Encoded
    b: Encoded
    scores: tuple[CellRatios | Table, ...]
    drawn: int


def how_many(kept: int, left: int, width: int) -> int:
    """Return how many further outputs of each side are drawn, after so many that were kept."""
    left = min(left, MOST_NUMBERS // (2 * max(width, 1)))
    return left if left >= WORTHWHILE * kept else 0


def worth_trying(kept: int, block: int) -> float:
    """Return in the time of drawing how many outputs it must be possible, to be begun at all."""
    return (1 + COUNTED * DEARER) * max(WORTHWHILE * kept, block / COUNTED)


def draw_wide(
    a: Encoded,
    b: Encoded,
    draw: Callable[[int], tuple[Encoded, Encoded]],
    size: int,
    block: int,
    book: PatternBook,
    left: Callable[[], float] | None = None,
) -> WideSample | None:
    """Draw ``size`` outputs of each side by ``draw``, so many a block, and keep little of them.

    a, b: the outputs that are kept whole, on which cells are chosen, whatever the side. Of the
    first ones drawn counts are kept, by which coordinates are chosen, and structures; of the others
    these coordinates. left: the seconds that are left, if fewer may have to be drawn for that: how
    many, follows from the pace of the first block. ``None`` where too few fit to be worth it.
    """
    sieve, structures, drawn = Sieve.of(a, b), list[tuple[Encoded, Encoded]](), 0

    def add(sides: tuple[Encoded, Encoded]) -> None:
        sieve.add(*sides)
        structures.append((_only(sides[0], ()), _only(sides[1], ())))

    if left is not None:
        before, drawn = left(), min(block, int(COUNTED * size))
        sides = draw(drawn)
        drew = left()
        add(sides)
        pace = COUNTED * (before - left()) + (1 - COUNTED) * (before - drew)
        size = min(size, int(left() * drawn / max(SLOWER * pace, 1e-9)))
        if size < WORTHWHILE * len(a) or int(COUNTED * size) < drawn:
            return None
    counted = int(COUNTED * size)
    while drawn < counted:
        n = min(block, counted - drawn)
        add(draw(n))
        drawn += n

    def spell(outputs: Encoded, row: int) -> str:
        for known in (a, b):
            alike = (known.pattern == outputs.pattern[row]).argmax()
            if known.pattern[alike] == outputs.pattern[row]:
                return book.words(known, int(alike))
        return NOT_SEEN

    cells = sieve.telling(COLUMNS)
    width = a.values.shape[1]
    table = Table.learn(Exact((), width), *_joined(structures), spell)
    read = tuple(cell.feature.j for cell in cells if isinstance(cell.feature, Column))
    kept = [(_only(a, read), _only(b, read))]
    while drawn < size:
        n = min(block, size - drawn)
        sides = draw(n)
        kept.append((_only(sides[0], read), _only(sides[1], read)))
        drawn += n
    scores: tuple[CellRatios | Table, ...] = cells
    return WideSample(*_joined(kept), (*scores, table) if len(table.keys) > 1 else scores, drawn)


def _only(outputs: Encoded, columns: tuple[int, ...]) -> Encoded:
    """Return structures and some columns of the outputs, as a copy."""
    return Encoded(outputs.pattern, outputs.values[:, list(columns)], outputs.coarse, only=columns)


def _joined(sides: list[tuple[Encoded, Encoded]]) -> tuple[Encoded, Encoded]:
    only = sides[0][0].only or ()
    a, b = (join([side[i] for side in sides], len(only)) for i in (0, 1))
    return replace(a, only=only), replace(b, only=only)
