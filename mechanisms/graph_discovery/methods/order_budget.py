"""How CURATE shares a budget out among the orders of PC: by a surrogate of the error probability.

Source: Bhattacharjee and Tandon, CURATE: Scaling-Up Differentially Private Causal Graph Discovery
(2024), as the authors' released code computes it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import positive


def surrogate(epsilons: Sequence[float], gaps: Sequence[float]) -> float:
    """Return Π(1 + e^(−g·ε))/2 + 1 − Π(1 − e^(−g·ε))/2, one factor for each order.

    epsilons: ε of one test of each order. gaps: g, how far a test lies from its threshold, in units
    of its sensitivity. It is 2 where nothing is spent and falls as any ε grows. Source: the
    released code's objective; the two products stand for errors of the second and the first kind.
    """
    tails = [math.exp(-g * e) for e, g in zip(epsilons, gaps, strict=True)]
    missed = math.prod((1 + tail) / 2 for tail in tails)
    right = math.prod((1 - tail) / 2 for tail in tails)
    return missed + 1 - right


@lru_cache(maxsize=4096)
def allot(
    budget: float, tests: tuple[float, ...], gaps: tuple[float, ...], power: int
) -> tuple[float, ...]:
    """Return the ε of one test of each order that make the surrogate least.

    budget: of Σ tests·ε^power. tests: how many each order may ask. gaps: as of ``surrogate``.
    power: 1 adds up ε, as basic composition does; 2 adds up ε², as advanced composition does.

    Constraints: ε_0 ≥ ε_1 ≥ … ≥ 0 and Σ tests·ε^power ≤ budget; the result meets both, and its
    surrogate is at most that of any equal split among the orders up to some last one. Nothing here
    looks at data. Raises ``UsageError`` unless budget and tests are above 0 and power is 1 or 2.
    """
    # Here, so that the catalogue loads without scipy.
    from scipy.optimize import minimize

    positive(budget, "budget")
    if not tests or min(tests) <= 0 or len(tests) != len(gaps) or power not in (1, 2):
        raise UsageError(
            f"tests is {tests!r}, gaps {gaps!r} and power {power!r}: as many gaps as tests are "
            "needed, each number of tests above 0, and a power of 1 or 2"
        )
    weights, distances = np.array(tests), np.array(gaps)

    def within(falls: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return falling ε, from how much each is above the next, that use the budget up."""
        found = np.cumsum(np.maximum(falls, 0.0)[::-1])[::-1]
        spent = float(weights @ found**power)
        return found * (budget / spent) ** (1 / power) if spent > 0 else found

    def loss(falls: NDArray[np.float64]) -> float:
        return surrogate(within(falls).tolist(), distances.tolist())

    # One equal split for each last order; from the best, and from a mixture of all, downhill.
    starts = list(np.eye(len(tests)))
    best = min(starts, key=loss)
    for start in (best, best + 0.1, np.ones(len(tests))):
        found = minimize(loss, start / start.sum(), bounds=[(0, None)] * len(tests)).x
        best = min(best, found, key=loss)
    return tuple((within(best) * (1 - 1e-12)).tolist())


def advanced_norm(budget: float, delta: float) -> float:
    """Return R such that R + √(2·ln(1/δ)·R) = budget: what Σε² may be.

    The released code's formula for the cost of ε_1, ε_2, … at δ is Σε² + √(2·ln(1/δ)·Σε²).
    """
    root = math.sqrt(2 * math.log(1 / delta))
    return ((math.sqrt(root**2 + 4 * budget) - root) / 2) ** 2


def advanced_cost(squares: float, delta: float) -> float:
    """Return Σε² + √(2·ln(1/δ)·Σε²), the inverse of ``advanced_norm``."""
    return squares + math.sqrt(2 * math.log(1 / delta) * squares)
