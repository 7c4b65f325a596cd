"""A coded table that tells when it is looked at, for a run to say how far it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np

from provado.mechanisms.graphs.tables.coded import CodedTable, Tables


@dataclass(frozen=True, eq=False)
class CountedTable(CodedTable):
    """The same table; ``seen`` is called for each contingency table that is asked of it."""

    seen: Callable[[], None]

    def tables(self, x: int, y: int, given: Sequence[int] = ()) -> Tables:
        """Return what the table itself returns."""
        self.seen()
        return super().tables(x, y, given)

    def subset(self, m: int, rng: np.random.Generator) -> CodedTable:
        """Return what the table itself returns, counted too."""
        return counted(super().subset(m, rng), self.seen)

    def collapsed(self) -> CodedTable:
        """Return what the table itself returns, counted too."""
        return counted(super().collapsed(), self.seen)


def counted(table: CodedTable, seen: Callable[[], None]) -> CodedTable:
    """Return the table in a form that calls ``seen`` for each contingency table; results stay."""
    if isinstance(table, CountedTable):
        return table
    own = {one.name: getattr(table, one.name) for one in fields(table)}
    return CountedTable(**own, seen=seen)
