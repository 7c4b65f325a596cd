"""Exact limits for trials fixed in advance: on ε, at δ = 0 and at any other δ, and on a rate."""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaincc, betainccinv, betaincinv

from .betting import largest_refuted

SPARED = 0.02
"""Of alpha, the chance that the rate of wrong guesses lies outside of its interval."""

POINTS, CELLS = 128, 64
"""Rates of wrong guesses that are tried in this interval; cells of their number for each. More of
them make the limit a little larger; it is valid with any number."""


def binomial_epsilon_lower(correct: int, wrong: int, alpha: float) -> float:
    """Return the lower limit ε̂ ≥ 0 on ε that C correct of C + W guesses certify at 1 − ``alpha``.

    Each trial intervenes by a fair coin with do(D) or do(D′). Under ε-DP a guess that is made is
    right with probability at most e^ε/(1 + e^ε) whatever the rule, so C given C + W is dominated
    by a binomial, and ε̂ = logit(Clopper–Pearson lower limit of C out of C + W).

    Guarantee: under ε-DP, Pr[ε̂ > ε] ≤ ``alpha``. Rounded down, so that the exact tail probability
    of C at ε̂ never exceeds ``alpha``. No guess, or none that is right, certifies 0.
    """
    if correct <= 0:
        return 0.0
    # The limit's complement is computed directly: near 1 the limit itself has no digits left.
    miss = float(betainccinv(wrong + 1, correct, alpha))
    if not 0 < miss < 0.5:
        return 0.0
    epsilon = math.log1p(-miss) - math.log(miss)
    step = 1e-12
    while epsilon > 0 and _tail(correct, wrong, epsilon) > alpha:
        epsilon -= step
        step *= 2
    return max(epsilon, 0.0)


@lru_cache(maxsize=64)
def excess_epsilon_lower(
    correct: int, wrong: int, abstained: int, allowed: float, alpha: float, aimed: float
) -> float:
    """Return the lower limit ε̂ ≥ 0 on ε that guesses certify at 1 − ``alpha`` where δ > 0.

    Arguments as of ``excess_chance``. Guarantee: under (ε, δ)-DP, Pr[ε̂ > ε] ≤ ``alpha``, for a
    number of trials fixed in advance. Rounded down by less than 1e-9.
    """
    chance = excess_chance(correct, wrong, abstained, allowed, alpha, aimed)
    return largest_refuted(lambda epsilon: chance(epsilon) <= alpha)


def excess_chance(
    correct: int, wrong: int, abstained: int, allowed: float, alpha: float, aimed: float
) -> Callable[[float], float]:
    """Return a valid p-value of guesses under (ε, δ)-DP, as a function of ε that rises with it.

    allowed: what δ allows a trial, δ/2 for a rule that guesses one side and δ for one that guesses
    both. aimed: the ε, fixed in advance, at which the test is sharpest.

    A trial is right with chance p ≤ e^ε·q + ``allowed``, where q is its chance to be wrong. Large
    is what has a large (C − m)/√(C + F²W), m = n·allowed + F(W + √W), F = e^aimed. The p-value is
    the largest chance of a value as large as the one seen, over all q in the Clopper–Pearson
    interval of W, and the chance that q is not in there (Berger and Boos, P Values Maximized Over a
    Confidence Set for the Nuisance Parameter, 1994). Between two neighboring q the chance is at
    most that of the larger p and the smaller q, and in a cell of W that of its fewest.
    """
    n, factor, spared = correct + wrong + abstained, math.exp(min(aimed, 300.0)), SPARED * alpha

    def middle(w: ArrayLike) -> NDArray[np.float64]:
        return np.asarray(n * allowed + factor * (np.asarray(w) + np.sqrt(w)))

    gap = correct - float(middle(wrong))
    if gap <= 0:
        return lambda epsilon: 1.0  # noqa: ARG005
    squared = gap * gap / (correct + factor * factor * wrong)
    low = float(betaincinv(wrong, n - wrong + 1, spared / 2)) if wrong else 0.0
    high = float(betainccinv(wrong + 1, n - wrong, spared / 2))
    rates = np.linspace(math.sqrt(low), math.sqrt(high), POINTS)[:, None] ** 2
    least, most = rates[:-1], rates[1:]
    span = math.sqrt(2 * math.log(1000 / alpha))
    reach = span * np.sqrt(n * least)
    first = np.floor(np.maximum(n * least - reach, 0.0))
    cells = first + np.ceil((n * least + reach + 12 - first) / CELLS) * np.arange(CELLS)
    cells[:, 0] = 0
    above = _at_least(cells, n, least)
    shares = above - np.append(above[:, 1:], np.zeros((len(above), 1)), axis=1)
    m = middle(cells)
    needed = m + squared / 2 + np.sqrt(squared * (squared / 4 + m + factor * factor * cells))
    # The number seen is among them; rounding must not leave it out.
    needed = np.ceil(needed * (1 - 1e-12) - 1e-6)

    def chance(epsilon: float) -> float:
        right = np.minimum(math.exp(min(epsilon, 700.0)) * most + allowed, 1 - least)
        reached = _at_least(needed, n - cells, right / (1 - least))
        return float((shares * reached).sum(axis=1).max()) + spared

    return chance


def _at_least(k: NDArray[Any], n: ArrayLike, rate: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Pr[Binomial(n, rate) ≥ k]."""
    n = np.asarray(n)
    tail = betainc(np.maximum(k, 1.0), np.maximum(n - k + 1.0, 1.0), np.minimum(rate, 1.0))
    return np.where(k <= 0, 1.0, np.where(k > n, 0.0, tail))


def binomial_limits(
    hits: ArrayLike, trials: int, alpha: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the exact (Clopper–Pearson) limits of a rate, each wrong with probability ≤ ``alpha``.

    hits: of any shape, in ``trials`` each. Source: Clopper and Pearson, The use of confidence or
    fiducial limits illustrated in the case of the binomial (1934).
    """
    k = np.asarray(hits, dtype=np.float64)
    low = betaincinv(np.maximum(k, 1), trials - k + 1, alpha)
    high = betaincinv(k + 1, np.maximum(trials - k, 1), 1 - alpha)
    return np.where(k > 0, low, 0.0), np.where(k < trials, high, 1.0)


def _tail(correct: int, wrong: int, epsilon: float) -> float:
    """Return Pr[Binomial(C + W, e^ε/(1 + e^ε)) ≥ C]."""
    return float(betaincc(wrong + 1, correct, 1 / (1 + math.exp(epsilon))))
