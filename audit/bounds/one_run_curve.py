"""Runs with many interventions under a claim that is a curve: its points, or a trade-off function.

A curve claims each of its points (ε, δ(ε)), and all of them bound the same chance, that of so many
right guesses: the least of these bounds is one, and nothing is paid for choosing it.

Of one run a trade-off function says more. Under f-DP an event that has chance b under one value of
a coin has at most f̄(b) = 1 − f(b) under the other. Let P_k be the chance of k right among r guesses
of m coins. Of a coin, compare "right, and at least c − 1 of the others are" with "wrong, and at
least c − 1 of the others are": tossing it alone anew leads from one to the other. The mean over all
coins, with f̄ concave, gives for every c

    Σ_{k ≥ c} k·P_k / m ≤ f̄( Σ_{k ≥ c−1} (r − k)·P_k / m ).

With tails Q_c = Pr[at least c right] it says (r − c + 1)·Q_{c−1} ≥ S_c + m·g((c·Q_c + S_{c+1})/m),
where S_c = Q_c + Q_{c+1} + … and g inverts f̄. The right-hand side grows in every tail, so that the
least Q_{c−1}, beginning with Q_v = τ and no guess beyond v, are least all together: where they lead
to Q_0 > 1, at least v right guesses have a chance below τ.

Source: Mahloujifar, Melis and Chaudhuri, Auditing f-Differential Privacy in One Run (2025), the
recursion of their main theorem. It neglects that more events than those of "at least" are bounded;
where points (ε, δ) of the curve say more by ``one_run_chance``, the smaller chance is returned.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from provado.mechanisms import GaussianDP
from provado.mechanisms.definitions.curve import CurvePromise, grid_of

from .betting import largest_refuted, largest_refuted_share
from .one_run import check_guesses, one_run_chance

Inverse = Callable[[float], float]
"""g: from f̄(b) to b; convex, at most its argument, g(0) = 0."""

Point = tuple[float, float]
"""ε and δ."""

STEPS = 60
"""Halvings of a chance."""

BETWEEN = 2
"""Steps from one point of a promise's own grid to the next, where it has a formula."""

CURVE = tuple(np.linspace(-1.0, 6.0, 29).tolist())
"""Points of a Gaussian curve at ε = μ²/2 + zμ, that is, z standard deviations of the loss."""


def gaussian_inverse(mu: float) -> Inverse:
    """Return g of μ-Gaussian DP: Φ(Φ⁻¹(a) − μ)."""

    def inverse(reached: float) -> float:
        return float(ndtr(ndtri(min(reached, 1.0)) - mu))

    return inverse


def tradeoff_refuted(
    right: int, guesses: int, interventions: int, inverse: Inverse, alpha: float
) -> bool:
    """Tell whether at least so many right guesses in one run have a chance below ``alpha``."""
    check_guesses(right, guesses, interventions, 1)
    tail = alpha
    weighted, summed = right * alpha, alpha
    for at in range(right, 0, -1):
        needed = (summed + interventions * inverse(weighted / interventions)) / (guesses - at + 1)
        before, tail = tail, max(tail, needed)
        weighted += (at - 1) * (tail - before)
        summed += tail
        if tail > 1 + 1e-12:
            return True
    return False


def tradeoff_chance(right: int, guesses: int, interventions: int, inverse: Inverse) -> float:
    """Return the largest chance of so many right guesses in one run that the recursion allows.

    Rounded up by less than 1e-15. Raises ``UsageError`` as ``one_run_chance``.
    """
    if not tradeoff_refuted(right, guesses, interventions, inverse, 1.0):
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        refuted = tradeoff_refuted(right, guesses, interventions, inverse, middle)
        low, high = (low, middle) if refuted else (middle, high)
    return high


def gaussian_chance(right: int, guesses: int, interventions: int, mu: float) -> float:
    """Return an upper bound on the chance of so many right guesses in one run under μ-GDP."""
    recursive = tradeoff_chance(right, guesses, interventions, gaussian_inverse(mu))
    return min(recursive, *_by_points(right, guesses, interventions, mu))


