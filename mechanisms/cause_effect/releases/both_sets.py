"""Privacy of training and test set at once: one row of either is replaced.

The dataset is all rows, the first n for training and the rest, m of them, for the test. The paper
says that its mechanisms "can be used jointly" and prints none; these are ours. A training row moves
every residual by at most b and no input; a test row moves one entry of each of the four vectors by
any amount.

**HSIC**: the larger of the two sensitivities is one for both. (2ε, 0) for the two scores.

**IQR**: with [low_t, high_t] the range that t test values reach, j training rows widen it by at
most 2bj on each side, so A = min{j + t : low_t − 2bj < low or high_t + 2bj ≥ high} rows are needed
to leave [low, high). A neighbor by a training row has its range at (j, t) within this one's at
(j + 1, t), by a test row within that at (j, t + 1): A moves by at most 1, and it is 1 for neighbors
in different bins. The proof in ``release`` needs no more. The inputs are not moved by
training rows: b = 0 for them. Four vectors: (12ε, 4δ).

**Rank scores**, by the number of close residuals: the smallest gap between residuals, which
``training_set`` uses, is of no use here, as a single test row can close it. Let N(u) be the number
of pairs of residuals at most u apart, and b the most that one training row moves a residual.

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

Source: extends Kusner et al., Private Causal Inference (2016), sections 4 and 5.
"""

import math
from functools import partial
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import answers, natural, positive, rational, vector
from provado.mechanisms.noise.exact_noise import NOISE_GRID, to_grid
from provado.mechanisms.regression.kernels import Kernel
from provado.mechanisms.scores.hsic.hsic import hsic, hsic_sensitivity
from provado.mechanisms.scores.iqr import changes_to_leave, iqr, iqr_range
from provado.mechanisms.scores.score import RankScore, rows

from ..additive_noise_model import Residuals
from .release import Bin, Bins, LogIqr, PairRelease, Proposal, Statistic, propose_by, repaired_bins
from .testing_set import grid_for, read_scores, two_scores
from .training_set import hsic_training_sensitivity, repaired_move, rows_to_leave, trained_vectors


def split_vectors(data: Any, n: int, *, kernel: Kernel, lam: float) -> Residuals:
    """Train on the first ``n`` rows; return inputs and residuals of the others.

    data: shape (n + m, 2), m ≥ 2, within [−1, 1]. Raises ``UsageError`` for anything else.
    """
    table = answers(data, "data")
    if table.ndim != 2 or len(table) < natural(n, "n") + 2:
        raise UsageError(
            f"data has shape {table.shape}: it must have n = {n} training rows and at least 2 more"
        )
    return trained_vectors(table[:n], table[n:], kernel=kernel, lam=lam)


def read_both_hsic(
    data: Any,
    *,
    n: int,
    kernel: Kernel,
    lam: float,
    input_kernel: Kernel,
    residual_kernel: Kernel,
    epsilon: Rational | int | float,
) -> Statistic:
    """Read HSIC for both directions.

    data: shape (n + m, 2), the first ``n`` rows for training; within [−1, 1]. Other parameters as
    of ``read_training_hsic``.

    Shape of the result: (size, 2). Guarantee: (2ε, 0)-DP under replacement of one row of either
    set. The test set's sensitivity is that of Theorem 3, whose proof is complete. Raises
    ``UsageError`` for parameters outside their range.
    """
    vectors = split_vectors(data, n, kernel=kernel, lam=lam)
    m = vectors.x.size
    slope = residual_kernel.lipschitz
    bound = max(hsic_sensitivity(m), hsic_training_sensitivity(n, m, lam, slope))
    score = partial(hsic, kernel_a=input_kernel, kernel_b=residual_kernel)
    return read_scores(two_scores(vectors, score), sensitivity=bound, epsilon=epsilon)


release_both_hsic = PairRelease(read_both_hsic)


def rows_of_either_to_leave(values: ArrayLike, proposed: Bin, move: float) -> int:
    """Return A = min{j + t : low_t − 2bj < low or high_t + 2bj ≥ high} for a bin [low, high).

    values: m ≥ 2 numbers. move: b ≥ 0, 0 for inputs, which training rows do not move. 0 if the IQR
    is outside already.
    """
    best = changes_to_leave(values, proposed.low, proposed.high)
    if move == 0:
        return best
    for t in range(best):
        # Both ends are inside the bin for t < best; as many training rows as the nearer one needs.
        ends = iqr_range(values, t)
        best = min(best, t + min(rows_to_leave(end, proposed, move) for end in ends))
        if t + 1 >= best:
            break
    return best


def propose_both(
    values: ArrayLike, *, move: float, bins: Bins = repaired_bins, grid: float = NOISE_GRID
) -> Proposal:
    """Return what the release reads from one vector of m ≥ 2 numbers; ``move`` is b."""
    return propose_by(
        lambda proposed: rows_of_either_to_leave(values, proposed, move),
        iqr(values),
        bins=bins,
        grid=grid,
    )


def read_both_iqr(data: Any, *, n: int, kernel: Kernel, lam: float, **setting: Any) -> Statistic:
    """Read ln IQR of x′, y′, r′_X and r′_Y, in this order.

    data: shape (n + m, 2), the first ``n`` rows for training; within [−1, 1]. kernel, lam: of the
    regressions. setting: of ``LogIqr``.

    Shape of the result: (size, 4); NaN is ⊥. Guarantee, as it stands: (12ε, 4δ)-DP under
    replacement of one row of either set, with δ larger by 2^-47 for the tests' noise. Raises
    ``UsageError`` for parameters outside their range.
    """
    method = LogIqr(**setting)
    vectors = split_vectors(data, n, kernel=kernel, lam=lam)
    moves = (0.0, 0.0, *[repaired_move(n, lam)] * 2)
    return method.reading(
        [
            propose_both(values, move=move, bins=method.bins, grid=method.grid)
            for values, move in zip(vectors, moves, strict=True)
        ]
    )


release_both_iqr = PairRelease(read_both_iqr)


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


def read_both_ranks(
    data: Any,
    *,
    n: int,
    score: RankScore,
    kernel: Kernel,
    lam: float,
    epsilon: Rational | int | float,
    delta: float,
    proposed: int,
) -> Statistic:
    """Read a rank score for both directions.

    data: shape (n + m, 2), the first ``n`` rows for training; within [−1, 1]. score: such as
    ``SPEARMAN``. kernel, lam: of the regressions. epsilon, delta: ε for the test, ε for the noise
    and δ, for each score. proposed: n*, chosen without looking at the data; m − 1 costs no more
    noise than test-set privacy does (Kendall), larger values are passed more easily.

    Shape of the result: (size, 2); NaN is ⊥. Guarantee: (4ε, 2δ)-DP under replacement of one row of
    either set, with δ larger by 2^-49 for the tests' noise. Raises ``UsageError`` for parameters
    outside their range.
    """
    exact = rational(epsilon, "epsilon")
    vectors = split_vectors(data, n, kernel=kernel, lam=lam)
    furthest = repaired_move(n, lam)
    counts = [distance_to_crowding(r, furthest, proposed) for r in (vectors.r_y, vectors.r_x)]
    grid, steps = grid_for(score.of_either_set(vectors.x.size, proposed))
    return Statistic(
        to_grid(two_scores(vectors, score.of), grid),
        steps / exact,
        grid,
        [(count,) for count in counts],
        crowding_threshold(float(exact), delta),
        float(exact),
    )


release_both_ranks = PairRelease(read_both_ranks)
