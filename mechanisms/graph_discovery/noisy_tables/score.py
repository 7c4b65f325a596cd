"""Scores of families from noisy tables, and the graph of the best score that they show.

From one noisy table of all columns any distribution given the parents can be scored. The
log-likelihood that parents P add for x is Σ N·log(N/N_P) over the cells of their margin, less the
same without parents: interactions are seen. A margin's noise is that of all the cells in a sum;
negative sums count as 0, and each margin is brought back to n records.

The charge. For y among the parents, Z the others, the gain of y is to second order half of a sum,
over the strata z of Z, of n_z times the squared correlations of the scores of x with those of y in
z. Where y adds nothing, each has mean 1/n_z from sampling. Noise of variance v_z in a cell adds
v_z·Σu²·Σw²/n_z², the sums over levels, of a score u of x and w of y. Over all scores Σu² adds up
to A = Σ(1/p − 1), p the shares of x in z, and Σw² to B; joined levels count as many times. So a
spurious parent gains Σ_z(k·l + v_z·A·B/n_z)/2 on average, and is charged log n times that: BIC
without noise, and with noise no more often wrong about a spurious parent than BIC is about one
parameter without, see above. In strata that noise hides a gain is less than to second
order, as no logarithm grows like a square: levels are taken to have three deviations there.

Source: Schwarz, Estimating the Dimension of a Model (1978), for the charge without noise.
"""

import math
from typing import Unpack

import numpy as np

from ..search.best_score import Families, Parents, best_dag, greedy_equivalence
from ..search.cpdag import Graph, cpdag_of
from ..search.work_limits import Stop, Work
from .dependence import Dependence
from .estimates import Floats
from .linear_score import LinearScore
from .release import DEVIATIONS, Columns, Tables

_HALF = 0.5
"""Records that a level in a stratum has at least, without noise."""


class TableScore:
    """Gains of families, see the module."""

    def __init__(self, tables: Tables, levels: Dependence, *, caution: float | None = None) -> None:
        """Take the table of all columns, and join levels as ``levels`` has them.

        caution: how many times its mean what noise adds is charged; log n by default.
        """
        noise = tables.plan.whole
        assert noise is not None
        table = next(iter(tables.released.values())).astype(np.float64)
        for column, level in enumerate(levels.levels):
            table = np.moveaxis(np.tensordot(level.group, table, (0, column)), 0, column)
        self._table, self._variance, self._n = table, noise.variance, tables.plan.n
        self._caution = math.log(self._n) if caution is None else caution
        self._joined = [result.joined for result in levels.levels]
        self._margins: dict[Columns, Floats] = {}
        self._charges: dict[tuple[int, int, Parents], float] = {}

    def gain(self, x: int, parents: Parents) -> float:
        """Return what the parents add to the log-likelihood of x, less their charges."""
        told = self._log_likelihood(x, parents) - self._log_likelihood(x, frozenset())
        charges = (self._charge(min(x, y), max(x, y), parents - {y}) for y in parents)
        return told - math.fsum(charges)

    def _log_likelihood(self, x: int, parents: Parents) -> float:
        counts = np.maximum(self._strata(tuple(sorted(parents)), (x,)), 0.0)
        counts *= self._n / max(counts.sum(), _HALF)
        sizes = counts.sum(axis=1)
        return _entropy(counts) - _entropy(sizes)

    def _charge(self, x: int, y: int, given: Parents) -> float:
        known = self._charges.get((x, y, given))
        if known is None:
            sampling, noise = self.spurious(x, y, given)
            known = (math.log(self._n) * sampling + self._caution * noise) / 2
            self._charges[x, y, given] = known
        return known

    def spurious(self, x: int, y: int, given: Parents) -> tuple[float, float]:
        """Return twice the mean gain of a parent that adds nothing given the others.

        The part of sampling, which is the number of parameters, and the part of noise.
        """
        order = tuple(sorted(given))
        table = self._strata(order, (x, y))
        inside = np.ones(1)
        for z in order:
            inside = np.outer(inside, self._joined[z]).ravel()
        outside = math.prod(
            self._joined[i].sum() for i in range(len(self._joined)) if i not in (x, y, *order)
        )
        cell = self._variance * outside * inside
        one, other = self._joined[x], self._joined[y]
        rows = _standing(table.sum(axis=2), cell[:, None] * one * other.sum())
        columns = _standing(table.sum(axis=1), cell[:, None] * other * one.sum())
        sizes = np.maximum(rows.sum(axis=1), columns.sum(axis=1))
        noise = cell / sizes * _squares(rows, one) * _squares(columns, other)
        return float((one.size - 1) * (other.size - 1) * noise.size), float(noise.sum())

    def _strata(self, given: Columns, kept: Columns) -> Floats:
        """Return the margin of some columns, all but those kept as one axis of strata."""
        columns = tuple(sorted((*given, *kept)))
        if columns not in self._margins:
            others = tuple(i for i in range(self._table.ndim) if i not in columns)
            self._margins[columns] = self._table.sum(axis=others)
        result = self._margins[columns].transpose([columns.index(i) for i in (*given, *kept)])
        return result.reshape(-1, *(self._joined[i].size for i in kept))


def _entropy(counts: Floats) -> float:
    """Return Σ N·log N."""
    above = counts[counts > 0]
    return float(above @ np.log(above))


def _standing(counts: Floats, variance: Floats) -> Floats:
    return np.maximum(counts, np.maximum(DEVIATIONS * np.sqrt(variance), _HALF))


def _squares(counts: Floats, joined: Floats) -> Floats:
    """Return in each stratum the sum of the squares of all scores."""
    return np.asarray(((counts.sum(axis=1)[:, None] / counts - 1) * joined).sum(axis=1))


EXACT_COLUMNS = 8
"""Up to which all graphs are compared: 8·2⁷ families."""


def search_scores(
    tables: Tables, dependence: Dependence, **work: Unpack[Work]
) -> tuple[Graph, int, Stop | None]:
    """Return the best CPDAG: of all where few columns have one table, else by greedy steps.

    Then how many families were scored, and what ran out.

    One table of all columns is scored by ``TableScore``, tables of pairs by ``LinearScore``. work:
    see ``Work``; families are counted as tests. All that is asked was released, so the clock may
    end it.
    """
    if tables.plan.whole is None:
        families = Families(LinearScore(dependence).gain, **work)
    else:
        families = Families(TableScore(tables, dependence).gain, **work)
    if tables.plan.whole is None or dependence.width > EXACT_COLUMNS:
        cpdag, stopped = greedy_equivalence(dependence.width, families)
    else:
        best, stopped = best_dag(dependence.width, families)
        cpdag = cpdag_of(best)
    return cpdag, families.scored, stopped
