"""Graphs of the best score: all of few vertices, or by greedy equivalence search.

**Scores of families, a vertex and its parents, each computed once and counted.**

**The acyclic graph of the best score among all, for few vertices.** Source: Silander and Myllymäki,
A Simple Approach for Finding the Globally Optimal Bayesian Network Structure (2006): the best
parents within each set of vertices, then the best last vertex of each.

**Greedy equivalence search: edges added to a CPDAG while that helps, then taken away.** Source:
Chickering, Optimal Structure Identification with Greedy Search (2002), Theorems 15 and 17,
Definitions 12 and 13. Both phases are repeated while they change the graph: a score that knows its
noise need not be the same for all graphs of a class.
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from .cpdag import Graph, cpdag_of, extension
from .work_limits import NoMoreTests, Stop, Work, WorkLimiter

Parents = frozenset[int]

Gain = Callable[[int, Parents], float]
"""How much better a vertex is told by its parents than by none, less what they are charged."""

NOBODY: Parents = frozenset()


class Families:
    """The gains of families by what was asked before; no parents gain nothing."""

    def __init__(self, gain: Gain, **work: Unpack[Work]) -> None:
        """Take the score, and what the search may cost: see ``Work``; a gain counts as a test."""
        self._gain, self._watch = gain, WorkLimiter(**work)
        self._known: dict[tuple[int, Parents], float] = {}

    @property
    def scored(self) -> int:
        """How many families were."""
        return self._watch.tests

    def gain(self, vertex: int, parents: Parents) -> float:
        """Return the gain. Raises ``NoMoreTests`` where a new one would be too many."""
        if not parents:
            return 0.0
        result = self._known.get((vertex, parents))
        if result is None:
            self._watch.allow(1)
            result = self._known[vertex, parents] = self._gain(vertex, parents)
            self._watch.count(len(parents), 1)
        return result


def best_dag(d: int, families: Families) -> tuple[NDArray[np.bool_], Stop | None]:
    """Return an acyclic graph on d vertices of the largest sum of gains, and what ran out.

    Families are scored by their size. Where the work ends earlier, those that were scored so far
    are all that there is to choose from. Of graphs as good as each other, one with fewer parents.
    """
    best = {(x, NOBODY): (0.0, NOBODY) for x in range(d)}
    stopped: Stop | None = None
    for size in range(1, d):
        for x in range(d):
            for few in combinations([y for y in range(d) if y != x], size):
                among = frozenset(few)
                # A smaller set is looked up first, so that it wins where both gain the same.
                own = (0.0, NOBODY)
                for y in few:
                    own = max(own, best[x, among - {y}], key=_gain)
                if stopped is None:
                    try:
                        own = max(own, (families.gain(x, among), among), key=_gain)
                    except NoMoreTests as end:
                        stopped = end.stop
                best[x, among] = own
    return _assembled(d, best), stopped


def _gain(value: tuple[float, Parents]) -> float:
    return value[0]


def _assembled(d: int, best: dict[tuple[int, Parents], tuple[float, Parents]]) -> NDArray[np.bool_]:
    last: dict[Parents, tuple[float, int]] = {NOBODY: (0.0, -1)}
    for size in range(1, d + 1):
        for few in combinations(range(d), size):
            among = frozenset(few)
            last[among] = max((last[among - {x}][0] + best[x, among - {x}][0], -x) for x in few)
    graph, left = np.zeros((d, d), dtype=bool), frozenset(range(d))
    while left:
        x = -last[left][1]
        left -= {x}
        graph[list(best[x, left][1]), x] = True
    return graph


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
        """Return whether all of them are adjacent to each other."""
        return all(vertices - {v} <= self.adjacent[v] for v in vertices)

    def reaches(self, start: int, end: int, without: Parents) -> bool:
        """Return whether a path of lines and arrows leads on from one vertex to another."""
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
