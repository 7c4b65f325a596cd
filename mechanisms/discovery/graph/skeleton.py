"""The first phase of PC: which pairs stay adjacent, and what separated the others.

Source: Spirtes, Glymour and Scheines, Causation, Prediction, and Search (2000), section 5.4.2. The
order-independent option: Colombo and Maathuis, Order-Independent Constraint-Based Causal Structure
Learning (2014), Algorithm 4.1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.errors import UsageError
from provado.mechanisms.parameters import natural

Independent = Callable[[int, int, tuple[int, ...]], bool]
"""Whether columns x and y are taken to be independent given the others."""


class NoMoreTests(Exception):  # noqa: N818 - an agreed end, not an error
    """Raised by a test that will not be answered: the edges that are left stay."""


@dataclass(frozen=True, eq=False)
class Skeleton:
    """An undirected graph on d vertices and how it was found.

    adjacency: shape (d, d), symmetric. separating: for each pair (i, j), i < j, that was separated,
    the set that did it. tests: how many tests were done. complete: whether all were answered.
    """

    adjacency: NDArray[np.bool_]
    separating: Mapping[tuple[int, int], tuple[int, ...]]
    tests: int
    complete: bool


def find_skeleton(
    d: int, independent: Independent, *, max_order: int | None = None, stable: bool = True
) -> Skeleton:
    """Return the skeleton that the answers of ``independent`` leave of the complete graph.

    d: vertices. max_order: the largest conditioning sets tried, from 0 on; all by default.
    stable: conditioning sets are chosen among the neighbors at the start of each order, so that
        the skeleton does not depend on the order of the vertices; otherwise a deletion counts at
        once, as in the original, which does fewer tests.

    A pair is tested given subsets of either end's neighbors, the lower end's first, and no set
    twice. Raises ``UsageError`` for d below 1 or a negative order.
    """
    adjacent = ~np.eye(natural(d, "d"), dtype=bool)
    if max_order is not None and max_order < 0:
        raise UsageError(f"max_order is {max_order!r}: it must be at least 0")
    last = d - 2 if max_order is None else min(max_order, d - 2)
    separating: dict[tuple[int, int], tuple[int, ...]] = {}
    tests, complete = 0, True
    try:
        for order in range(last + 1):
            near = adjacent.copy() if stable else adjacent
            if near.sum(axis=1).max() - 1 < order:
                break
            for x, y in combinations(range(d), 2):
                if not adjacent[x, y]:
                    continue
                for given in _sets(near, x, y, order):
                    apart = independent(x, y, given)
                    tests += 1
                    if apart:
                        adjacent[x, y] = adjacent[y, x] = False
                        separating[x, y] = given
                        break
    except NoMoreTests:
        complete = False
    adjacent.setflags(write=False)
    return Skeleton(adjacent, MappingProxyType(separating), tests, complete)


def largest_order(n: int, d: int) -> int:
    """Return max(min(⌊log₂ n⌋ − 5, d − 2), 0), the largest conditioning sets that Priv-PC tries.

    Source: the code that its authors released.
    """
    return max(min(int(math.log2(natural(n, "n"))) - 5, d - 2), 0)


def _sets(near: NDArray[np.bool_], x: int, y: int, order: int) -> Iterator[tuple[int, ...]]:
    """Yield the subsets of that size of the neighbors of x, then those of y not among them."""
    first = [int(v) for v in np.flatnonzero(near[x]) if v != y]
    second = [int(v) for v in np.flatnonzero(near[y]) if v != x]
    yield from combinations(first, order)
    seen = set(first)
    for given in combinations(second, order):
        if not seen.issuperset(given):
            yield given
