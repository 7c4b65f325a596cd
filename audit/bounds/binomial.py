"""Exact binomial limits: on ε for δ = 0 and trials fixed in advance, and on any rate."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincc, betainccinv, betaincinv


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
