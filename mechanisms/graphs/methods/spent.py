"""What the rounds of a private discovery cost together."""

from __future__ import annotations

from dataclasses import dataclass

from provado.mechanisms.accounting import (
    advanced_composition,
    basic_composition,
    tight_composition,
)
from provado.mechanisms.accounting.tight import Part
from provado.mechanisms.statement import ApproximateDP, PureDP
from provado.mechanisms.statement.parameters import positive

STEPS = 500
"""Privacy losses are put on multiples of a round's ε over this."""


@dataclass(frozen=True)
class Spent:
    """What is charged: so many rounds, each of ε.

    rounds: how many, from 0 on. epsilon: ε of a round. parts: what a round is made of; together
    they are ε-DP.
    """

    rounds: int
    epsilon: float
    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        positive(self.epsilon, "epsilon")

    def basic(self) -> tuple[float, float]:
        """Return (rounds·ε, 0); see ``basic_composition``."""
        if not self.rounds:
            return 0.0, 0.0
        return basic_composition([PureDP(self.epsilon)] * self.rounds).point()

    def advanced(self, delta: float) -> tuple[float, float]:
        """Return (ε′, δ); see ``advanced_composition``. For few rounds it exceeds ``basic``."""
        if not self.rounds:
            return 0.0, 0.0
        return advanced_composition(ApproximateDP(self.epsilon, 0.0), self.rounds, delta).point()

    def tight(self, delta: float) -> tuple[float, float]:
        """Return (ε′, δ) by privacy loss distributions, rounded up; see ``tight_composition``.

        Too large by at most 1/500 of a part's ε for each part.
        """
        if not self.rounds:
            return 0.0, 0.0
        step = self.epsilon / STEPS
        return tight_composition(self.parts * self.rounds, delta, step=step), delta
