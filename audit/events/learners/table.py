"""A table: the log-likelihood ratio of each value that a key of the output takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from provado.audit.events.features.feature import Floats, Key
from provado.audit.events.features.kinds import Looked
from provado.audit.target.output_encoding import Encoded, Ints

from .score import log_ratio

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
        # Only the most telling few are ever put in words.
        ratios = log_ratio(in_a, in_b)
        weight = np.abs(ratios) * np.sqrt(in_a + in_b)
        rows_a = dict(zip(found_a.tolist(), first_a.tolist(), strict=True))
        rows_b = dict(zip(found_b.tolist(), first_b.tolist(), strict=True))
        for i in np.argsort(-weight)[:NAMED].tolist():
            k = int(keys[i])
            sample, row = (a, rows_a[k]) if k in rows_a else (b, rows_b[k])
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
            return f"{self.key.words()} is one of {len(order)} values"
        more = f" or {len(order) - len(named)} more" if len(order) > len(named) else ""
        if low <= self.other <= high:
            named.append(f"nothing that was seen under {self.unseen}")
        if not named:
            return ""
        return f"{self.key.words()} is " + ", ".join(named) + more

    def record(self) -> dict[str, Any]:
        """Return the table, its most telling entries first."""
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

    def looked(self) -> Looked:
        """Return what its keys tell apart."""
        return self.key.looked()


def look_up(keys: Ints, known: Ints, values: Floats, other: float = np.nan) -> Floats:
    """Return the value of each key; ``other`` for one that is not known (``known`` is sorted)."""
    if len(known) == 0:
        return np.full(len(keys), other)
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(known[at] == keys, values[at], other)
