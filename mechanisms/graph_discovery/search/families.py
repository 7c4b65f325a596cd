"""Scores of families, a vertex and its parents, each computed once and counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Unpack

from .work import Watch, Work

Parents = frozenset[int]

Gain = Callable[[int, Parents], float]
"""How much better a vertex is told by its parents than by none, less what they are charged."""

NOBODY: Parents = frozenset()


class Families:
    """The gains of families by what was asked before; no parents gain nothing."""

    def __init__(self, gain: Gain, **work: Unpack[Work]) -> None:
        """Take the score, and what the search may cost: see ``Work``; a gain counts as a test."""
        self._gain, self._watch = gain, Watch(**work)
        self._known: dict[tuple[int, Parents], float] = {}

    @property
    def scored(self) -> int:
        """How many families were."""
        return self._watch.tests

    def gain(self, vertex: int, parents: Parents) -> float:
        """Return the gain. Raises ``NoMoreTests`` where a new one would be too many."""
        if not parents:
            return 0.0
        found = self._known.get((vertex, parents))
        if found is None:
            self._watch.allow(1)
            found = self._known[vertex, parents] = self._gain(vertex, parents)
            self._watch.count(len(parents), 1)
        return found