def one_run_mu_lower(right: int, guesses: int, interventions: int, alpha: float) -> float:
    """Return the lower limit μ̂ ≥ 0 on μ that one run's guesses certify at 1 − ``alpha``.

    Guarantee: under μ-Gaussian DP, Pr[μ̂ > μ] ≤ ``alpha``, however the guesses depend on each other.
    Where a mechanism is not known to be of Gaussian DP, μ̂ refutes Gaussian claims only. Found by
    bisection, rounded down by less than 1e-9.
    """

    def refuted(mu: float) -> bool:
        if tradeoff_refuted(right, guesses, interventions, gaussian_inverse(mu), alpha):
            return True
        return min(_by_points(right, guesses, interventions, mu)) <= alpha

    check_guesses(right, guesses, interventions, 1)
    return largest_refuted(refuted)


def _by_points(right: int, guesses: int, interventions: int, mu: float) -> list[float]:
    """Return the sharp chance at points (ε, δ) of the Gaussian curve; each is an upper bound."""
    if mu == 0:
        return [one_run_chance(right, guesses, interventions, 0.0, 0.0)]
    curve = GaussianDP(mu)
    every = sorted({max(0.0, mu * mu / 2 + z * mu) for z in CURVE})
    return [
        one_run_chance(right, guesses, interventions, epsilon, curve.delta(epsilon))
        for epsilon in every
    ]


def one_run_curve_chance(
    right: int, guesses: int, interventions: int, promise: CurvePromise, *, runs: int = 1
) -> float:
    """Return an upper bound on the chance of at least so many right guesses under a promise.

    Arguments else as of ``one_run_chance``.
    """
    if isinstance(promise, GaussianDP) and runs == 1:
        return gaussian_chance(right, guesses, interventions, promise.mu)
    return min(
        one_run_chance(right, guesses, interventions, epsilon, delta, runs=runs)
        for epsilon, delta in points_of(promise)
    )


def one_run_curve_limit(
    right: int,
    guesses: int,
    interventions: int,
    alpha: float,
    promise: CurvePromise,
    *,
    runs: int = 1,
) -> tuple[float, Point | None]:
    """Return the smallest parameter of the promise's family that the guesses do not refute.

    And the point of the curve of which they say most; ``None`` where they say nothing. Arguments
    else as of ``one_run_chance``. Guarantee: if the mechanism keeps the promise with parameter t,
    the probability that the limit exceeds t is at most ``alpha``, however the guesses depend on
    each other. Rounded down.
    """
    check_guesses(right, guesses, interventions, runs)
    lower, telling = 0.0, None
    for point in points_of(promise):

        def refuted(delta: float, epsilon: float = point[0]) -> bool:
            chance = one_run_chance(right, guesses, interventions, epsilon, delta, runs=runs)
            return chance <= alpha

        least = promise.least(point[0], largest_refuted_share(refuted))
        if least > lower:
            lower, telling = least, point
    if promise.family == "gdp" and runs == 1:
        lower = max(lower, one_run_mu_lower(right, guesses, interventions, alpha))
    return lower, telling


def points_of(promise: CurvePromise) -> tuple[Point, ...]:
    """Return the points (ε, δ(ε)) by which guesses are held to a claim: of its grid, and between.

    They follow from the claim alone. Of a curve without a formula only its grid is known.
    """
    key: Any = promise
    return _points(key)


@lru_cache(maxsize=64)
def _points(promise: Any) -> tuple[Point, ...]:
    grid = grid_of(promise)
    if promise.family == "curve" or len(grid) < 2:
        return grid
    every = np.linspace(grid[0][0], grid[-1][0], BETWEEN * (len(grid) - 1) + 1).tolist()
    return tuple((epsilon, promise.delta(epsilon)) for epsilon in every)
