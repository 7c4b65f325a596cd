"""Noisy tables as they are released: the only place where a private run looks at the records."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.graph_discovery.tables.coded import CodedTable

from .plan import Plan

Counts = NDArray[np.int64]
"""How many records each combination of some columns' levels has; an axis a column, ascending."""

Columns = tuple[int, ...]


class Tables(Protocol):
    """Noisy tables by their columns, within a plan."""

    @property
    def plan(self) -> Plan:
        """What may be released."""
        ...

    @property
    def released(self) -> Mapping[Columns, Counts]:
        """The tables so far, by ascending columns."""
        ...

    def triple(self, columns: Columns) -> Counts | None:
        """Return the table of three ascending columns; ``None`` where no more may be asked for."""
        ...


class Release:
    """The noisy tables of a table of records.

    What is planned without choice is drawn at once. Guarantee: all that is ever released promises
    what ``plan.cost()`` says, under replacement of one record, for n and the levels fixed
    beforehand, however the triples are chosen by what was released before: each table is an
    integer vector of ℓ1-sensitivity 2 and ℓ2-sensitivity √2 with noise of its own, and neither
    their number nor their noise depends on the records.
    """

    def __init__(self, data: CodedTable, plan: Plan, rng: np.random.Generator) -> None:
        """Draw the table of all columns, or those of all pairs.

        Raises ``UsageError`` for a plan of other records or levels.
        """
        if (data.n, data.levels) != (plan.n, plan.levels):
            raise UsageError("plan is of another number of records or other levels than data")
        self.plan = plan
        self._data, self._rng, self._left = data, rng, plan.triples
        self._released: dict[Columns, Counts] = {}
        if plan.whole is not None:
            everything = tuple(range(len(data.levels)))
            self._released[everything] = count(data, everything) + plan.whole.draw(data.levels, rng)
        if plan.pairs is not None:
            for y in range(len(data.levels)):
                for x in range(y):
                    table = data.tables(x, y)[0]
                    self._released[x, y] = table + plan.pairs.draw(table.shape, rng)

    @property
    def released(self) -> Mapping[Columns, Counts]:
        """The tables so far, by ascending columns."""
        return MappingProxyType(self._released)

    def triple(self, columns: Columns) -> Counts | None:
        """Return the table of three ascending columns; ``None`` where no more may be asked for.

        A table is drawn once: asked for again, it costs nothing and is the same.
        """
        if columns not in self._released and self._left and self.plan.triple is not None:
            self._left -= 1
            table = count(self._data, columns)
            self._released[columns] = table + self.plan.triple.draw(table.shape, self._rng)
        return self._released.get(columns)


def count(data: CodedTable, columns: Columns) -> Counts:
    """Return how many records each combination of the columns' levels has, an axis a column."""
    short = data.onto(columns)
    table = np.zeros(short.levels, dtype=np.int64)
    assert short.counts is not None
    table[tuple(short.codes)] = short.counts
    return table
