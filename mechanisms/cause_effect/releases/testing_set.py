"""Privacy of the test set: dependence scores of bounded sensitivity, and the four log-IQRs.

A dataset has one row (x, y) for each person, replaced as a whole.

**Scores**, Kusner et al., Private Causal Inference (2016), sections 4.1 and 4.2: a data point is a
row (x′_i, y′_i); it moves s_{X→Y} = s(x′, r′_Y) and s_{Y→X} = s(y′, r′_X), each by at most Δ. The
two scores with Lap(Δ/ε) each are (2ε, 0)-DP.

**Four log-IQRs**, released together, and the direction they give: section 4.3 counts the releases
that read x′: three of four, and so many for y′; hence (9ε, 3δ). But a data point is a row
(x′_k, y′_k), and replacing it moves x′, y′, r′_X and r′_Y at once: all four releases see it, hence
(12ε, 4δ). The printed δ is too small as it stands: a row that makes all four IQRs jump is noticed
with probability 1 − (1 − δ/2)^8 ≈ 4δ.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import answers, positive, rational, vector
from provado.mechanisms.noise.exact_noise import to_grid
from provado.mechanisms.scores.score import Score

from ..additive_noise_model import Residuals
from .release import PairRelease, Statistic, own_changes, read_iqrs

Vector = NDArray[np.float64]

Predictor = Callable[[Vector], Vector]
"""A public function of the line, applied elementwise: trained on other data, or chosen by hand."""


def two_columns(data: Any, name: str, least: int = 2) -> tuple[Vector, Vector]:
    """Return the columns of a dataset of shape (m, 2).

    Raises ``UsageError`` unless there are two columns of at least ``least`` finite numbers.
    """
    table = answers(data, name)
    if table.ndim != 2 or table.shape[1] != 2 or table.shape[0] < least:
        raise UsageError(
            f"{name} has shape {table.shape}: it must be (m, 2), one row (x, y) for each of at "
            f"least {least} records"
        )
    return table[:, 0].copy(), table[:, 1].copy()


def four_vectors(data: Any, f: Predictor, g: Predictor) -> Residuals:
    """Return x′, y′ and both residuals for public f : X → Y and g : Y → X.

    data: shape (m, 2). One replaced row changes one entry of each of the four. Raises
    ``UsageError`` as ``two_columns``.
    """
    x, y = two_columns(data, "data")
    return Residuals(x, y, x - g(y), y - f(x))


def halved(values: Vector) -> Vector:
    """Return ``values``/2: the public function that the catalogue's examples use as f and g."""
    return values / 2


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


def read_scores(
    scores: ArrayLike, *, sensitivity: Rational | int | float, epsilon: Rational | int | float
) -> Statistic:
    """Read k scores for a release in which each score has its own Laplace noise.

    scores: shape (k,), computed once by the caller, with an error below Δ/2^16.
    sensitivity: Δ > 0, of each score; exact. epsilon: ε > 0, spent on each score; exact.

    Shape of the result: (size, k), multiples of ``grid_for(sensitivity)``. Guarantee: (kε, 0)-DP,
    in floating point too, as the noise is an exact integer number of steps. Source: Kusner et al.
    (2016), Definition 3 and section 4.1. Raises ``UsageError`` for parameters outside their range.
    """
    grid, steps = grid_for(sensitivity)
    centers = to_grid(vector(scores, "scores"), grid)
    return Statistic(centers, steps / rational(epsilon, "epsilon"), grid)


release_scores = PairRelease(read_scores)


def two_scores(vectors: Residuals, score: Score) -> NDArray[np.float64]:
    """Return [s(x′, r′_Y), s(y′, r′_X)]; source: Kusner et al. (2016), Algorithm 1, line 7."""
    return np.array([score(vectors.x, vectors.r_y), score(vectors.y, vectors.r_x)])


def read_test_set(
    data: Any,
    *,
    score: Score,
    sensitivity: Rational | int | float,
    f: Predictor,
    g: Predictor,
    epsilon: Rational | int | float,
) -> Statistic:
    """Read (s_{X→Y}, s_{Y→X}).

    data: test rows, shape (m, 2). f, g: public functions X → Y and Y → X.
    score: of sensitivity ``sensitivity`` under replacement of one pair (a_k, b_k) of m.

    Shape of the result: (size, 2). Guarantee: (2ε, 0)-DP under replacement of one row, if the
    sensitivity holds. Source: Kusner et al. (2016), section 4.1. Raises ``UsageError`` for
    parameters outside their range.
    """
    scores = two_scores(four_vectors(data, f, g), score)
    return read_scores(scores, sensitivity=sensitivity, epsilon=epsilon)


release_test_set = PairRelease(read_test_set)


def read_iqr_joint(data: Any, *, f: Predictor, g: Predictor, **setting: Any) -> Statistic:
    """Read ln IQR of x′, y′, r′_X and r′_Y, in this order.

    data: test rows, shape (m, 2), m ≥ 2. f, g: public functions X → Y and Y → X.
    setting: of ``read_iqrs``.

    Shape of the result: (size, 4); NaN is ⊥. Guarantee, with both repairs: (12ε, 4δ)-DP under
    replacement of one row; for a total budget (ε′, 4δ + δ′) by advanced composition take a
    third of what it leaves each of 4 releases, by ``grid_share``. Source: Kusner et al. (2016),
    section 4.3. Raises ``UsageError`` for parameters outside their range.
    """
    return read_iqrs([own_changes(values) for values in four_vectors(data, f, g)], **setting)


iqr_joint = PairRelease(read_iqr_joint)


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
