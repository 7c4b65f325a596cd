"""Exploration of wide outputs beyond those that are kept: counted first, then kept in part."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from provado.audit.rules.feature import Column, Exact
from provado.audit.rules.piecewise import Cells
from provado.audit.rules.sieve import Sieve
from provado.audit.rules.table import Table

from .outputs import Encoded, PatternBook, join

MOST_NUMBERS = 2**29
"""So many numbers are looked at."""

WORTHWHILE = 2
"""So many times as many outputs as are kept must be left, for any of them to be drawn."""

COUNTED = 0.45
"""Share of them that are only counted; of the others single coordinates are kept."""

SLOWER = 1.25
"""So many times as long as a block took so far, another may take."""

COLUMNS = 16
"""Coordinates of which cells are learned, and which are then kept: the most telling ones."""

NOT_SEEN = "an output of a structure that was not seen at first"


@dataclass(frozen=True)
class Further:
    """Outputs drawn after those that exploration keeps whole, and what was learned before them.

    a, b: outputs under D and under D′, of which only the coordinates of ``scores`` are kept; those
    that are kept whole come first. scores: learned from other outputs than these. drawn: how many
    of each side in all.
    """

    a: Encoded
    b: Encoded
    scores: tuple[Cells | Table, ...]
    drawn: int


def how_many(kept: int, left: int, width: int) -> int:
    """Return how many further outputs of each side are drawn, after so many that were kept."""
    left = min(left, MOST_NUMBERS // (2 * max(width, 1)))
    return left if left >= WORTHWHILE * kept else 0


def draw_further(
    a: Encoded,
    b: Encoded,
    draw: Callable[[int], tuple[Encoded, Encoded]],
    size: int,
    block: int,
    book: PatternBook,
    left: Callable[[], float] = lambda: math.inf,
) -> Further:
    """Draw ``size`` outputs of each side by ``draw``, so many a block, and keep little of them.

    a, b: the outputs that are kept whole, on which cells are chosen, whatever the side. Of the
    first ones drawn counts are kept, by which coordinates are chosen, and structures; of the others
    these coordinates. left: the seconds that are left; where they end, fewer are drawn, in the same
    proportion.
    """
    whole = left()
    sieve, structures, drawn = Sieve.of(a, b), list[tuple[Encoded, Encoded]](), 0
    counted, blocks = int(COUNTED * size), 0

    def over(until: float, done: int) -> bool:
        """Tell whether another block would take more than there is until so much is left."""
        now = left()
        return math.isfinite(now) and done > 0 and now - SLOWER * (whole - now) / done < until

    while drawn < counted and not over((1 - COUNTED) * whole, blocks):
        n, blocks = min(block, counted - drawn), blocks + 1
        sides = draw(n)
        sieve.add(*sides)
        structures.append((_only(sides[0], ()), _only(sides[1], ())))
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
    while drawn < size and not over(0.0, blocks):
        n, blocks = min(block, size - drawn), blocks + 1
        sides = draw(n)
        kept.append((_only(sides[0], read), _only(sides[1], read)))
        drawn += n
    scores: tuple[Cells | Table, ...] = cells
    return Further(*_joined(kept), (*scores, table) if len(table.keys) > 1 else scores, drawn)


def _only(outputs: Encoded, columns: tuple[int, ...]) -> Encoded:
    """Return structures and some columns of the outputs, as a copy."""
    return Encoded(outputs.pattern, outputs.values[:, list(columns)], outputs.coarse, only=columns)


def _joined(sides: list[tuple[Encoded, Encoded]]) -> tuple[Encoded, Encoded]:
    only = sides[0][0].only or ()
    a, b = (join([side[i] for side in sides], len(only)) for i in (0, 1))
    return replace(a, only=only), replace(b, only=only)
