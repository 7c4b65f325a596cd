"""How much of a Rényi divergence a single event can show, and the other way round.

A mechanism with δ(ε) ≥ δ has an event of probability p under one dataset and q under the other with
p − e^ε·q ≥ δ, and the divergences of these two coins are at most those of the mechanism. So the
least parameter of any such mechanism is a minimum over two numbers, and it is reached, by the
mechanism that tells the event alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SAFETY = 1e-8
"""Taken off in relative terms, for rounding and for the end of the search."""

_POINTS, _ROUNDS, _WIDEST = 16, 13, 60.0
"""Events looked at together, and how often the stretch around the best of them is looked at again;
the first stretch is of the logarithm of q."""

Floats = NDArray[np.float64]


def least_scale(epsilon: float, delta: float, orders: Sequence[tuple[float, float]]) -> float:
    """Return a lower limit on t ≥ 0 of every mechanism with δ(``epsilon``) ≥ ``delta``.

    epsilon: ε ≥ 0. delta: δ in [0, 1].
    orders: pairs (α, w), α ≥ 1 and w > 0: the mechanism is held to D_α ≤ w·t for each, in both
        directions; order 1 is the Kullback–Leibler divergence.

    The least over events of the largest D_α/w, rounded down by 1e-8. Divergences
    are jointly quasi-convex, so that it has one valley along the line p = δ + e^ε·q.

    Source: Asoodeh, Liao, Calmon, Kosut and Sankar, Three Variants of Differential Privacy:
    Lossless Conversion and Applications (2021), section 3 (one order; the joint range of two
    divergences is that of coins); quasi-convexity: van Erven and Harremoës, Rényi Divergence and
    Kullback–Leibler Divergence (2014), Theorem 13.
    """
    if not delta > 0:
        return 0.0
    every, weights = np.array(orders, dtype=np.float64).T
    factor = math.exp(min(epsilon, 700.0))
    most = (1 - delta) / factor

    if not most > 0:
        return math.inf
    low, high, best = 0.0, _WIDEST, math.inf
    for _ in range(_ROUNDS):
        # Along log q, where the valley is wide even for the rarest of events.
        shares = np.linspace(low, high, _POINTS)
        q = most * np.exp(-shares)
        shown = (_divergences(delta + factor * q, q, every) / weights).max(axis=1)
        at = int(np.argmin(shown))
        best = min(best, float(shown[at]))
        low, high = float(shares[max(at - 1, 0)]), float(shares[min(at + 1, _POINTS - 1)])
    return max(best * (1 - SAFETY), 0.0)


def most_delta(epsilon: float, scale: float, orders: Sequence[tuple[float, float]]) -> float:
    """Return an upper limit on δ(``epsilon``) of every mechanism with D_α ≤ w·``scale``.

    The inverse of ``least_scale`` in δ, rounded up by less than 1e-8 of itself.
    """
    # Here, so that statements load without scipy.
    from scipy.optimize import brentq

    def excess(log_delta: float) -> float:
        return math.log(max(least_scale(epsilon, math.exp(log_delta), orders), 1e-300) / scale)

    low, high = -690.0, -1e-12
    if excess(low) > 0:
        return math.exp(low)
    if excess(high) <= 0:
        return 1.0
    found = float(brentq(excess, low, high, xtol=1e-10, rtol=1e-12))
    step = 1e-9
    # The root may lie on either side; what is returned must be refuted.
    while excess(min(found + step, high)) <= 0 and found + step < high:
        step *= 2
    return min(math.exp(found + step), 1.0)


def _divergences(p: Floats, q: Floats, orders: Floats) -> Floats:
    """Return the larger of D_α(p ‖ q) and D_α(q ‖ p) of coins; shape (coins, orders)."""
    p = np.minimum(p, 1.0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        both = ((p, np.log(p), np.log1p(-p)), (q, np.log(q), np.log1p(-q)))
        found = [_one_way(*pair, orders) for pair in (both, both[::-1])]
    return np.asarray(np.maximum(*found))


Coin = tuple[Floats, Floats, Floats]
"""Probabilities of an event, their logarithms, those of its complement."""


def _one_way(mine: Coin, other: Coin, orders: Floats) -> Floats:
    a = orders[None, :]
    terms = [
        np.where(x[:, None] == -np.inf, -np.inf, a * x[:, None] + (1 - a) * y[:, None])
        for x, y in zip(mine[1:], other[1:], strict=True)
    ]
    renyi = np.logaddexp(*terms) / (a - 1)
    p = mine[0]
    entropy = sum(
        np.where(share > 0, share * (x - y), 0.0)
        for share, x, y in zip((p, 1 - p), mine[1:], other[1:], strict=True)
    )
    return np.where(a == 1, np.asarray(entropy)[:, None], renyi)
