"""A count of a Poisson subsample, with the privacy that subsampling really gives."""

import math
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import AddOrRemoveOne, Mechanism, PureDP, Source, UsageError
from provado.mechanisms.definitions.parameters import (
    integers,
    natural,
    positive,
    power_of_two,
    rational,
)
from provado.mechanisms.noise.exact_noise import NOISE_GRID, discrete_laplace_noise

SOURCE = Source(
    "Balle, Barthe and Gaboardi, Privacy Amplification by Subsampling: Tight Analyses via "
    "Couplings and Divergences (2018)",
    "Theorem 8 (Poisson subsampling)",
)


def subsampled_count(
    bits: ArrayLike,
    *,
    rate: Fraction,
    epsilon: Fraction | int,
    grid: float = NOISE_GRID,
    size: int,
    rng: Generator,
) -> NDArray[np.float64]:
    """Return ``size`` noisy counts of ones, each among its own random part of the records.

    bits: a vector of n records, each 0 or 1; n may be 0.
    rate: the rational q in (0, 1) with which each record is kept, independently and exactly.
    epsilon: ε₀ of the count, exact; the count has Laplace noise of scale 1/ε₀ on a grid.
    grid: a power of two, at most 1.

    Shape of the result: (size,). Guarantee: ``amplified_epsilon``-DP under adding or removing one
    record, in floating point too. Source: Balle, Barthe and Gaboardi, Theorem 8. Raises
    ``UsageError`` for parameters outside their range.
    """
    records = integers(bits, "bits")
    if records.ndim != 1 or np.any((records != 0) & (records != 1)):
        raise UsageError(f"bits is {bits!r}: it must be a vector of zeros and ones")
    kept = rational(rate, "rate")
    step = power_of_two(grid, "grid")
    if kept >= 1 or step > 1:
        raise UsageError(f"rate is {rate!r} and grid {grid!r}: below 1 and at most 1 are allowed")
    trials = natural(size, "size")
    ones = np.count_nonzero(records)
    tosses = rng.integers(kept.denominator, size=(trials, ones)) < kept.numerator
    kept_ones: NDArray[np.int64] = np.count_nonzero(tosses, axis=1)
    scale = 1 / rational(epsilon, "epsilon") / Fraction(step)
    noise = discrete_laplace_noise(scale, (trials,), rng)
    return (kept_ones * round(1 / step) + noise).astype(np.float64) * step


def amplified_epsilon(epsilon: float, rate: float) -> float:
    """Return ln(1 + q(e^ε₀ − 1)), the ε of an ε₀-DP mechanism on a Poisson subsample of rate q."""
    return math.log1p(float(rate) * math.expm1(positive(epsilon, "epsilon")))


RATE, BASE_EPSILON = Fraction(1, 10), Fraction(3)
PAIR = ((0, 0, 0), (0, 0, 0, 1))
"""The added record is the only one; its absence from the sample is what hides it."""

_SOUND = Mechanism(
    name="subsampling/poisson",
    run=partial(subsampled_count, rate=RATE, epsilon=BASE_EPSILON),
    promise=PureDP(amplified_epsilon(float(BASE_EPSILON), float(RATE))),
    relation=AddOrRemoveOne(),
    pairs=(PAIR,),
    source=SOURCE,
    summary="A 3-DP count of a tenth of the records, claimed as ln(1 + (e³ − 1)/10).",
    true_epsilon=amplified_epsilon(float(BASE_EPSILON), float(RATE)),
)

MECHANISMS: tuple[Mechanism, ...] = (
    _SOUND,
    # The small-ε approximation q·ε₀, where ε₀ is large.
    _SOUND.twin(
        "subsampling-uncorrected",
        promise=PureDP(float(RATE * BASE_EPSILON)),
        summary="A 3-DP count of a tenth of the records, claimed as 3/10-DP; its ε is "
        "ln(1 + (e³ − 1)/10).",
        true_epsilon=_SOUND.true_epsilon,
    ),
)
