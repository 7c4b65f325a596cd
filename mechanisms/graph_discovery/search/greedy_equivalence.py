"""Greedy equivalence search: edges added to a CPDAG while that helps, then taken away.

Source: Chickering, Optimal Structure Identification with Greedy Search (2002), Theorems 15 and 17,
Definitions 12 and 13. Both phases are repeated while they change the graph: a score that knows its
noise need not be the same for all graphs of a class.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .acyclic import cpdag_of, extension
from .cpdag import Graph
from .families import Families, Parents
from .work import NoMoreTests, Stop

_LEAST = 1e-9
"""A gain that is more than rounding."""


def greedy_equivalence(d: int, families: Families) -> tuple[Graph, Stop | None]:
    """Return a CPDAG on d vertices that no single step makes better, and what ran out.

    Where the work ends early it is the graph so far.
    """
    graph: Graph = np.zeros((d, d), dtype=bool)
    seen = set[bytes]()
    try:
        while graph.tobytes() not in seen:
            seen.add(graph.tobytes())
            for step in (_insertion, _deletion):
                while (changed := step(_Sides(graph), families)) is not None:
                    graph = cpdag_of(extension(changed))
    except NoMoreTests as end:
        return graph, end.stop
    return graph, None


class _Sides:
    """A CPDAG by its vertices: parents, undirected neighbors, and all that are adjacent."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.parents = _by_vertex(graph & ~graph.T)
        self.lines = _by_vertex(graph & graph.T)
        self.adjacent = _by_vertex(graph | graph.T)

    def cliques(self, among: Parents, beside: Parents) -> Iterator[Parents]:
        """Yield the cliques among some vertices that make one with those ``beside``, a clique."""
        able = sorted(v for v in among if beside <= self.adjacent[v])

        def grown(clique: Parents, start: int) -> Iterator[Parents]:
            yield clique
            for place in range(start, len(able)):
                if clique <= self.adjacent[able[place]]:
                    yield from grown(clique | {able[place]}, place + 1)

        yield from grown(frozenset(), 0)

    def is_clique(self, vertices: Parents) -> bool:
        """Tell whether all of them are adjacent to each other."""
        return all(vertices - {v} <= self.adjacent[v] for v in vertices)

    def reaches(self, start: int, end: int, without: Parents) -> bool:
        """Tell whether a path of lines and arrows leads on from one vertex to another."""
        seen, ahead = {start, *without}, [start]
        while ahead:
            here = ahead.pop()
            onward = set(np.flatnonzero(self.graph[here]).tolist())
            if end in onward:
                return True
            ahead += onward - seen
            seen |= onward
        return False


def _by_vertex(marks: Graph) -> list[Parents]:
    return [frozenset(np.flatnonzero(column).tolist()) for column in marks.T]


def _insertion(sides: _Sides, families: Families) -> NDArray[np.bool_] | None:
    """Return the graph with the best edge x → y, and some lines of y turned to y, if any helps."""
    best, found = _LEAST, None
    d = len(sides.graph)
    for y in range(d):
        for x in range(d):
            if x == y or x in sides.adjacent[y]:
                continue
            shared = sides.lines[y] & sides.adjacent[x]
            if not sides.is_clique(shared):
                continue
            for turned in sides.cliques(sides.lines[y] - shared, shared):
                between = shared | turned
                before = between | sides.parents[y]
                gain = families.gain(y, before | {x}) - families.gain(y, before)
                if gain > best and not sides.reaches(y, x, between):
                    best, found = gain, (x, y, turned)
    if found is None:
        return None
    x, y, turned = found
    changed = sides.graph.copy()
    changed[x, y] = True
    changed[y, list(turned)] = False
    return changed


def _deletion(sides: _Sides, families: Families) -> NDArray[np.bool_] | None:
    """Return the graph without the worst edge, and lines of its ends turned away, if that helps."""
    best, found = _LEAST, None
    for x, y in np.argwhere(sides.graph).tolist():
        shared = sides.lines[y] & sides.adjacent[x]
        for kept in sides.cliques(shared, frozenset()):
            after = (kept | sides.parents[y]) - {x}
            gain = families.gain(y, after) - families.gain(y, after | {x})
            if gain > best:
                best, found = gain, (x, y, shared - kept)
    if found is None:
        return None
    x, y, turned = found
    changed = sides.graph.copy()
    changed[x, y] = changed[y, x] = False
    for z in turned:
        changed[z, y] = False
        if changed[x, z] and changed[z, x]:
            changed[z, x] = False
    return changed
