"""How far the CPDAG that was found is from that of the true graph."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms import UsageError
from provado.mechanisms.graphs.search.cpdag import Graph, close_by_meek, into_colliders


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


def structural_hamming(found: ArrayLike, true: ArrayLike) -> int:
    """Return in how many pairs two graphs differ: no edge, directed either way, or undirected.

    Source: Tsamardinos, Brown and Aliferis, The Max-Min Hill-Climbing Bayesian Network Structure
    Learning Algorithm (2006), section 9.1. Raises ``UsageError`` unless both are square and of one
    size.
    """
    first, second = _graph(found), _graph(true)
    if first.shape != second.shape:
        raise UsageError(f"found has shape {first.shape} and true {second.shape}: they must agree")
    differ = first != second
    return int(np.triu(differ | differ.T).sum())


def _graph(graph: ArrayLike) -> NDArray[np.bool_]:
    marks = np.asarray(graph, dtype=bool)
    if marks.ndim != 2 or marks.shape[0] != marks.shape[1]:
        raise UsageError(f"graph has shape {marks.shape}: it must be square")
    return marks
