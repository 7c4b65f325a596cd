"""The bound of one run with many interventions, each by a fair coin of its own: right guesses.

A run guesses exactly r of m coins and abstains on the others. Its guesses depend on each other
through the run, so that right ones are no binomial count; what holds is this. Let P_k be the chance
of k right guesses. For a coin that was guessed and any number k, toss this coin alone anew: a right
guess among k others that are right becomes a wrong one. So (ε, δ)-DP for every coin, given all
others, and the sum over the coins, give

    Σ_k max(0, (k + 1)·P_{k+1} − e^ε·(r − k)·P_k) ≤ m·δ.

Write P_k = B_k·u_k with the binomial chances B_k of r guesses at e^ε/(1 + e^ε), for which the
brackets are 0: u may fall from k to k + 1 for nothing, and a rise by Δ costs (k + 1)·B_{k+1}·Δ. So
every P is a mixture of binomials that were cut to intervals, and the chance of at least v right is
largest for a mixture of binomials cut from below, at i ≤ v: these cost i·B_i/Pr[B ≥ i] each, and
reach v with chance Pr[B ≥ v]/Pr[B ≥ i]. The bound is the least concave function above these points,
at m·δ; at δ = 0 it is the binomial tail. It is reached, by randomized responses that are drawn
anew, sometimes, until i of them are right: no bound by these numbers alone can be sharper.

Source: the setting, and the bound at δ = 0, are those of Steinke, Nasr and Jagielski, Privacy
Auditing with One (1) Training Run (2023), Theorem 5.2. Its term for δ > 0 is larger
wherever it refutes anything, but not everywhere.

Under a claim that is a curve, its points or a trade-off function say more. A curve claims each of
its points (ε, δ(ε)), and all of them bound the same chance, that of so many right guesses: the
least of these bounds is one, and nothing is paid for choosing it.

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

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import fft
from scipy.special import gammaln, ndtr, ndtri

from provado.audit.bounds.betting import largest_refuted, largest_refuted_share
from provado.audit.bounds.binomial import binomial_epsilon_lower
from provado.mechanisms import GaussianDP, UsageError
from provado.mechanisms.definitions.curve import CurvePromise, grid_of

Floats = NDArray[np.float64]

POWERS = tuple(np.geomspace(0.2, 200, 31).tolist())
"""λ of Chernoff's bound, in units of 1/r."""

LONG = 2_000
"""Entries from which on Fourier transforms convolve: directly, time grows as the square."""

ROUNDING = 1e-9
"""Added to every chance in relative terms, for logarithms of factorials."""


def one_run_chance(
    right: int, guesses: int, interventions: int, epsilon: float, delta: float, *, runs: int = 1
) -> float:
    """Return the largest chance of at least so many right guesses under (ε, δ)-DP: a p-value.

    right: right guesses in all. guesses, interventions: guesses and coins of each run. runs:
    independent runs, each with coins of its own. No single law is worst for every number of right
    guesses of a run, so that of two bounds on their sum the smaller one is taken: the tails of one
    run, each at its worst, convolved; and Chernoff's, from the worst mean of e^(λC), which is
    reached by binomials that were cut, too.

    Guarantee: never below the truth, and reached by a mechanism where ``runs`` is 1 or ``delta`` 0.
    Raises ``UsageError`` unless 0 ≤ right ≤ runs·guesses and guesses ≤ interventions.
    """
    check_guesses(right, guesses, interventions, runs)
    if right == 0:
        return 1.0
    if delta == 0:
        return min(1.0, float(_tails(guesses * runs, epsilon)[1][right]) * (1 + ROUNDING))
    if runs == 1:
        costs, reached = _cut_binomials(right, *_tails(guesses, epsilon, logs=True))
        return min(1.0, _majorant(costs, reached, interventions * delta) * (1 + ROUNDING))
    return min(
        _sum_reaches(right, every_chance(guesses, interventions, epsilon, delta), runs),
        _chernoff(right, guesses, interventions * delta, epsilon, runs),
    )


def every_chance(guesses: int, interventions: int, epsilon: float, delta: float) -> Floats:
    """Return ``one_run_chance`` of a single run for 0 to ``guesses`` right guesses."""
    tails = _tails(guesses, epsilon, logs=True)
    chances = [1.0]
    for right in range(1, guesses + 1):
        costs, reached = _cut_binomials(right, *tails)
        chances.append(_majorant(costs, reached, interventions * delta))
    return np.minimum(np.array(chances) * (1 + ROUNDING), 1.0)


def one_run_epsilon_lower(
    right: int, guesses: int, interventions: int, delta: float, alpha: float, *, runs: int = 1
) -> float:
    """Return the lower limit ε̂ ≥ 0 on ε at the given δ that the guesses certify at 1 − ``alpha``.

    Arguments as of ``one_run_chance``. Guarantee: under (ε, δ)-DP, Pr[ε̂ > ε] ≤ ``alpha``, however
    the guesses of a run depend on each other: which coins are guessed may follow from the output,
    their number must not. Found by bisection (the chance grows with ε), rounded down by less than
    1e-9.
    """
    check_guesses(right, guesses, interventions, runs)
    if delta == 0:
        return binomial_epsilon_lower(right, guesses * runs - right, alpha)

    def refuted(epsilon: float) -> bool:
        chance = one_run_chance(right, guesses, interventions, epsilon, delta, runs=runs)
        return chance <= alpha

    return largest_refuted(refuted)


