"""Simultaneous limits on a whole trade-off curve, from how outputs fall into cells of a score.

For every threshold between two cells the event "the score lies at or above it" has a probability
under do(D) and one under do(D′). Each gets exact binomial limits, at alpha divided by the number of
all limits, so that by Boole's inequality they hold together. What follows from them, at every point
of the curve, holds whenever they do.

Limits of equal local level lose little to a band that is calibrated exactly (Aldor-Noiman et al.,
The Power to See, 2013): with a hundred thresholds 1 % of ε. The band of Dvoretzky, Kiefer and
Wolfowitz with Massart's constant has one width at all thresholds; that is more than the rare
events have probability, which are those that tell ε at a small δ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from provado.audit.counts import Counts
from provado.mechanisms import UsageError

from .binomial import binomial_limits

Floats = NDArray[np.float64]
Limits = tuple[tuple[float, float], ...]

SLACK = 1e-12
"""By so much of itself a limit is rounded down."""


@dataclass(frozen=True)
class TradeOff:
    """Limits on how well outputs under do(D) and do(D′) are told apart, at all thresholds at once.

    alpha: the chance that any of them is wrong. d, d_prime: for each threshold in rising order the
    limits of the probability that the score lies at or above it, under do(D) and under do(D′).

    A trade-off function maps the false-positive rate of a test to the least false-negative rate.
    Here it is that of the pair in both orders: the lower of the two. Source: Dong, Roth and Su,
    Gaussian Differential Privacy (2022), Definition 2.1 and Proposition 2.4.
    """

    alpha: float
    d: Limits
    d_prime: Limits

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise UsageError(f"alpha is {self.alpha!r}: it must lie between 0 and 1")
        if not self.d or len(self.d) != len(self.d_prime):
            raise UsageError(
                f"d has {len(self.d)} limits, d_prime {len(self.d_prime)}: they must be equally "
                "many, at least 1"
            )
        if not all(0 <= low <= high <= 1 for low, high in (*self.d, *self.d_prime)):
            raise UsageError("limits must lie in [0, 1], the lower one first")

    @cached_property
    def _sure(self) -> tuple[Floats, Floats]:
        """Of each test the most false positives and the fewest true ones that the limits allow.

        A test says one dataset at or above a threshold, or below it.
        """
        d, e = np.array(self.d), np.array(self.d_prime)
        wrong = np.concatenate([e[:, 1], d[:, 1], 1 - e[:, 0], 1 - d[:, 0]])
        right = np.concatenate([d[:, 0], e[:, 0], 1 - d[:, 1], 1 - e[:, 1]])
        return wrong, right

    def delta_lower(self, epsilon: float) -> float:
        """Return the lower limit on δ(``epsilon``) of the pair, at least 0.

        Guarantee: with probability at least 1 − ``alpha`` it holds at every ε together.
        """
        wrong, right = self._sure
        factor = math.exp(min(epsilon, 700.0))
        return max(float((right - factor * wrong).max()) * (1 - SLACK), 0.0)

    def epsilon_lower(self, delta: float) -> float:
        """Return the lower limit on ε at ``delta``, at least 0.

        Guarantee: with probability at least 1 − ``alpha`` it holds at every δ together.
        """
        wrong, right = self._sure
        told = right > delta
        if not told.any():
            return 0.0
        # The upper limit of a probability is never 0.
        ratio = float(np.log((right[told] - delta) / wrong[told]).max())
        return max(ratio * (1 - SLACK), 0.0)

    @cached_property
    def mu_lower(self) -> float:
        """The lower limit on μ of Gaussian differential privacy, at least 0; holds with the rest.

        A test of a mechanism with μ-GDP has Φ⁻¹(right) − Φ⁻¹(wrong) ≤ μ.
        """
        from scipy.special import ndtri

        wrong, right = self._sure
        kept = (right > 0) & (wrong < 1)
        if not kept.any():
            return 0.0
        return max(float((ndtri(right[kept]) - ndtri(wrong[kept])).max()) * (1 - SLACK), 0.0)

    @cached_property
    def most(self) -> tuple[tuple[float, float], ...]:
        """Corners of the upper limit on the trade-off function, from (0, ≤ 1) to (1, 0).

        Lines join them: between two tests there is one that tosses a coin for either.
        """
        wrong, right = self._sure
        corners = zip(wrong.tolist(), (1 - right).tolist(), strict=True)
        return _hull([(0.0, 1.0), (1.0, 0.0), *corners])

    @cached_property
    def least(self) -> tuple[tuple[float, float], ...]:
        """Corners of the lower limit on what thresholds of this score miss, joined by lines.

        It holds for thresholds between two cells too. Another score may do better: of the
        mechanism it says nothing.
        """
        d, e = (
            np.vstack([[1.0, 1.0], np.array(side), [0.0, 0.0]]) for side in (self.d, self.d_prime)
        )
        corners = [(0.0, 1.0), (1.0, 0.0)]
        for said, other in ((d, e), (e, d)):
            # Between two thresholds at most what is right at the lower, for what is wrong at the
            # higher; for the test that speaks below its threshold the other way round.
            above = zip(other[1:, 0].tolist(), (1 - said[:-1, 1]).tolist(), strict=True)
            below = zip((1 - other[:-1, 1]).tolist(), said[1:, 0].tolist(), strict=True)
            corners += [*above, *below]
        return _hull(corners)


def trade_off(counts: Counts, alpha: float) -> TradeOff:
    """Return the limits that hold together with probability at least 1 − ``alpha``.

    Guarantee: for trials whose number and cells were fixed in advance. Scores of NaN stand last.
    Source of the limits of each probability: Clopper and Pearson (1934).
    Raises ``UsageError`` where trials were not counted by cell.
    """
    if len(counts.cells) < 4 or len(counts.cells) % 2:
        raise UsageError(
            f"cells: {len(counts.cells)} counts: it must be those of at least 2 cells on both sides"
        )
    sides = np.array(counts.cells, dtype=np.int64).reshape(2, -1)
    number = sides.shape[1] - 1
    # Of two sides, and of two ends.
    share = alpha / (4 * number)
    found = []
    for side in sides:
        at_or_above = side[::-1].cumsum()[::-1]
        low, high = binomial_limits(at_or_above[1:], int(at_or_above[0]), share)
        found.append(tuple(zip(low.tolist(), high.tolist(), strict=True)))
    return TradeOff(alpha, found[0], found[1])


def value_at(corners: tuple[tuple[float, float], ...], wrong: float) -> float:
    """Return the false-negative rate that a limit has at one false-positive rate."""
    x, y = zip(*corners, strict=True)
    return float(np.interp(wrong, x, y))


def _hull(corners: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
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
