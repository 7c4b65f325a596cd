"""Enclosures of the true ε(δ) of compositions, to hold what accountants say against.

Gaussian noise and randomized response have closed forms, evaluated with 50 digits. Elsewhere the
privacy loss of one step is rounded up to a grid of width h, and the distribution of the sum of k
steps is computed with one FFT. δ(ε) grows with the loss, so the rounded sum gives an upper end;
lowered by k h it gives a lower end. The errors of the FFT, of the distribution function and of the
tails that are left out are bounded and added to δ on one side, taken from it on the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import mpmath
import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, ndtr

Floats = NDArray[np.float64]

DIGITS = 50
TAIL = 1e-15
"""Probability that may be left out of one step, and of the sum."""

IGNORED, COARSE = 1e-18, 20_000
"""Points of less probability, and how many points, where the reach of a sum is estimated."""

ROUNDING = 1e-14
"""More than a unit roundoff times the logarithm of the longest FFT times its constant."""

LONGEST = 2**23
"""Points of the grid, at most."""

WIDEST = 0.002
"""The width that is aimed at."""


@dataclass(frozen=True)
class Loss:
    """The privacy loss of one step: its distribution function on D, and what it lies between."""

    below: Callable[[Floats], Floats]
    least: float
    most: float


def enclosure(kind: str, delta: float, steps: int = 1, **parameters: float) -> tuple[float, float]:
    """Return ends between which the least ε lies that ``steps`` releases have at ``delta``.

    kind: ``gaussian`` (sigma), ``response`` (epsilon; discrete Laplace noise of scale 1/ε, too),
    ``laplace`` (scale), ``sampled gaussian`` (sigma, rate; Poisson, add or remove one record). All
    have sensitivity 1; randomized response has two answers.
    """
    if kind == "gaussian":
        mean = math.sqrt(steps) / parameters["sigma"]
        return _solved(lambda epsilon: _gaussian(mpmath.mpf(mean), epsilon), delta)
    if kind == "response":
        of_one = mpmath.mpf(parameters["epsilon"])
        return _solved(lambda epsilon: _response(of_one, steps, epsilon), delta)
    losses = (laplace(**parameters),) if kind == "laplace" else sampled_gaussian(**parameters)
    ends = [_by_grid(one, steps, delta) for one in losses]
    return max(low for low, _ in ends), max(high for _, high in ends)


def _solved(curve: Callable[[mpmath.mpf], mpmath.mpf], delta: float) -> tuple[float, float]:
    with mpmath.workdps(DIGITS):
        low, high, wanted = mpmath.mpf(0), mpmath.mpf(1), mpmath.mpf(delta)
        if curve(low) <= wanted:
            return 0.0, 0.0
        while curve(high) > wanted:
            high *= 2
        while high - low > mpmath.mpf(2) ** -60:
            middle = (low + high) / 2
            low, high = (middle, high) if curve(middle) > wanted else (low, middle)
        # A claim is a double: half a unit in its last place is no violation.
        return float(low) * (1 - 1e-12), float(high) * (1 + 1e-12)


def _gaussian(mean: mpmath.mpf, epsilon: mpmath.mpf) -> mpmath.mpf:
    below, above = mpmath.ncdf(mean / 2 - epsilon / mean), mpmath.ncdf(-mean / 2 - epsilon / mean)
    return below - mpmath.exp(epsilon) * above


def _response(of_one: mpmath.mpf, steps: int, epsilon: mpmath.mpf) -> mpmath.mpf:
    truth = 1 / (1 + mpmath.exp(-of_one))
    total = mpmath.mpf(0)
    for lies in range(steps + 1):
        loss = (steps - 2 * lies) * of_one
        if loss > epsilon:
            chance = math.comb(steps, lies) * truth ** (steps - lies) * (1 - truth) ** lies
            total += chance * (1 - mpmath.exp(epsilon - loss))
    return total


def laplace(scale: float) -> Loss:
    """Return the loss of Laplace noise for 0 against 1."""
    most = 1 / scale

    def below(loss: Floats) -> Floats:
        inside = np.exp(-(1 - loss * scale) / (2 * scale)) / 2
        return np.where(loss >= most, 1.0, np.where(loss < -most, 0.0, inside))

    return Loss(below, -most, most)


def sampled_gaussian(sigma: float, rate: float) -> tuple[Loss, Loss]:
    """Return the losses of a Gaussian mechanism on a Poisson sample, removing and adding one."""
    least = math.log1p(-rate)
    reach = 10 * sigma + 1

    def loss_of(x: float) -> float:
        return math.log(1 - rate + rate * math.exp((2 * x - 1) / (2 * sigma**2)))

    def place(loss: Floats) -> Floats:
        """Return the output whose loss it is, −∞ for a loss that none has."""
        grown = np.expm1(loss) + rate
        with np.errstate(divide="ignore", invalid="ignore"):
            x = sigma**2 * np.log(grown / rate) + 0.5
        return np.where(grown > 0, x, -np.inf)

    def removed(loss: Floats) -> Floats:
        x = place(loss)
        return (1 - rate) * ndtr(x / sigma) + rate * ndtr((x - 1) / sigma)

    def added(loss: Floats) -> Floats:
        return ndtr(-place(-loss) / sigma)

    return (
        Loss(removed, least, loss_of(reach)),
        Loss(added, -loss_of(reach), -least),
    )


def _by_grid(loss: Loss, steps: int, delta: float) -> tuple[float, float]:
    span = loss.most - loss.least
    coarse = _masses(loss, span / COARSE)
    reach = _reach(*coarse, steps)
    width = max(WIDEST / steps, 2.2 * reach / LONGEST, span / LONGEST)
    values, masses = _masses(loss, width)
    size = 2 ** math.ceil(math.log2(2 * reach / width + len(masses) + 2))
    first = round(values[0] / width)
    placed = np.zeros(size)
    np.add.at(placed, (np.arange(len(masses)) + first) % size, masses)
    summed = np.fft.irfft(np.fft.rfft(placed) ** steps, size)
    summed = np.clip(np.roll(summed, size // 2), 0, None)
    at = (np.arange(size) - size // 2) * width
    spread = math.sqrt(size) * ROUNDING * math.sqrt(float(masses @ masses))
    error = steps * (spread + 3 * TAIL + COARSE * IGNORED)
    high = _least_epsilon(at, summed, max(delta * (1 - 1e-9) - error, 0.0))
    low = _least_epsilon(at, summed, delta * (1 + 1e-9) + error)
    return max(low - steps * width, 0.0), high


def _masses(loss: Loss, width: float) -> tuple[Floats, Floats]:
    first, last = math.floor(loss.least / width), math.ceil(loss.most / width) + 1
    values = np.arange(first, last + 1) * width
    below = loss.below(values)
    below[-1] = 1.0
    return values, np.diff(below, prepend=0.0)


def _reach(values: Floats, masses: Floats, steps: int) -> float:
    """Return what the sum of the losses exceeds, up or down, with less than ``TAIL``."""
    width = float(values[1] - values[0])
    kept = masses > IGNORED
    values, logs, found = values[kept], np.log(masses[kept]), 0.0
    for sign in (1, -1):
        ends = [
            (steps * float(logsumexp(sign * power * values + logs)) - math.log(TAIL)) / power
            for power in np.geomspace(1e-3, 1e3, 200)
        ]
        found = max(found, min(ends))
    return found + width * steps


def _least_epsilon(at: Floats, masses: Floats, delta: float) -> float:
    """Return the least ε ≥ 0 at which a loss with these masses has δ(ε) ≤ delta."""
    if delta <= 0:
        return math.inf
    kept = at > 0
    at, masses = at[kept], masses[kept]
    above = np.cumsum(masses[::-1])[::-1]
    weighed = np.cumsum((masses * np.exp(-at))[::-1])[::-1]
    low, high = 0.0, float(at[-1])

    def curve(epsilon: float) -> float:
        place = int(np.searchsorted(at, epsilon, side="right"))
        if place == len(at):
            return 0.0
        return float(above[place] - math.exp(epsilon) * weighed[place])

    if curve(0.0) <= delta:
        return 0.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if curve(middle) > delta else (low, middle)
    return high
