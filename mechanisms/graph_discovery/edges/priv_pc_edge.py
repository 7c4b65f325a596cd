"""Priv-PC on two vertices: one edge, one test, and what a run without an answer is charged.

Source: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020),
Algorithm 2, on all records (m = n), where neither subsampling nor the two readings of its noise,
n/m and √(n/m), make a difference.

The score, larger where the columns are closer to independence, is 1 − |τ-a|, of sensitivity 4/n.

**One-off sieve-and-examine, for the share of ones among the records asked several times.** Source:
Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020),
Algorithm 1 and Theorem 1. Each query here is the same share of ones: its sensitivity is 1/n on n
records and 1/m on a subset of m, the point on which the algorithm turns.
"""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import answers, integers, natural, positive
from provado.mechanisms.graph_discovery.tables.numeric import sieve_epsilon
from provado.mechanisms.noise.threshold_patterns import ABOVE, BELOW, HALTED, pattern_probabilities
from provado.mechanisms.scores.kendall import concordance, kendall_sensitivity

SILENT, KEPT, DELETED = 0, 1, 2
"""No answer: the sieve let nothing pass; answered and edge kept; answered and edge deleted."""


def independence(records: ArrayLike) -> Fraction:
    """Return 1 − |τ-a| of the two columns, exactly. Raises ``UsageError`` for bad records."""
    x, y = _columns(records)
    counts = concordance(x, y)
    return 1 - Fraction(abs(counts.concordant - counts.discordant), sum(counts))


def priv_pc_edge(
    records: ArrayLike,
    *,
    threshold: float,
    tweak: float = 0.0,
    epsilon: float,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.int8]:
    """Return ``size`` outputs of Algorithm 2 on two vertices: ``SILENT``, ``KEPT``, ``DELETED``.

    records: shape (n, 2). threshold, tweak: T and t, in terms of 1 − |τ|.
    epsilon: ε of one sieve-and-examine. With Δ = 4/n and ε′ = ε/2 the sieve has noise Lap(2Δ/ε′) on
        T − t and Lap(4Δ/ε′) on the score, the examination Lap(2Δ/ε).

    Guarantee: ε-DP under replacement of one record: one sieve-and-examine takes place, whether or
    not anything passes. Raises ``UsageError`` for bad records or parameters.
    """
    score, unit, trials = _setting(records, epsilon, size)
    level = threshold - tweak + rng.laplace(scale=2 * unit, size=trials)
    passed = score + rng.laplace(scale=4 * unit, size=trials) >= level
    kept = score + rng.laplace(scale=unit, size=trials) < threshold
    return np.where(passed, np.where(kept, KEPT, DELETED), SILENT).astype(np.int8)


def priv_pc_edge_silent(
    records: ArrayLike,
    *,
    threshold: float,
    tweak: float = 0.0,
    epsilon: float,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.bool_]:
    """Return whether each of ``size`` runs ended without an answer, which is charged nothing.

    Priv-PC charges by advanced composition over the answers of a run; with none, it is ε = 0. That
    claims that this event is as likely, up to δ, under neighbors. It is not. See ``priv_pc_edge``.
    """
    outputs = priv_pc_edge(
        records, threshold=threshold, tweak=tweak, epsilon=epsilon, size=size, rng=rng
    )
    return np.equal(outputs, SILENT)


def silent_probability(
    records: ArrayLike, *, threshold: float, tweak: float = 0.0, epsilon: float
) -> float:
    """Return the probability that ``priv_pc_edge`` is silent: a tail of two Laplace variables."""
    score, unit, _ = _setting(records, epsilon, 1)
    return upper_tail((score - threshold + tweak) / unit)


def upper_tail(x: float) -> float:
    """Return Pr[Y + Z > x] for independent Laplace variables of scales 2 and 4.

    For x ≥ 0 it is (2/3)·e^(−x/4) − (1/6)·e^(−x/2).
    """
    if x < 0:
        return 1 - upper_tail(-x)
    return 2 / 3 * math.exp(-x / 4) - math.exp(-x / 2) / 6


