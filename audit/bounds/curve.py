"""A promise that is a curve: the point to test it at, and what counts certify in its own parameter.

An audit that explores nothing takes ``telling_point``, which follows from the promise alone.
"""

import math
from functools import lru_cache
from typing import Any

import numpy as np

from provado.audit.bounds.betting import largest_refuted_share, log_wealth
from provado.audit.bounds.counts import Counts
from provado.audit.bounds.ladder import ladder_lower
from provado.audit.bounds.method import BoundMethod, epsilon_lower
from provado.mechanisms import GaussianDP, UsageError
from provado.mechanisms.definitions import CurvePromise
from provado.mechanisms.definitions.curve import grid_of


def delta_lower(counts: Counts, method: BoundMethod) -> float:
    """Return the lower limit on δ at ``method.epsilon`` that the counts certify, at least 0.

    Guarantee: the probability that it ever exceeds δ(ε) of the pair is at most ``method.alpha``.
    The limit is the largest δ that the wealth refutes, rounded down by less than 1e-9 of itself.
    Raises ``UsageError`` where the method tests no point of a curve.
    """
    bets, epsilon = method.bets, method.epsilon
    if bets is None or epsilon is None:
        raise UsageError("the bound tests no point of a curve")
    goal = -math.log(method.alpha) + 1e-9

    guesses, share = counts.guessed(method.side), 0.5 if method.side else 1.0

    def refuted(delta: float) -> bool:
        return log_wealth(epsilon, share * delta, *guesses, bets) >= goal

    return largest_refuted_share(refuted)


def parameter_lower(counts: Counts, method: BoundMethod, promise: CurvePromise) -> float:
    """Return the smallest parameter of the promise's family that the counts do not refute.

    That is the larger of what the point shows and of what the ladder shows, where there is one;
    each has its own share of alpha, so that both hold together.

    Guarantee: if the pair keeps the promise with parameter t, the probability that it exceeds t is
    at most the pair's alpha. Rounded down.
    """
    if method.epsilon is None:
        found = epsilon_lower(counts, method)
        # Where not even ε = 0 is refuted at this δ, nothing is known of δ(0).
        lower = promise.least(found, method.delta) if found > 0 else 0.0
    else:
        lower = promise.least(method.epsilon, delta_lower(counts, method))
    if method.ladder is not None:
        lower = max(lower, ladder_lower(counts.cells, method.ladder))
    return lower


BEYOND = 1.5
"""The violation that a point is chosen for: Gaussian noise whose μ is so many times what it may be.

For twice as much and for 1.3 times the best points of Gaussian and zCDP claims are the same or next
to it; other noise may have another best point, at which this one still tells."""

THRESHOLDS, STAKES = 60, 100


def telling_point(promise: CurvePromise) -> tuple[float, float]:
    """Return the point (ε, δ) of the curve at which bets against Gaussian noise grow fastest.

    ``promise.point()`` where they grow at none of ``grid_of``.
    """
    key: Any = promise
    return _telling_point(key)


@lru_cache(maxsize=64)
def _telling_point(promise: Any) -> tuple[float, float]:
    points = grid_of(promise)
    mu = BEYOND * largest_mu(points)
    grown = [growth(mu, *point) for point in points]
    best = int(np.argmax(grown)) if grown else 0
    point: tuple[float, float] = promise.point()
    return points[best] if grown and grown[best] > growth(mu, *point) else point


def largest_mu(points: tuple[tuple[float, float], ...]) -> float:
    """Return the largest μ whose Gaussian noise is within all points, to a thousandth."""

    def within(mu: float) -> bool:
        claim = GaussianDP(mu)
        return all(claim.delta(epsilon) <= delta for epsilon, delta in points)

    low, high = 0.0, 1.0
    while within(high) and high < 1e3:
        low, high = high, 2 * high
    while high - low > 1e-3 * high and high > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle) else (low, middle)
    return high


def growth(mu: float, epsilon: float, delta: float) -> float:
    """Return the mean log-wealth that a trial wins of a claim, by the best threshold and stake.

    Outputs are Gaussian, N(μ, 1) under D and N(0, 1) under D′, and a rule says D above a threshold
    and D′ as far below their middle.
    """
    from scipy.special import ndtr

    above = np.linspace(0.0, 4.0, THRESHOLDS) + mu / 2
    right, wrong = ndtr(mu - above), ndtr(-above)
    cost = math.exp(min(epsilon, 600.0)) + delta
    stakes = np.geomspace(1e-6, 0.999, STAKES)[:, None] / cost
    grown = right * np.log1p(stakes * (1 - delta)) + wrong * np.log1p(-stakes * cost)
    grown += (1 - right - wrong) * np.log1p(-stakes * delta)
    return float(grown.max())
