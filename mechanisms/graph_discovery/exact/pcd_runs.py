"""PCD on few columns as a mechanism: columns of −1 and 1, no conditioning sets.

Then the score of a test under a random permutation has a known distribution, see ``pcd_edge``, and
each test draws permutations of its own.

**PC with dpHSIC on few columns of −1 and 1 as a mechanism: the chance that each edge goes.** The
score of such columns under a random permutation has a known distribution (``pcd_edge``), and given
the noisy score the permuted ones are independent; so a test is one integral. Pairs share neither
permutations nor noise.

**EM-PC on few columns as a mechanism: rounds are finite choices, their distribution a sum.**
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import UsageError, integers, natural, positive
from provado.mechanisms.noise.quadrature import laplace_below, laplace_density, line_nodes
from provado.mechanisms.regression.kernels import SquaredExponential, median_distance
from provado.mechanisms.scores.hsic.permuted import noise_scale, p_value_allows

from ..edges.pcd_edge import pcd_deletion, permuted_squares
from ..independence_tests.margin import margin_sensitivity, rank_of_level
from ..methods import deletion_utility
from ..methods.em_pc import Utility
from ..methods.rounds import vector_noise
from ..search.cpdag import orient
from ..search.search_tree import MOST_COLUMNS, Asked, SearchStep, graph_code, search_tree
from ..search.skeleton import Skeleton
from .graph_distribution import (
    Margins,
    RunOfRounds,
    RunsByDistribution,
    coded_records,
)

NEGLIGIBLE = 1e-17
"""Margins of a smaller probability are left out."""


def pcd_printed_runs(
    records: ArrayLike, *, epsilon: float, alpha: float, permutations: int
) -> RunsByDistribution:
    """Return the runs of ``pcd_printed`` with max_order = 0.

    records: shape (n, d), d = 2 or 3, each −1 or 1. The bandwidths are medians of distances: 2.
    Tests do not share noise, so that edges go independently. Raises ``UsageError`` for bad
    arguments and where half of the pairs of a column are ties.
    """
    columns = signs(records)
    width = max(median_distance(column) for column in columns)
    start = search_tree(len(columns), 0)
    gone = {
        (x, y): _deletion(_counts(columns[x], columns[y]), epsilon, alpha, permutations, width)
        for x, y, _ in start.tests()
    }
    return _independent_tests(start, gone)


def _independent_tests(
    start: SearchStep, gone: Mapping[tuple[int, int], float]
) -> RunsByDistribution:
    """Return the runs in which each edge goes with a chance of its own."""

    def weigh(step: SearchStep, chance: float) -> Iterator[tuple[int, float]]:
        if step.asked is None:
            yield step.graph, chance
            return
        (x, y, _), kept, deleted = step.branches()
        yield from weigh(kept, chance * (1 - gone[x, y]))
        yield from weigh(deleted, chance * gone[x, y])

    return RunsByDistribution.of(weigh(start, 1.0))


def pcd_repaired_runs(
    records: ArrayLike,
    *,
    epsilon: float,
    alpha: float,
    permutations: int,
    bandwidth: float,
    rounds: int,
) -> RunOfRounds:
    """Return the runs of ``pcd_repaired`` with max_order = 0.

    records: as of ``pcd_printed_runs``. Others, guarantee and errors as of ``pcd_repaired``.
    """
    columns, scale = signs(records), positive(epsilon, "epsilon")
    n, rank = columns.shape[1], rank_of_level(alpha, permutations)
    slope = SquaredExponential(bandwidth).lipschitz
    # A test is asked from 8 records or so on: no case for two columns that always stay adjacent.
    unit = margin_sensitivity(n, slope)

    def margins(x: int, y: int) -> Margins:
        """Return the distribution of (rank-th largest permuted score − score)/unit."""
        # Here, so that the catalogue loads without scipy.
        from scipy.stats import binom

        own, every, masses, factor = permuted_squares(columns[x], columns[y], bandwidth)
        squares, place = np.unique(every, return_inverse=True)
        at_least = np.minimum(1.0, np.cumsum(np.bincount(place, weights=masses)[::-1])[::-1])
        reached = binom.sf(rank - 1, permutations, at_least)
        chances = -np.diff(reached, append=0.0)
        kept = chances > NEGLIGIBLE
        values = np.asarray((squares[kept] - own) * factor / unit, dtype=np.float64)
        return Margins(values, np.asarray(chances[kept] / chances[kept].sum(), dtype=np.float64))

    start = search_tree(len(columns), 0)
    distributions = {(x, y, given): margins(x, y) for x, y, given in start.tests()}
    limit = natural(rounds, "rounds")
    return RunOfRounds(start, distributions, distributions, vector_noise(scale), limit)


def _counts(s: NDArray[np.int64], t: NDArray[np.int64]) -> tuple[int, ...]:
    """Return how often (−1, −1), (−1, 1), (1, −1) and (1, 1) occur."""
    return tuple(np.bincount((s + 1) + (t + 1) // 2, minlength=4).tolist())


@lru_cache(maxsize=64)
def _deletion(
    counts: tuple[int, ...], epsilon: float, alpha: float, permutations: int, bandwidth: float
) -> float:
    """Return ``pcd_deletion``, which depends on the records through their counts only."""
    return pcd_deletion(
        np.repeat([(-1, -1), (-1, 1), (1, -1), (1, 1)], counts, axis=0),
        epsilon=epsilon,
        alpha=alpha,
        permutations=permutations,
        bandwidth=bandwidth,
    )


def signs(records: ArrayLike) -> NDArray[np.int64]:
    """Return the columns, shape (d, n)."""
    table = integers(records, "records")
    if table.ndim != 2 or len(table) < 2 or np.any(np.abs(table) != 1):
        raise UsageError(
            f"records has shape {table.shape}: it must be (n, d) with n ≥ 2, each entry −1 or 1"
        )
    return table.T


def dphsic_runs(
    records: ArrayLike,
    *,
    epsilon: float,
    alpha: float,
    permutations: int,
    bandwidth: float,
    noise_over: float = 1.0,
) -> RunsByDistribution:
    """Return the runs of ``dphsic_pc_repaired`` with a test for each pair of 2 or 3 columns.

    records: shape (n, d), each −1 or 1. noise_over: what the scale of the noise is divided by: a
    twin has more than 1. Others, and errors, as of that method.
    """
    columns = signs(records)
    d, n = columns.shape
    if not 2 <= d <= MOST_COLUMNS:
        raise UsageError(f"records have {d} columns: all graphs are listed for 2 to {MOST_COLUMNS}")
    scale = noise_scale(n, epsilon) / positive(noise_over, "noise_over")
    allowed, start = p_value_allows(alpha, permutations), search_tree(d, 0)
    roots = {(x, y): _roots(columns[x], columns[y], bandwidth) for x, y, _ in start.tests()}
    gone = {
        pair: 1 - _rejected(scores, scale, allowed, permutations) for pair, scores in roots.items()
    }
    return _independent_tests(start, gone)


_Scores = tuple[float, tuple[float, ...], tuple[float, ...]]
"""The score, the permuted scores that there are, and the chance of each."""


def _roots(s: NDArray[np.int64], t: NDArray[np.int64], bandwidth: float) -> _Scores:
    own, squares, masses, unit = permuted_squares(s, t, bandwidth)
    share = np.sqrt(unit) * (s.size - 1) / s.size
    values, place = np.unique(squares, return_inverse=True)
    chances = np.bincount(place, weights=masses)
    permuted = np.sqrt(values.astype(np.float64)) * share
    return float(np.sqrt(float(own)) * share), tuple(permuted.tolist()), tuple(chances.tolist())


@lru_cache(maxsize=256)
def _rejected(scores: _Scores, scale: float, allowed: int, permutations: int) -> float:
    """Return the probability that at most ``allowed`` noisy permuted scores reach the noisy one."""
    # Here, so that the catalogue loads without scipy.
    from scipy.stats import binom

    own, values, chances = scores
    nodes, weights = line_nodes([own, *values], width=scale, tail=scale)
    reached = sum(c * laplace_below(v - nodes, scale) for v, c in zip(values, chances, strict=True))
    likely = binom.cdf(allowed, permutations, np.clip(reached, 0.0, 1.0))
    return float(weights @ (laplace_density(nodes - own, scale) * likely))


@dataclass(frozen=True)
class _Course:
    """What a run has done so far: the deletions with the sets that separate, and its rounds."""

    gone: frozenset[Asked] = frozenset()
    rounds: int = 0

    def adjacency(self, d: int) -> NDArray[np.bool_]:
        adjacent = ~np.eye(d, dtype=bool)
        for x, y, _ in self.gone:
            adjacent[x, y] = adjacent[y, x] = False
        return adjacent

    def without(self, x: int, chosen: tuple[deletion_utility.Deletion, ...]) -> _Course:
        gone = {(min(x, c.y), max(x, c.y), c.given) for c in chosen}
        return _Course(self.gone | gone, self.rounds + 1)

    def graph(self, d: int) -> int:
        separating = {(x, y): given for x, y, given in self.gone}
        return graph_code(orient(Skeleton(self.adjacency(d), separating, 0)))


def em_pc_runs(
    records: ArrayLike,
    *,
    repaired: bool,
    alpha: float,
    epsilon: float,
    max_order: int,
    rounds: int | None = None,
    levels: int = 2,
) -> RunsByDistribution:
    """Return the runs of EM-PC on records of 2 or 3 columns, ``repaired`` or as released.

    records, levels: as of ``coded_records``. Others, and errors, as of ``em_pc_repaired`` and
    ``em_pc_released``; ``rounds`` of ``None`` sets no bound.
    """
    table = coded_records(records, levels)
    d = len(table.names)
    if not 2 <= d <= MOST_COLUMNS:
        raise UsageError(f"records have {d} columns: all courses are listed for 2 to 3")
    utility: Utility = (
        deletion_utility.ProvedUtility if repaired else deletion_utility.GreedyUtility
    )(table, alpha=alpha)
    counts = deletion_utility.counts_proved if repaired else deletion_utility.counts_released

    def turn(course: _Course, x: int, order: int) -> list[tuple[_Course, float]]:
        """Return where the turn of node ``x`` at ``order`` leads, and how likely that is."""
        near = np.flatnonzero(course.adjacency(d)[x]).tolist()
        if course.rounds == rounds or len(near) <= order:
            return [(course, 1.0)]
        deletions, _ = utility.deletions(x, near, order)
        if not deletions:
            return [(course, 1.0)]
        choices = deletion_utility.choice_probabilities(deletions, counts, epsilon=epsilon)
        return [(course.without(x, chosen), share) for chosen, share in choices.items()]

    courses = {_Course(): 1.0}
    for order, x in product(range(max_order + 1), range(d)):
        moved: dict[_Course, float] = {}
        for course, chance in courses.items():
            for then, share in turn(course, x, order):
                moved[then] = moved.get(then, 0.0) + chance * share
        courses = moved
    return RunsByDistribution.of((course.graph(d), chance) for course, chance in courses.items())
