"""Scores of families from noisy tables, and the graph of the best score that they show.

**Scores of families from one noisy table of all columns: any distribution given the parents.** The
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

**The graph of the best score that noisy tables show.**
"""

import math
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from ..search.best_score import Families, Parents, best_dag, greedy_equivalence
from ..search.cpdag import Graph, cpdag_of
from ..search.search_tree import CHAINS, direction_shares
from ..search.work import Stop, Work
from .dependence import Dependence
from .edge_search import FAIR, SEEN, Tried
from .estimates import Floats
from .linear_score import LinearScore
from .plan import TRIPLES_BELOW
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
        for column, found in enumerate(levels.levels):
            table = np.moveaxis(np.tensordot(found.group, table, (0, column)), 0, column)
        self._table, self._variance, self._n = table, noise.variance, tables.plan.n
        self._caution = math.log(self._n) if caution is None else caution
        self._joined = [found.joined for found in levels.levels]
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
        found = self._margins[columns].transpose([columns.index(i) for i in (*given, *kept)])
        return found.reshape(-1, *(self._joined[i].size for i in kept))


def _entropy(counts: Floats) -> float:
    """Return Σ N·log N."""
    above = counts[counts > 0]
    return float(above @ np.log(above))


def _standing(counts: Floats, variance: Floats) -> Floats:
    return np.maximum(counts, np.maximum(DEVIATIONS * np.sqrt(variance), _HALF))


def _squares(counts: Floats, joined: Floats) -> Floats:
    """Return in each stratum the sum of the squares of all scores."""
    return np.asarray(((counts.sum(axis=1)[:, None] / counts - 1) * joined).sum(axis=1))


TRUSTED = 0.5
"""Of a difference of scores: the skeleton may be wrong. See ``benchmarks.arrow_bars``."""

DIRECT = 0.0, 0.1, 0.3
"""Of what a column alone tells of another, that it must add to the parents' to be one of them.

Parents do not just add up, so that a false edge adds a little. How much is not known: a direction
is sure that does not depend on it.
"""

DOUBTED = 0.05, 0.2, 1.0
"""Given none, one, and more columns: a p-value below which two may be adjacent although a test took
their edge away.

So it is where noise is above ``TRIPLES_BELOW`` and hides many weak edges: without such an edge, a
collider between its ends would look sure. The more columns are given, the less a test can see; of
edges that go given two or more about half are true then.
"""

_BARRED = -1e6
"""Fit of a collider that a test contradicts; finite, so that two of them can be compared."""

EXACT_COLUMNS = 8
"""Up to which all graphs are compared: 8·2⁷ families."""


@dataclass(frozen=True, eq=False)
class ScoredGraph:
    """The CPDAG of the best score that was found, how many families were scored, what ran out."""

    cpdag: Graph
    families: int
    stopped: Stop | None


def search_scores(tables: Tables, **work: Unpack[Work]) -> ScoredGraph:
    """Return the best graph: of all where few columns have one table, else by greedy steps.

    One table of all columns is scored by ``TableScore``, tables of pairs by ``LinearScore``. work:
    see ``Work``; families are counted as tests. All that is asked was released, so the clock may
    end it.
    """
    dependence = Dependence(tables)
    if tables.plan.whole is None:
        families = Families(LinearScore(dependence).gain, **work)
    else:
        families = Families(TableScore(tables, dependence).gain, **work)
    if tables.plan.whole is None or dependence.width > EXACT_COLUMNS:
        cpdag, stopped = greedy_equivalence(dependence.width, families)
    else:
        best, stopped = best_dag(dependence.width, families)
        cpdag = cpdag_of(best)
    return ScoredGraph(cpdag, families.scored, stopped)


