"""The noisy sum of clamped numbers."""

import math
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import Mechanism, PureDP, ReplaceOne, Source, UsageError
from provado.mechanisms.definitions.parameters import answers, natural, power_of_two, rational
from provado.mechanisms.noise.exact_noise import NOISE_GRID, discrete_laplace_noise, to_grid

SOURCE = Source(
    "Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014)",
    "Theorem 3.6, for a sum of sensitivity upper − lower",
)


def noisy_sum(
    records: ArrayLike,
    *,
    lower: float,
    upper: float,
    epsilon: Fraction | int,
    grid: float = NOISE_GRID,
    size: int,
    rng: Generator,
) -> NDArray[np.float64]:
    """Return ``size`` draws of the sum of clamped records plus Laplace noise on a grid.

    records: a vector of numbers; each is clamped to [lower, upper] and rounded to the grid.
    lower, upper: bounds, both multiples of ``grid``.
    epsilon: the privacy parameter, exact; the noise has scale (upper − lower)/ε.
    grid: a power of two.

    Shape of the result: (size,). Guarantee: ε-DP under replacing one record, in floating point
    too: the sum is one of integers, so that its order does not count and its sensitivity is
    exactly upper − lower. Raises ``UsageError`` for parameters outside their range.
    """
    step = power_of_two(grid, "grid")
    if not (lower < upper and lower % step == 0 == upper % step):
        raise UsageError(
            f"bounds are [{lower!r}, {upper!r}]: lower must be below upper, and both multiples of "
            f"the grid {grid!r}"
        )
    clamped = to_grid(np.clip(answers(records, "records"), lower, upper), step)
    width = Fraction(upper) - Fraction(lower)
    scale = width / rational(epsilon, "epsilon") / Fraction(step)
    noise = discrete_laplace_noise(scale, (natural(size, "size"),), rng)
    # Exact in Python's integers, whatever the number of records.
    total = sum(clamped.ravel().tolist())
    if abs(total) >= math.ldexp(1, 62):
        raise UsageError(f"records: their sum {total * step!r} must stay below 2**62 grid steps")
    return (total + noise).astype(np.float64) * step


MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(
        name="noisy-sum/laplace",
        run=partial(noisy_sum, lower=0.0, upper=1.0, epsilon=Fraction(1, 2)),
        promise=PureDP(0.5),
        relation=ReplaceOne(),
        pairs=(((0.25, 0.75, 0.0), (0.25, 0.75, 1.0)),),
        source=SOURCE,
        summary="The sum of numbers clamped to [0, 1], with Laplace noise of scale 2 on a grid.",
        true_epsilon=0.5,
    ),
)
