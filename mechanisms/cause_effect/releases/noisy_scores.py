"""The tests of propose-test-release, and the release of a number where a test was passed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from numbers import Rational
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import natural, positive, rational
from provado.mechanisms.noise.exact_noise import discrete_laplace_noise

REFUSED = math.nan
"""Code of ⊥."""


def passes(
    distances: ArrayLike, *, threshold: float, epsilon: float, size: int, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Return ``size`` times for each distance whether distance + Lap(1/ε) > threshold.

    distances: whole numbers, shape (k,), each of sensitivity 1. threshold: any number.

    Shape of the result: (size, k). Guarantee: ε-DP for each of the k bits, up to an additive 2^-50:
    floating-point Laplace noise is enough here, as only one bit of each draw comes out. Its lowest
    bits are not released; that the draw rests on a uniform number of 53 bits moves the probability
    of the bit by at most 2^-50, for any threshold, which adds to δ. Raises ``UsageError`` for
    parameters outside their range.
    """
    steps = np.asarray(distances, dtype=np.float64)
    if steps.ndim != 1 or np.any(np.isnan(steps)) or math.isnan(threshold):
        raise UsageError(
            f"distances is {distances!r}, threshold {threshold!r}: NaN or not a vector"
        )
    scale = 1 / positive(epsilon, "epsilon")
    noise = rng.laplace(scale=scale, size=(natural(size, "size"), steps.size))
    return np.asarray(steps + noise > threshold)


class Odds(NamedTuple):
    """Probabilities of a release and of ⊥; each is computed by itself, so that both are precise."""

    released: float
    refused: float


def odds(distances: Sequence[float], threshold: float, epsilon: float) -> Odds:
    """Return how likely at least one of the tests is passed, and how likely none is.

    Parameters as of ``passes``; over the real numbers.
    """
    loss = positive(epsilon, "epsilon")
    refused, released = 1.0, 0.0
    for distance in distances:
        gap = (threshold - distance) * loss
        tail = math.exp(-abs(gap)) / 2
        fails, holds = (1 - tail, tail) if gap >= 0 else (tail, 1 - tail)
        released += refused * holds
        refused *= fails
    return Odds(released, refused)


def numbers_where(
    released: NDArray[np.bool_],
    centers: ArrayLike,
    *,
    scale: Rational | int | float,
    grid: float,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return centers + discrete Laplace noise where ``released``, else NaN for ⊥.

    released: shape (size, k). centers: shape (k,) in whole steps of ``grid``, or −∞, which needs
        no noise and stays −∞. scale: the noise's parameter in steps, exact.
    grid: a power of two, by which steps become numbers.

    Noise is drawn for the released entries only. Shape of the result: (size, k).
    """
    steps = np.broadcast_to(np.asarray(centers, dtype=np.float64), released.shape)
    outputs = np.full(released.shape, REFUSED)
    outputs[released] = steps[released]
    noisy = released & np.isfinite(steps)
    noise = discrete_laplace_noise(rational(scale, "scale"), (int(np.count_nonzero(noisy)),), rng)
    # Whole numbers below 2^53 in size: this sum is exact, and so is the product with 2^k.
    outputs[noisy] += noise
    return outputs * grid


def exact_epsilon(epsilon: Rational | int | float) -> tuple[Fraction, float]:
    """Return ε > 0 as a fraction for the noise and as a float for the tests.

    A float stands for the binary number it holds: 0.5 is fine, but a tenth is Fraction(1, 10), as
    the noise takes numerators and denominators up to 2^50 only.
    """
    exact = rational(epsilon, "epsilon")
    return exact, float(exact)
