"""Scores: one real number an output, large where it speaks for D, small where for D′."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from provado.audit.outputs import Encoded, Ints
from provado.audit.rules.cells import merge_cells, monotone_edges, rank_grid, tally
from provado.audit.rules.feature import Feature, Floats, Key

NAMED = 200
"""Entries of a table that keep a text."""

STRIPS = ((0.02, 0.5), (0.05, 0.6), (0.1, 0.7), (0.15, 0.8), (0.2, 0.9))
"""Strips along the edge of a telling cell: where each ends, as a share of the cell's samples, and
how much of the difference to the neighbor's ratio it keeps."""

PENALTY, STRICT = 7.0, 12.0
"""Log-likelihood that an extra cell must gain to be kept: about log(cells) plus a test's share.

``STRICT`` where the same samples go on to place the cut.
"""


class Score(Protocol):
    """A score that has been learned. ``raw`` ones learned nothing from the samples."""

    raw: bool

    def __call__(self, outputs: Encoded) -> Floats:
        """Return the scores, shape (n,); NaN where there is nothing to say."""
        ...

    def region(self, low: float, high: float) -> str:
        """Say in words which outputs score in [low, high]."""
        ...

    def record(self) -> dict[str, Any]:
        """Return the score as plain data for a report."""
        ...


def log_ratio(a: NDArray[Any], b: NDArray[Any]) -> Floats:
    """Return the log-likelihood ratio of D against D′ from counts, half a count added to each."""
    return np.asarray(np.log((a + 0.5) / (b + 0.5)))


@dataclass(frozen=True)
class Raw:
    """A feature as it is: the rule is then one or two thresholds on it."""

    feature: Feature
    raw = True

    def __call__(self, outputs: Encoded) -> Floats:
        """Return the feature."""
        return self.feature.read(outputs)

    def region(self, low: float, high: float) -> str:
        """Return an inequality."""
        name = self.feature.words()
        return f"{name} ≥ {low:.10g}" if np.isinf(high) else f"{name} ≤ {high:.10g}"

    def record(self) -> dict[str, Any]:
        """Return the feature's name."""
        return {"kind": "threshold", "feature": self.feature.words()}


@dataclass(frozen=True)
class Table:
    """The log-likelihood ratio of each value of a key."""

    key: Key
    keys: Ints
    ratios: Floats
    texts: tuple[str, ...]
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
        """Return the ratio of each output's key; NaN for a key that was never seen."""
        return look_up(self.key.read(outputs), self.keys, self.ratios)

    def region(self, low: float, high: float) -> str:
        """List the values, as far as a sentence can."""
        inside = np.flatnonzero((self.ratios >= low) & (self.ratios <= high))
        order = inside[np.argsort(-np.abs(self.ratios[inside]))].tolist()
        named = [self.texts[i] for i in order if self.texts[i]][:8]
        more = f" or {len(order) - len(named)} more" if len(order) > len(named) else ""
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


def _fade(ratio: float, neighbor: float | None) -> list[float]:
    """Return the ratios of the strips of a cell, from the edge to a less telling neighbor inwards.

    Empty where there is no neighbor, or one that is more telling.
    """
    if neighbor is None or (neighbor * ratio > 0 and abs(neighbor) >= abs(ratio)):
        return []
    target = neighbor if neighbor * ratio > 0 else 0.0
    return [target + share * (ratio - target) for _, share in STRIPS]


def look_up(keys: Ints, known: Ints, values: Floats) -> Floats:
    """Return the value of each key; NaN for a key that is not known (``known`` is sorted)."""
    if len(known) == 0:
        return np.full(len(keys), np.nan)
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(known[at] == keys, values[at], np.nan)


