"""Edges from noisy tables: PC's tests, the ones that noise can answer, weakest pairs first.

As in PC a pair that is independent given a set of neighbors loses its edge. Three rules save power
where noise is large. A column z is only conditioned on where it is associated with both ends at
least as strongly as they are with each other, which holds of any that separates them alone (the
data processing inequality). Given two columns, those sets are tried first that would leave the
least if effects added up. And an edge goes only where half of its dependence would have been seen.

Tables of pairs tell more of sets of two to four columns where effects add up. At the end an edge
goes where such a set of one end's neighbors leaves little of it, and no more than chance would,
however many of the earlier tests have kept it: these see what does not add up, but little through
the noise of many strata.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from ..search.skeleton import Skeleton, neighbors, sets_around
from ..search.work_limits import NoMoreTests, Stop, Work, WorkLimiter
from .dependence import Dependence
from .linear_score import LinearScore
from .release import Columns

MOST_LEFT = 0.3
"""Of the sum of squared correlations that a set would leave if effects added up."""

FAIR = 0.01
"""A p-value given two columns below which an edge stays, where the level is smaller."""

ADDITIVE, MOST_GIVEN = 0.05, 4
"""A p-value below which an edge stays if effects add up, and the largest sets tried for that."""

SEEN = 0.5
"""Of a pair's dependence, that must have been seen given two columns for an edge to go."""

_LEAST_OWN = 0.05
"""Smallest eigenvalue that is taken for the correlations of a set."""


@dataclass(frozen=True)
class Tried:
    """A test of the pair x < y given a set; p_value is ``None`` where the tables cannot decide."""

    x: int
    y: int
    given: Columns
    p_value: float | None
    gone: bool


def search_edges(
    tables: Dependence, *, alpha: float, max_order: int, **work: Unpack[Work]
) -> tuple[Skeleton, tuple[Tried, ...]]:
    """Return the skeleton that the tables leave, and all tests in their order.

    alpha: an edge goes where p ≥ alpha; see ``FAIR`` for sets of two. max_order: the largest sets
    tried, at most 2. work: see ``Work``; all that is asked was released, so the clock may end it.
    """
    search = _Search(tables, alpha, WorkLimiter(**work))
    stopped: Stop | None = None
    try:
        for given_order in (search.order_0, search.order_1, search.order_2)[: max_order + 1]:
            given_order()
        if max_order == 2 and not tables.whole:
            search.if_additive()
    except NoMoreTests as end:
        stopped = end.stop
    search.adjacent.setflags(write=False)
    separating = MappingProxyType({(t.x, t.y): t.given for t in search.tried if t.gone})
    if stopped is None and any(t.p_value is None for t in search.tried):
        stopped = "tables"
    return Skeleton(search.adjacent, separating, len(search.tried), stopped), tuple(search.tried)


