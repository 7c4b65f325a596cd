"""Acyclic graphs of one skeleton, drawn by how well they fit: how sure each direction is.

Each chain starts at a graph at random and changes one edge at a time: turns it, leaves it out or
puts it back (Giudici and Castelo, Improving Markov Chain Monte Carlo Model Search for Data Mining,
2003). Edges that are in doubt are thus in some graphs only, and so are the directions that depend
on them. The fit counts for little at first and in full after ``_HEATED`` rounds, so that chains do
not stay where they began; several are averaged for the same reason. A drawn graph counts by its
CPDAG: an edge that the graphs of its class direct both ways has no direction.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from .best_score import Parents
from .cpdag import cpdag_of
from .work_limits import is_over

CHAINS = 15

_HEATED, _DRAWN, _BETWEEN = 40, 4, 2
"""Rounds, of one try an edge, until the first graph is drawn; graphs a chain; rounds between."""

_STUCK = 10.0
"""A chain whose graphs fit worse by e^10 than those of another is stuck, and does not count."""

_AT_FIRST = 0.001
"""Of the fit, that counts in the first round; it grows by the same factor each time."""

Fit = Callable[[int, Parents], float]
"""The logarithm of how well a vertex fits its parents."""


def direction_shares(
    adjacency: NDArray[np.bool_],
    fit: Fit,
    rng: Generator,
    *,
    chains: int = CHAINS,
    end: float | None = None,
) -> NDArray[np.float64]:
    """Return the share of drawn graphs whose class directs x → y, shape (d, d).

    adjacency: the skeleton, shape (d, d). fit: of a vertex and its parents; graphs are drawn in
    proportion to the exponential of the sum. All shares are 0 where no two
    vertices with a common neighbor are apart: all graphs of the skeleton are in one class then; and
    where ``end``, see ``end_of``, comes before the last chain.
    """
    two_steps = (adjacency.astype(np.int64) @ adjacency) > 0
    if not np.triu(two_steps & ~adjacency, 1).any():
        return np.zeros(adjacency.shape)
    known: dict[tuple[int, Parents], float] = {}

    def once(vertex: int, parents: Parents) -> float:
        if (vertex, parents) not in known:
            known[vertex, parents] = fit(vertex, parents)
        return known[vertex, parents]

    classes: dict[tuple[Parents, ...], NDArray[np.bool_]] = {}
    fits, drawn = np.zeros(chains), np.zeros((chains, *adjacency.shape))
    for chain in range(chains):
        if is_over(end):
            return np.zeros(adjacency.shape)
        parents = _at_random(adjacency, rng)
        for number in range(_HEATED + _DRAWN * _BETWEEN):
            heat = _AT_FIRST ** max(0.0, 1 - (number + 1) / _HEATED)
            _change(parents, adjacency, once, heat, rng)
            if number >= _HEATED and (number - _HEATED) % _BETWEEN == 0:
                fits[chain] += math.fsum(map(once, range(len(parents)), parents)) / _DRAWN
                drawn[chain] += _directed(parents, classes) / _DRAWN
    return np.asarray(drawn[fits >= fits.max() - _STUCK].mean(axis=0))


def _directed(
    parents: list[Parents], classes: dict[tuple[Parents, ...], NDArray[np.bool_]]
) -> NDArray[np.bool_]:
    """Return which directions all graphs of the class share; ``classes`` keeps what is known."""
    key = tuple(parents)
    if key not in classes:
        graph = np.zeros((len(parents), len(parents)), dtype=bool)
        for vertex, above in enumerate(parents):
            graph[list(above), vertex] = True
        result = cpdag_of(graph)
        classes[key] = result & ~result.T
    return classes[key]


def _at_random(adjacency: NDArray[np.bool_], rng: Generator) -> list[Parents]:
    place = rng.permutation(len(adjacency))
    above = adjacency & (place[:, None] < place)
    return [frozenset(np.flatnonzero(column).tolist()) for column in above.T]


def _change(
    parents: list[Parents], adjacency: NDArray[np.bool_], fit: Fit, heat: float, rng: Generator
) -> None:
    """Try to turn each edge, leave it out or put it back, in an order at random."""
    for x, y in rng.permutation(np.argwhere(np.triu(adjacency))).tolist():
        ways = [(x, y), (y, x), None]
        now = (x, y) if x in parents[y] else (y, x) if y in parents[x] else None
        ways.remove(now)
        new = ways[int(rng.integers(2))]
        after = {x: parents[x] - {y}, y: parents[y] - {x}}
        if new is not None:
            if _above(parents, after[new[0]], new[1]):
                continue
            after[new[1]] |= {new[0]}
        gain = math.fsum(fit(v, above) - fit(v, parents[v]) for v, above in after.items())
        if gain >= 0 or rng.random() < math.exp(heat * gain):
            for v, above in after.items():
                parents[v] = above


def _above(parents: list[Parents], first: Parents, sought: int) -> bool:
    """Return whether a vertex is one of some vertices or of their ancestors."""
    seen, ahead = set(first), list(first)
    while ahead:
        here = ahead.pop()
        if here == sought:
            return True
        onward = parents[here] - seen
        seen |= onward
        ahead += onward
    return False
