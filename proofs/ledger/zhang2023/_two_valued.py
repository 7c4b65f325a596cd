"""HSIC of columns that hold −1 and 1 only, exactly, from a table of counts.

A dataset is a tuple of counts, one for each cell of ``product((1, -1), repeat=r)``: the first two
places of a cell are s and t, the others s after a permutation of the rows. Replacing one record
moves one unit from a cell to another.

With k(x, y) = e^(−(x − y)²/(2δ²)) and v = 2/δ² the kernel matrix of ±1 is
(1 + e^(−v))/2 + s·sᵀ·(1 − e^(−v))/2, so that trace(KHLH) = (1 − e^(−v))²/4·q² with
q = Σst − (Σs)(Σt)/m.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from provado.proofs.algebra.exppoly import ExpSum, exp

Table = tuple[int, ...]


def cells(table: Sequence[int]) -> list[tuple[tuple[int, ...], int]]:
    """Return the cells with their counts."""
    columns = (len(table) - 1).bit_length()
    return list(zip(product((1, -1), repeat=columns), table, strict=True))


def covariance(table: Sequence[int], first: int, second: int) -> Fraction:
    """Return Σst − (Σs)(Σt)/m for two places of a cell."""
    found = cells(table)
    both = sum(cell[first] * cell[second] * count for cell, count in found)
    one, other = (sum(cell[place] * count for cell, count in found) for place in (first, second))
    return both - Fraction(one * other, sum(table))


def trace(q: Fraction | int, v: Fraction | int) -> ExpSum:
    """Return (1 − e^(−v))²/4·q², the trace of KHLH for kernels with v = 2/δ²."""
    width = 1 - exp(-v)
    return width * width * Fraction(q * q, 4)


Counts = dict[tuple[int, ...], int]


def table_of(counts: Counts) -> Table:
    """Return the table with these counts and 0 elsewhere."""
    columns = len(next(iter(counts)))
    return tuple(counts.get(cell, 0) for cell in product((1, -1), repeat=columns))
