"""Privacy of training and test set at once for rank scores, by the number of close residuals.

The smallest gap between residuals, which ``training_ranks`` uses, is of no use here: a single test
row can close it. Let N(u) be the number of pairs of residuals at most u apart, and b the most that
one training row moves a residual.

- *Score, training row.* Only pairs at most 2b apart can change their order, tie or untie. Each such
  pair moves C − D by at most 2, so that Kendall moves by at most 2N(2b)/(m(m − 1)/2). For Spearman
  by position, a pair (i, j) that changes its order moves the two ranks by 1 each, hence Σ a_i·o_i
  by at most |a_i − a_j| ≤ m − 1, with a_i the ranks of the input; Σd² then moves by at most
  2(m − 1)·N and the score by at most 12N(2b)/(m(m + 1)).
- *Score, test row.* At most 4/m and 30/m, by Theorem 1.
- *Counts.* N′(u) ≤ N(u + 2b) after a training row, N′(u) ≤ N(u) + m − 1 after a test row.

Propose a bound n* and let d = min{j + t : N(2b(1 + j)) + t(m − 1) > n*}. By the counts d has
sensitivity 1; d = 0 means N(2b) > n*. Release the score with Lap(Δ/ε), where Δ is the larger of the
test row's bound and the training row's at N = n*, if d + Lap(1/ε) > ln(1/(2δ))/ε; else ⊥. If d ≥ 1
for one of two neighbors, their scores are at most Δ apart, and two ε-DP answers cost (2ε, 0). If
d = 0 for both, ⊥ is equally likely under both, and a release has probability exactly δ: (0, δ). So
each score costs (2ε, δ). The threshold ln(1/δ)/ε of Dwork and Roth's Algorithm 13 would give δ/2.

Source: extends Kusner et al., Private Causal Inference (2016), sections 4.1 and 5.1.
"""

from __future__ import annotations

import math
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import natural, positive, vector
from provado.mechanisms.noise.grid import to_grid
from provado.mechanisms.regression.kernels import Kernel
from provado.mechanisms.scores.columns import rows
from provado.mechanisms.scores.score import RankScore

from .both_sets import split_vectors
from .noisy_scores import exact_epsilon, numbers_where, passes
from .testing_set import grid_for, two_scores
from .training_set import repaired_move


def close_pairs(residuals: ArrayLike, distance: float) -> int:
    """Return N(u): the number of pairs i < j with |r_i − r_j| ≤ u, in O(m log m)."""
    ordered = np.sort(vector(residuals, "residuals"))
    # Differences, not r + u, decide: found by halving, as the differences from r_i grow with j.
    low, high = np.arange(ordered.size), np.full(ordered.size, ordered.size)
    while np.any(high - low > 1):
        middle = (low + high) // 2
        within = ordered[middle] - ordered <= distance
        low, high = np.where(within, middle, low), np.where(within, high, middle)
    return int(np.sum(low - np.arange(ordered.size)))


def distance_to_crowding(residuals: ArrayLike, move: float, proposed: int) -> int:
    """Return d = min{j + t : N(2b(1 + j)) + t(m − 1) > n*}.

    residuals: m ≥ 2 numbers. move: b > 0. proposed: n*, from 1 on.
    """
    ordered = np.sort(vector(residuals, "residuals"))
    step, most = 2 * positive(move, "move"), natural(proposed, "proposed")
    best = most // (rows(ordered.size) - 1) + 1
    j = 0
    while j < best:
        pairs = close_pairs(ordered, step * (1 + j))
        t = 0 if pairs > most else (most - pairs) // (ordered.size - 1) + 1
        best = min(best, j + t)
        j += 1
    return best


def crowding_threshold(epsilon: float, delta: float) -> float:
    """Return ln(1/(2δ))/ε, which Lap(1/ε) exceeds with probability δ; 0 < δ ≤ 1/2."""
    if not 0 < delta <= 0.5:
        raise UsageError(f"delta is {delta!r}: it must be above 0 and at most 1/2")
    return -math.log(2 * delta) / epsilon


def release_both_ranks(
    data: Any,
    *,
    n: int,
    score: RankScore,
    kernel: Kernel,
    lam: float,
    epsilon: Rational | int | float,
    delta: float,
    proposed: int,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return ``size`` private releases of a rank score for both directions.

    data: shape (n + m, 2), the first ``n`` rows for training; within [−1, 1]. score: such as
    ``SPEARMAN``. kernel, lam: of the regressions. epsilon, delta: ε for the test, ε for the noise
    and δ, for each score. proposed: n*, chosen without looking at the data; m − 1 costs no more
    noise than test-set privacy does (Kendall), larger values are passed more easily.

    Shape of the result: (size, 2); NaN is ⊥. Guarantee: (4ε, 2δ)-DP under replacement of one row of
    either set, with δ larger by 2^-49 for the tests' noise. Raises ``UsageError`` for parameters
    outside their range.
    """
    exact, loss = exact_epsilon(epsilon)
    vectors = split_vectors(data, n, kernel=kernel, lam=lam)
    furthest = repaired_move(n, lam)
    counts = [distance_to_crowding(r, furthest, proposed) for r in (vectors.r_y, vectors.r_x)]
    threshold = crowding_threshold(loss, delta)
    released = passes(counts, threshold=threshold, epsilon=loss, size=size, rng=rng)
    grid, steps = grid_for(score.of_either_set(vectors.x.size, proposed))
    centers = to_grid(two_scores(vectors, score.of), grid)
    return numbers_where(released, centers, scale=steps / exact, grid=grid, rng=rng)
