"""The additive noise model: which of two variables causes the other, without privacy.

The settings of the regression and of HSIC work on data in [−1, 1]; none looks at the data. They
were chosen on 250 simulated pairs with 1,000 records, easier and harder ones: around
these values the accuracy of HSIC hardly changes (.97 to .99 on the ranges that it has
now), while λ = 1e-2 or kernels twice as wide begin to lose. Narrower kernels on the residuals are
as accurate, but their larger Lipschitz constant makes training-set privacy dearer.

Source of the algorithm: Kusner et al., Private Causal Inference (2016), Algorithm 1, after Mooij et
al. (2016).

Simulated cause-effect pairs on which the additive noise model can identify the direction.

In the manner of the simulated benchmarks of Mooij et al., Distinguishing Cause from Effect Using
Observational Data (2016), Appendix C, with strictly additive noise: cause and noise are smooth
increasing random transforms of Gaussian variables, hence not Gaussian; the effect is a smooth
random function of the cause plus the noise, which is drawn independently of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import UsageError, natural, vector
from provado.mechanisms.regression.kernel_ridge import KernelRidge, fit, within_unit
from provado.mechanisms.regression.kernels import Kernel, SquaredExponential
from provado.mechanisms.scores.score import Score

LAMBDA = 1e-3
"""λ of the objective of ``regression.fit``."""

REGRESSION_KERNEL = SquaredExponential(0.2)
"""For both regressions."""

INPUT_KERNEL = SquaredExponential(0.2)
"""HSIC's kernel on x′ or y′."""

RESIDUAL_KERNEL = SquaredExponential(0.1)
"""HSIC's kernel on the residuals."""


class Direction(StrEnum):
    """What two scores say. Algorithm 1 of Kusner et al. leaves equal scores without an answer."""

    FORWARD = "X→Y"
    BACKWARD = "Y→X"
    UNDECIDED = "undecided"

    def reversed(self) -> Direction:
        """Return what the same scores say when X and Y change names."""
        swapped = {Direction.FORWARD: Direction.BACKWARD, Direction.BACKWARD: Direction.FORWARD}
        return swapped.get(self, self)


def direction_of(score_forward: float, score_backward: float) -> Direction:
    """Return the direction with the smaller score, ``UNDECIDED`` when they are equal.

    score_forward: s_{X→Y} = s(x′, r′_Y); score_backward: s_{Y→X} = s(y′, r′_X). −∞ is allowed (the
    log-IQR of a column that is mostly one value).

    Source: Kusner et al., Private Causal Inference (2016), Algorithm 1, line 9. Raises
    ``UsageError`` for NaN.
    """
    for value, name in ((score_forward, "score_forward"), (score_backward, "score_backward")):
        if math.isnan(value):
            raise UsageError(f"{name} is {value!r}: a score must be a number")
    if score_forward == score_backward:
        return Direction.UNDECIDED
    return Direction.FORWARD if score_forward < score_backward else Direction.BACKWARD


@dataclass(frozen=True, eq=False)
class TrainTestSplit:
    """Row numbers of the training and of the test set, each ascending, without a common row."""

    train: NDArray[np.int64]
    test: NDArray[np.int64]

    def __post_init__(self) -> None:
        both = np.concatenate([self.train, self.test])
        if both.size and (both.min() < 0 or np.unique(both).size != both.size):
            raise UsageError("split: each row may stand once, in train or in test, from 0 on")
        for rows in (self.train, self.test):
            rows.setflags(write=False)


