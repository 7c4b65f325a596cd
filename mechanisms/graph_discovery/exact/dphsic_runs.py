"""PC with dpHSIC on few columns of −1 and 1 as a mechanism: the chance that each edge goes.

The score of such columns under a random permutation has a known distribution (``pcd_edge``), and
given the noisy score the permuted ones are independent; so a test is one integral. Pairs share
neither permutations nor noise.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import positive
from provado.mechanisms.graph_discovery.edges.pcd_edge import permuted_squares
from provado.mechanisms.graph_discovery.search.cpdag import orient
from provado.mechanisms.graph_discovery.search.search_tree import MOST_COLUMNS, graph_code
from provado.mechanisms.graph_discovery.search.skeleton import find_skeleton
from provado.mechanisms.noise.quadrature import laplace_below, laplace_density, line_nodes
from provado.mechanisms.scores.hsic.private_permutation import noise_scale, p_value_allows

from .graph_distribution import Distribution, RunsByDistribution
from .pcd_runs import signs


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
    allowed, pairs = p_value_allows(alpha, permutations), tuple(combinations(range(d), 2))
    gone = [
        1 - _rejected(_roots(columns[x], columns[y], bandwidth), scale, allowed, permutations)
        for x, y in pairs
    ]
    distribution: Distribution = {}
    for apart in product((False, True), repeat=len(pairs)):
        answers = dict(zip(pairs, apart, strict=True))
        found = find_skeleton(d, lambda x, y, _, a=answers: a[x, y], max_order=0)  # type: ignore[misc]
        chance = np.prod([g if a else 1 - g for g, a in zip(gone, apart, strict=True)])
        code = graph_code(orient(found))
        distribution[code] = distribution.get(code, 0.0) + float(chance)
    return RunsByDistribution(distribution)


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
