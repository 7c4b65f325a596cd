"""The claim that a replay's noise is held against: what costs of several kinds add up to."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from provado.mechanisms import ConcentratedDP, GaussianDP, PureDP, RenyiDP

BEYOND = 1 + 1e-6
"""A cost exceeds a claim from here on: sums are rounded."""


@dataclass(frozen=True)
class Spent:
    """What one pair cost, along one control flow.

    epsilon: of pure costs, summed. squares: half the sum of their squares, which is their zCDP.
    deviations: how many standard deviations Gaussian means moved, in the ℓ2 norm. rho: zCDP that
    libraries account for.
    """

    epsilon: float
    squares: float
    deviations: float
    rho: float

    @property
    def mu(self) -> float:
        """Return the Gaussian shift that stands for what is Gaussian or zCDP of it."""
        return math.hypot(self.deviations, math.sqrt(2 * self.rho))

    def words(self) -> str:
        """Return what was spent, kind by kind."""
        parts = [f"ε = {self.epsilon:.6g}"] if self.epsilon else []
        if self.deviations:
            parts.append(f"Gaussian means moved by {self.deviations:.4g} standard deviations")
        if self.rho:
            parts.append(f"ρ = {self.rho:.4g}")
        return " and ".join(parts) or "nothing"


@dataclass(frozen=True)
class Claim:
    """What is claimed; ``epsilon`` is None where nothing is. promise: a claim that is a curve."""

    epsilon: float | None
    delta: float
    promise: Any = None

    @property
    def pure(self) -> bool:
        """Whether one ε without δ is claimed."""
        return bool(self.epsilon) and not self.delta and self.promise is None

    def words(self) -> str:
        """Return the claim as people write it, empty where there is none."""
        if self.epsilon is None:
            return ""
        if self.promise is not None:
            return str(self.promise.words())
        return f"({self.epsilon:g}, {self.delta:g})-DP" if self.delta else f"{self.epsilon:g}-DP"

    def allows(self, spent: Spent) -> bool:
        """Say whether what was spent stays within the claim, by basic composition.

        A curve that is neither zCDP nor Rényi is asked about Gaussian noise alone.
        """
        if self.epsilon is None:
            return True
        if not math.isfinite(spent.epsilon):
            return False
        if isinstance(self.promise, ConcentratedDP):
            return spent.squares + spent.mu**2 / 2 <= self.promise.rho * BEYOND
        if isinstance(self.promise, RenyiDP):
            pure = min(spent.epsilon, self.promise.alpha * spent.squares)
            cost = pure + self.promise.alpha * spent.mu**2 / 2
            return cost <= self.promise.epsilon * BEYOND
        if isinstance(self.promise, GaussianDP):
            return spent.mu <= self.promise.mu * BEYOND
        if self.promise is not None:
            return True
        if spent.mu == 0:
            pure = spent.epsilon <= self.epsilon * BEYOND
            return pure or PureDP(spent.epsilon).delta(self.epsilon) <= self.delta
        if not self.delta:
            return False
        left = self.epsilon - spent.epsilon
        return left >= 0 and GaussianDP(spent.mu).delta(left) <= self.delta * BEYOND