def _setting(records: ArrayLike, epsilon: float, size: int) -> tuple[float, float, int]:
    """Return the score, Δ/ε′ = 2Δ/ε, and the number of trials."""
    score = float(independence(records))
    n = _columns(records)[0].size
    unit = 2 * float(kendall_sensitivity(n)) / positive(epsilon, "epsilon")
    return score, unit, natural(size, "size")


def _columns(records: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    table = answers(records, "records")
    if table.ndim != 2 or table.shape[1] != 2:
        raise UsageError(f"records has shape {table.shape}: it must be (n, 2)")
    return table[:, 0], table[:, 1]


NONE = -1
"""The printed ⊥: no query passed the sieve, or the examination failed."""


def sieve_and_examine_share(
    bits: ArrayLike,
    *,
    queries: int,
    threshold: float,
    tweak: float,
    subset: int,
    epsilon: float,
    sensitivity: float,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.int8]:
    """Return ``size`` outputs of Algorithm 1: the query that passed, from 0 on, or ``NONE``.

    bits: n records, each 0 or 1. queries: how often the share of ones is asked, at most 127.
    threshold, tweak: T and t. subset: m of n records are drawn without replacement for the sieve.
    epsilon: ε; the sieve has noise Lap(2Δ/ε′) on T − t and Lap(4Δ/ε′) on each answer, ε′ as in
        ``sieve_epsilon``; the examination on all records has Lap(2Δ/ε).
    sensitivity: Δ, in terms of the share.

    Guarantee: ε-DP under replacement of one record if Δ ≥ 1/m; with Δ = 1/n, the sensitivity on all
    records, it is not. Source: Algorithm 1. Raises ``UsageError`` for parameters out of range.
    """
    ones, n = _ones(bits)
    k, trials = natural(queries, "queries"), natural(size, "size")
    unit = positive(sensitivity, "sensitivity")
    within = sieve_epsilon(epsilon, n, subset)
    seen = rng.hypergeometric(ones, n - ones, subset, size=(trials, 1)) / subset
    noisy = seen + rng.laplace(scale=4 * unit / within, size=(trials, k))
    level = threshold - tweak + rng.laplace(scale=2 * unit / within, size=(trials, 1))
    passed = noisy >= level
    examined = ones / n + rng.laplace(scale=2 * unit / epsilon, size=trials) >= threshold
    told = passed.any(axis=1) & examined
    return np.where(told, passed.argmax(axis=1), NONE).astype(np.int8)


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
    # Here, so that the catalogue loads without scipy.
    from scipy.stats import hypergeom

    ones, n = _ones(bits)
    within = sieve_epsilon(epsilon, n, subset)
    k = natural(queries, "queries")
    first = [(BELOW,) * i + (ABOVE,) + (HALTED,) * (k - 1 - i) for i in range(k)]
    passes = np.zeros(k)
    for found in range(max(0, subset - n + ones), min(ones, subset) + 1):
        passes += hypergeom.pmf(found, n, ones, subset) * pattern_probabilities(
            np.full(k, found / subset),
            first,
            threshold=threshold - tweak,
            threshold_scale=2 * sensitivity / within,
            query_scale=4 * sensitivity / within,
        )
    distance = (ones / n - threshold) * epsilon / (2 * sensitivity)
    examined = 1 - math.exp(-distance) / 2 if distance > 0 else math.exp(distance) / 2
    told = passes * examined
    return np.array([*told, 1 - told.sum()])


def _ones(bits: ArrayLike) -> tuple[int, int]:
    records = integers(bits, "bits")
    if records.ndim != 1 or not records.size or np.any((records != 0) & (records != 1)):
        raise UsageError(f"bits is {bits!r}: it must be a non-empty vector of zeros and ones")
    return int(records.sum()), records.size
