"""How far the data are from the opposite answer on an edge: the utilities that EM-PC chooses by.

Larger means closer to independence; the sign is the decision. Two of them, named apart: ``greedy``
as the released code of Priv-PC's authors runs EM-PC, and ``proved``, which moves by at most 1.

Source: Xu, Yuan and Wu, Differential Privacy Preserving Causal Graph Discovery (2017), as Wang,
Pang and Song (2020), section 1, describe it and as their released code implements it.

**How many edges of a node go, and which: the two exponential mechanisms of EM-PC.** A round takes
ε/2 for each. Source: Xu, Yuan and Wu, Differential Privacy Preserving Causal Graph Discovery
(2017), as the released code of Wang, Pang and Song (2020) implements it; McSherry and Talwar,
Mechanism Design via Differential Privacy (2007), Theorem 6.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, pairwise

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from provado.mechanisms.definitions.parameters import UsageError, positive, probability
from provado.mechanisms.textbook.exponential import exponential_probabilities

from ..independence_tests.margin import ProvedMargin
from ..tables.coded import CodedTable, Tables
from ..tables.contingency import chi_squared_terms
from .rounds import questions

ROWS_PER_DEGREE = 10
"""``GreedyUtility`` does not ask a G-test with fewer records for each degree of freedom."""


@dataclass(frozen=True)
class Deletion:
    """A deletion that may be chosen: the edge to ``y``, separated by ``given``.

    score: how far the data are from the opposite answer. passes: whether they pass as independent,
    which the sign says unless the score is 0.
    """

    y: int
    given: tuple[int, ...]
    score: float
    passes: bool


class GreedyUtility:
    """The utility of the released code: the signed number of rows that a greedy search removes.

    Of the conditioning sets of an edge the one with the largest p-value of the G-test is taken. Its
    degrees of freedom are (levels of x − 1)(levels of y − 1) in each stratum that the levels allow.
    Where that asks for more than n/10 a set is left out; with no set an edge stays. (The released
    code answers p = 1 there for binary columns and has no rule for others.)

    No bound on its sensitivity is known, and 1, which the mechanism takes, is exceeded: see
    ``greedy_removals``.
    """

    def __init__(self, data: CodedTable, *, alpha: float) -> None:
        """Keep what was computed for as long as this lives; ``alpha``: of the G-test, in (0, 1)."""
        self.data, self.alpha = data.collapsed(), probability(alpha, "alpha")
        self._p_value, self._score = cache(self._tested), cache(self._removed)

    def deletions(self, x: int, near: Sequence[int], order: int) -> tuple[list[Deletion], int]:
        """Return a deletion for each neighbor, the best for it, and how many tests were asked."""
        found, tests = [], 0
        for y in near:
            p_values = {
                given: self._p_value(_test(x, y, given))
                for given in combinations([v for v in near if v != y], order)
                if self._degrees(_test(x, y, given)) * ROWS_PER_DEGREE <= self.data.n
            }
            tests += len(p_values)
            if p_values:
                given = max(p_values, key=p_values.__getitem__)
                passes = p_values[given] > self.alpha
                found.append(Deletion(y, given, self._score(_test(x, y, given)), passes))
        return found, tests

    def _degrees(self, test: _Test) -> int:
        x, y, given = test
        levels = self.data.levels
        return (levels[x] - 1) * (levels[y] - 1) * self.data.strata(given)

    def _tested(self, test: _Test) -> float:
        """Return the p-value of the G-test."""
        # Here, so that the catalogue loads without scipy.
        from scipy.special import chdtrc

        return float(chdtrc(self._degrees(test), g_statistic(self.data.tables(*test))))

    def _removed(self, test: _Test) -> int:
        """Return the signed number of rows that a greedy search removes."""
        from scipy.special import chdtri

        critical = float(chdtri(self._degrees(test), self.alpha))
        return greedy_removals(self.data.tables(*test), critical)


class ProvedUtility:
    """A utility of sensitivity 1: the margin of ``ProvedMargin`` without a tweak.

    Between tables that differ in one replaced record each score moves by at most 1: it is |τ̄|
    against a fixed threshold, in units of the sensitivity that is proved for τ̄. Each set is a
    deletion of its own: the best set of an edge, too, would tell of the data. Which sets are asked
    depends on n and on the levels only.
    """

    def __init__(self, data: CodedTable, *, alpha: float) -> None:
        """Keep what was computed for as long as this lives; ``alpha``: see ``ProvedMargin``."""
        asked = questions(data, ProvedMargin(alpha, 0.0), data.n)
        self.data, self._score = data.collapsed(), cache(asked.whole)

    def deletions(self, x: int, near: Sequence[int], order: int) -> tuple[list[Deletion], int]:
        """Return a deletion for each neighbor and set that is asked, and how many those are."""
        result = []
        for y in near:
            for given in combinations([v for v in near if v != y], order):
                score = self._score(*_test(x, y, given))
                if score != -np.inf:
                    result.append(Deletion(y, given, score, score >= 0))
        return result, len(result)


def g_statistic(tables: Tables) -> float:
    """Return G, summed over the strata; tables: shape (strata, levels, levels)."""
    return max(0.0, float(chi_squared_terms(tables, statistic="g")[0].sum()))


def greedy_removals(tables: Tables, critical: float) -> int:
    """Return the signed number of rows whose removal leaves G one removal short of ``critical``.

    tables: shape (strata, levels, levels). Each step removes a row of the cell that moves G
    furthest toward the critical value; the count stops before the step that would reach it, as the
    released code has it, so that one row short of the opposite answer counts 0. Positive where G is
    below the critical value (independent), 0 where it equals it. At most n − 1.

    It is no distance: no row may be added, and greedy steps need not be the fewest (the cells
    1, 2, 2, 5 count 5 where 3 is least). Nor has it a sensitivity below n − 1: n equal rows count
    n − 1, and with one of them replaced by the opposite in both columns 0. With columns that vary,
    41,417 becomes 18,994 where the cells 0, 1, 50000, 49999 become 0, 2, 50000, 49998, at the
    level .05.

    Time: linear in the rows removed times the cells of a stratum.
    """
    statistic = g_statistic(tables)
    if statistic == critical:
        return 0
    sign = 1 if statistic < critical else -1
    n = int(tables.sum())
    step = _steps(n, sign)
    strata = [_Stratum(table, step) for table in tables.tolist() if np.any(table)]
    best = [(*stratum.best(), k) for k, stratum in enumerate(strata)]
    heapq.heapify(best)
    for removed in range(n - 1):
        fall, cell, k = best[0]
        statistic -= 2 * sign * fall
        if sign * (statistic - critical) >= 0:
            return sign * removed
        strata[k].remove(cell)
        heapq.heapreplace(best, (*strata[k].best(), k))
    return sign * (n - 1)


class _Stratum:
    """A table that loses rows, as lists, which are quicker here than arrays.

    A row less in a cell takes s(O) − s(R) − s(C) + s(N) off G/2, where O, R, C and N count the
    cell, its row, its column and the table, and s(x) = x ln x − (x − 1) ln(x − 1). So a removal
    changes the order among the cells in its own row and column only.
    """

    def __init__(self, table: list[list[int]], step: list[float]) -> None:
        """Start with ``table``; step: s(x), or −s(x) where G is to rise."""
        width = len(table[0])
        self._cells = [count for row in table for count in row]
        self._rows = [sum(row) for row in table]
        self._columns = [sum(column) for column in zip(*table, strict=True)]
        self._size, self._step = sum(self._rows), step
        self._places = [divmod(cell, width) for cell in range(len(self._cells))]
        self._falls = [
            step[count] - step[self._rows[i]] - step[self._columns[j]] if count else np.inf
            for count, (i, j) in zip(self._cells, self._places, strict=True)
        ]

    def best(self) -> tuple[float, int]:
        """Return the least fall of G/2 by one row less, and the first cell that has it."""
        least = min(self._falls)
        return least + self._step[self._size], self._falls.index(least)

    def remove(self, cell: int) -> None:
        """Take a row out of the cell of that number."""
        cells, falls, step, width = self._cells, self._falls, self._step, len(self._columns)
        i, j = self._places[cell]
        cells[cell] -= 1
        self._rows[i] -= 1
        self._columns[j] -= 1
        self._size -= 1
        of_row, of_column = step[self._rows[i]], step[self._columns[j]]
        start = i * width
        for at, column in enumerate(self._columns, start):
            if cells[at]:
                falls[at] = step[cells[at]] - of_row - step[column]
        at = j
        for row in self._rows:
            if cells[at]:
                falls[at] = step[cells[at]] - step[row] - of_column
            at += width
        if not cells[cell]:
            falls[cell] = np.inf


@lru_cache(maxsize=8)
def _steps(n: int, sign: int) -> list[float]:
    """Return sign·s(x) for x = 0, …, n; s(0) is 0."""
    # Here, so that the catalogue loads without scipy.
    from scipy.special import xlogy

    x = np.arange(n + 1.0)
    return [0.0, *(sign * np.diff(xlogy(x, x))).tolist()]


_Test = tuple[int, int, tuple[int, ...]]


def _test(x: int, y: int, given: tuple[int, ...]) -> _Test:
    return (min(x, y), max(x, y), given)


CountUtilities = Callable[[Sequence[Deletion]], NDArray[np.float64]]
"""The utility of deleting 0, 1, 2, … edges, given the deletions that there are."""


def counts_proved(deletions: Sequence[Deletion]) -> NDArray[np.float64]:
    """Return the utility of each number of deletions b from 0 to the number k of edges.

    With s₁ ≥ … ≥ s_k the edges' scores, each the largest over its sets, it is min(s_b, −s_{b+1}),
    where s₀ = ∞ and s_{k+1} = −∞: at least 0 where just the first b edges pass as independent, and
    then the distance to where they do not. Shape (k + 1,).

    Its sensitivity is that of a score: a maximum over a fixed set, the b-th largest and a minimum
    move by at most as much as the number that moves most. Raises ``UsageError`` for no deletions.
    """
    scores = np.array(sorted((d.score for d in _best(deletions)), reverse=True))
    upper = np.concatenate([[np.inf], scores])
    lower = np.concatenate([-scores, [np.inf]])
    utilities: NDArray[np.float64] = np.minimum(upper, lower)
    return utilities


def counts_released(deletions: Sequence[Deletion]) -> NDArray[np.float64]:
    """Return the utility of each number of deletions from 0 to k − 1, as the released code has it.

    As ``counts_proved`` but for two things. 1 is taken off where an interior number is right, and
    off 0 where it is wrong: near the threshold a right number is the less likely. And k is left
    out: a round never takes the last edge of a node. Either keeps EM-PC from converging to PC.

    Shape (k,). 1-sensitive in the scores where these are distances. Raises ``UsageError`` for no
    deletions.
    """
    edges = sorted(_best(deletions), key=lambda d: (d.score, d.passes), reverse=True)
    utilities = [-edges[0].score - edges[0].passes]
    for above, below in pairwise(edges):
        if above.passes and not below.passes:
            utilities.append(min(above.score, -below.score) - 1)
        else:
            utilities.append(-below.score if below.passes else above.score)
    return np.array(utilities, dtype=np.float64)


def choose(
    deletions: Sequence[Deletion], counts: CountUtilities, *, epsilon: float, rng: Generator
) -> list[Deletion]:
    """Return the deletions of one round, each of another edge, in the order drawn.

    First how many, b, with probability proportional to e^(ε/4·utility); then b of them one after
    another, each with probability proportional to e^(ε/(4b)·score) among the edges that are left.

    Guarantee: ε-DP where the options are fixed and each utility has sensitivity 1. Each draw is the
    exponential mechanism: the first is ε/2-DP, each of the b others ε/(2b)-DP given the ones
    before, ε/2 together. Up to rounding, as probabilities are floating-point numbers. Raises
    ``UsageError`` unless ε > 0, or for no deletions.
    """
    half = positive(epsilon, "epsilon") / 2
    chances = exponential_probabilities(counts(deletions), epsilon=half)
    number = int(rng.choice(chances.size, p=chances))
    left, chosen = list(deletions), []
    for _ in range(number):
        chances = exponential_probabilities([d.score for d in left], epsilon=half / number)
        chosen.append(left[int(rng.choice(chances.size, p=chances))])
        left = [d for d in left if d.y != chosen[-1].y]
    return chosen


def choice_probabilities(
    deletions: Sequence[Deletion], counts: CountUtilities, *, epsilon: float
) -> dict[tuple[Deletion, ...], float]:
    """Return the probability of each answer of ``choose``; they sum to 1.

    Time grows as the factorial of the number of edges: for a handful. Raises ``UsageError`` as
    ``choose`` does.
    """
    half = positive(epsilon, "epsilon") / 2
    every = exponential_probabilities(counts(deletions), epsilon=half)
    result: dict[tuple[Deletion, ...], float] = {}
    for number, chance in enumerate(every.tolist()):
        drawn: dict[tuple[Deletion, ...], float] = {(): chance}
        for _ in range(number):
            drawn = {
                (*before, deletion): so_far * p
                for before, so_far in drawn.items()
                for deletion, p in _next(deletions, before, half / number)
            }
        result |= drawn
    return result


def _next(
    deletions: Sequence[Deletion], before: tuple[Deletion, ...], epsilon: float
) -> Iterator[tuple[Deletion, float]]:
    gone = {d.y for d in before}
    left = [d for d in deletions if d.y not in gone]
    chances = exponential_probabilities([d.score for d in left], epsilon=epsilon)
    yield from zip(left, chances.tolist(), strict=True)


def _best(deletions: Sequence[Deletion]) -> list[Deletion]:
    """Return for each edge the deletion of the largest score."""
    best: dict[int, Deletion] = {}
    for deletion in deletions:
        if deletion.y not in best or deletion.score > best[deletion.y].score:
            best[deletion.y] = deletion
    if not best:
        raise UsageError("deletions is empty: there is nothing to choose from")
    return list(best.values())
