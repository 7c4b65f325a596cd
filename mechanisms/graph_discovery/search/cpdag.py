"""The second phase of PC: from a skeleton and separating sets to a CPDAG.

Source: Spirtes, Glymour and Scheines (2000), section 5.4.2; Meek, Causal Inference and Causal
Explanation with Background Knowledge (1995), rules 1 to 4. The data are not touched here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError

from .skeleton import Skeleton

Graph = NDArray[np.bool_]
"""Shape (d, d): i → j where [i, j] holds and [j, i] does not; i − j where both hold."""

Triple = tuple[int, int, int]
"""Vertices (x, z, y) with x − z − y, and x and y not adjacent."""

_NONE: frozenset[Triple] = frozenset()


def orient(skeleton: Skeleton) -> Graph:
    """Return the CPDAG of a skeleton: v-structures first, then Meek's rules."""
    return close_by_meek(v_structures(skeleton.adjacency, skeleton.separating))


def v_structures(
    adjacency: ArrayLike, separating: Mapping[tuple[int, int], tuple[int, ...]]
) -> Graph:
    """Return the graph with x → z ← y wherever x − z − y, and z is not in the set of (x, y).

    A pair without a separating set gives no v-structure. Where two v-structures ask for opposite
    directions of an edge, as tests on data may, it stays undirected: no order of the triples is
    preferred.
    """
    graph = _graph(adjacency)
    return into_colliders(
        graph,
        (
            (x, int(z), y)
            for (x, y), given in separating.items()
            for z in np.flatnonzero(graph[x] & graph[y])
            if int(z) not in given
        ),
    )


def into_colliders(adjacency: ArrayLike, colliders: Iterable[Triple]) -> Graph:
    """Return the graph with x → z ← y for each collider (x, z, y).

    Where two ask for opposite directions of an edge it stays undirected.
    """
    graph = _graph(adjacency)
    into = np.zeros_like(graph)
    for x, z, y in colliders:
        into[x, z] = into[y, z] = True
    return graph & ~(into & ~into.T).T


def surest(adjacency: ArrayLike, shares: NDArray[np.float64], least: float) -> Graph:
    """Return the graph with x → y where its share is at least ``least``, which is above 1/2.

    shares: how sure each direction is, shape (d, d); x → y and y → x share at most 1.
    """
    graph = _graph(adjacency).copy()
    graph[(shares >= least).T] = False
    graph.setflags(write=False)
    return graph


def rule_1(graph: Graph, a: int, b: int, unclear: Set[Triple] = _NONE) -> bool:
    """Tell whether a − b must be a → b: c → a for a c that is not adjacent to b.

    unclear: triples (x, z, y), in both directions, of which it is not known whether they collide;
    they are no reason, here and in the other rules.
    """
    above = np.flatnonzero(_directed(graph)[:, a] & ~_adjacent(graph)[:, b])
    return any((int(c), a, b) not in unclear for c in above)


def rule_2(graph: Graph, a: int, b: int, _unclear: Set[Triple] = _NONE) -> bool:
    """Tell whether a − b must be a → b: a → c → b."""
    directed = _directed(graph)
    return bool(np.any(directed[a] & directed[:, b]))


def rule_3(graph: Graph, a: int, b: int, unclear: Set[Triple] = _NONE) -> bool:
    """Tell whether a − b must be a → b: a − c → b and a − d → b, c and d not adjacent."""
    both = np.flatnonzero(graph[a] & graph[:, a] & _directed(graph)[:, b]).tolist()
    adjacent = _adjacent(graph)
    return any(not adjacent[c, d] and (c, a, d) not in unclear for c, d in combinations(both, 2))


def rule_4(graph: Graph, a: int, b: int, unclear: Set[Triple] = _NONE) -> bool:
    """Tell whether a − b must be a → b: a − c → d → b, a adjacent to d, c not adjacent to b.

    Only background knowledge can bring it about; after v-structures it never fires.
    """
    directed, adjacent = _directed(graph), _adjacent(graph)
    first = [
        c
        for c in np.flatnonzero(graph[a] & graph[:, a] & ~adjacent[b]).tolist()
        if c != b and (c, a, b) not in unclear
    ]
    second = adjacent[a] & directed[:, b]
    return bool(np.any(directed[first][:, second]))


MEEK_RULES: tuple[Callable[..., bool], ...] = (rule_1, rule_2, rule_3, rule_4)


def close_by_meek(graph: ArrayLike, unclear: Set[Triple] = _NONE) -> Graph:
    """Return the graph after Meek's rules, applied until none directs an edge.

    All edges are looked at before any is directed, and one that is asked to point both ways, as
    tests on data may have it, stays undirected: no order of the edges is preferred. Where the
    directions are those of some acyclic graph this is what Meek's order gives.
    """
    closed = _graph(graph).copy()
    while True:
        asked = [
            (a, b)
            for a, b in np.argwhere(closed & closed.T).tolist()
            if any(rule(closed, a, b, unclear) for rule in MEEK_RULES)
        ]
        wanted = set(asked)
        one_way = [(a, b) for a, b in asked if (b, a) not in wanted]
        if not one_way:
            break
        for a, b in one_way:
            closed[b, a] = False
    closed.setflags(write=False)
    return closed


def _graph(adjacency: ArrayLike) -> Graph:
    graph = np.asarray(adjacency, dtype=bool)
    if graph.ndim != 2 or graph.shape[0] != graph.shape[1] or graph.diagonal().any():
        raise UsageError(f"graph of shape {graph.shape}: it must be square, with an empty diagonal")
    return graph


def _directed(graph: Graph) -> Graph:
    return graph & ~graph.T


def _adjacent(graph: Graph) -> Graph:
    return graph | graph.T
