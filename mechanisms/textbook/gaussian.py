"""The Gaussian mechanism in floating point, with the classical and the analytic calibration."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms import definitions as dp
from provado.mechanisms.definitions.parameters import answers, natural, positive, probability
from provado.mechanisms.noise.exact_noise import NOISE_GRID, round_to_grid

Calibration = Callable[[float, float], float]
"""From (ε, δ) to σ."""

CLASSICAL_SOURCE = dp.Source(
    "Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014)",
    "Theorem 3.22, proved as Theorem A.1",
)
ANALYTIC_SOURCE = dp.Source(
    "Balle and Wang, Improving the Gaussian Mechanism for Differential Privacy (2018)",
    "Theorem 8 and Algorithm 1",
)


def gaussian(
    answer: ArrayLike, *, sigma: float, grid: float | None = None, size: int, rng: Generator
) -> NDArray[np.float64]:
    """Return ``size`` draws of ``answer`` + N(0, ``sigma``²), each coordinate independent.

    answer: a number or a vector of k numbers of ℓ2-sensitivity Δ between neighbors.
    sigma: the standard deviation σ > 0.
    grid: a power of two to which the outputs are rounded, which hides the lowest bits of the
        floating-point sum; ``None`` releases the sum as it is.

    Shape of the result: (size,) or (size, k). Guarantee over the real numbers: Δ/σ-Gaussian DP,
    hence (ε, δ)-DP for σ from ``classical_sigma`` or ``analytic_sigma``. Raises ``UsageError`` for
    parameters outside their range.
    """
    center = answers(answer, "answer")
    deviation = positive(sigma, "sigma")
    noisy = center + deviation * rng.standard_normal((natural(size, "size"), *center.shape))
    return noisy if grid is None else round_to_grid(noisy, grid)


def classical_sigma(epsilon: float, delta: float, sensitivity: float = 1.0) -> float:
    """Return σ = Δ·√(2 ln(1.25/δ))/ε, enough for (ε, δ)-DP when ε < 1.

    sensitivity: the ℓ2-sensitivity Δ.

    Source: Dwork and Roth, Theorems 3.22 and A.1. Raises ``UsageError`` for ε outside (0, 1), where
    the theorem says nothing.
    """
    epsilon = probability(epsilon, "epsilon (of the classical calibration)")
    ratio = 2 * math.log(1.25 / probability(delta, "delta"))
    return positive(sensitivity, "sensitivity") * math.sqrt(ratio) / epsilon


def analytic_sigma(epsilon: float, delta: float, sensitivity: float = 1.0) -> float:
    """Return the smallest σ for which the Gaussian mechanism is (ε, δ)-DP, rounded up.

    sensitivity: the ℓ2-sensitivity Δ.

    Found by bisection on μ = Δ/σ, then widened by 1e-12 of its size. Source: Balle and
    Wang, Theorem 8.
    """
    epsilon, delta = positive(epsilon, "epsilon"), probability(delta, "delta")
    low, high = 0.0, 1.0
    while dp.GaussianDP(high).delta(epsilon) <= delta:
        low, high = high, 2 * high
    while high - low > 1e-14 * high:
        middle = (low + high) / 2
        fits = dp.GaussianDP(middle).delta(epsilon) <= delta
        low, high = (middle, high) if fits else (low, middle)
    if not low > 0:
        raise dp.UsageError(f"delta is {delta!r}: no σ can be found for it in floating point")
    # The profile itself is rounded, to about 1e-14 of its size: the margin covers that too.
    return positive(sensitivity, "sensitivity") / low * (1 + 1e-12)


def _calibrated(
    answer: ArrayLike,
    *,
    sigma: Calibration,
    claim: dp.ApproximateDP,
    grid: float | None,
    size: int,
    rng: Generator,
) -> NDArray[np.float64]:
    return gaussian(answer, sigma=sigma(*claim.point()), grid=grid, size=size, rng=rng)


def _pair_epsilon(sigma: Calibration, claim: dp.ApproximateDP) -> float:
    """Return the smallest ε at the claimed δ for answers 1 apart.

    That is before rounding to the grid, which lowers it by less than 1e-6.
    """
    epsilon, delta = claim.point()
    return dp.GaussianDP(1 / sigma(epsilon, delta), test_delta=delta).point()[0]


def _entry(
    variant: str, source: dp.Source, sigma: Calibration, claim: dp.ApproximateDP, summary: str
) -> dp.Mechanism:
    return dp.Mechanism(
        name=f"gaussian/{variant}",
        run=partial(_calibrated, sigma=sigma, claim=claim, grid=NOISE_GRID),
        promise=claim,
        relation=dp.BoundedAnswers(),
        pairs=((0.0, 1.0),),
        source=source,
        summary=summary,
        true_epsilon=partial(_pair_epsilon, sigma, claim),
    )


_FINE = dp.ApproximateDP(1.0, 1e-5)

MECHANISMS: tuple[dp.Mechanism, ...] = (
    _entry(
        "classical",
        CLASSICAL_SOURCE,
        classical_sigma,
        dp.ApproximateDP(0.5, 0.01),
        "A number with Gaussian noise of the classical scale, which is larger than needed.",
    ),
    _entry(
        "analytic",
        ANALYTIC_SOURCE,
        analytic_sigma,
        dp.ApproximateDP(1.0, 0.01),
        "A number with Gaussian noise of the smallest scale that meets the claim.",
    ),
    dp.Mechanism(
        name="gaussian/curve",
        run=partial(gaussian, sigma=1.0, grid=NOISE_GRID),
        promise=dp.GaussianDP(1.0),
        relation=dp.BoundedAnswers(),
        pairs=((0.0, 1.0),),
        source=dp.Source("Dong, Roth and Su, Gaussian Differential Privacy (2022)", "Theorem 2.7"),
        summary="A number with Gaussian noise; before rounding to the grid μ = Δ/σ is exact.",
    ),
    dp.Mechanism(
        name="gaussian/floating-point",
        run=partial(_calibrated, sigma=analytic_sigma, claim=_FINE, grid=None),
        promise=_FINE,
        relation=dp.BoundedAnswers(),
        pairs=((0.0, 1.0),),
        source=ANALYTIC_SOURCE,
        expected=dp.Verdict.VIOLATION,
        summary="A number with floating-point Gaussian noise, not rounded; outputs near 0 that are "
        "no multiples of 2^-53 can come from 0 but not from 1, far more often than the claimed δ.",
        true_epsilon=math.inf,
        tags=("floating-point",),
    ),
)
