"""The second phase of PC: from a skeleton and separating sets to a CPDAG.

Source: Spirtes, Glymour and Scheines (2000), section 5.4.2; Meek, Causal Inference and Causal
Explanation with Background Knowledge (1995), rules 1 to 4. The data are not touched here.

**From a CPDAG to one of its acyclic graphs, and back.**

**Colliders by what all separating sets say, so that no order of the vertices matters.** Source:
conservative: Ramsey, Zhang and Spirtes, Adjacency-Faithfulness and Conservative Causal Inference
(2006). Majority: Colombo and Maathuis, Order-Independent Constraint-Based Causal Structure Learning
(2014), section 4.2. By the largest p-value: Ramsey, Improving Accuracy and Scalability of the PC
Algorithm by Maximizing P-value (2016).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError

from .skeleton import Skeleton, neighbors, sets_around
from .work_limits import Answers, NoMoreTests, SearchOutcome, Stop, WorkLimiter


@dataclass(frozen=True, eq=False)
class Discovered(SearchOutcome):
    """What a search for a graph found.

    names: of the vertices. skeleton: shape (d, d), symmetric. cpdag: shape (d, d), see ``Graph``.
    separating: the first separating set found of each separated pair (i, j), i < j. tests: how many
    were done, those that judge triples included. stopped: what ran out, where something did.
    """

    names: tuple[str, ...]
    skeleton: NDArray[np.bool_]
    cpdag: Graph
    separating: Mapping[tuple[int, int], tuple[int, ...]]
    tests: int
    stopped: Stop | None = None


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
    return close_by_meek(with_colliders(adjacent, colliders))


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
    """Return whether no arrow leaves x and its lines end beside all that is adjacent to it."""
    if (graph[x] & ~graph[:, x]).any():
        return False
    near = set(np.flatnonzero(graph[:, x]).tolist())
    adjacent = graph | graph.T
    lines = np.flatnonzero(graph[x]).tolist()
    return all(near - {y} <= set(np.flatnonzero(adjacent[y]).tolist()) for y in lines)


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
    return with_colliders(
        graph,
        (
            (x, int(z), y)
            for (x, y), given in separating.items()
            for z in np.flatnonzero(graph[x] & graph[y])
            if int(z) not in given
        ),
    )


def with_colliders(adjacency: ArrayLike, colliders: Iterable[Triple]) -> Graph:
    """Return the graph with x → z ← y for each collider (x, z, y).

    Where two ask for opposite directions of an edge it stays undirected.
    """
    graph = _graph(adjacency)
    into = np.zeros_like(graph)
    for x, z, y in colliders:
        into[x, z] = into[y, z] = True
    return graph & ~(into & ~into.T).T


def directed_by_shares(adjacency: ArrayLike, shares: NDArray[np.float64], least: float) -> Graph:
    """Return the graph with x → y where its share is at least ``least``, which is above 1/2.

    shares: how sure each direction is, shape (d, d); x → y and y → x share at most 1.
    """
    graph = _graph(adjacency).copy()
    graph[(shares >= least).T] = False
    graph.setflags(write=False)
    return graph


def rule_1(graph: Graph, a: int, b: int, unclear: Set[Triple] = _NONE) -> bool:
    """Return whether a − b must be a → b: c → a for a c that is not adjacent to b.

    unclear: triples (x, z, y), in both directions, of which it is not known whether they collide;
    they are no reason, here and in the other rules.
    """
    above = np.flatnonzero(_directed(graph)[:, a] & ~_adjacent(graph)[:, b])
    return any((int(c), a, b) not in unclear for c in above)


def rule_2(graph: Graph, a: int, b: int, _unclear: Set[Triple] = _NONE) -> bool:
    """Return whether a − b must be a → b: a → c → b."""
    directed = _directed(graph)
    return bool(np.any(directed[a] & directed[:, b]))


def rule_3(graph: Graph, a: int, b: int, unclear: Set[Triple] = _NONE) -> bool:
    """Return whether a − b must be a → b: a − c → b and a − d → b, c and d not adjacent."""
    both = np.flatnonzero(graph[a] & graph[:, a] & _directed(graph)[:, b]).tolist()
    adjacent = _adjacent(graph)
    return any(not adjacent[c, d] and (c, a, d) not in unclear for c, d in combinations(both, 2))


def rule_4(graph: Graph, a: int, b: int, unclear: Set[Triple] = _NONE) -> bool:
    """Return whether a − b must be a → b: a − c → d → b, a adjacent to d, c not adjacent to b.

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

    All edges are examined before any is directed, and one that is asked to point both ways, as
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


