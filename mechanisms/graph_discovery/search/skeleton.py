"""The first phase of PC: which pairs stay adjacent, and what separated the others.

Source: Spirtes, Glymour and Scheines, Causation, Prediction, and Search (2000), section 5.4.2. The
order-independent option: Colombo and Maathuis, Order-Independent Constraint-Based Causal Structure
Learning (2014), Algorithm 4.1.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions.parameters import UsageError, natural

from .work_limits import Answers, Independent, NoMoreTests, SearchOutcome, Stop, Work, WorkLimiter


@dataclass(frozen=True, eq=False)
class Skeleton(SearchOutcome):
    """An undirected graph on d vertices and how it was found.

    adjacency: shape (d, d), symmetric. separating: for each pair (i, j), i < j, that was separated,
    the set that did it. tests: how many tests were done.
    """

    adjacency: NDArray[np.bool_]
    separating: Mapping[tuple[int, int], tuple[int, ...]]
    tests: int
    stopped: Stop | None = None


def find_skeleton(
    d: int,
    independent: Independent,
    *,
    max_order: int | None = None,
    stable: bool = True,
    **work: Unpack[Work],
) -> Skeleton:
    """Return the skeleton that the answers of ``independent`` leave of the complete graph.

    Every test is asked when its turn comes, none ahead. work: see ``Work``. Others as of
    ``search_skeleton``.
    """
    answers, watch = one_by_one(independent), WorkLimiter(**work)
    return search_skeleton(d, answers, max_order=max_order, stable=stable, watch=watch)


def one_by_one(independent: Independent) -> Answers:
    """Return answers that ask ``independent`` each time that one is read."""

    def answers(
        x: int, y: int, _around: Sequence[int], sets: Iterator[tuple[int, ...]]
    ) -> Iterator[tuple[tuple[int, ...], float]]:
        return ((given, independent(x, y, given)) for given in sets)

    return answers


def search_skeleton(
    d: int,
    answers: Answers,
    *,
    max_order: int | None = None,
    stable: bool = True,
    watch: WorkLimiter | None = None,
) -> Skeleton:
    """Return the skeleton that the answers leave of the complete graph.

    d: vertices. max_order: the largest conditioning sets tried, from 0 on; all by default.
    stable: conditioning sets are chosen among the neighbors at the start of each order, so that
        the skeleton does not depend on the order of the vertices; otherwise a deletion counts at
        once, as in the original, which does fewer tests.
    watch: ends the search in time, with the answer so far; it may be that of a longer work.

    A pair is tested given subsets of either end's neighbors, the lower end's first, and no set
    twice. Raises ``UsageError`` for d below 1 or a negative order.
    """
    adjacent = ~np.eye(natural(d, "d"), dtype=bool)
    if max_order is not None and max_order < 0:
        raise UsageError(f"max_order is {max_order!r}: it must be at least 0")
    last = d - 2 if max_order is None else min(max_order, d - 2)
    separating: dict[tuple[int, int], tuple[int, ...]] = {}
    watch, stopped = watch or WorkLimiter(), None
    before = watch.tests
    try:
        for order in range(last + 1):
            near = neighbors(adjacent)
            if max(map(len, near)) - 1 < order:
                break
            for x, y in combinations(range(d), 2):
                if not adjacent[x, y]:
                    continue
                for given, apart in _asked(watch, answers, near, x, y, order):
                    if apart:
                        adjacent[x, y] = adjacent[y, x] = False
                        separating[x, y] = given
                        near = near if stable else neighbors(adjacent)
                        break
    except NoMoreTests as end:
        stopped = end.stop
    adjacent.setflags(write=False)
    tests = watch.tests - before
    return Skeleton(adjacent, MappingProxyType(separating), tests, stopped)


def largest_order(n: int, d: int) -> int:
    """Return max(min(⌊log₂ n⌋ − 5, d − 2), 0), the largest conditioning sets that Priv-PC tries.

    Source: the code that its authors released.
    """
    return max(min(int(math.log2(natural(n, "n"))) - 5, d - 2), 0)


def neighbors(adjacency: NDArray[np.bool_]) -> list[list[int]]:
    """Return each vertex's neighbors, ascending."""
    return [np.flatnonzero(row).tolist() for row in adjacency]


def sets_around(
    near: Sequence[Sequence[int]], x: int, y: int, order: int
) -> Iterator[tuple[list[int], Iterator[tuple[int, ...]]]]:
    """Yield, for x and then for y, its neighbors but the other, and the subsets of that size.

    near: see ``neighbors``. Subsets of the neighbors of both come with x alone.
    """
    first = [v for v in near[x] if v != y]
    if order <= len(first):
        yield first, combinations(first, order)
    second, seen = [v for v in near[y] if v != x], set(first)
    if order <= len(second) and not seen.issuperset(second):
        yield second, (s for s in combinations(second, order) if not seen.issuperset(s))


def _asked(
    watch: WorkLimiter, answers: Answers, near: Sequence[Sequence[int]], x: int, y: int, order: int
) -> Iterator[tuple[tuple[int, ...], float]]:
    for around, sets in sets_around(near, x, y, order):
        yield from watch.read(answers, x, y, around, sets)
