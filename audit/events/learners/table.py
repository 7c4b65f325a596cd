"""A table: the log-likelihood ratio of each value that a key of the output takes.

Its groups of outputs may have cells of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from provado.audit.events.features.feature import EventKind, EventSet, Exact, Feature, Floats, Key
from provado.audit.events.learners.piecewise import CellRatios, log_ratio, ratio_region
from provado.audit.target.output_encoding import Encoded, Ints
from provado.mechanisms.definitions.relation import counted

NAMED = 200
"""Entries of a table that keep a text."""


@dataclass(frozen=True)
class Table:
    """The log-likelihood ratio of each value of a key.

    other: of one that is not among them; unseen: the dataset under which it was never seen.
    """

    key: Key
    keys: Ints
    ratios: Floats
    texts: tuple[str, ...]
    other: float = np.nan
    unseen: str = ""
    raw = False

    @classmethod
    def learn(cls, key: Key, a: Encoded, b: Encoded, spell: Callable[[Encoded, int], str]) -> Table:
        """Learn from outputs under D (``a``) and under D′ (``b``)."""
        found_a, first_a, count_a = np.unique(key.read(a), return_index=True, return_counts=True)
        found_b, first_b, count_b = np.unique(key.read(b), return_index=True, return_counts=True)
        keys = np.union1d(found_a, found_b)
        in_a, in_b = np.zeros(len(keys)), np.zeros(len(keys))
        in_a[np.searchsorted(keys, found_a)] = count_a
        in_b[np.searchsorted(keys, found_b)] = count_b
        texts = [""] * len(keys)
        # Only the most informative few are ever put in words.
        ratios = log_ratio(in_a, in_b)
        weight = np.abs(ratios) * np.sqrt(in_a + in_b)
        rows_a = dict(zip(found_a.tolist(), first_a.tolist(), strict=True))
        rows_b = dict(zip(found_b.tolist(), first_b.tolist(), strict=True))
        for i in np.argsort(-weight)[:NAMED].tolist():
            k = int(keys[i])
            sample, row = (a, rows_a[k]) if k in rows_a else (b, rows_b[k])
            if isinstance(key, Exact):
                sample, row = key.compared(sample, row), 0
            texts[i] = key.spell(sample, row) or spell(sample, row)
        return cls(key, keys, ratios, tuple(texts))

    def __call__(self, outputs: Encoded) -> Floats:
        """Return the ratio of each output's key."""
        return look_up(self.key.read(outputs), self.keys, self.ratios, self.other)

    def region(self, low: float, high: float) -> str:
        """List the values, as far as a sentence can; empty where there are none."""
        inside = np.flatnonzero((self.ratios >= low) & (self.ratios <= high))
        order = inside[np.argsort(-np.abs(self.ratios[inside]))].tolist()
        named = [self.texts[i] for i in order if self.texts[i]][:8]
        if order and not named:
            return f"{self.key.words()} is one of {counted(len(order), 'value')}"
        more = f" or {len(order) - len(named)} more" if len(order) > len(named) else ""
        if low <= self.other <= high:
            named.append(f"nothing that was seen under {self.unseen}")
        if not named:
            return ""
        return f"{self.key.words()} is " + ", ".join(named) + more

    def record(self) -> dict[str, Any]:
        """Return the table, its most informative entries first."""
        order = np.argsort(-np.abs(self.ratios))[:100].tolist()
        return {
            "kind": "table",
            "key": self.key.words(),
            "entries": len(self.keys),
            "telling": [
                {"output": self.texts[i], "log_ratio": float(self.ratios[i])}
                for i in order
                if self.texts[i]
            ],
        }

    def event_set(self) -> EventSet:
        """Return the kinds of events that its keys distinguish."""
        return self.key.event_set()


def look_up(keys: Ints, known: Ints, values: Floats, other: float = np.nan) -> Floats:
    """Return the value of each key; ``other`` for one that is not known (``known`` is sorted)."""
    if len(known) == 0:
        return np.full(len(keys), other)
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(known[at] == keys, values[at], other)


Group = tuple[int, Floats, tuple[tuple[Feature, Floats, Floats], ...]]
"""The samples of one group: its key, its own log ratio, and each feature's finite values."""

MOST_GROUPS, FEWEST_SAMPLES = 48, 200
"""Groups that have cells of their own, the largest; and samples that each of them has at least."""


def split_groups(
    table: Table, features: Sequence[Feature], a: Encoded, b: Encoded
) -> tuple[Group, ...]:
    """Return the largest groups of a table."""
    keys_a, keys_b = table.key.read(a), table.key.read(b)
    found, counts = np.unique(np.concatenate([keys_a, keys_b]), return_counts=True)
    order = np.argsort(-counts)[:MOST_GROUPS]
    read = [(f, f.read(a), f.read(b)) for f in features]
    groups = []
    for key in found[order[counts[order] >= FEWEST_SAMPLES]].tolist():
        rows_a, rows_b = np.flatnonzero(keys_a == key), np.flatnonzero(keys_b == key)
        values = tuple(
            (f, x[rows_a], y[rows_b])
            for f, x, y in read
            # NaN is part of the structure: one row tells for all of the group.
            if np.isfinite(np.append(x[rows_a[:1]], y[rows_b[:1]])).any()
        )
        ratio = log_ratio(np.array([len(rows_a)]), np.array([len(rows_b)]))
        groups.append((key, ratio, values))
    return tuple(groups)


@dataclass(frozen=True)
class Grouped:
    """A table over groups, and within each large group the sum over the cells of its features.

    This is naive Bayes within a group: exact where the features are independent there.
    """

    table: Table
    groups: tuple[tuple[int, tuple[CellRatios, ...]], ...]
    raw = False

    @classmethod
    def learn(cls, table: Table, groups: Sequence[Group], *, monotone: bool) -> Grouped:
        """Learn the cells of each feature in each group; see ``CellRatios.learn``."""
        learned = []
        for key, ratio, values in groups:
            cells = [CellRatios.learn(f, x, y, monotone=monotone) for f, x, y in values]
            # The table already holds the group's own ratio.
            inner = tuple(
                CellRatios(cell.feature, cell.edges, cell.ratios - ratio)
                for cell in cells
                if len(cell.edges)
            )
            if inner:
                learned.append((key, inner))
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

    def event_set(self) -> EventSet:
        """Return intervals, within groups, of every feature that has cells in one of them."""
        names = (cell.feature.words() for _, cells in self.groups for cell in cells)
        return EventSet(EventKind.WITHIN, tuple(dict.fromkeys(names)))
