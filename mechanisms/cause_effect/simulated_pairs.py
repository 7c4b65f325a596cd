"""Simulated cause-effect pairs on which the additive noise model can identify the direction.

In the manner of the simulated benchmarks of Mooij et al., Distinguishing Cause from Effect Using
Observational Data (2016), Appendix C, with strictly additive noise: cause and noise are smooth
increasing random transforms of Gaussian variables, hence not Gaussian; the effect is a smooth
random function of the cause plus the noise, which is drawn independently of it.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import UsageError, natural, vector
from provado.mechanisms.regression.kernel_ridge import scale_to_unit

from .additive_noise_model import Direction

_FEATURES = 256
_KNOTS = 401
_REACH = 6.0

LENGTH_SCALES = (0.5, 3.0)
"""Range of the length scale of the effect's function, in standard deviations of the cause."""

NOISE_LEVELS = (0.1, 1.0)
"""Range of the noise's standard deviation, in standard deviations of the function's values."""

BEND = 0.5
"""Standard deviation of the log-slope that bends a Gaussian into cause or noise; 0 is Gaussian."""

DECLARED_REACH = 4.0
"""Standardised columns are mapped from [−4, 4] to [−1, 1]."""


@dataclass(frozen=True, eq=False)
class CausalPair:
    """A pair of standardised columns of shape (m,) and its true direction; read-only.

    Standardising uses the mean and deviation of the very sample; the simulation takes it as given
    that the public scale of the variables is known that well.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    direction: Direction

    def in_unit(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return both columns mapped from [−4, 4] to [−1, 1] and clipped."""
        return (
            scale_to_unit(self.x, -DECLARED_REACH, DECLARED_REACH),
            scale_to_unit(self.y, -DECLARED_REACH, DECLARED_REACH),
        )


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
