"""Propose-test-release: exact probability that noisy distances pass.

Source: Dwork and Roth (2014), Algorithm 13; Kusner et al. (2016), appendix, Algorithm 1 (two
proposed intervals, tried in turn).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from provado.mechanisms.statement.errors import UsageError
from provado.proofs.algebra.exppoly import ExpSum, exact, exp, positive_exact


@dataclass(frozen=True)
class PassTest:
    """Pass if distance + Laplace(scale) > offset + times·ln(1/δ), all parameters exact.

    times/scale must be a whole number, as δ^(times/scale) must be rational. For a δ = e^(−d) with
    rational d, add times·d to the offset and leave δ at 1.
    Algorithm 13 at ε: scale = times = 1/ε. Kusner et al., Algorithm 1: scale = 1/ε, times = 1,
    offset = 1, so that a rational δ needs a whole ε.
    """

    scale: Fraction | int
    offset: Fraction | int = 0
    delta: Fraction | int = 1
    times: Fraction | int = 0

    def __post_init__(self) -> None:
        power = exact(self.times, "times") / positive_exact(self.scale, "scale")
        if power < 0 or power.denominator != 1:
            raise UsageError(f"times/scale is {power}: it must be a whole number from 0 on")
        if not 0 < exact(self.delta, "delta") <= 1:
            raise UsageError(f"delta is {self.delta!r}: it must lie in (0, 1]")
        exact(self.offset, "offset")


def pass_probability(test: PassTest, distance: int | Fraction) -> ExpSum:
    """Return the exact probability that ``distance`` passes.

    With gap g = (offset + times·ln(1/δ) − distance)/scale it is e^(−g)/2 for g ≥ 0 and 1 − e^g/2
    below; e^(−g) = δ^(times/scale)·e^((distance − offset)/scale) is a sum of the algebra.
    """
    b = Fraction(test.scale)
    step = (exact(distance, "distance") - Fraction(test.offset)) / b
    power = int(Fraction(test.times) / b)
    weight = Fraction(test.delta) ** power
    if exp(step) * weight <= 1:
        return exp(step) * (weight / 2)
    return 1 - exp(-step) * (1 / (2 * weight))


def release_probability(test: PassTest, distances: Sequence[int | Fraction]) -> ExpSum:
    """Return the probability that at least one of the distances passes, with fresh noise each."""
    if not distances:
        raise UsageError("distances is empty: at least one interval must be proposed")
    silent = ExpSum.of(1)
    for distance in distances:
        silent = silent * (1 - pass_probability(test, distance))
    return 1 - silent
