"""Simultaneous limits on a whole trade-off curve, from how outputs fall into cells of a score.

For every threshold between two cells the event "the score lies at or above it" has a probability
p under do(D) and q under do(D′). Errors count where they mislead together: where p seems larger and
q smaller than they are, or the other way round. The exact tail probabilities of the two counts are
independent and each stochastically at least uniform, so their product is at most e^−c with
probability at most (1 + c)e^−c; what (p, q) it does not refute is a region of exact confidence.
All regions together hold by Boole's inequality, and whatever follows from them, at every point of
the curve, holds whenever they do.

Sources: Clopper and Pearson (1934), for the limits of one probability; Fisher, Statistical Methods
for Research Workers (4th edition, 1932), section 21.1, for the product.
"""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from provado.audit.bounds.counts import Counts
from provado.mechanisms import UsageError

from .binomial import binomial_limits

Floats = NDArray[np.float64]
Corners = tuple[tuple[float, float], ...]

PARTS = 32
"""A region is covered by so many rectangles, of which the right one is not known."""

SLACK = 1e-12
"""By so much of itself a limit is rounded down."""


@dataclass(frozen=True)
class TradeOff:
    """Limits on how well outputs distinguish do(D) from do(D′), at all thresholds at once.

    alpha: the chance that any of them is wrong. d, d_prime: trials in each cell of the score, by
    rising score, under do(D) and under do(D′).

    A trade-off function maps the false-positive rate of a test to the least false-negative rate.
    Here it is that of the pair in both orders: the largest convex function below both. Source:
    Dong, Roth and Su, Gaussian Differential Privacy (2022), Definition 2.1 and Proposition 2.4.

    Guarantee: for trials whose number and cells were fixed in advance.
    """

    alpha: float
    d: tuple[int, ...]
    d_prime: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise UsageError(f"alpha is {self.alpha!r}: it must lie between 0 and 1")
        if len(self.d) < 2 or len(self.d) != len(self.d_prime):
            raise UsageError(
                f"cells: {len(self.d)} under do(D), {len(self.d_prime)} under do(D′): they must be "
                "equally many, at least 2"
            )

    @cached_property
    def _levels(self) -> tuple[Floats, Floats]:
        """The levels of either side in each rectangle of a region, with one share of alpha.

        There are two regions for each threshold, and two for each place between thresholds.
        """
        most = _exponent(self.alpha / (4 * len(self.d) - 2))
        steps = np.linspace(0.0, most, PARTS + 1)
        return np.exp(-steps[1:]), np.exp(steps[:-1] - most)

    @cached_property
    def _limits(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Limits of p, low and high, and of q, by rectangle and threshold; 1 and 0 at the ends.

        The levels of p fall as the rectangles go on, those of q rise.
        """
        result: list[Floats] = []
        for side, levels in zip((self.d, self.d_prime), self._levels, strict=True):
            at_or_above = np.array(side, dtype=np.int64)[::-1].cumsum()[::-1]
            trials = int(at_or_above[0])
            both = [binomial_limits(at_or_above[1:], trials, float(level)) for level in levels]
            for limits in zip(*both, strict=True):
                result.append(np.pad(np.array(limits), ((0, 0), (1, 1)), constant_values=0.0))
                result[-1][:, 0] = 1.0
        return result[0], result[1], result[2], result[3]

    @cached_property
    def _sure(self) -> tuple[Floats, Floats]:
        """Of each test the most false positives and the fewest true ones, in each rectangle.

        A test says one dataset at or above a threshold, the other below it.
        """
        p_low, p_high, q_low, q_high = (limit[:, 1:-1] for limit in self._limits)
        wrong = np.hstack([q_high, 1 - p_low, p_high, 1 - q_low])
        right = np.hstack([p_low, 1 - q_high, q_low, 1 - p_high])
        return wrong, right

    def delta_lower(self, epsilon: float) -> float:
        """Return the lower limit on δ(``epsilon``) of the pair, at least 0.

        Guarantee: with probability at least 1 − ``alpha`` it holds at every ε together.
        """
        wrong, right = self._sure
        told = right - math.exp(min(epsilon, 700.0)) * wrong
        return max(float(told.min(axis=0).max()) * (1 - SLACK), 0.0)

    def epsilon_lower(self, delta: float) -> float:
        """Return the lower limit on ε at ``delta``, at least 0.

        Guarantee: with probability at least 1 − ``alpha`` it holds at every δ together.
        """
        wrong, right = self._sure
        with np.errstate(divide="ignore"):
            told = np.log(np.maximum(right - delta, 0.0)) - np.log(wrong)
        return max(float(told.min(axis=0).max()) * (1 - SLACK), 0.0)

    @cached_property
    def mu_lower(self) -> float:
        """The lower limit on μ of Gaussian differential privacy, at least 0; holds with the rest.

        A test of a mechanism with μ-GDP has Φ⁻¹(right) − Φ⁻¹(wrong) ≤ μ.
        """
        from scipy.special import ndtri

        wrong, right = self._sure
        told = np.where((right > 0) & (wrong < 1), ndtri(right) - ndtri(wrong), 0.0)
        return max(float(told.min(axis=0).max()) * (1 - SLACK), 0.0)

    @cached_property
    def most(self) -> Corners:
        """Corners of the upper limit on the trade-off function, from (0, 1) to (1, 0).

        At the false-positive rates of the tests it is what the best of them misses, be it in the
        worst of its rectangles; where a test is wrong more or less often, one that tosses a coin
        between it and no test. Lines join the corners, as a trade-off function is convex.
        """
        wrong, right = self._sure
        missed = 1 - right
        corners = [(0.0, 1.0), (1.0, 0.0)]
        for at in np.unique(wrong[PARTS // 2]).tolist():
            with np.errstate(divide="ignore", invalid="ignore"):
                before, after = 1 - at * right / wrong, missed * (1 - at) / (1 - wrong)
            value = float(np.where(wrong >= at, before, after).max(axis=0).min())
            if 0 < at < 1:
                corners.append((at, min(value * (1 + SLACK), 1.0)))
        return _hull(corners)

    @cached_property
    def least(self) -> Corners:
        """Corners of the lower limit on what thresholds of this score miss, joined by lines.

        It holds for thresholds between two cells too: such a test is right at most as often as at
        the lower one, and wrong at least as often as at the higher. Another score may do better: of
        the mechanism it says nothing.
        """
        p_low, p_high, q_low, q_high = self._limits
        corners = [(0.0, 1.0), (1.0, 0.0)]
        for said, other in ((p_high, q_low), (q_high, p_low)):
            right, wrong = said[:, :-1], other[:, 1:]
            corners += zip(wrong.ravel().tolist(), (1 - right).ravel().tolist(), strict=True)
            corners += zip((1 - right).ravel().tolist(), wrong.ravel().tolist(), strict=True)
        return _hull(corners)


@lru_cache(maxsize=32)
def trade_off(counts: Counts, alpha: float) -> TradeOff:
    """Return the limits that hold together with probability at least 1 − ``alpha``.

    Scores of NaN stand last. Raises ``UsageError`` where trials were not counted by cell.
    """
    half = len(counts.cells) // 2
    return TradeOff(alpha, counts.cells[:half], counts.cells[half:])


def value_at(corners: Corners, wrong: float) -> float:
    """Return the false-negative rate that a limit has at one false-positive rate."""
    x, y = zip(*corners, strict=True)
    return float(np.interp(wrong, x, y))


def _exponent(share: float) -> float:
    """Return c with (1 + c)·e^−c = ``share``, rounded up."""
    low, high = 0.0, 1.0
    while math.log1p(high) - high > math.log(share):
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        beyond = math.log1p(middle) - middle > math.log(share)
        low, high = (middle, high) if beyond else (low, middle)
    return high


def _hull(corners: list[tuple[float, float]]) -> Corners:
    """Return the largest convex function that lies on or below all corners, from x = 0 to 1."""
    kept: list[tuple[float, float]] = []
    for x, y in sorted(set(corners)):
        if kept and kept[-1][0] == x:
            continue
        while len(kept) > 1 and _turns_down(kept[-2], kept[-1], (x, y)):
            kept.pop()
        kept.append((x, y))
    return tuple(kept)


def _turns_down(
    first: tuple[float, float], middle: tuple[float, float], last: tuple[float, float]
) -> bool:
    rise = (middle[1] - first[1]) * (last[0] - first[0])
    return rise >= (last[1] - first[1]) * (middle[0] - first[0])
