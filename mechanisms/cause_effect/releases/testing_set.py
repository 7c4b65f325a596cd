"""Privacy of the test set: Laplace noise on dependence scores of bounded sensitivity.

Source: Kusner et al., Private Causal Inference (2016), sections 4.1 and 4.2. A data point is a row
(x′_i, y′_i); it moves s_{X→Y} = s(x′, r′_Y) and s_{Y→X} = s(y′, r′_X), each by at most Δ. The two
scores with Lap(Δ/ε) each are (2ε, 0)-DP.
"""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.cause_effect.anm.directions import Residuals
from provado.mechanisms.definitions.parameters import natural, rational, vector
from provado.mechanisms.noise.grid import to_grid
from provado.mechanisms.scores.score import Score

from .noisy_scores import numbers_where
from .rows import Predictor, four_vectors

FINENESS = 14
"""A score's grid has at least 2^14 steps in its sensitivity."""


def grid_for(sensitivity: Rational | int | float) -> tuple[float, int]:
    """Return a grid, and the sensitivity in whole steps of it, for a score of sensitivity Δ > 0.

    The grid is the power of two in (Δ/2^15, Δ/2^14]. The steps are ⌈Δ/grid⌉ + 1: two scores at most
    Δ apart, each computed with an error below half a step, round to at most so many steps apart.
    That is at most .013 % more noise than Lap(Δ/ε). Raises ``UsageError`` unless Δ > 0.
    """
    exact = rational(sensitivity, "sensitivity")
    power = math.frexp(float(exact))[1] - 1
    if Fraction(2) ** power > exact:
        power -= 1
    grid = Fraction(2) ** (power - FINENESS)
    return float(grid), math.ceil(exact / grid) + 1


def release_scores(
    scores: ArrayLike,
    sensitivity: Rational | int | float,
    epsilon: Rational | int | float,
    *,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return ``size`` noisy copies of k scores, each score with its own Laplace noise.

    scores: shape (k,), computed once by the caller, with an error below Δ/2^16.
    sensitivity: Δ > 0, of each score; exact. epsilon: ε > 0, spent on each score; exact.

    Shape of the result: (size, k), multiples of ``grid_for(sensitivity)``. Guarantee: (kε, 0)-DP,
    in floating point too, as the noise is an exact integer number of steps. Source: Kusner et al.
    (2016), Definition 3 and section 4.1. Raises ``UsageError`` for parameters outside their range.
    """
    grid, steps = grid_for(sensitivity)
    centers = to_grid(vector(scores, "scores"), grid)
    everywhere = np.ones((natural(size, "size"), centers.size), dtype=np.bool_)
    scale = steps / rational(epsilon, "epsilon")
    return numbers_where(everywhere, centers, scale=scale, grid=grid, rng=rng)


def two_scores(vectors: Residuals, score: Score) -> NDArray[np.float64]:
    """Return [s(x′, r′_Y), s(y′, r′_X)]; source: Kusner et al. (2016), Algorithm 1, line 7."""
    return np.array([score(vectors.x, vectors.r_y), score(vectors.y, vectors.r_x)])


def release_test_set(
    data: Any,
    *,
    score: Score,
    sensitivity: Rational | int | float,
    f: Predictor,
    g: Predictor,
    epsilon: Rational | int | float,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return ``size`` private releases of (s_{X→Y}, s_{Y→X}).

    data: test rows, shape (m, 2). f, g: public functions X → Y and Y → X.
    score: of sensitivity ``sensitivity`` under replacement of one pair (a_k, b_k) of m.

    Shape of the result: (size, 2). Guarantee: (2ε, 0)-DP under replacement of one row, if the
    sensitivity holds. Source: Kusner et al. (2016), section 4.1. Raises ``UsageError`` for
    parameters outside their range.
    """
    scores = two_scores(four_vectors(data, f, g), score)
    return release_scores(scores, sensitivity, epsilon, size=size, rng=rng)
