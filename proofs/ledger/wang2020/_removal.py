"""The utility of deleting an edge in EM-PC, as the released code describes it, for a 2 × 2 table.

It is the number of rows whose removal takes the G-test across its critical value, with the sign of
the decision. Decided exactly: G = 2Σ O·ln(O·n/(R·C)) is at least c where Π (O·n/(R·C))^(2O) ≥ e^c.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import product

from provado.proofs import kernel

CRITICAL = Fraction(3841, 1000)
"""The critical value of one degree of freedom at the level 1/20, to three places."""

Table = tuple[int, ...]


def removal_utility(rows: tuple[int, ...]) -> int:
    """Return the utility; rows hold the cell, 0 to 3 for (0, 0), (0, 1), (1, 0), (1, 1).

    Positive where the columns pass as independent. Raises ``ValueError`` where no removal crosses.
    """
    table = tuple(rows.count(cell) for cell in range(4))
    here = dependent(table)
    kept = [
        sum(other)
        for other in product(*(range(count + 1) for count in table))
        if dependent(other) is not here
    ]
    distance = len(rows) - max(kept)
    return -distance if here else distance


@cache
def dependent(table: Table) -> bool:
    """Return whether G is at least ``CRITICAL``, decided between rational numbers."""
    a, b, c, d = table
    n = a + b + c + d
    first, second = (a + b, c + d), (a + c, b + d)
    margins = zip(table, (r * k for r in first for k in second), strict=True)
    power = math.prod((Fraction(o * n, m) ** (2 * o) for o, m in margins if o), start=Fraction(1))
    low, high = kernel.exp_enclosure(CRITICAL)
    if low <= power <= high:
        raise ValueError(f"the G-test of {table} is too close to its critical value")
    return power > high
