"""Privacy of the training set for log IQR: propose-test-release with training rows counted.

Section 5.3 of Kusner et al. (2016): A_j is the number of training rows needed to move the IQR of
the residuals out of B_j. One row moves every residual by at most b, so each quartile by at most b
and the IQR by at most 2b: A_j ≥ min(⌈(high − IQR)/(2b)⌉, ⌊(IQR − low)/(2b)⌋ + 1), and that number
is used. It is 1 exactly if IQR ± 2b leaves the bin, so it is 1 for both of two neighbors in
different bins, and it moves by at most 1 between neighbors in one bin. The proof in
``propose_test_release`` needs no more. The inputs x′ and y′ are public; two residual vectors are
released: (6ε, 2δ).
"""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import positive
from provado.mechanisms.noise.grid import NOISE_GRID
from provado.mechanisms.regression.kernels import Kernel
from provado.mechanisms.scores.iqr import iqr

from .log_bins import Bin, Bins, repaired_bins
from .noisy_scores import exact_epsilon
from .propose_test_release import (
    Proposal,
    Threshold,
    propose_by,
    release_proposals,
    repaired_threshold,
)
from .training_set import Move, repaired_move, trained_vectors


def rows_to_leave(width: float, proposed: Bin, move: float) -> int:
    """Return the least number of training rows whose moves may take an IQR out of a bin.

    width: the IQR. proposed: the bin [low, high). move: b. 0 if the IQR is outside already. Exact,
    in fractions.
    """
    if not proposed.holds(width):
        return 0
    step = 2 * Fraction(positive(move, "move"))
    here = Fraction(width)
    down = math.floor((here - Fraction(proposed.low)) / step) + 1
    if math.isinf(proposed.high):
        return down
    return min(down, math.ceil((Fraction(proposed.high) - here) / step))


def propose_training(
    residuals: ArrayLike, *, move: float, bins: Bins = repaired_bins, grid: float = NOISE_GRID
) -> Proposal:
    """Return what the release reads from one vector of m ≥ 2 test residuals."""
    width = iqr(residuals)
    return propose_by(
        lambda proposed: rows_to_leave(width, proposed, move), width, bins=bins, grid=grid
    )


def release_training_iqr(
    data: Any,
    *,
    test: Any,
    kernel: Kernel,
    lam: float,
    epsilon: Rational | int | float,
    delta: float,
    move: Move = repaired_move,
    bins: Bins = repaired_bins,
    threshold: Threshold = repaired_threshold,
    grid: float = NOISE_GRID,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return ``size`` private releases of ln IQR of r′_X and of r′_Y.

    data: training rows, shape (n, 2); test: public test rows, shape (m, 2); within [−1, 1].
    kernel, lam: of the regressions. epsilon, delta: of each of the two, as of
    ``propose_test_release``. move, bins, threshold: repaired as they stand.

    Shape of the result: (size, 2); NaN is ⊥. Guarantee, repaired: (6ε, 2δ)-DP under replacement of
    one training row, with δ larger by 2^-48 for the tests' noise. Source: Kusner et al. (2016),
    section 5.3, repaired. Raises ``UsageError`` for parameters outside their range.
    """
    level = threshold(exact_epsilon(epsilon)[1], delta)
    vectors = trained_vectors(data, test, kernel=kernel, lam=lam)
    furthest = move(len(data), lam)
    both = vectors.r_x, vectors.r_y
    read = [propose_training(r, move=furthest, bins=bins, grid=grid) for r in both]
    return release_proposals(read, epsilon=epsilon, threshold=level, grid=grid, size=size, rng=rng)
