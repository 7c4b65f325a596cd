"""The graph of the best score that noisy tables show."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.graph_discovery.search.acyclic import cpdag_of
from provado.mechanisms.graph_discovery.search.best_dag import best_dag
from provado.mechanisms.graph_discovery.search.cpdag import Graph
from provado.mechanisms.graph_discovery.search.families import Families, Parents
from provado.mechanisms.graph_discovery.search.greedy_equivalence import greedy_equivalence
from provado.mechanisms.graph_discovery.search.members import CHAINS, direction_shares
from provado.mechanisms.graph_discovery.search.work import Stop, Work

from .dependence import Dependence
from .estimates import Floats
from .linear_score import LinearScore
from .release import Tables
from .table_score import TableScore

TRUSTED = 0.5
"""Of a difference of scores: the skeleton may be wrong. See ``benchmarks.arrow_bars``."""

DIRECT = 0.0, 0.1, 0.3
"""Of what a column alone tells of another, that it must add to the parents' to be one of them.

Parents do not just add up, so that a false edge adds a little. How much is not known: a direction
is sure that does not depend on it.
"""

EXACT_COLUMNS = 8
"""Up to which all graphs are compared: 8·2⁷ families."""


@dataclass(frozen=True, eq=False)
class Scored:
    """The CPDAG of the best score that was found, how many families were scored, what ran out."""

    cpdag: Graph
    families: int
    stopped: Stop | None


def search_scores(tables: Tables, **work: Unpack[Work]) -> Scored:
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
    return Scored(cpdag, families.scored, stopped)


def shares_of_directions(
    tables: Tables,
    dependence: Dependence,
    skeleton: NDArray[np.bool_],
    *,
    chains: int = CHAINS,
    end: float | None = None,
) -> Floats:
    """Return how sure each direction of a skeleton's edges is, shape (d, d).

    That is its share among graphs drawn by their score; see ``direction_shares``, also for ``end``.
    A score takes all errors to be those of sampling, so its differences count by what share
    sampling has of the variance of a correlation, on average, and by ``TRUSTED``. Shares are
    averaged over ``DIRECT``: edges for which two neighbors could account, see ``detours``, are
    there at 0 alone. The same tables give the same shares.
    """
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

    def shares(direct: float) -> Floats:
        def fit(x: int, above: Parents) -> float:
            alone = math.fsum(max(0.0, gain(x, frozenset({y}))) for y in above)
            return TRUSTED * sampled * (gain(x, above) - direct * alone)

        each = math.ceil(chains / len(DIRECT))
        edges, rng = certain if direct else skeleton, np.random.default_rng(0)
        return direction_shares(edges, fit, rng, chains=each, end=end)

    return np.asarray(np.mean([shares(direct) for direct in DIRECT], axis=0))


def detours(dependence: Dependence, skeleton: NDArray[np.bool_]) -> Floats:
    """Return how far two neighbors of an end could account for each edge, shape (d, d).

    Of two columns that both are needed to separate the ends, each, given the other, depends on both
    ends at least as much as the ends do on each other (the data processing inequality). An entry is
    the least of the ratios by which that is so, for the two neighbors for which it is largest.
    Tables of pairs show this whether or not effects add up.
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
            both = min(ratio(x, y, one, other), ratio(x, y, other, one))
            found[x, y] = found[y, x] = max(found[x, y], both)
    return found