def split_half(n: int, rng: Generator) -> TrainTestSplit:
    """Return a random split of ``n`` rows into ⌊n/2⌋ to train and the rest to test.

    It depends on n and ``rng`` only, so a replaced record stays in its half: the privacy of either
    half is that of the whole. Source: Kusner et al., Private Causal Inference (2016), section 3.2
    and the 50/50 splits of section 6. Raises ``UsageError`` unless n is a whole number from 2 on.
    """
    count = natural(n, "n")
    if count < 2:
        raise UsageError(f"n is {n!r}: a split needs at least 2 rows")
    order = rng.permutation(count)
    return TrainTestSplit(np.sort(order[: count // 2]), np.sort(order[count // 2 :]))


@dataclass(frozen=True, eq=False)
class FittedDirections:
    """f̂ : X → Y and ĝ : Y → X, fitted on the training set only."""

    f: KernelRidge
    g: KernelRidge


class Residuals(NamedTuple):
    """The test columns and what the regressions leave over; all of shape (m,).

    x, y: x′ and y′. r_y: r′_Y = y′ − f̂(x′). r_x: r′_X = x′ − ĝ(y′).
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    r_x: NDArray[np.float64]
    r_y: NDArray[np.float64]


def fit_directions(
    train_x: ArrayLike,
    train_y: ArrayLike,
    *,
    kernel: Kernel = REGRESSION_KERNEL,
    lam: float = LAMBDA,
) -> FittedDirections:
    """Return the kernel ridge regressions of y on x and of x on y.

    train_x, train_y: shape (n,), in [−1, 1]. kernel, lam: of ``regression.fit``, for both.

    Source: Kusner et al., Private Causal Inference (2016), Algorithm 1, lines 2 and 3. Raises
    ``UsageError`` for data outside [−1, 1] or lengths that differ.
    """
    x, y = _columns(train_x, train_y, "train")
    return FittedDirections(fit(x, y, kernel=kernel, lam=lam), fit(y, x, kernel=kernel, lam=lam))


def residuals(fitted: FittedDirections, test_x: ArrayLike, test_y: ArrayLike) -> Residuals:
    """Return r′_Y = y′ − f̂(x′) and r′_X = x′ − ĝ(y′) with the test columns.

    test_x, test_y: shape (m,), in [−1, 1].

    The k-th residuals depend on the k-th test record and the training set only. Source: Kusner et
    al., Private Causal Inference (2016), Algorithm 1, lines 4 and 5. Raises ``UsageError`` as
    ``fit_directions``.
    """
    x, y = _columns(test_x, test_y, "test")
    return Residuals(x, y, r_x=x - fitted.g.predict(y), r_y=y - fitted.f.predict(x))


def _columns(
    x: ArrayLike, y: ArrayLike, part: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    first, second = within_unit(x, f"{part}_x"), within_unit(y, f"{part}_y")
    if first.ndim != 1 or first.shape != second.shape or not first.size:
        raise UsageError(
            f"{part}_x has shape {first.shape} and {part}_y {second.shape}: they must be vectors "
            "of one length, at least 1"
        )
    return first, second


def score_directions(left: Residuals, score: Score) -> tuple[float, float]:
    """Return s(x′, r′_Y) and s(y′, r′_X); Algorithm 1, lines 6 and 7."""
    return float(score(left.x, left.r_y)), float(score(left.y, left.r_x))


# Simulated cause-effect pairs on which the additive noise model can identify the direction.

_FEATURES = 256
_KNOTS = 401
_REACH = 6.0

LENGTH_SCALES = (0.5, 3.0)
"""Range of the length scale of the effect's function, in standard deviations of the cause."""

NOISE_LEVELS = (0.1, 1.0)
"""Range of the noise's standard deviation, in standard deviations of the function's values."""

BEND = 0.5
"""Standard deviation of the log-slope that bends a Gaussian into cause or noise; 0 is Gaussian."""


@dataclass(frozen=True, eq=False)
class CausalPair:
    """A pair of standardised columns of shape (m,) and its true direction; read-only.

    Standardising uses the mean and deviation of the very sample; the simulation takes it as given
    that the public scale of the variables is known that well.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    direction: Direction


def generate_pair(m: int, rng: Generator) -> CausalPair:
    """Return one simulated pair of ``m`` records with a direction tossed by a fair coin.

    Cause C = G(E), noise N = G̃(Ẽ) with E and Ẽ independent standard Gaussians and G, G̃ increasing
    random functions; effect f(C) + νN, f a draw from a Gaussian process with squared exponential
    covariance (by random Fourier features). Length scale of f and ν are uniform in
    ``LENGTH_SCALES`` and ``NOISE_LEVELS``. Raises ``UsageError`` unless m is a whole number from 2.
    """
    count = natural(m, "m")
    if count < 2:
        raise UsageError(f"m is {m!r}: a pair needs at least 2 records")
    cause = standardised(_increasing(rng, rng.standard_normal(count)))
    noise = standardised(_increasing(rng, rng.standard_normal(count)))
    smooth = standardised(_smooth(rng, cause, rng.uniform(*LENGTH_SCALES)))
    effect = standardised(smooth + rng.uniform(*NOISE_LEVELS) * noise)
    forward = bool(rng.integers(2))
    x, y = (cause, effect) if forward else (effect, cause)
    for column in (x, y):
        column.setflags(write=False)
    return CausalPair(x, y, Direction.FORWARD if forward else Direction.BACKWARD)


def generate_pairs(count: int, m: int, rng: Generator) -> tuple[CausalPair, ...]:
    """Return ``count`` independent simulated pairs of ``m`` records each; see ``generate_pair``.

    Each pair has its own child stream, so the first pairs do not depend on ``count``.
    """
    return tuple(generate_pair(m, child) for child in rng.spawn(natural(count, "count")))


def standardised(values: ArrayLike) -> NDArray[np.float64]:
    """Return ``values`` minus their mean, divided by their standard deviation.

    Every record moves all of the result, so nothing with a privacy guarantee may come before it.
    Raises ``UsageError`` for a constant vector.
    """
    column = vector(values, "values")
    deviation = column.std()
    if not deviation > 0:
        raise UsageError("values are constant: they have no scale to be standardised by")
    return np.asarray((column - column.mean()) / deviation)


def _smooth(rng: Generator, points: NDArray[np.float64], length: float) -> NDArray[np.float64]:
    """Return a random function of unit variance and the given length scale at ``points``."""
    frequency = rng.standard_normal(_FEATURES) / length
    phase = rng.uniform(0, 2 * math.pi, _FEATURES)
    weight = rng.standard_normal(_FEATURES) * math.sqrt(2 / _FEATURES)
    return np.asarray(np.cos(np.multiply.outer(points, frequency) + phase) @ weight)


def _increasing(rng: Generator, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a random increasing function at ``points``: its log-slope is a smooth random one."""
    knots = np.linspace(-_REACH, _REACH, _KNOTS)
    slope = np.exp(BEND * _smooth(rng, knots, 1.0))
    heights = np.concatenate([[0.0], np.cumsum((slope[1:] + slope[:-1]) / 2 * np.diff(knots))])
    return np.asarray(np.interp(points, knots, heights))