class _Search:
    def __init__(self, tables: Dependence, alpha: float, watch: WorkLimiter) -> None:
        self.tables, self.alpha, self._watch = tables, alpha, watch
        self.adjacent: NDArray[np.bool_] = ~np.eye(tables.width, dtype=bool)
        self.tried: list[Tried] = []

    def order_0(self) -> None:
        for x, y in combinations(range(self.tables.width), 2):
            self._test(x, y, (), self.alpha)

    def order_1(self) -> None:
        strength = self.tables.strength
        for x, y in self._weakest_first():
            weaker = np.minimum(strength[x], strength[y])
            near = np.flatnonzero(self.adjacent[x] | self.adjacent[y])
            able = [z for z in near.tolist() if z not in (x, y) and weaker[z] >= strength[x, y]]
            for z in sorted(able, key=lambda z: -weaker[z]):
                if self._test(x, y, (z,), self.alpha):
                    break

    def order_2(self) -> None:
        asked = []
        for x, y in self._weakest_first():
            self._watch.allow(1)
            sets = enumerate(sorted(self._sets(x, y)))
            asked += [(turn, left, x, y, given) for turn, (left, given) in sets]
        begun = set[tuple[int, int]]()
        for _, left, x, y, given in sorted(asked):
            if left <= MOST_LEFT and self.adjacent[x, y] and self._near(x, y, given):
                # Once a pair was tested, sets without tables left are no lack.
                if (x, y) in begun and self.tables.estimate(x, y, given) is None:
                    continue
                begun.add((x, y))
                self._test(x, y, given, max(self.alpha, FAIR), SEEN)

    def if_additive(self) -> None:
        """Take edges away that neighbors of an end explain, as far as effects add up.

        Levels with few records leave the p-value large whatever the others show.
        """
        score = LinearScore(self.tables)
        for size in range(2, MOST_GIVEN + 1):
            for x, y in self._weakest_first():
                around = sets_around(neighbors(self.adjacent), x, y, size)
                for given in (given for _, sets in around for given in sets):
                    self._watch.allow(1)
                    p_value = score.p_value(x, y, frozenset(given))
                    if p_value >= max(self.alpha, ADDITIVE) and (
                        left_if_additive(self.tables, x, y, given) <= MOST_LEFT
                    ):
                        self._tell(Tried(x, y, given, p_value, True))
                        break

    def _weakest_first(self) -> list[tuple[int, int]]:
        pairs = np.argwhere(np.triu(self.adjacent)).tolist()
        return sorted(((x, y) for x, y in pairs), key=lambda pair: self.tables.strength[pair])

    def _near(self, x: int, y: int, given: Columns) -> bool:
        """Return whether all of a set are neighbors of x, or all of y."""
        return any(all(self.adjacent[end, z] for z in given) for end in (x, y))

    def _sets(self, x: int, y: int) -> Iterator[tuple[float, Columns]]:
        """Yield the sets of two neighbors of either end, each with what it would leave."""
        near = [z for z in np.flatnonzero(self.adjacent[x] | self.adjacent[y]) if z not in (x, y)]
        for given in combinations(map(int, near), 2):
            if self._near(x, y, given):
                yield left_if_additive(self.tables, x, y, given), given

    def _test(self, x: int, y: int, given: Columns, level: float, seen: float = 0.0) -> bool:
        """Ask one test; take the edge away where it says independent."""
        self._watch.allow(1)
        estimate = self.tables.estimate(x, y, given)
        p_value = None if estimate is None else estimate.p_value
        gone = p_value is not None and p_value >= level
        if gone and seen and estimate is not None:
            gone = estimate.would_be_seen(seen * self.tables.correlation(x, y), self.alpha)
        return self._tell(Tried(x, y, given, p_value, gone))

    def _tell(self, test: Tried) -> bool:
        if test.gone:
            self.adjacent[test.x, test.y] = self.adjacent[test.y, test.x] = False
        self.tried.append(test)
        self._watch.count(min(len(test.given), 2), 1)
        return test.gone


def left_if_additive(tables: Dependence, x: int, y: int, given: Columns) -> float:
    """Return the share of the dependence of x and y that others leave if effects add up.

    Of the sums of squares of correlations, in units of their standard deviations: R − A·S⁻¹·B with
    the correlations of x with the set, of the set, and of the set with y. It asks for no table.
    """
    own = tables.correlation(x, y)
    a = np.concatenate([tables.correlation(x, z) for z in given], axis=1)
    b = np.concatenate([tables.correlation(z, y) for z in given], axis=0)
    square = np.block([[tables.correlation(v, w) for w in given] for v in given])
    values, axes = np.linalg.eigh(square)
    left = own - (a @ axes / np.maximum(values, _LEAST_OWN)) @ (axes.T @ b)
    estimate = tables.estimate(x, y, ())
    assert estimate is not None
    unit = estimate.covariance.diagonal().reshape(own.shape)
    return float((left**2 / unit).sum() / (own**2 / unit).sum())
