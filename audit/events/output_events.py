"""Output events of an effect estimate: chosen on samples that are thrown away, then frozen."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from provado.audit.events.features.feature import Aggregate, Column, Exact, Feature
from provado.audit.target.output_encoding import Encoded, PatternBook

Labels = NDArray[np.int64]

MOST_VALUES = 12
"""Outputs with at most so many values are told apart by value."""

CELLS = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98)
"""Where numbers with more values are cut: finer in the tails, where the likelihoods part."""

OTHER = "any other output"

_MOST_COLUMNS = 64


class Partition(Protocol):
    """Disjoint events that cover every output; the last is ``OTHER``."""

    @property
    def names(self) -> tuple[str, ...]:
        """The events in words."""
        ...

    def label(self, outputs: Encoded) -> Labels:
        """Return the position of each output's event, shape (n,)."""
        ...


@dataclass(frozen=True)
class Values:
    """One event for each output value seen (the most frequent ones, if there are many)."""

    names: tuple[str, ...]
    key: Exact
    keys: tuple[int, ...]

    def label(self, outputs: Encoded) -> Labels:
        """Return the position of each output's value."""
        read = self.key.read(outputs)
        labels = np.full(len(outputs), len(self.keys), dtype=np.int64)
        for event, key in enumerate(self.keys):
            labels[read == key] = event
        return labels


@dataclass(frozen=True)
class Cells:
    """One event for each interval between neighboring edges of one number read off the output."""

    names: tuple[str, ...]
    feature: Feature
    pattern: int
    edges: tuple[float, ...]

    def label(self, outputs: Encoded) -> Labels:
        """Return the position of each output's interval; another structure is another output."""
        read = self.feature.read(outputs)
        labels = np.searchsorted(np.asarray(self.edges), read, side="right").astype(np.int64)
        labels[(outputs.pattern != self.pattern) | np.isnan(read)] = len(self.edges) + 1
        return labels


def choose_events(outputs: Encoded, side: NDArray[np.bool_], book: PatternBook) -> Partition:
    """Return a partition of the outputs; ``side`` tells which intervention each came from.

    Few distinct outputs: an event for each. Numbers with many values: intervals of the coordinate,
    or of the sum of all, that tells the sides apart best. Anything else: the most frequent outputs.
    """
    key = Exact(tuple(range(outputs.values.shape[1])))
    read = key.read(outputs)
    keys, first, count = np.unique(read, return_index=True, return_counts=True)
    patterns, of_pattern = np.unique(outputs.pattern, return_counts=True)
    main = int(patterns[np.argmax(of_pattern)])
    rows = outputs.pattern == main
    width = outputs.values.shape[1]
    if len(keys) > MOST_VALUES and width and np.isfinite(outputs.column(0)[rows]).all():
        return _cells(_most_telling(outputs, rows, side), outputs, rows, main)
    kept = np.argsort(-count, kind="stable")[:MOST_VALUES]
    if width == 1:
        kept = kept[np.argsort(outputs.column(0)[first[kept]], kind="stable")]
    names = tuple(f"output = {book.words(outputs, int(row))}" for row in first[kept])
    return Values((*names, OTHER), key, tuple(keys[kept].tolist()))


def _cells(feature: Feature, outputs: Encoded, rows: NDArray[np.bool_], main: int) -> Cells:
    edges = _edges(feature.read(outputs)[rows])
    what = feature.words()
    shown = [f"{edge:.4g}" for edge in edges]
    names = (
        f"{what} < {shown[0]}",
        *(f"{a} ≤ {what} < {b}" for a, b in pairwise(shown)),
        f"{what} ≥ {shown[-1]}",
        OTHER,
    )
    return Cells(names, feature, main, edges)


def _edges(values: NDArray[np.float64]) -> tuple[float, ...]:
    values = values[np.isfinite(values)]
    # Rounded, so that the event that is counted is the one that is named.
    edges = {float(f"{edge:.4g}") for edge in np.quantile(values, CELLS).tolist()}
    return tuple(sorted(edges))


def _most_telling(outputs: Encoded, rows: NDArray[np.bool_], side: NDArray[np.bool_]) -> Feature:
    width = outputs.values.shape[1]
    features: Sequence[Feature] = [Column(j, width) for j in range(min(width, _MOST_COLUMNS))]
    if width > 1:
        features = [*features, Aggregate("sum")]

    def gain(feature: Feature) -> float:
        read = feature.read(outputs)[rows]
        if not np.isfinite(read).all():
            return -1.0
        cell = np.searchsorted(np.asarray(_edges(read)), read, side="right")
        one = np.bincount(cell[side[rows]], minlength=len(CELLS) + 1)
        two = np.bincount(cell[~side[rows]], minlength=len(CELLS) + 1)
        return float(np.sum((one - two) ** 2 / np.maximum(one + two, 1)))

    return max(features, key=gain)
