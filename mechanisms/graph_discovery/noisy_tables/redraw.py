"""Released tables drawn again: what sampling and noise could have shown instead.

Post-processing: only what was released is looked at. Records are drawn from the shares that a noisy
table shows, negative ones taken as 0, and fresh noise is added, so that the noise that is in the
tables already counts once more: what stands up to that stands up to somewhat less as well. Each
table has records of its own, though those of one run share them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from .plan import Plan
from .release import Columns, Counts, Tables


class Redrawn:
    """Tables drawn again from released ones; no table can be had that was not released."""

    def __init__(self, tables: Tables, rng: np.random.Generator) -> None:
        """Draw each released table again."""
        self.plan: Plan = tables.plan
        drawn = {}
        for columns, table in tables.released.items():
            noise = self.plan.whole or (self.plan.pairs, self.plan.triple)[len(columns) - 2]
            assert noise is not None
            fresh = rng.multinomial(self.plan.n, shares(table).ravel()).reshape(table.shape)
            drawn[columns] = fresh + noise.draw(table.shape, rng)
        self.released: Mapping[Columns, Counts] = MappingProxyType(drawn)

    def triple(self, columns: Columns) -> Counts | None:
        """Return the table of three columns, ``None`` where none was released."""
        return self.released.get(columns)


def shares(table: Counts) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return a noisy table as shares of the records: nothing below 0, summing to 1."""
    kept = np.maximum(table, 0).astype(np.float64)
    total = float(kept.sum())
    if not total:
        return np.full(table.shape, 1 / table.size)
    return kept / total
