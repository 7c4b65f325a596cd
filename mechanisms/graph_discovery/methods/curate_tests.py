"""The tests of CURATE: one ε an order, planned as the order begins, by what was answered so far.

The exact distribution of whole runs (``exact.curate_runs``) goes through the same classes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.graph_discovery.independence_tests.margin import ProvedMargin, PublicFacts
from provado.mechanisms.graph_discovery.search.skeleton import neighbors
from provado.mechanisms.graph_discovery.search.work import NoMoreTests
from provado.mechanisms.graph_discovery.tables.coded import CodedTable

from .budget_packing import Lanes
from .order_budget import advanced_cost, advanced_norm, allot
from .rounds import Answer

Decide = Callable[[int, int, tuple[int, ...], float], tuple[bool, bool]]
"""Of a test of columns x and y given others at ε: whether the edge goes, whether it is charged."""

_INDEPENDENT = np.array([[[1, 1], [1, 1]]])


class Plan(Protocol):
    """Chooses the ε of an order's tests, and keeps the account."""

    def begin(self, order: int, adjacent: NDArray[np.bool_]) -> float:
        """Return ε of each test of ``order``; raises ``NoMoreTests`` where nothing is left."""
        ...

    def reserve(self, epsilon: float) -> None:
        """Pay before a test is answered; raises ``NoMoreTests`` where nothing is left."""
        ...

    def charge(self, epsilon: float) -> None:
        """Pay after a test was answered that is charged."""
        ...


class CuratedTests:
    """A test for ``find_skeleton`` that tells its plan when an order begins."""

    def __init__(
        self,
        d: int,
        plan: Plan,
        decide: Decide,
        asked: Callable[[tuple[int, ...]], bool] = lambda _: True,
    ) -> None:
        """Start with all of ``d`` columns adjacent. asked: whether a test given these is worth it.

        It must not look at the data. A test that is not asked costs nothing and keeps its edge.
        """
        self._plan, self._decide, self._asked = plan, decide, asked
        self._adjacent = ~np.eye(d, dtype=bool)
        self._order, self._epsilon, self._seen = -1, 0.0, 0
        self.answers: list[Answer] = []

    def __call__(self, x: int, y: int, given: tuple[int, ...]) -> bool:
        """Return whether the edge goes; raises ``NoMoreTests`` once the budget is used up."""
        if not self._asked(given):
            return False
        if len(given) != self._order:
            self._order = len(given)
            self._epsilon = self._plan.begin(self._order, self._adjacent)
        self._plan.reserve(self._epsilon)
        self._seen += 1
        deleted, charged = self._decide(x, y, given, self._epsilon)
        if charged:
            self._plan.charge(self._epsilon)
            self.answers.append(Answer(x, y, given, self._seen, deleted))
            self._seen = 0
        if deleted:
            self._adjacent[x, y] = self._adjacent[y, x] = False
        return deleted


class PlanReleased:
    """The released code's budget: what is charged is taken off as an order ends.

    The cost of an order is ``advanced_cost`` of ε² times the charged tests of *all* orders so far:
    their count is never reset. The number of edges, which the code means to follow, stays that of
    the complete graph, as it counts deletions only in a mode that it never uses.
    """

    def __init__(self, d: int, epsilon: float, delta: float, gap: float) -> None:
        """Take what there is to spend. gap: half the band's width, in units of Δ."""
        self._d, self._left, self._delta, self._gap = d, epsilon, delta, gap
        self._last = 0.0
        self.charged: list[float] = []

    def begin(self, order: int, adjacent: NDArray[np.bool_]) -> float:
        """Return ε of each test of ``order``."""
        del adjacent
        if order:
            self._left -= advanced_cost(len(self.charged) * self._last**2, self._delta)
        if self._left <= 0:
            raise NoMoreTests
        tests = [float(math.comb(self._d, 2) * sets) for sets in _sets(self._d, order)]
        norm = advanced_norm(self._left, self._delta)
        self._last = allot(norm, tuple(tests), (self._gap,) * len(tests), 2)[0]
        return self._last

    def reserve(self, epsilon: float) -> None:
        """Do nothing: the code pays afterwards."""

    def charge(self, epsilon: float) -> None:
        """Note a charged test."""
        self.charged.append(epsilon)


class PlanOfLanes:
    """The repaired budget: lanes of ε that pay for each test before it is answered."""

    def __init__(
        self,
        n: int,
        levels: Sequence[int],
        margin: ProvedMargin,
        max_order: int,
        rounds: int,
        epsilon: float,
    ) -> None:
        """Open the lanes. n, levels: of the records, public. margin: gives threshold and unit."""
        self._lanes, self._d = Lanes(rounds, epsilon), len(levels)
        small = sorted(levels)
        strata = [math.prod(small[:order]) for order in range(min(max_order, self._d - 2) + 1)]
        looks = (PublicFacts(n, n, k, sieve=False) for k in strata)
        self._gaps = [margin(_INDEPENDENT, look) for look in looks]

    def begin(self, order: int, adjacent: NDArray[np.bool_]) -> float:
        """Return ε of each test of ``order``."""
        edges = int(adjacent.sum()) // 2
        now = number_of_tests(adjacent, order)
        later = [edges * sets for sets in _sets(self._d, order)[1:]]
        gaps = [g for g in self._gaps[order:] if math.isfinite(g)]
        tests = [now, *later][: len(gaps)]
        if not tests or self._lanes.left <= 0:
            raise NoMoreTests
        planned = allot(self._lanes.left, tuple(map(float, tests)), tuple(gaps), 1)[0]
        return self._lanes.largest(planned, now)

    def reserve(self, epsilon: float) -> None:
        """Take ε off a lane."""
        self._lanes.take(epsilon)

    def charge(self, epsilon: float) -> None:
        """Do nothing: it is paid for."""


def is_asked(data: CodedTable, given: tuple[int, ...]) -> bool:
    """Return whether ``ProvedMargin`` asks a test given these columns, by their levels and n."""
    return 7 * data.strata(given) <= data.n


def number_of_tests(adjacent: NDArray[np.bool_], order: int) -> int:
    """Return how many tests PC may ask at an order that begins with these edges.

    adjacent: shape (d, d), symmetric. A set of neighbors of both ends counts once. Deletions within
    the order only make them fewer.
    """
    near = [set(around) for around in neighbors(adjacent)]
    total = 0
    for x, y in combinations(range(len(near)), 2):
        if y in near[x]:
            first, second = near[x] - {y}, near[y] - {x}
            sizes = len(first), len(second)
            both = math.comb(len(first & second), order)
            total += sum(math.comb(size, order) for size in sizes) - both
    return total


def _sets(d: int, order: int) -> list[int]:
    """Return how many sets of each size from ``order`` on d − 2 columns have."""
    return [math.comb(d - 2, size) for size in range(order, d - 1)]
