"""Privacy promises. Each is a profile: the smallest δ(ε) that is promised at every ε.

A promise bounds the hockey-stick divergence between the output distributions on neighbors,
``sup_S Pr[M(D) ∈ S] − e^ε·Pr[M(D′) ∈ S] ≤ δ(ε)``, in both directions. Pure and approximate
promises are profiles with one corner; concentrated, Rényi and Gaussian promises are smooth
profiles and are read through the same method, so that a consumer never asks which kind it has.
"""

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from .parameters import check_claimed, check_delta, check_epsilon


@runtime_checkable
class PrivacyPromise(Protocol):
    """What a mechanism promises about every pair of neighboring datasets."""

    def delta(self, epsilon: float) -> float:
        """Return the promised δ at ``epsilon`` (ε ≥ 0): a non-increasing profile in [0, 1]."""
        ...

    def point(self) -> tuple[float, float]:
        """Return one (ε, δ) on the profile at which an audit tests the promise by default."""
        ...

    def words(self) -> str:
        """Return the promise as people write it, for example ``(1.0, 1e-06)-DP``."""
        ...


@dataclass(frozen=True)
class PureDP:
    """ε-differential privacy.

    Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy, Definition 2.4
    with δ = 0.
    """

    epsilon: float

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)

    def delta(self, epsilon: float) -> float:
        """Return 0 from the claimed ε on; below it 1 − 2/(1 + e^(ε₀ − ε)), reached by the worst.

        The profile below ε₀ is that of randomized response, which dominates every ε₀-DP mechanism
        (Kairouz, Oh, Viswanath, The Composition Theorem for Differential Privacy, Theorem 2.1's
        proof).
        """
        if epsilon >= self.epsilon:
            return 0.0
        # Randomized response answers truthfully with e^ε₀/(1 + e^ε₀); δ is the difference
        # p − e^ε(1 − p) of its one informative event.
        return (math.exp(self.epsilon) - math.exp(epsilon)) / (1 + math.exp(self.epsilon))

    def point(self) -> tuple[float, float]:
        """Return (ε, 0)."""
        return (self.epsilon, 0.0)

    def words(self) -> str:
        """Return ``ε-DP`` with the number in place."""
        return f"{self.epsilon:g}-DP"


@dataclass(frozen=True)
class ApproximateDP:
    """(ε, δ)-differential privacy; (0, δ) bounds the total variation distance by δ.

    Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy, Definition 2.4.
    """

    epsilon: float
    delta_at_epsilon: float

    def __post_init__(self) -> None:
        check_delta(self.delta_at_epsilon)
        check_claimed(self.epsilon, self.delta_at_epsilon)

    def delta(self, epsilon: float) -> float:
        """Return δ from the claimed ε on; below it the profile of the worst (ε, δ)-DP mechanism."""
        pure = PureDP(self.epsilon).delta(epsilon) if self.epsilon else 0.0
        return self.delta_at_epsilon + (1 - self.delta_at_epsilon) * pure

    def point(self) -> tuple[float, float]:
        """Return (ε, δ)."""
        return (self.epsilon, self.delta_at_epsilon)

    def words(self) -> str:
        """Return ``(ε, δ)-DP`` with the numbers in place."""
        return f"({self.epsilon:g}, {self.delta_at_epsilon:g})-DP"


def _log_normal_cdf(x: float) -> float:
    """Return log Φ(x)."""
    if x > -37:
        return math.log(math.erfc(-x / math.sqrt(2)) / 2)
    # Here, so that what lists mechanisms loads without scipy; erfc would be 0.
    from scipy.special import log_ndtr

    return float(log_ndtr(x))


@dataclass(frozen=True)
class GaussianDP:
    """μ-Gaussian differential privacy: at most as distinguishable as N(0, 1) from N(μ, 1).

    Source: Dong, Roth and Su, Gaussian Differential Privacy, Definition 2.6 and Corollary 2.13
    (the profile). An audit tests it at the point of its curve where exploration sees the strongest
    evidence; ``test_delta`` is the δ of ``point``.
    """

    mu: float
    test_delta: float = 1e-3

    def __post_init__(self) -> None:
        check_epsilon(self.mu, "mu")
        check_delta(self.test_delta, "test_delta")

    def delta(self, epsilon: float) -> float:
        """Return Φ(−ε/μ + μ/2) − e^ε·Φ(−ε/μ − μ/2)."""
        upper = _log_normal_cdf(-epsilon / self.mu + self.mu / 2)
        lower = epsilon + _log_normal_cdf(-epsilon / self.mu - self.mu / 2)
        return math.exp(upper) * -math.expm1(min(lower - upper, 0.0))

    family, symbol = "gdp", "μ"

    @property
    def parameter(self) -> float:
        """μ."""
        return self.mu

    def least(self, epsilon: float, delta: float) -> float:
        """Return the least μ with δ(``epsilon``) ≥ ``delta``, by bisection, rounded down by 1e-10.

        The profile is right to about 1e-13 of itself, which the rounding covers.
        """
        if not delta > 0:
            return 0.0
        low, high = 0.0, 1.0
        while GaussianDP(high).delta(epsilon) < delta:
            low, high = high, 2 * high
            if high > 1e3:
                break
        while high - low > 1e-12 * high:
            middle = (low + high) / 2
            below = GaussianDP(middle).delta(epsilon) < delta
            low, high = (middle, high) if below else (low, middle)
        return low * (1 - 1e-10)

    def point(self) -> tuple[float, float]:
        """Return (ε, ``test_delta``) with ε found by bisection, rounded up by at most 1e-12."""
        low, high = 0.0, 1.0
        while self.delta(high) > self.test_delta:
            high *= 2
        while high - low > 1e-12 * max(1.0, high):
            middle = (low + high) / 2
            low, high = (middle, high) if self.delta(middle) > self.test_delta else (low, middle)
        return (high, self.test_delta)

    def words(self) -> str:
        """Return ``μ-GDP`` with the number in place."""
        return f"{self.mu:g}-GDP"
