"""Groups of outputs that a table tells apart, and cells within each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from provado.audit.events.features.feature import Feature, Floats
from provado.audit.events.features.kinds import Kind, Looked
from provado.audit.target.output_encoding import Encoded

from .piecewise import Cells
from .score import log_ratio, ratio_region
from .table import Table, look_up


@dataclass(frozen=True)
class Group:
    """The samples of one group: its key, its own log ratio, and each feature's finite values."""

    key: int
    ratio: Floats
    values: tuple[tuple[Feature, Floats, Floats], ...]


def split_groups(
    table: Table,
    features: Sequence[Feature],
    a: Encoded,
    b: Encoded,
    *,
    most: int = 48,
    fewest: int = 200,
) -> tuple[Group, ...]:
    """Return the largest groups that ``table`` tells apart, those with ``fewest`` samples."""
    keys_a, keys_b = table.key.read(a), table.key.read(b)
    found, counts = np.unique(np.concatenate([keys_a, keys_b]), return_counts=True)
    order = np.argsort(-counts)[:most]
    read = [(f, f.read(a), f.read(b)) for f in features]
    groups = []
    for key in found[order[counts[order] >= fewest]].tolist():
        rows_a, rows_b = np.flatnonzero(keys_a == key), np.flatnonzero(keys_b == key)
        values = tuple(
            (f, x[rows_a], y[rows_b])
            for f, x, y in read
            # NaN is part of the structure: one row tells for all of the group.
            if np.isfinite(np.append(x[rows_a[:1]], y[rows_b[:1]])).any()
        )
        ratio = log_ratio(np.array([len(rows_a)]), np.array([len(rows_b)]))
        groups.append(Group(key, ratio, values))
    return tuple(groups)


@dataclass(frozen=True)
class Grouped:
    """A table over groups, and within each large group the sum over the cells of its features.

    This is naive Bayes within a group: exact where the features are independent there.
    """

    table: Table
    groups: tuple[tuple[int, tuple[Cells, ...]], ...]
    raw = False

    @classmethod
    def learn(cls, table: Table, groups: Sequence[Group], *, monotone: bool) -> Grouped:
        """Learn the cells of each feature in each group; see ``Cells.learn``."""
        learned = []
        for group in groups:
            cells = [Cells.learn(f, x, y, monotone=monotone) for f, x, y in group.values]
            # The table already holds the group's own ratio.
            inner = tuple(
                Cells(cell.feature, cell.edges, cell.ratios - group.ratio)
                for cell in cells
                if len(cell.edges)
            )
            if inner:
                learned.append((group.key, inner))
        return cls(table, tuple(learned))

    def __call__(self, outputs: Encoded) -> Floats:
        """Return group ratio plus the ratios of the features within the group."""
        keys = self.table.key.read(outputs)
        total = look_up(keys, self.table.keys, self.table.ratios)
        for group, cells in self.groups:
            rows = np.flatnonzero(keys == group)
            part = outputs.part(rows)
            for cell in cells:
                total[rows] += cell(part)
        return total

    def region(self, low: float, high: float) -> str:
        """Describe the rule by the log-likelihood ratio that it wants."""
        return ratio_region("within the output's structure", low, high)

    def record(self) -> dict[str, Any]:
        """Return the table and the cells of each group."""
        return {
            "kind": "grouped",
            "table": self.table.record(),
            "groups": [[cell.record() for cell in cells] for _, cells in self.groups[:20]],
        }

    def looked(self) -> Looked:
        """Return intervals, within groups, of every feature that has cells in one of them."""
        names = (cell.feature.words() for _, cells in self.groups for cell in cells)
        return Looked(Kind.WITHIN, tuple(dict.fromkeys(names)))