@dataclass(frozen=True)
class Cells:
    """The log-likelihood ratio on cells of one feature; NaN of the feature counts as ratio 0."""

    feature: Feature
    edges: Floats
    ratios: Floats
    raw = False

    @classmethod
    def learn(
        cls,
        feature: Feature,
        a: Floats,
        b: Floats,
        *,
        monotone: bool = False,
        penalty: float = PENALTY,
    ) -> Cells:
        """Learn from the feature's values under D (``a``) and D′ (``b``); NaN is left out.

        The ratio is piecewise constant with few pieces, or ``monotone``.
        """
        a, b = np.sort(a[np.isfinite(a)]), np.sort(b[np.isfinite(b)])
        pooled = np.sort(np.concatenate([a, b]))
        if len(pooled) < 2:
            return cls(feature, np.empty(0), np.zeros(1))
        edges = np.unique(pooled[rank_grid(len(pooled))])
        counts_a, counts_b = tally(edges, a), tally(edges, b)
        kept = (
            monotone_edges(counts_a, counts_b)
            if monotone
            else merge_cells(counts_a, counts_b, penalty)
        )
        edges = edges[kept]
        return cls(feature, edges, log_ratio(tally(edges, a), tally(edges, b)))

    def graded(self, pooled: Floats) -> Cells:
        """Return the cells with a graded edge wherever a telling cell meets one that is less so.

        An edge is never known exactly. A telling cell that reaches too far takes in outputs that
        say less, which costs more than the few outputs that it loses by ending early. So its
        samples (``pooled``, sorted) next to the edge are split into strips of shares ``STRIPS``,
        whose ratios fall to the neighbor's (or to 0, where that has the other sign); how many of
        them to leave out is then up to the cut.
        """
        at = [0, *np.searchsorted(pooled, self.edges).tolist(), len(pooled)]
        own = self.ratios.tolist()
        pieces: list[tuple[int, float]] = []
        for k, ratio in enumerate(own):
            begin, end = at[k], at[k + 1]
            steps = [int(share * (end - begin)) for share, _ in STRIPS]
            left = _fade(ratio, own[k - 1] if k else None)
            right = _fade(ratio, own[k + 1] if k + 1 < len(own) else None)
            pieces += [
                (begin + before, faded) for before, faded in zip([0, *steps], left, strict=False)
            ]
            pieces.append((begin + (steps[-1] if left else 0), ratio))
            pieces += [(end - step, faded) for step, faded in zip(steps, right, strict=False)][::-1]
        # Tied values make some strips empty: equal edges, of which searching finds the last.
        edges = pooled[np.array([position for position, _ in pieces[1:]], dtype=np.int64)]
        return Cells(self.feature, edges, np.array([ratio for _, ratio in pieces]))

    def of(self, values: Floats) -> Floats:
        """Return the ratio of each feature value."""
        found = self.ratios[np.searchsorted(self.edges, values, side="right")]
        return np.where(np.isnan(values), 0.0, found)

    def __call__(self, outputs: Encoded) -> Floats:
        """Return the ratio of each output."""
        return self.of(self.feature.read(outputs))

    def region(self, low: float, high: float) -> str:
        """Return the union of intervals."""
        limits = [-np.inf, *self.edges.tolist(), np.inf]
        inside = (self.ratios >= low) & (self.ratios <= high)
        parts: list[list[float]] = []
        for i in np.flatnonzero(inside).tolist():
            if parts and parts[-1][1] == limits[i]:
                parts[-1][1] = limits[i + 1]
            else:
                parts.append([limits[i], limits[i + 1]])
        texts = [f"[{lo:.10g}, {hi:.10g})" for lo, hi in parts]
        return f"{self.feature.words()} lies in " + " ∪ ".join(texts[:8])

    def record(self) -> dict[str, Any]:
        """Return edges and ratios."""
        return {
            "kind": "cells",
            "feature": self.feature.words(),
            "edges": self.edges.tolist(),
            "log_ratios": self.ratios.tolist(),
        }


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
            part = Encoded(outputs.pattern[rows], outputs.values[rows])
            for cell in cells:
                total[rows] += cell(part)
        return total

    def region(self, low: float, high: float) -> str:
        """Describe the rule by the log-likelihood ratio that it wants."""
        return _ratio_region("within the output's structure", low, high)

    def record(self) -> dict[str, Any]:
        """Return the table and the cells of each group."""
        return {
            "kind": "grouped",
            "table": self.table.record(),
            "groups": [[cell.record() for cell in cells] for _, cells in self.groups[:20]],
        }


@dataclass(frozen=True)
class Weighted:
    """A weighted sum of scores (logistic regression on them)."""

    parts: tuple[Score, ...]
    weights: tuple[float, ...]
    raw = False

    def __call__(self, outputs: Encoded) -> Floats:
        """Return the weighted sum; parts that have nothing to say count 0."""
        total = np.zeros(len(outputs))
        for part, weight in zip(self.parts, self.weights, strict=True):
            total += weight * np.nan_to_num(part(outputs))
        return total

    def region(self, low: float, high: float) -> str:
        """Describe the rule by the score that it wants."""
        return _ratio_region(f"from {len(self.parts)} features", low, high)

    def record(self) -> dict[str, Any]:
        """Return parts and weights."""
        return {
            "kind": "weighted",
            "parts": [part.record() for part in self.parts[:20]],
            "weights": list(self.weights[:20]),
        }


@dataclass(frozen=True)
class Classifier:
    """The log-odds of a classifier of scikit-learn on a matrix of features."""

    model: Any
    features: tuple[Feature, ...]
    raw = False

    def __call__(self, outputs: Encoded) -> Floats:
        """Return the log-odds of D."""
        matrix = feature_matrix(self.features, outputs)
        return np.asarray(self.model.decision_function(matrix), dtype=np.float64)

    def region(self, low: float, high: float) -> str:
        """Describe the rule by the score that it wants."""
        return _ratio_region("by the classifier", low, high)

    def record(self) -> dict[str, Any]:
        """Return the classifier's type and features."""
        return {
            "kind": "classifier",
            "model": type(self.model).__name__,
            "features": [feature.words() for feature in self.features],
        }


def feature_matrix(features: Sequence[Feature], outputs: Encoded) -> Floats:
    """Return the features as columns; infinities, which the trees do not take, as NaN."""
    matrix = np.column_stack([feature.read(outputs) for feature in features])
    matrix[~np.isfinite(matrix)] = np.nan
    return matrix


def _ratio_region(how: str, low: float, high: float) -> str:
    if np.isinf(high):
        return f"the log-likelihood ratio of D against D′ estimated {how} is at least {low:.4g}"
    return f"the log-likelihood ratio of D against D′ estimated {how} is at most {high:.4g}"