def shares_of_directions(
    tables: Tables,
    dependence: Dependence,
    skeleton: NDArray[np.bool_],
    stopped: Stop | None,
    tried: tuple[Tried, ...] = (),
    *,
    chains: int = CHAINS,
    end: float | None = None,
) -> Floats:
    """Return how sure each direction of a skeleton's edges is, shape (d, d).

    No direction is sure without ``chains``, or where the search for edges ``stopped`` early.
    Otherwise it is the direction's share among graphs drawn by their score; see
    ``direction_shares``, also for ``end``. A score takes all errors to be those of sampling, so its
    differences count by what share sampling has of the variance of a correlation, on average, and
    by ``TRUSTED``. Shares are averaged over ``DIRECT``: edges for which two neighbors could
    account, see ``detours``, are there at 0 alone. Edges that ``tried`` took away in doubt, see
    ``DOUBTED``, may be there; the smaller share with and without them counts. Of ``CHAINS``
    no graph has a collider of two ends at a column of the set that took their edge away. Directions
    that the tables refute, see ``refuted``, have none. The same tables give the same shares.
    """
    if not chains or stopped not in (None, "tables"):
        return np.zeros(skeleton.shape)
    noise = dependence.noise
    if tables.plan.whole is None:
        gain = LinearScore(dependence, caution=1.0).gain
    else:
        gain = TableScore(tables, dependence, caution=1.0).gain
    pairs = combinations(range(dependence.width), 2)
    variance = np.concatenate([noise(x, y).ravel() for x, y in pairs])
    sampled = float((1 / (1 + dependence.n * variance)).mean()) if variance.size else 0.0

    certain = skeleton
    if tables.plan.whole is None:
        certain = skeleton & (detours(dependence, skeleton) < 1)
    doubtful = np.zeros_like(skeleton)
    for test in tried if tables.plan.error > TRIPLES_BELOW else ():
        if test.gone and (test.p_value or 0.0) < DOUBTED[min(len(test.given), 2)]:
            doubtful[[test.x, test.y], [test.y, test.x]] = True
    # An edge of columns without a common neighbor hides no collider.
    doubtful &= skeleton @ skeleton

    # Bars make chains stick; of a few, as for a redraw, all may.
    gone = [test for test in tried if test.gone and chains >= CHAINS]
    apart = [(frozenset({test.x, test.y}), test.given) for test in gone]

    def shares(direct: float, more: NDArray[np.bool_]) -> Floats:
        def fit(x: int, above: Parents) -> float:
            if any(x in given and ends <= above for ends, given in apart):
                return _BARRED
            alone = math.fsum(max(0.0, gain(x, frozenset({y}))) for y in above)
            return TRUSTED * sampled * (gain(x, above) - direct * alone)

        each = math.ceil(chains / len(DIRECT))
        edges, rng = certain if direct else skeleton, np.random.default_rng(0)
        return direction_shares(edges | more, fit, rng, chains=each, end=end)

    doubts = [doubtful, np.zeros_like(doubtful)] if doubtful.any() else [doubtful]
    every = [np.mean([shares(direct, more) for direct in DIRECT], axis=0) for more in doubts]
    return np.asarray(np.min(every, axis=0) * (skeleton & ~refuted(dependence, skeleton)))


def refuted(dependence: Dependence, skeleton: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the directions that two independent columns rule out, shape (d, d).

    Of x − y − z with x and z apart, y → z or y → x makes y all that links x and z there, so that
    their correlations are those of x with y times those of y with z. Where half of that would be
    seen, and x and z look independent, y is an effect of both. Graphs are compared with each other
    only: where a common cause is hidden, or effects cancel, none may fit, and the best has arrows
    that the tables refute.
    """
    found = np.zeros(skeleton.shape, dtype=bool)
    for x, z in np.argwhere(np.triu(~skeleton, 1)).tolist():
        estimate = dependence.estimate(x, z, ())
        if estimate is None or estimate.p_value < FAIR:
            continue
        for y in np.flatnonzero(skeleton[x] & skeleton[z]).tolist():
            through = dependence.correlation(x, y) @ dependence.correlation(y, z)
            if estimate.would_be_seen(SEEN * through, FAIR):
                found[y, [x, z]] = True
    return found


def detours(dependence: Dependence, skeleton: NDArray[np.bool_]) -> Floats:
    """Return how far two neighbors of an end could account for each edge, shape (d, d).

    Of two columns that both are needed to separate the ends, each, given the other, depends on both
    ends at least as much as the ends do on each other (the data processing inequality). An entry is
    the least of the ratios by which that is so, for the two neighbors for which it is largest.
    Tables of pairs show this whether or not effects add up. Two neighbors do not account for it
    where released tables of three columns show that the ends depend on each other given both.
    """

    @cache
    def strength(x: int, y: int, given: int) -> float:
        estimate = dependence.estimate(min(x, y), max(x, y), (given,))
        return 0.0 if estimate is None else max(estimate.strength, 0.0)

    def ratio(x: int, y: int, through: int, given: int) -> float:
        left = strength(x, y, given)
        least = min(strength(x, through, given), strength(through, y, given))
        return least / left if left > 0 else 0.0

    found = np.zeros(skeleton.shape)
    for x, y in np.argwhere(skeleton).tolist():
        near = [z for z in np.flatnonzero(skeleton[x]).tolist() if z != y]
        for one, other in combinations(near, 2):
            if all(dependence.released(end, one, other) for end in (x, y)):
                left = dependence.estimate(min(x, y), max(x, y), (one, other))
                if left is not None and left.p_value < FAIR:
                    continue
            both = min(ratio(x, y, one, other), ratio(x, y, other, one))
            found[x, y] = found[y, x] = max(found[x, y], both)
    return found
