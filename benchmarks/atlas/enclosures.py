"""Enclosures of the true ε(δ) of compositions, to hold what accountants say against.

Gaussian noise and randomized response have closed forms, evaluated with 50 digits. Elsewhere the
privacy loss of one step is put on a grid of width h, and the distribution of the sum of k steps is
computed with one FFT. The mass between two points of the grid is put onto them in two ways.

- Upper end: the mass is divided between both points so that its probability on either dataset
  stays (Doroshenko et al. 2022, "connect the dots"). The hockey-stick divergence is convex, so this
  makes every δ(ε) larger, and composition keeps that.
- Lower end: a part of what lies below a point is merged with a part of what lies above it, so that
  the loss of both together is that of the point or more. Merging outputs makes every δ(ε) smaller.

Both differ from the truth by about k h². The masses are tilted before the FFT, so that its error is
small beside δ (Koskela et al. 2020). The errors of the FFT, of the distribution function, of the
quadrature and of the tails that are left out are bounded: added on one side, taken off on the
other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial

import mpmath
import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, ndtr

Floats = NDArray[np.float64]

DIGITS = 50
TAIL = 1e-15
"""Probability that may be left out of one step, and of the sum."""

COARSE = 20_000
"""Points of the grid where a tilt and the reach of a sum are chosen."""

ROUNDING = 1e-14
"""More than a unit roundoff times the logarithm of the longest FFT times its constant."""

MARGIN = 1e-9
"""More than the relative error of a tilted mass and of a sum."""

NEARLY = 0.05
"""The least tilt is taken whose bound is so near to the best: a larger one makes more of errors."""

LONGEST = 2**22
"""Points of the grid, at most."""

GAP = 1e-9
"""The width k h² that is aimed at."""

SLACK = 1e-14
"""More than the error of a loss, of a point of the grid, and of the loss of a cell."""

NODES, WEIGHTS = np.polynomial.legendre.leggauss(10)

NARROW = 0.5
"""Half of a cell in which the quadrature is exact to 17 digits, for a density of slope one."""


@dataclass(frozen=True)
class Loss:
    """The privacy loss of one step.

    below: the probability on D of what is at most that, and less than ``most``. least, most: what
    it lies between. rise: takes points and a width, and returns by how much the loss of all
    outputs between a point and the next, taken together, exceeds the point; NaN where that is
    unknown.
    """

    below: Callable[[Floats], Floats]
    rise: Callable[[Floats, float], Floats]
    least: float
    most: float


@cache
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
    """Return the loss of Laplace noise for 0 against 1; a point of the grid must be its most."""
    most, near = 1 / scale, 1e-9 / scale

    def below(loss: Floats) -> Floats:
        return np.where(loss < -most - near, 0.0, np.exp((loss - most) / 2) / 2)

    def rise(points: Floats, width: float) -> Floats:
        # The density of the loss is a multiple of e^(l/2) on one side, of e^(-l/2) on the other.
        return np.where(points < -most - near, width, width / 2)

    return Loss(below, rise, -most, most)


def sampled_gaussian(sigma: float, rate: float) -> tuple[Loss, Loss]:
    """Return the losses of a Gaussian mechanism on a Poisson sample, removing and adding one."""
    reach = 10 * sigma + 1

    def loss_of(x: Floats) -> Floats:
        return np.log1p(rate * np.expm1((2 * x - 1) / (2 * sigma**2)))

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

    def rise(points: Floats, width: float, sign: int) -> Floats:
        low, high = place(sign * points), place(sign * (points + width))
        with np.errstate(invalid="ignore"):
            half, middle = (high - low) / 2, (high + low) / 2
            narrow = np.abs(half) * (np.abs(middle) + 1 + sigma) < NARROW * sigma**2
        half, middle = np.where(narrow, half, 0.0), np.where(narrow, middle, 0.0)
        total, other = np.zeros(len(points)), np.zeros(len(points))
        for node, weight in zip(NODES, WEIGHTS, strict=True):
            x = middle + node * half
            # The density of the smaller dataset, relative to the middle; D is that with the record
            # where one is removed.
            mass = weight * np.exp((middle - x) * (middle + x) / (2 * sigma**2))
            if sign > 0:
                mass *= np.exp(loss_of(x))
            total += mass
            other += mass * np.expm1(points - sign * loss_of(x))
        return np.where(narrow, -np.log1p(other / total), np.nan)

    most = float(loss_of(np.array(reach)))
    least = math.log1p(-rate) if rate < 1 else -most
    return (
        Loss(removed, partial(rise, sign=1), least, most),
        Loss(added, partial(rise, sign=-1), -most, -least),
    )


def _by_grid(loss: Loss, steps: int, delta: float) -> tuple[float, float]:
    span = loss.most - loss.least
    width, points, masses, _ = _cells(loss, span / COARSE)
    tilt, powers = _tilt(points, masses, steps, delta)
    wanted = max(math.sqrt(GAP / steps), span / LONGEST)
    while True:
        width, points, masses, rises = _cells(loss, wanted)
        spread = _Sum(width, points, _divided(masses, rises, width), steps, tilt, powers)
        if spread.size <= LONGEST:
            break
        wanted *= 1.25
    merged = _Sum(width, points, _merged(masses, rises, width), steps, tilt, powers)
    slack = 2 * steps * SLACK
    return max(merged.below(delta) - slack, 0.0), spread.above(delta) + slack


def _cells(loss: Loss, width: float) -> tuple[float, Floats, Floats, Floats]:
    """Return a width that divides the largest loss, the points of its grid, and mass and rise.

    Those are of what lies between a point and the next, at the last point of what lies there.
    """
    count = math.ceil(loss.most / width)
    width = loss.most / count
    points: Floats = np.arange(math.floor(loss.least / width) - 1, count + 1) * np.float64(width)
    masses = np.diff(loss.below(points), append=1.0)
    return width, points, masses, np.append(loss.rise(points[:-1], width), 0.0)


def _divided(masses: Floats, rises: Floats, width: float) -> Floats:
    """Return the masses at the points where each cell is divided between its two ends."""
    upward = -np.expm1(-(rises + SLACK)) / -np.expm1(-width)
    moved = masses * np.clip(np.nan_to_num(upward, nan=1.0), 0.0, 1.0)
    moved[-1] = 0.0  # what has the largest loss
    at: Floats = masses - moved
    at[1:] += moved[:-1]
    return at


def _merged(masses: Floats, rises: Floats, width: float) -> Floats:
    """Return the masses at the points where parts of the two cells around a point are merged.

    A share x of each cell goes to its lower end, the rest to its upper end. At a point, the cell
    below falls short of the point's loss by (1 − x)·lack, and the cell above exceeds it by
    x′·spare. With a = lack/spare at each point, x = b/(1 + b) lets no point fall short, where b is
    the larger of a at both ends of the cell.
    """
    lack = masses * np.expm1(np.maximum(width - rises + SLACK, 0.0))
    spare = masses * -np.expm1(-np.maximum(rises - SLACK, 0.0))
    lack, spare = np.nan_to_num(lack, nan=math.inf), np.nan_to_num(spare)
    least = np.full(len(masses) + 1, math.inf)
    least[0] = 0.0
    np.divide(lack[:-1], spare[1:], out=least[1:-1], where=spare[1:] > 0)
    larger = np.maximum(least[:-1], least[1:])
    down: Floats = masses / (1 + 1 / np.maximum(larger, 1e-300))
    at: Floats = down.copy()
    at[1:] += (masses - down)[:-1]
    return at


def _tilt(points: Floats, masses: Floats, steps: int, delta: float) -> tuple[float, list[float]]:
    """Return a good tilt for δ, and good exponents for the reach of the tilted sum, up and down.

    Any are sound; they are chosen by Chernoff's bounds.
    """
    kept = masses > 0
    points, logs = points[kept], np.log(masses[kept])
    grid = np.geomspace(1e-3, 1e3, 200)

    def least(values: Floats, logs: Floats, chance: float) -> float:
        ends = [(steps * logsumexp(one * values + logs) - math.log(chance)) / one for one in grid]
        return float(grid[int(np.argmax(np.array(ends) <= min(ends) + NEARLY * abs(min(ends))))])

    tilt = least(points, logs, delta)
    logs = logs + tilt * points
    logs -= logsumexp(logs)
    return tilt, [least(points, logs, TAIL), least(-points, logs, TAIL)]


class _Sum:
    """The distribution of the sum of the losses of ``steps`` steps, from one FFT."""

    def __init__(
        self,
        width: float,
        points: Floats,
        masses: Floats,
        steps: int,
        tilt: float,
        powers: Sequence[float],
    ) -> None:
        self.width, self.first, self.steps, self.tilt = width, points[0], steps, tilt
        with np.errstate(divide="ignore"):
            logs = np.log(masses) + tilt * points
        self.growth = float(logsumexp(logs))
        logs -= self.growth
        self.tilted = np.exp(logs)
        reach = max(
            (steps * float(logsumexp(power * sign * points + logs)) - math.log(TAIL)) / power
            for sign, power in zip((1, -1), powers, strict=True)
        )
        self.size = 2 ** math.ceil(math.log2(2 * reach / self.width + len(points) + 2))

    @cached_property
    def _summed(self) -> tuple[Floats, Floats]:
        first = round(self.first / self.width)
        placed = np.zeros(self.size)
        np.add.at(placed, (np.arange(len(self.tilted)) + first) % self.size, self.tilted)
        summed = np.fft.irfft(np.fft.rfft(placed) ** self.steps, self.size)
        at = (np.arange(self.size) - self.size // 2) * self.width
        kept = at > 0
        return at[kept], np.clip(np.roll(summed, self.size // 2), 0, None)[kept]

    def curve(self, epsilon: float) -> tuple[float, float]:
        """Return δ at ε, and what it may be wrong by."""
        at, summed = self._summed
        start = int(np.searchsorted(at, epsilon, side="right"))
        beyond = at[start:] - epsilon
        value = float(np.sum(summed[start:] * np.exp(-self.tilt * beyond) * -np.expm1(-beyond)))
        # Of the FFT: the 2-norm of its error times that of the weights.
        rough = self.steps * ROUNDING * math.sqrt(float(self.tilted @ self.tilted))
        rough /= math.sqrt(-math.expm1(-2 * self.tilt * self.width))
        scale = math.exp(self.steps * self.growth - self.tilt * epsilon)
        return scale * value, scale * (rough + 2 * TAIL) + 3 * TAIL * self.steps

    def above(self, delta: float) -> float:
        """Return an ε whose δ is at most ``delta`` for certain."""
        return self._end(delta * (1 - MARGIN), 1)

    def below(self, delta: float) -> float:
        """Return an ε whose δ is more than ``delta`` for certain, or 0."""
        return self._end(delta * (1 + MARGIN), -1)

    def _end(self, delta: float, sign: int) -> float:
        # Below its start, the scale of a tilted sum would leave the range of numbers.
        low, high = max(0.0, (self.steps * self.growth - 600) / self.tilt), self._summed[0][-1]
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if self.curve(middle)[0] > delta else (low, middle)
        move = 1e-12
        while True:
            epsilon = (high if sign > 0 else low) + sign * move
            if epsilon <= 0:
                return 0.0
            value, error = self.curve(epsilon)
            if sign * (value + sign * error - delta) < 0:
                return epsilon
            move *= 1.5
