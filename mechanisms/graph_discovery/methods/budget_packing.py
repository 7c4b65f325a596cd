"""Rounds of ε each, among which answers of unequal ε are dealt out as they are asked.

A lane is an interactive mechanism: it answers while its answers add up to at most ε, and is ε-DP
however their ε are chosen, as long as what was answered before is all that they are chosen by
(Rogers et al., Privacy Odometers and Filters, 2016, for pure ε). Lanes that are asked in turn, each
by what all of them have answered, promise what ε-DP mechanisms promise together (Vadhan and Wang,
Concurrent Composition of Differential Privacy, 2021): so every accountant of ``budget`` holds.
"""

from __future__ import annotations

from provado.mechanisms.definitions.parameters import natural, positive
from provado.mechanisms.graph_discovery.search.work import NoMoreTests

_STEPS = 60
"""Of a bisection: more than a float's digits."""


class Lanes:
    """So many rounds of ε, and what is left of each."""

    def __init__(self, rounds: int, epsilon: float) -> None:
        """Open the lanes. Raises ``UsageError`` unless both numbers are above 0."""
        self._left = [positive(epsilon, "epsilon")] * natural(rounds, "rounds")

    @property
    def left(self) -> float:
        """What is left of all lanes together."""
        return sum(self._left)

    def largest(self, planned: float, tests: int) -> float:
        """Return the largest ε up to ``planned`` at which ``tests`` answers fit, up to rounding."""
        low, high = 0.0, planned
        if self._fits(high, tests):
            return high
        for _ in range(_STEPS):
            middle = (low + high) / 2
            low, high = (middle, high) if self._fits(middle, tests) else (low, middle)
        return low

    def take(self, epsilon: float) -> None:
        """Charge an answer of ``epsilon`` to the lane with the most left.

        Raises ``NoMoreTests`` where no lane has as much, or where ε is 0: nothing is answered then.
        """
        fullest = max(range(len(self._left)), key=self._left.__getitem__)
        if not 0 < epsilon <= self._left[fullest]:
            raise NoMoreTests
        # Rounded down: what is left is never more than it is.
        self._left[fullest] = (self._left[fullest] - epsilon) * (1 - 1e-15)

    def _fits(self, epsilon: float, tests: int) -> bool:
        return epsilon > 0 and sum(int(left / epsilon) for left in self._left) >= tests
