"""Privacy of training and test set at once, for HSIC and log IQR: one row of either is replaced.

The dataset is all rows, the first n for training and the rest, m of them, for the test. The paper
says that its mechanisms "can be used jointly" and prints none; these are ours. A training row moves
every residual by at most b and no input; a test row moves one entry of each of the four vectors by
any amount.

**HSIC**: the larger of the two sensitivities is one for both. (2ε, 0) for the two scores.

**IQR**: with [low_t, high_t] the range that t test values reach, j training rows widen it by at
most 2bj on each side, so A = min{j + t : low_t − 2bj < low or high_t + 2bj ≥ high} rows are needed
to leave [low, high). A neighbor by a training row has its range at (j, t) within this one's at
(j + 1, t), by a test row within that at (j, t + 1): A moves by at most 1, and it is 1 for neighbors
in different bins. The proof in ``propose_test_release`` needs no more. The inputs are not moved by
training rows: b = 0 for them. Four vectors: (12ε, 4δ).

Source: extends Kusner et al., Private Causal Inference (2016), sections 4 and 5. The rank scores
are in ``both_sets_ranks``.
"""

from __future__ import annotations

from functools import partial
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.cause_effect.anm.directions import Residuals
from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import answers, natural
from provado.mechanisms.noise.grid import NOISE_GRID
from provado.mechanisms.regression.kernels import Kernel
from provado.mechanisms.scores.hsic.hsic import hsic, hsic_sensitivity
from provado.mechanisms.scores.iqr import changes_to_leave, iqr, iqr_range

from .log_bins import Bin, Bins, repaired_bins
from .noisy_scores import exact_epsilon
from .propose_test_release import (
    Proposal,
    Threshold,
    propose_by,
    release_proposals,
    repaired_threshold,
)
from .testing_set import release_scores, two_scores
from .training_iqr import rows_to_leave
from .training_set import hsic_training_sensitivity, repaired_move, trained_vectors


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


def release_both_hsic(
    data: Any,
    *,
    n: int,
    kernel: Kernel,
    lam: float,
    input_kernel: Kernel,
    residual_kernel: Kernel,
    epsilon: Rational | int | float,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return ``size`` private releases of HSIC for both directions.

    data: shape (n + m, 2), the first ``n`` rows for training; within [−1, 1]. Other parameters as
    of ``release_training_hsic``.

    Shape of the result: (size, 2). Guarantee: (2ε, 0)-DP under replacement of one row of either
    set. The test set's sensitivity is that of Theorem 3, whose proof is complete. Raises
    ``UsageError`` for parameters outside their range.
    """
    vectors = split_vectors(data, n, kernel=kernel, lam=lam)
    m = vectors.x.size
    slope = residual_kernel.lipschitz
    bound = max(hsic_sensitivity(m), hsic_training_sensitivity(n, m, lam, slope))
    score = partial(hsic, kernel_a=input_kernel, kernel_b=residual_kernel)
    return release_scores(two_scores(vectors, score), bound, epsilon, size=size, rng=rng)


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


def release_both_iqr(
    data: Any,
    *,
    n: int,
    kernel: Kernel,
    lam: float,
    epsilon: Rational | int | float,
    delta: float,
    bins: Bins = repaired_bins,
    threshold: Threshold = repaired_threshold,
    grid: float = NOISE_GRID,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return ``size`` private releases of ln IQR of x′, y′, r′_X and r′_Y, in this order.

    data: shape (n + m, 2), the first ``n`` rows for training; within [−1, 1]. kernel, lam: of the
    regressions. epsilon, delta, bins, threshold, grid: as of ``propose_test_release``.

    Shape of the result: (size, 4); NaN is ⊥. Guarantee, as it stands: (12ε, 4δ)-DP under
    replacement of one row of either set, with δ larger by 2^-47 for the tests' noise. Raises
    ``UsageError`` for parameters outside their range.
    """
    level = threshold(exact_epsilon(epsilon)[1], delta)
    vectors = split_vectors(data, n, kernel=kernel, lam=lam)
    moves = (0.0, 0.0, *[repaired_move(n, lam)] * 2)
    read = [
        propose_both(values, move=move, bins=bins, grid=grid)
        for values, move in zip(vectors, moves, strict=True)
    ]
    return release_proposals(read, epsilon=epsilon, threshold=level, grid=grid, size=size, rng=rng)
