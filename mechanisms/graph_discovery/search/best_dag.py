"""The acyclic graph of the best score among all, for few vertices.

Source: Silander and Myllymäki, A Simple Approach for Finding the Globally Optimal Bayesian Network
Structure (2006): the best parents within each set of vertices, then the best last vertex of each.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .families import NOBODY, Families, Parents
from .work import NoMoreTests, Stop


def best_dag(d: int, families: Families) -> tuple[NDArray[np.bool_], Stop | None]:
    """Return an acyclic graph on d vertices of the largest sum of gains, and what ran out.

    Families are scored by their size. Where the work ends earlier, those that were scored by then
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


def _gain(one: tuple[float, Parents]) -> float:
    return one[0]


def _assembled(d: int, best: dict[tuple[int, Parents], tuple[float, Parents]]) -> NDArray[np.bool_]:
    last: dict[Parents, tuple[float, int]] = {NOBODY: (0.0, -1)}
    for size in range(1, d + 1):
        for few in combinations(range(d), size):
            among = frozenset(few)
            last[among] = max(
                ((last[among - {x}][0] + best[x, among - {x}][0], -x) for x in few),
            )
    graph, left = np.zeros((d, d), dtype=bool), frozenset(range(d))
    while left:
        x = -last[left][1]
        left -= {x}
        graph[list(best[x, left][1]), x] = True
    return graph
