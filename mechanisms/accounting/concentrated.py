"""Zero-concentrated differential privacy: what ρ promises as (ε, δ), and the ρ that a budget buys.

Releases of ρ₁ and ρ₂ promise ρ₁ + ρ₂ together, also where the second is chosen by what the first
has told (Bun and Steinke, Concentrated Differential Privacy (2016), Lemma 1.7 and Lemma 2.3).
"""

from __future__ import annotations

import math

import numpy as np

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import positive, probability

_SAFETY = 1e-9
"""Added in relative terms for rounding; any order is a bound, so that nothing else is lost."""

_ORDERS = 1 + np.exp(np.linspace(-8.0, 16.0, 4801))
"""Orders α that are tried, from barely above 1 on."""


def concentrated_epsilon(rho: float, delta: float) -> float:
    """Return an ε such that ρ-zCDP promises (ε, ``delta``)-DP, rounded up.

    The smallest over orders α > 1 of αρ + (ln(1/δ) + (α − 1)·ln(1 − 1/α) − ln α)/(α − 1), at least
    0. Source: Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy (2020),
    Corollary 13. Raises ``UsageError`` unless ρ > 0 and δ lies in (0, 1).
    """
    cost, chance = positive(rho, "rho"), probability(delta, "delta")
    above = _ORDERS - 1
    tail = -math.log(chance) + above * np.log1p(-1 / _ORDERS) - np.log(_ORDERS)
    return max(0.0, float((_ORDERS * cost + tail / above).min())) * (1 + _SAFETY)


def concentrated_rho(epsilon: float, delta: float) -> float:
    """Return about the largest ρ that promises (``epsilon``, ``delta``)-DP, in the same way.

    Within 1e-9 in relative terms, and never above it. Raises ``UsageError`` unless ε > 0 and δ lies
    in (0, 1), and where ε is so small that no ρ was found.
    """
    most = positive(epsilon, "epsilon")
    low, high = 0.0, 1.0
    while concentrated_epsilon(high, delta) <= most:
        low, high = high, 2 * high
    least = 1e-30
    while high - low > 1e-9 * high and high > least:
        middle = (low + high) / 2
        low, high = (middle, high) if concentrated_epsilon(middle, delta) <= most else (low, middle)
    if not low:
        raise UsageError(f"epsilon is {epsilon!r}: too small for any ρ at delta {delta!r}")
    return low
