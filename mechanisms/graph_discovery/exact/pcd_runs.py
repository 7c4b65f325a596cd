"""PCD on few columns as a mechanism: columns of −1 and 1, no conditioning sets.

Then the score of a test under a random permutation has a known distribution, see ``pcd_edge``, and
each test draws permutations of its own.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import integers, natural, positive
from provado.mechanisms.graph_discovery.edges.pcd_edge import pcd_deletion, permuted_squares
from provado.mechanisms.graph_discovery.independence_tests.rank_margin import (
    margin_sensitivity,
    rank_of_level,
)
from provado.mechanisms.graph_discovery.methods.rounds import Noise
from provado.mechanisms.graph_discovery.search.search_tree import Step, search_tree
from provado.mechanisms.regression.kernels import SquaredExponential, median_distance

from .graph_distribution import Distribution, RunsByDistribution
from .run_of_rounds import Margins, RunOfRounds

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
    distribution: Distribution = {}

    def weigh(step: Step, chance: float) -> None:
        if step.asked is None:
            distribution[step.graph] = distribution.get(step.graph, 0.0) + chance
            return
        (x, y, _), kept, deleted = step.branches()
        weigh(kept, chance * (1 - gone[x, y]))
        weigh(deleted, chance * gone[x, y])

    weigh(start, 1.0)
    return RunsByDistribution(distribution)


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
    noise = Noise(2 / scale, 4 / scale, None)
    return RunOfRounds(start, distributions, distributions, noise, natural(rounds, "rounds"))


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
