"""Dependence between the columns of noisy tables: of two alone, and given others."""

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from .estimates import (
    LEFT,
    DependenceEstimate,
    Floats,
    Noisy,
    Strata,
    alone,
    chained,
    shared_strata,
    stratified,
)
from .release import Columns, Levels, Tables, seen_levels


class Dependence:
    """What noisy tables say of their columns; nothing else is read.

    From one table of all columns: any set given, from the sums of that table. From tables of pairs:
    one column given from three of them, two given from tables of three columns, which are asked for
    as they are needed. Numbers of records by level are averaged over all pairs, by how noisy each
    is.
    """

    def __init__(self, tables: Tables) -> None:
        """Take the tables, and find the levels that stand out of the noise."""
        self._tables, self._plan = tables, tables.plan
        self.n, self.width = tables.plan.n, len(tables.plan.levels)
        self.whole = tables.plan.whole is not None
        self.levels = tuple(self._seen(x) for x in range(self.width))
        self._pairs = {
            (x, y): self._pair(x, y) for y in range(self.width) for x in range(self.width) if x < y
        }
        self._alone = {
            (x, y): alone(pair, self.levels[x], self.levels[y], self.n)
            for (x, y), pair in self._pairs.items()
        }

    def correlation(self, x: int, y: int) -> Floats:
        """Return the correlations of the scores of x, down, with those of y, across."""
        if x == y:
            return np.eye(self.levels[x].noise.size)
        if x > y:
            return self._alone[y, x].effect.T
        return self._alone[x, y].effect

    def noise(self, x: int, y: int) -> Floats:
        """Return the variances that noise gives the correlations of x, down, and y, across."""
        if x == y:
            return np.zeros((self.levels[x].noise.size,) * 2)
        if x > y:
            return self.noise(y, x).T
        estimate = self._alone[x, y]
        both = estimate.covariance.diagonal().reshape(estimate.effect.shape)
        return np.asarray(both - 1 / self.n)

    @cached_property
    def strength(self) -> Floats:
        """Return the sum of squared correlations, less what noise adds, shape (d, d)."""
        result = np.zeros((self.width, self.width))
        for (x, y), estimate in self._alone.items():
            result[x, y] = result[y, x] = estimate.strength
        return result

    def released(self, *columns: int) -> bool:
        """Return whether there is a table of just these columns already."""
        return tuple(sorted(columns)) in self._tables.released

    def alike(self, x: int, y: int) -> bool:
        """Return whether each of two columns leaves less than ``LEFT`` of the other open."""
        most = max(self.levels[x].noise.size, self.levels[y].noise.size)
        return bool(self.strength[x, y] > (1 - LEFT) * most)

    def estimate(self, x: int, y: int, given: Columns) -> DependenceEstimate | None:
        """Return the dependence of x < y given other columns.

        ``None`` where the tables cannot tell: no stratum stands out of the noise, or a table that
        is needed may not be asked for.
        """
        if not given:
            return self._alone[x, y]
        if self._plan.whole is not None:
            return self._from_whole(x, y, given)
        strata = self._by_one(x, y, *given) if len(given) == 1 else self._by_two(x, y, given)
        if strata is None:
            return None
        return chained(self._pairs[x, y], *strata, self.levels[x], self.levels[y], self.n)

    def _seen(self, x: int) -> Levels:
        """Return the groups of levels of a column."""
        plan, width = self._plan, self._plan.levels[x]
        if plan.whole is not None:
            others = tuple(i for i in range(self.width) if i != x)
            counts = next(iter(self._tables.released.values())).sum(axis=others)
            variance = plan.whole.variance * math.prod(plan.levels) / width
            cell = variance / max(plan.levels[i] for i in others)
            return seen_levels(counts.astype(np.float64), math.sqrt(variance), math.sqrt(cell))
        assert plan.pairs is not None
        cell = math.sqrt(plan.pairs.variance)
        if plan.single is not None:
            counts = self._tables.released[x,].astype(np.float64)
            return seen_levels(counts, math.sqrt(plan.single.variance), cell, less=True)
        total, weight = np.zeros(width), 0.0
        for y in range(self.width):
            if y != x:
                table = self._tables.released[min(x, y), max(x, y)]
                total += table.sum(axis=1 if x < y else 0) / plan.levels[y]
                weight += 1 / plan.levels[y]
        return seen_levels(total / weight, cell / math.sqrt(weight), cell)

    def _pair(self, x: int, y: int) -> Noisy:
        plan, margins = self._plan, 0.0
        if plan.whole is None:
            assert plan.pairs is not None
            table, variance = self._tables.released[x, y], plan.pairs.variance
            if plan.single is not None:
                margins = plan.single.variance * sum(table.shape)
        else:
            others = tuple(i for i in range(self.width) if i not in (x, y))
            table = next(iter(self._tables.released.values())).sum(axis=others)
            variance = plan.whole.variance * math.prod(plan.levels[i] for i in others)
        joined = self.levels[x].group.T @ table @ self.levels[y].group
        return Noisy(joined, variance, margins)

    def _from_whole(self, x: int, y: int, given: Sequence[int]) -> DependenceEstimate | None:
        plan = self._plan
        assert plan.whole is not None
        kept = sorted((x, y, *given))
        others = tuple(i for i in range(self.width) if i not in kept)
        table = next(iter(self._tables.released.values())).sum(axis=others)
        order = [kept.index(i) for i in (*given, x, y)]
        strata = table.transpose(order).reshape(-1, plan.levels[x], plan.levels[y])
        joined = self.levels[x].group.T @ strata @ self.levels[y].group
        variance = plan.whole.variance * math.prod(plan.levels[i] for i in others)
        return stratified(Noisy(joined, variance), self.levels[x], self.levels[y], self.n)

    def _by_one(self, x: int, y: int, z: int) -> tuple[Strata, Strata, Floats]:
        """Return both columns by the levels of a third, and how many records each level has."""
        level, found = self.levels[z], []
        for column in (x, y):
            pair = self._pairs[min(column, z), max(column, z)]
            table = pair.table if column < z else pair.table.T
            found.append(Strata(table, pair.variance * level.joined))
        return found[0], found[1], self.n * level.share

    def _by_two(self, x: int, y: int, given: Columns) -> tuple[Strata, Strata, Floats] | None:
        """Return both columns by the levels of two others, from tables of three columns."""
        if len(given) != 2 or self._plan.triple is None:
            return None
        first, second = self._triple(x, given), self._triple(y, given)
        return None if first is None or second is None else shared_strata(first, second)

    def _triple(self, x: int, given: Columns) -> Strata | None:
        columns = tuple(sorted((x, *given)))
        counts = self._tables.triple(columns)
        if counts is None or self._plan.triple is None:
            return None
        turned = np.moveaxis(counts, columns.index(x), 0)
        low, high = (self.levels[z] for z in sorted(given))
        groups = self.levels[x].group, low.group, high.group
        table = np.einsum("abc,ai,bj,ck->ijk", turned, *groups, optimize=True)
        joined = np.outer(low.joined, high.joined).ravel()
        return Strata(table.reshape(len(table), -1), self._plan.triple.variance * joined)
