"""The four log-IQRs of the additive noise model, released together, and the direction they give.

Kusner et al. (2016), section 4.3, count the releases that read x′: three of four, and so many for
y′; hence (9ε, 3δ). But a data point is a row (x′_k, y′_k), and replacing it moves x′, y′, r′_X and
r′_Y at once: all four releases see it, hence (12ε, 4δ). The printed δ is too small as it stands:
a row that makes all four IQRs jump is noticed with probability 1 − (1 − δ/2)^8 ≈ 4δ.
"""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import positive
from provado.mechanisms.noise.grid import NOISE_GRID

from .log_bins import Bins, repaired_bins
from .noisy_scores import exact_epsilon
from .propose_test_release import Threshold, propose, release_proposals, repaired_threshold
from .rows import Predictor, four_vectors


def iqr_joint(
    data: Any,
    *,
    f: Predictor,
    g: Predictor,
    epsilon: Rational | int | float,
    delta: float,
    bins: Bins = repaired_bins,
    threshold: Threshold = repaired_threshold,
    grid: float = NOISE_GRID,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return ``size`` releases of ln IQR of x′, y′, r′_X and r′_Y, in this order.

    data: test rows, shape (m, 2), m ≥ 2. f, g: public functions X → Y and Y → X.
    epsilon, delta, bins, threshold, grid: of each of the four, as of ``propose_test_release``.

    Shape of the result: (size, 4); NaN is ⊥. Guarantee, with both repairs: (12ε, 4δ)-DP under
    replacement of one row; for a total budget (ε′, 4δ + δ′) by advanced composition take ε from
    ``accounting.iqr_share``, by ``grid_share``. Source: Kusner et al. (2016), section 4.3. Raises
    ``UsageError`` for parameters outside their range.
    """
    level = threshold(exact_epsilon(epsilon)[1], delta)
    read = [propose(vector, bins=bins, grid=grid) for vector in four_vectors(data, f, g)]
    return release_proposals(read, epsilon=epsilon, threshold=level, grid=grid, size=size, rng=rng)


def grid_share(epsilon: float) -> Fraction:
    """Return ε rounded down to a multiple of 2^-20, as the exact noise takes it.

    For shares of a total budget, which come out as logarithms and roots. Raises ``UsageError``
    below 2^-20.
    """
    steps = math.floor(positive(epsilon, "epsilon") * 2**20)
    if steps < 1:
        raise UsageError(f"epsilon is {epsilon!r}: it must be at least 2**-20")
    return Fraction(steps, 2**20)


def iqr_scores(outputs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return s_{X→Y} = x′ + r′_Y and s_{Y→X} = y′ + r′_X of each row of ``iqr_joint``'s outputs.

    Shape: (size, 2); NaN where a summand is ⊥. It reads outputs only, so the promise stays. Source:
    Kusner et al. (2016), equation (2). Raises ``UsageError`` for another shape.
    """
    if outputs.ndim != 2 or outputs.shape[1] != 4:
        raise UsageError(f"outputs has shape {outputs.shape}: it must be (size, 4)")
    x, y, r_x, r_y = outputs.T
    return np.stack((x + r_y, y + r_x), axis=1)


def directions(scores: NDArray[np.float64]) -> NDArray[np.int8]:
    """Return 1 for X → Y, −1 for Y → X, 0 for undecided, for each pair of released scores.

    scores: shape (size, 2), s_{X→Y} and s_{Y→X}; the smaller one wins; equal scores, or a ⊥ (NaN),
    leave the direction open. It reads outputs only, so the promise stays. Source: Kusner et al.
    (2016), Algorithm 1, line 9. Raises ``UsageError`` for another shape.
    """
    if scores.ndim != 2 or scores.shape[1] != 2:
        raise UsageError(f"scores has shape {scores.shape}: it must be (size, 2)")
    forward, backward = scores.T
    answer = np.zeros(len(scores), dtype=np.int8)
    answer[forward < backward] = 1
    answer[forward > backward] = -1
    return answer