Rule = Literal["agreed", "majority", "conservative"]

Orientation = Literal["first"] | Rule

ORIENTATIONS: tuple[Orientation, ...] = ("first", "agreed", "majority", "conservative")


@dataclass(frozen=True)
class Judged:
    """The triples of a skeleton that were judged; each stands in both directions.

    colliders: x → z ← y. unclear: neither taken to collide nor not to. tests: how many were done.
    stopped: what ran out, where something did; triples that were not judged so far are unclear.
    """

    colliders: Set[Triple]
    unclear: Set[Triple]
    tests: int
    stopped: Stop | None = None


def judged_triples(
    adjacency: NDArray[np.bool_],
    answers: Answers,
    *,
    rule: Rule,
    max_order: int | None = None,
    watch: WorkLimiter | None = None,
) -> Judged:
    """Return which triples x − z − y collide, by every set that separates x and y.

    adjacency: the skeleton. Sets are all subsets of the neighbors of x and of those of y, up to
    ``max_order`` columns: exponentially many in the number of neighbors, where it is not given.
    watch: ends it in time.

    ``"majority"``: a collider where z is in less than half of the separating sets, none where it is
    in more than half. ``"conservative"``: a collider where it is in none, none where it is in all.
    ``"agreed"``: as ``"majority"``, of all separating sets and also of those of the largest
    p-value alone. Otherwise, and where no set separates, unclear.
    """
    colliders, unclear = set[Triple](), set[Triple]()
    near, watch, stopped = neighbors(adjacency), watch or WorkLimiter(), None
    before = watch.tests
    for x, y in combinations(range(len(adjacency)), 2):
        between = np.flatnonzero(adjacency[x] & adjacency[y]).tolist()
        if adjacency[x, y] or not between:
            continue
        separating = list[tuple[tuple[int, ...], float]]()
        try:
            if stopped is None:
                separating = _separating(watch, near, answers, x, y, max_order)
        except NoMoreTests as end:
            stopped = end.stop
        largest = max((p for _, p in separating), default=0.0)
        every = [given for given, _ in separating]
        surest = [given for given, p in separating if p == largest or rule != "agreed"]
        for z in between:
            result = {_collides(z, sets, rule) for sets in (every, surest)}
            if result == {True}:
                colliders |= {(x, z, y), (y, z, x)}
            elif result != {False}:
                unclear |= {(x, z, y), (y, z, x)}
    return Judged(frozenset(colliders), frozenset(unclear), watch.tests - before, stopped)


def _collides(z: int, separating: Sequence[tuple[int, ...]], rule: Rule) -> bool | None:
    """Return whether a collider at z agrees with the sets that separate its ends, if they say."""
    held, half = sum(z in given for given in separating), len(separating) / 2
    if not separating or held == half:
        return None
    if rule == "conservative" and 0 < held < len(separating):
        return None
    return held < half


def _separating(
    watch: WorkLimiter,
    near: Sequence[Sequence[int]],
    answers: Answers,
    x: int,
    y: int,
    max_order: int | None,
) -> list[tuple[tuple[int, ...], float]]:
    """Return the sets around x and y that separate them, each with its p-value."""
    most = max(len(near[x]), len(near[y]))
    result = list[tuple[tuple[int, ...], float]]()
    for order in range(1 + (most if max_order is None else min(most, max_order))):
        for around, sets in sets_around(near, x, y, order):
            for given, apart in watch.read(answers, x, y, around, sets):
                if apart:
                    result.append((given, apart))
    return result
