"""How often the rule missed and how often it raised a false alarm, with exact limits."""

from __future__ import annotations

import math
from dataclasses import dataclass

from provado.audit.bounds.binomial import binomial_limits
from provado.audit.result import AuditResult, PairResult
from provado.mechanisms.definitions.curve import point_at


@dataclass(frozen=True)
class Point:
    """The rule's guess of one dataset, read as a test of the other against it.

    guess: the guessed dataset, ``D`` or ``D′``. wrong: the false-positive rate, how often the rule
    says so under the other intervention. missed: the false-negative rate, how often it does not
    say so under this one. The limits of each are Clopper–Pearson limits.
    """

    guess: str
    wrong: float
    wrong_limits: tuple[float, float]
    missed: float
    missed_limits: tuple[float, float]


def points_of(pair: PairResult) -> tuple[Point, ...]:
    """Return the points of both guesses, without one whose rates have no trials.

    The limits of all four rates hold together with probability at least 1 − the pair's alpha, if
    the number of trials was fixed in advance: each end gets an eighth of it.
    """
    alpha = pair.method.alpha / 8
    points = []
    for effect in pair.effects:
        if not (effect.trials and effect.other_trials):
            continue
        hit = rate_limits(effect.hits, effect.trials, alpha)
        points.append(
            Point(
                guess=effect.guess,
                wrong=effect.other_hits / effect.other_trials,
                wrong_limits=rate_limits(effect.other_hits, effect.other_trials, alpha),
                missed=1 - effect.hits / effect.trials,
                missed_limits=(1 - hit[1], 1 - hit[0]),
            )
        )
    return tuple(points)


def rate_limits(hits: int, trials: int, alpha: float) -> tuple[float, float]:
    """Return the exact binomial limits, each wrong with probability ≤ ``alpha``."""
    low, high = binomial_limits(hits, trials, alpha)
    return float(low), float(high)


Points = tuple[tuple[float, float], ...]
"""Points (ε, δ) of a claim: one, or some of a curve."""

DRAWN, LEAST_DRAWN = 25, 1e-5
"""So many points of a curve are drawn, from ε = 0 to where it falls to ``LEAST_DRAWN``."""


def claimed_points(result: AuditResult) -> Points:
    """Return what the claim rules out, as points (ε, δ); of a curve some, the tested one too."""
    tested = (result.epsilon, result.delta)
    if result.curve is None:
        return (tested,)
    promise = result.curve.promise()
    if result.curve.points:
        return (tested, *((e, promise.delta(e)) for e, _ in result.curve.points))
    last = point_at(promise, LEAST_DRAWN)[0]
    every = [last * step / (DRAWN - 1) for step in range(DRAWN)]
    return (tested, *((epsilon, promise.delta(epsilon)) for epsilon in every))


def least_by_claim(wrong: float, points: Points) -> float:
    """Return the least false-negative rate that all points of a claim allow together."""
    return max(least_missed(wrong, epsilon, delta) for epsilon, delta in points)


def least_missed(wrong: float, epsilon: float, delta: float) -> float:
    """Return f(wrong): the least false-negative rate that (ε, δ)-DP allows at a false-positive one.

    f(x) = max(0, 1 − δ − e^ε·x, e^−ε·(1 − δ − x)).
    Source: Dong, Roth and Su, Gaussian Differential Privacy, Proposition 2.5, after Wasserman and
    Zhou (2010) and Kairouz, Oh and Viswanath (2015).
    """
    # Beyond e^700 a float overflows; nothing drawn tells it from infinity.
    steep, flat = math.exp(min(epsilon, 700.0)), math.exp(-epsilon)
    return max(0.0, 1 - delta - steep * wrong, flat * (1 - delta - wrong))
