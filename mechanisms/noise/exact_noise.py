"""Exact samplers of integer noise, and exact rounding to grids of powers of two.

In the samplers every decision compares two integers, no float is rounded. Source: Canonne, Kamath
and Steinke, The Discrete Gaussian for Differential Privacy (2020), Algorithms 1 to 3. Each runs
over all trials at once: a round draws for the trials that are still open, and a trial leaves when
it is decided, so that the outputs are independent and have the algorithms' distributions. The
integers come from ``Generator.integers``, which rejects rather than rounds; only its pseudo-random
bits stand between this and the distribution.

Rounding to a grid has no floating-point error and does not round to even.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from provado.mechanisms.definitions.parameters import UsageError, answers, power_of_two, rational

Integers = NDArray[np.int64]

LIMIT = 2**50
"""Largest numerator or denominator taken.

64-bit integers then overflow only where a geometric count passes 2^12, or where 2^12 coins of
probability at most 1/e come up in a row: probability below e^(−4000).
"""


_TWENTY = math.factorial(20)
_ODD_AMONG_TWENTY = sum((-1) ** k * (_TWENTY // math.factorial(k)) for k in range(20))


def bernoulli_exp(numerator: Integers, denominator: int, rng: Generator) -> NDArray[np.bool_]:
    """Return one Bernoulli(exp(−numerator/denominator)) draw for each numerator ≥ 0.

    Algorithm 1: for a whole part of the exponent all of that many Bernoulli(exp(−1)) must come up.
    """
    whole, rest = numerator // denominator, numerator % denominator
    result = _bernoulli_exp_fraction(rest, denominator, rng)
    left = np.flatnonzero(result & (whole > 0))
    remaining = whole[left]
    while left.size:
        passed = _bernoulli_exp_one(left.size, rng)
        result[left[~passed]] = False
        left, remaining = left[passed], remaining[passed] - 1
        left, remaining = left[remaining > 0], remaining[remaining > 0]
    return result


def _bernoulli_exp_fraction(
    numerator: Integers, denominator: int, rng: Generator
) -> NDArray[np.bool_]:
    """Return Bernoulli(exp(−γ)) for γ = numerator/denominator in [0, 1].

    With K the first k at which Bernoulli(γ/k) fails, K is odd with probability exp(−γ).
    """
    odd = np.ones(numerator.size, dtype=np.bool_)
    # Most trials fail at k = 1, so the first round works on whole arrays without indices.
    going = np.flatnonzero(rng.integers(denominator, size=numerator.size) < numerator)
    _toss_on(odd, going, numerator[going], denominator, 2, rng)
    return odd


def _bernoulli_exp_one(size: int, rng: Generator) -> NDArray[np.bool_]:
    """Return ``size`` draws of Bernoulli(exp(−1)).

    One integer below 20! stands for the first twenty tosses of Algorithm 1 with γ = 1: they end at
    an odd K for 20!·Σ_{k<20} (−1)^k/k! of its values and go on for one value, here the largest.
    """
    tosses = rng.integers(_TWENTY, size=size)
    odd: NDArray[np.bool_] = tosses < _ODD_AMONG_TWENTY
    going = np.flatnonzero(tosses == _TWENTY - 1)
    _toss_on(odd, going, np.ones(going.size, dtype=np.int64), 1, 21, rng)
    return odd


def _toss_on(
    odd: NDArray[np.bool_],
    going: Integers,
    numerator: Integers,
    denominator: int,
    k: int,
    rng: Generator,
) -> None:
    """Continue Algorithm 1 at toss ``k`` for the trials ``going``; write whether K is odd."""
    while going.size:
        odd[going] = k % 2 == 1
        on = rng.integers(denominator * k, size=going.size) < numerator
        going, numerator = going[on], numerator[on]
        k += 1


def geometric_exp_one(size: int, rng: Generator) -> Integers:
    """Return ``size`` counts of how often Bernoulli(exp(−1)) comes up before it first fails."""
    counts = np.zeros(size, dtype=np.int64)
    going = np.arange(size)
    while going.size:
        going = going[_bernoulli_exp_one(going.size, rng)]
        counts[going] += 1
    return counts


def discrete_laplace_noise(
    scale: Fraction | int, shape: tuple[int, ...], rng: Generator
) -> Integers:
    """Return integers Z with Pr[Z = z] proportional to exp(−|z|/scale), independent.

    scale: a rational number above 0 with numerator and denominator at most ``LIMIT``.

    Algorithm 2. Raises ``UsageError`` for a scale outside its range.
    """
    exact = rational(scale, "scale")
    if max(exact.numerator, exact.denominator) > LIMIT:
        raise UsageError(f"scale is {exact}: numerator and denominator must be at most 2**50")
    return _until_accepted(
        lambda size: _discrete_laplace_proposal(exact.numerator, exact.denominator, size, rng),
        shape,
    )


def discrete_gaussian_noise(
    variance: Fraction | int, shape: tuple[int, ...], rng: Generator
) -> Integers:
    """Return integers Z with Pr[Z = z] proportional to exp(−z²/(2·variance)), independent.

    variance: the parameter σ² > 0, a rational a/b with 2·a·b·(⌊σ⌋ + 1)² at most ``LIMIT``: for a
        whole number, σ up to about 4,800; or σ a whole number with 2·σ² at most ``LIMIT``.

    Algorithm 3, which holds for any whole t; σ cancels in its exponents where t is σ. Raises
    ``UsageError`` for a variance outside its range.
    """
    exact = rational(variance, "variance")
    a, b = exact.numerator, exact.denominator
    t, unit = math.isqrt(a // b) + 1, 1
    if 2 * a * b * t * t > LIMIT and exact == (t - 1) ** 2:
        t = unit = t - 1
    denominator = 2 * a * b * t * t // unit**2
    if denominator > LIMIT:
        raise UsageError(
            f"variance is {exact}: 2·a·b·(⌊σ⌋ + 1)² must be at most 2**50 for variance a/b"
        )

    def propose(size: int) -> tuple[Integers, NDArray[np.bool_]]:
        candidate = discrete_laplace_noise(t, (size,), rng)
        distance = np.abs(np.abs(candidate) * (t * b) - a) // unit
        # Squares stay below 2^62. A distance past that is accepted with probability below
        # e^(−4096), and then refused loudly rather than drawn from the wrong probability.
        near = np.minimum(distance, 2**31)
        accepted = bernoulli_exp(near * near, denominator, rng)
        if np.any(accepted & (distance > near)):
            raise OverflowError("discrete Gaussian: a draw of probability below e^(−4096)")
        return candidate, accepted

    return _until_accepted(propose, shape)


def _discrete_laplace_proposal(
    t: int, s: int, size: int, rng: Generator
) -> tuple[Integers, NDArray[np.bool_]]:
    """Propose ``size`` draws of scale t/s, and say which of them are accepted."""
    low = rng.integers(t, size=size)
    accepted = _bernoulli_exp_fraction(low, t, rng)
    kept = np.flatnonzero(accepted)
    magnitude = (low[kept] + t * geometric_exp_one(kept.size, rng)) // s
    negative = rng.integers(2, size=kept.size) == 1
    # A negative zero is refused: else zero would be drawn twice as often as it should.
    accepted[kept[negative & (magnitude == 0)]] = False
    result = np.zeros(size, dtype=np.int64)
    result[kept] = np.where(negative, -magnitude, magnitude)
    return result, accepted


def _until_accepted(
    propose: Callable[[int], tuple[Integers, NDArray[np.bool_]]], shape: tuple[int, ...]
) -> Integers:
    """Fill ``shape`` with the first accepted proposal of each trial."""
    result = np.empty(math.prod(shape), dtype=np.int64)
    going = np.arange(result.size)
    while going.size:
        candidate, accepted = propose(going.size)
        result[going[accepted]] = candidate[accepted]
        going = going[~accepted]
    return result.reshape(shape)


FINE_GRID = 2.0**-20
"""Grid for released real numbers whose lowest bits must not speak; far below any noise scale."""

NOISE_GRID = 2.0**-10
"""Grid on which the exact samplers draw where a real number is answered."""


def to_grid(value: Any, grid: float) -> NDArray[np.int64]:
    """Return the number of grid steps nearest to each value; halves go up.

    value: finite numbers of size below 2^62 grid steps.
    grid: a power of two.

    Moving a value by a whole number of steps moves its rounding by as many, and rounding is
    monotone; so two values at most m steps apart stay at most m steps apart, which rounding halves
    to even does not guarantee. Raises ``UsageError`` for values outside the range.
    """
    steps = answers(value, "value") / power_of_two(grid, "grid")
    if np.any(np.abs(steps) >= 2.0**62):
        raise UsageError(f"value is {value!r}: it must stay below 2**62 steps of the grid {grid!r}")
    whole = np.floor(steps)
    # Adding 1/2 before the floor would itself round; this difference is exact or far from 1/2.
    rounded: NDArray[np.int64] = whole.astype(np.int64) + (steps - whole >= 0.5)
    return rounded


def round_to_grid(value: Any, grid: float) -> NDArray[np.float64]:
    """Return each value rounded to a multiple of ``grid``; see ``to_grid``."""
    return to_grid(value, grid).astype(np.float64) * grid
