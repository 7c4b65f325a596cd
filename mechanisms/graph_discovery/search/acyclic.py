"""From a CPDAG to one of its acyclic graphs, and back."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError

from .cpdag import Graph, close_by_meek, into_colliders


def cpdag_of(directed: ArrayLike) -> Graph:
    """Return the CPDAG of an acyclic graph, shape (d, d), where i → j where [i, j] holds.

    Source: Meek, Causal Inference and Causal Explanation with Background Knowledge (1995): its
    v-structures, closed by the rules.
    """
    graph = np.asarray(directed, dtype=bool)
    adjacent = graph | graph.T
    colliders = [
        (x, z, y)
        for z in range(len(graph))
        for x, y in combinations(np.flatnonzero(graph[:, z]).tolist(), 2)
        if not adjacent[x, y]
    ]
    return close_by_meek(into_colliders(adjacent, colliders))


def extension(graph: ArrayLike) -> NDArray[np.bool_]:
    """Return an acyclic graph of the same skeleton and v-structures that keeps all directions.

    graph: see ``Graph``. Source: Dor and Tarsi, A Simple Algorithm to Construct a Consistent
    Extension of a Partially Oriented Graph (1992): vertices are taken away that no arrow leaves and
    whose undirected neighbors are adjacent to all of its neighbors. Raises ``UsageError`` where
    there is none.
    """
    left_over = np.array(graph, dtype=bool)
    directed: NDArray[np.bool_] = left_over & ~left_over.T
    left = list(range(len(left_over)))
    while left:
        last = next((x for x in left if _is_last(left_over, x)), None)
        if last is None:
            raise UsageError("graph has no acyclic graph of its skeleton and v-structures")
        directed[left_over[last], last] = True
        left_over[last] = left_over[:, last] = False
        left.remove(last)
    return directed


def _is_last(graph: NDArray[np.bool_], x: int) -> bool:
    """Tell whether no arrow leaves x and its lines end beside all that is adjacent to it."""
    if (graph[x] & ~graph[:, x]).any():
        return False
    near = set(np.flatnonzero(graph[:, x]).tolist())
    adjacent = graph | graph.T
    lines = np.flatnonzero(graph[x]).tolist()
    return all(near - {y} <= set(np.flatnonzero(adjacent[y]).tolist()) for y in lines)
