"""Probabilities of the private decisions on a single edge, and the ε of their pairs."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binom, hypergeom

from provado.mechanisms.definitions.parameters import natural
from provado.mechanisms.graph_discovery.edges import priv_pc_edge
from provado.mechanisms.graph_discovery.edges.pcd_edge import _test
from provado.mechanisms.graph_discovery.edges.priv_pc_edge import _setting, upper_tail
from provado.mechanisms.graph_discovery.edges.sieve_and_examine import _ones
from provado.mechanisms.graph_discovery.independence_tests.margin import rank_of_level
from provado.mechanisms.graph_discovery.independence_tests.rcit import hsic_sensitivity_short
from provado.mechanisms.noise.quadrature import laplace_below
from provado.mechanisms.noise.sieve import sieve_scales
from provado.mechanisms.noise.threshold_patterns import ABOVE, BELOW, HALTED
from tests.mechanisms.exact.sparse_vector import pattern_probabilities


def share_distribution(
    bits: ArrayLike,
    *,
    queries: int,
    threshold: float,
    tweak: float,
    subset: int,
    epsilon: float,
    sensitivity: float,
) -> NDArray[np.float64]:
    """Return the probabilities of the outputs 0, …, queries − 1 and ``NONE``, to about 1e-13.

    The arguments are those of ``sieve_and_examine_share``. A mixture over the ones in the subset.
    """
    ones, n = _ones(bits)
    to_threshold, to_query, _ = sieve_scales(epsilon, n, subset, sensitivity)
    k = natural(queries, "queries")
    first = [(BELOW,) * i + (ABOVE,) + (HALTED,) * (k - 1 - i) for i in range(k)]
    passes = np.zeros(k)
    for found in range(max(0, subset - n + ones), min(ones, subset) + 1):
        passes += hypergeom.pmf(found, n, ones, subset) * pattern_probabilities(
            np.full(k, found / subset),
            first,
            threshold=threshold - tweak,
            threshold_scale=to_threshold,
            query_scale=to_query,
        )
    distance = (ones / n - threshold) * epsilon / (2 * sensitivity)
    examined = 1 - math.exp(-distance) / 2 if distance > 0 else math.exp(distance) / 2
    told = passes * examined
    return np.array([*told, 1 - told.sum()])


def silent_probability(
    records: ArrayLike, *, threshold: float, tweak: float = 0.0, epsilon: float
) -> float:
    """Return the probability that ``priv_pc_edge`` is silent: a tail of two Laplace variables."""
    score, unit, _ = _setting(records, epsilon, 1)
    return upper_tail((score - threshold + tweak) / unit)


def silent_odds(records: ArrayLike) -> tuple[float, float]:
    """Return how likely ``priv_pc_edge`` is silent under the catalogue's setting, and is not."""
    silent = silent_probability(records, **priv_pc_edge.SETTING)
    return silent, 1 - silent


def edge_distributions() -> list[tuple[float, float, float]]:
    """Return how likely silence, keeping and deleting are under D and D′ of ``priv_pc_edge``."""
    silent = [silent_odds(records)[0] for records in priv_pc_edge.PAIR]
    # The examination is independent: Pr[score + Lap(1/2·Δ) < T] at 0 and at Δ, T halfway.
    kept = [1 - math.exp(-1.0) / 2, math.exp(-1.0) / 2]
    return [(s, (1 - s) * k, (1 - s) * (1 - k)) for s, k in zip(silent, kept, strict=True)]


def repaired_deletion(
    records: ArrayLike, *, epsilon: float, alpha: float, permutations: int, bandwidth: float
) -> float:
    """Return the probability that ``pcd_edge_repaired`` deletes the edge, to about 1e-12."""
    test, rank = _test(records, bandwidth), rank_of_level(alpha, permutations)
    scale = 2 * float(hsic_sensitivity_short(test.rows)) / epsilon
    # The r-th largest is at least values[i] where at least r scores are.
    reached = binom.sf(rank - 1, permutations, np.minimum(1.0, np.cumsum(test.masses)))
    weights = np.diff(reached, prepend=0.0)
    return float(np.dot(weights, laplace_below(test.values - test.score, scale)))
