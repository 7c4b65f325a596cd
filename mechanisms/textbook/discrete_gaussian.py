"""The discrete Gaussian mechanism on integers, with an exact sampler and its exact profile."""

import math
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms import definitions as dp
from provado.mechanisms.definitions.parameters import integers, natural, positive
from provado.mechanisms.noise.exact_noise import discrete_gaussian_noise

SOURCE = dp.Source(
    "Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy (2020)",
    "Algorithm 3 and Theorem 7",
)


def discrete_gaussian(
    answer: ArrayLike, *, variance: Fraction | int, size: int, rng: Generator
) -> NDArray[np.int64]:
    """Return ``size`` draws of ``answer`` + Z, where Pr[Z = z] is proportional to e^(−z²/(2σ²)).

    answer: a whole number or a vector of k of them.
    variance: the parameter σ² > 0, exact; the variance of Z is a little below it.

    Shape of the result: (size,) or (size, k). Guarantee for one number of sensitivity Δ:
    (ε, δ)-DP with δ from ``discrete_gaussian_delta``. Source: Canonne, Kamath and Steinke,
    Algorithm 3. Raises ``UsageError`` for parameters outside their range.
    """
    center = integers(answer, "answer")
    return center + discrete_gaussian_noise(variance, (natural(size, "size"), *center.shape), rng)


def discrete_gaussian_delta(epsilon: float, variance: float, sensitivity: int = 1) -> float:
    """Return the smallest δ at ``epsilon`` (≥ 0) for a whole number of sensitivity Δ, rounded up.

    With Y the noise it is Pr[Y > εσ²/Δ − Δ/2] − e^ε·Pr[Y > εσ²/Δ + Δ/2], and no smaller δ holds
    (Canonne, Kamath and Steinke, Theorem 7). Summed here as Σ_y Pr[Y = y]·max(0, 1 − e^(ε − L(y)))
    with the privacy loss L(y) = (2yΔ + Δ²)/(2σ²); all terms are positive, so that the result is
    right to 1e-12 of its size and 1e-15, both of which are added.
    """
    spread = 2 * positive(variance, "variance")
    support = _support(spread)
    step = natural(sensitivity, "sensitivity")
    weights = np.exp(-(support**2) / spread)
    loss = (2 * support * step + step**2) / spread
    terms = weights * -np.expm1(np.minimum(epsilon - loss, 0.0))
    return math.fsum(terms) / math.fsum(weights) * (1 + 1e-12) + 1e-15


def _support(spread: float) -> NDArray[np.float64]:
    """Return the whole numbers up to 40 standard deviations; the rest has less than e^(−799)."""
    reach = math.ceil(40 * math.sqrt(spread / 2)) + 1
    return np.arange(-reach, reach + 1, dtype=np.float64)


_CONCENTRATED = dp.Mechanism(
    name="discrete-gaussian/concentrated",
    run=partial(discrete_gaussian, variance=Fraction(4)),
    promise=dp.ConcentratedDP(1 / 8),
    relation=dp.BoundedAnswers(),
    pairs=((0, 1),),
    source=dp.Source(
        "Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy (2020)",
        "Theorem 4",
    ),
    summary="A count with discrete Gaussian noise; ρ = 1/(2σ²) is exact.",
)

MECHANISMS: tuple[dp.Mechanism, ...] = (
    dp.Mechanism(
        name="discrete-gaussian/count",
        run=partial(discrete_gaussian, variance=Fraction(4)),
        promise=dp.ApproximateDP(1.0, discrete_gaussian_delta(1.0, 4.0)),
        relation=dp.BoundedAnswers(),
        pairs=((0, 1),),
        source=SOURCE,
        summary="A count with discrete Gaussian noise; the claimed δ is the exact one, rounded up.",
        true_epsilon=1.0,
    ),
    _CONCENTRATED,
    _CONCENTRATED.twin(
        "discrete-gaussian-half-variance",
        run=partial(discrete_gaussian, variance=Fraction(2)),
        summary="Discrete Gaussian noise of half the variance that the claimed ρ needs.",
    ),
)
