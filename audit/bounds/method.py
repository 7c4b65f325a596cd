"""Which bound a plan has chosen, as data, so that a verdict can be computed again from a report.

What counts certify by it, of a promise that is a curve in its own parameter. Where nothing is
explored, a curve is tested at ``sharpest_point``, which follows from the promise alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from provado.audit.bounds import betting, binomial
from provado.audit.bounds.alpha_spending import EXACT
from provado.audit.bounds.betting import largest_refuted_share, log_wealth
from provado.audit.bounds.counts import Counts
from provado.audit.bounds.ladder import Ladder, ladder_lower
from provado.mechanisms import GaussianDP, UsageError
from provado.mechanisms.definitions import CurvePromise
from provado.mechanisms.definitions.curve import grid_of


@dataclass(frozen=True)
class BoundMethod:
    """The bound of one pair: but for its bettors, frozen before the first certifying draw.

    alpha: this pair's share of the audit's chance of a false alarm.
    delta: the δ at which ε is bounded.
    side: 1 if only guesses of D count, −1 if only those of D′: under (ε, δ)-DP each side may be
        right ½ δ of the trials more often than e^ε times as it is wrong. 0: all guesses count, and
        are allowed δ.
    bets: the mixture of the betting bound; ``None`` for the exact binomial, which needs δ = 0 and
        a number of trials fixed in advance.
    aimed: of one side and a number of trials fixed in advance, the ε at which an exact test beside
        the bets is sharpest; it has the share ``EXACT`` of alpha, and the larger limit counts.
    bettors: of a sequential audit, what each of them has staked, and how often it was right; the
        bound is that of their wealth.
    epsilon: where a curve is claimed, the ε of the point that is tested; its δ is ``delta``.
    ladder: of a claim about divergences, the stakes on cells, with a share of alpha of its own.
    """

    alpha: float
    delta: float = 0.0
    bets: betting.Bets | None = None
    bettors: tuple[betting.Bettor, ...] = ()
    epsilon: float | None = None
    ladder: Ladder | None = None
    side: int = 0
    aimed: float | None = None

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise UsageError(f"alpha is {self.alpha!r}: it must lie between 0 and 1")
        if not 0 <= self.delta < 1:
            raise UsageError(f"delta is {self.delta!r}: it must lie in [0, 1)")
        if self.epsilon is not None and not 0 <= self.epsilon < math.inf:
            raise UsageError(f"epsilon is {self.epsilon!r}: it must be a number of at least 0")
        if self.epsilon is not None and self.bets is None:
            raise UsageError("bets are missing: a point of a curve is tested by betting")
        if self.ladder is not None and self.epsilon is None:
            raise UsageError("epsilon is missing: a ladder needs a point of the curve, too")
        if self.side not in (-1, 0, 1) or (self.side and (self.bets is None or not self.delta)):
            raise UsageError(f"side is {self.side!r}: it must be 0; or 1 or -1, with bets and a δ")
        if self.aimed is not None and not (
            self.side and self.epsilon is None and 0 <= self.aimed < math.inf
        ):
            raise UsageError(f"aimed is {self.aimed!r}: it must be an ε, of one side, of no curve")
        betting.check_bettors(self.bettors)
        if self.bets is not None and self.bettors:
            raise UsageError("bets: a sequential bound has bettors instead")
        if self.bets is None and not self.bettors and self.delta > 0:
            raise UsageError(f"delta is {self.delta!r}: the binomial bound needs delta 0")

    @property
    def whole_alpha(self) -> float:
        """The pair's alpha: that of the bound, with that of a ladder where there is one."""
        return self.alpha + (self.ladder.alpha if self.ladder is not None else 0.0)

    @property
    def allowed(self) -> float:
        """What δ allows a trial: δ for guesses of both sides, half of it for one side alone."""
        return self.delta / 2 if self.side else self.delta

    @property
    def anytime(self) -> BoundMethod:
        """The part that is valid whenever an experiment ends: without the exact test."""
        if self.aimed is None:
            return self
        return replace(self, alpha=(1 - EXACT) * self.alpha, aimed=None)

    @property
    def name(self) -> str:
        """``"binomial"``, ``"betting"`` or ``"sequential"``."""
        if self.bettors:
            return "sequential"
        return "binomial" if self.bets is None else "betting"


def epsilon_lower(counts: Counts, method: BoundMethod) -> float:
    """Return the certified lower limit on ε at ``method.delta`` with error ``method.alpha``."""
    if method.bettors:
        return betting.product_epsilon_lower(method.delta, method.alpha, method.bettors)
    guesses = counts.guessed(method.side)
    if method.bets is None:
        return binomial.binomial_epsilon_lower(*guesses[:2], method.alpha)
    part = method.anytime
    lower = betting.betting_epsilon_lower(*guesses, part.allowed, part.alpha, method.bets)
    if method.aimed is None:
        return lower
    alpha = EXACT * method.alpha
    return max(lower, binomial.excess_epsilon_lower(*guesses, method.allowed, alpha, method.aimed))


def refutes(counts: Counts, method: BoundMethod, epsilon: float) -> bool:
    """Return whether the counts certify more than one ε, faster than the limit is found."""
    if method.aimed is not None:
        alpha, guesses = EXACT * method.alpha, counts.guessed(method.side)
        if binomial.excess_chance(*guesses, method.allowed, alpha, method.aimed)(epsilon) <= alpha:
            return True
    return epsilon_lower(counts, method.anytime) > epsilon


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
        result = epsilon_lower(counts, method)
        # Where not even ε = 0 is refuted at this δ, nothing is known of δ(0).
        lower = promise.least(result, method.delta) if result > 0 else 0.0
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


def sharpest_point(promise: CurvePromise) -> tuple[float, float]:
    """Return the point (ε, δ) of the curve at which bets against Gaussian noise grow fastest.

    ``promise.point()`` where they grow at none of ``grid_of``.
    """
    key: Any = promise
    return _sharpest_point(key)


@lru_cache(maxsize=64)
def _sharpest_point(promise: Any) -> tuple[float, float]:
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