def check_guesses(right: int, guesses: int, interventions: int, runs: int) -> None:
    """Raise ``UsageError`` unless the numbers can be those of runs that made guesses."""
    if not (0 <= right <= guesses * runs and guesses <= interventions and runs >= 1):
        raise UsageError(
            f"right is {right!r}: of {runs!r} runs with {guesses!r} guesses of {interventions!r} "
            "interventions each, it must lie between 0 and all guesses, none of them made twice"
        )


def _tails(guesses: int, epsilon: float, *, logs: bool = False) -> tuple[Floats, Floats]:
    """Return Pr[B = i] and Pr[B ≥ i], or their logarithms, for i = 0 to ``guesses``."""
    i = np.arange(guesses + 1, dtype=np.float64)
    wrong = -epsilon - math.log1p(math.exp(-epsilon))
    chances = gammaln(guesses + 1) - gammaln(i + 1) - gammaln(guesses - i + 1)
    chances += i * (epsilon + wrong) + (guesses - i) * wrong
    tails = np.minimum(np.logaddexp.accumulate(chances[::-1])[::-1], 0.0)
    return (chances, tails) if logs else (np.exp(chances), np.exp(tails))


def _cut_binomials(right: int, chances: Floats, tails: Floats) -> tuple[Floats, Floats]:
    """Return cost and chance of reaching v, of a binomial cut at each i from 0 to v."""
    i = np.arange(right + 1, dtype=np.float64)
    costs: Floats = i * np.exp(chances[: right + 1] - tails[: right + 1])
    reached: Floats = np.exp(tails[right] - tails[: right + 1])
    return costs, reached


def _majorant(costs: Floats, reached: Floats, budget: float) -> float:
    """Return, at ``budget``, the least concave function above the points; costs begin at 0.

    The least over slopes s of max(reached − s·costs) + s·budget. Any slope gives an upper bound,
    so that ending early would lose sharpness, never validity.
    """
    if costs[-1] <= budget:
        return float(reached[-1])
    left, last = int(np.argmax(np.where(costs <= budget, reached, -1.0))), len(costs) - 1
    best = 1.0
    for _ in range(len(costs)):
        slope = (reached[last] - reached[left]) / (costs[last] - costs[left])
        above = reached - slope * costs
        top = int(np.argmax(above))
        best = min(best, float(above[top] + slope * budget))
        if above[top] <= above[left] + 1e-15:
            break
        left, last = (top, last) if costs[top] <= budget else (left, top)
    return best


def _chernoff(
    right: int,
    guesses: int,
    budget: float,
    epsilon: float,
    runs: int,
    powers: tuple[float, ...] = POWERS,
) -> float:
    """Return the least bound E[e^(λ(C − r))]^R·e^(λ(Rr − v)) over some λ on Σ C ≥ v."""
    chances, tails = _tails(guesses, epsilon, logs=True)
    i = np.arange(guesses + 1, dtype=np.float64)
    costs = i * np.exp(chances - tails)
    best = 0.0
    for power in powers:
        each = power / guesses * (i - guesses)
        above = np.logaddexp.accumulate((chances + each)[::-1])[::-1]
        mean = _majorant(costs, np.exp(np.minimum(above - tails, 0.0)), budget) * (1 + ROUNDING)
        best = min(best, runs * math.log(mean) + power / guesses * (guesses * runs - right))
    return math.exp(best)


def _sum_reaches(right: int, chances: Floats, runs: int) -> float:
    """Return the chance that so many independent runs of these tails reach ``right`` together."""
    one = np.append(chances[:-1] - chances[1:], chances[-1])
    # Rises by rounding alone; a tail that is no tail would not dominate.
    one = np.maximum(one, 0.0)
    total, power, left, error = np.ones(1), one, runs, 0.0
    while left:
        if left & 1:
            total, more = _convolve(total, power)
            error += more
        left >>= 1
        if left:
            power, more = _convolve(power, power)
            error += more * left
    return min(1.0, float(total[right:].sum()) * (1 + ROUNDING) + error)


def _convolve(one: Floats, other: Floats) -> tuple[Floats, float]:
    """Return the convolution of two distributions and a bound on its error, summed absolutely.

    Fourier transforms of n entries err by about log n units of roundoff in the Euclidean norm,
    which is at most 1 for a distribution, hence by √n times that in the sum; a thousand units are
    allowed. Source: Higham, Accuracy and Stability of Numerical Algorithms, Theorem 24.2.
    """
    if one.size * other.size <= LONG**2:
        return np.convolve(one, other), 0.0
    size = one.size + other.size - 1
    length = fft.next_fast_len(size, real=True)
    result = fft.irfft(fft.rfft(one, length) * fft.rfft(other, length), length)[:size]
    return np.maximum(result, 0.0), math.sqrt(length) * 1000 * float(np.finfo(float).eps)


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
    """Return whether at least so many right guesses in one run have a chance below ``alpha``."""
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
