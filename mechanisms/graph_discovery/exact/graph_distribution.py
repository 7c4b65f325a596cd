"""The distribution of a discovered graph: how likely each is, and draws from it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions.parameters import natural

Graphs = NDArray[np.int16]
"""Codes of CPDAGs, see ``graph_code``; shape (size,)."""

Distribution = dict[int, float]
"""The probability of each graph by its code."""


class Runs(Protocol):
    """A method on fixed records, of which many runs can be drawn."""

    def draw(self, size: int, rng: np.random.Generator) -> Graphs:
        """Return ``size`` independent graphs."""
        ...

    def distribution(self) -> Distribution:
        """Return the probability of each graph."""
        ...


@dataclass(frozen=True)
class RunsByDistribution:
    """Runs drawn from their distribution, where each is a finite choice of known probabilities."""

    known: Mapping[int, float]

    def draw(self, size: int, rng: np.random.Generator) -> Graphs:
        """Return ``size`` independent graphs. Raises ``UsageError`` for a size below 1."""
        graphs = np.array(list(self.known), dtype=np.int16)
        chances = np.array(list(self.known.values()))
        return rng.choice(graphs, size=natural(size, "size"), p=chances / chances.sum())

    def distribution(self) -> Distribution:
        """Return the probability of each graph."""
        return dict(self.known)


def loss(distribution: Mapping[int, float], other: Mapping[int, float]) -> float:
    """Return the smallest ε so that neither distribution exceeds e^ε times the other anywhere.

    ∞ where one of them gives a graph that the other does not.
    """
    worst = 0.0
    for graph in distribution.keys() | other.keys():
        p, q = distribution.get(graph, 0.0), other.get(graph, 0.0)
        if max(p, q) > 0:
            worst = max(worst, abs(math.log(p / q)) if min(p, q) > 0 else math.inf)
    return worst
