"""Algorithm 1 of the appendix for one IQR, exactly: intervals, distances, chance of release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from provado.proofs.algebra.exppoly import ExpSum, exp
from provado.proofs.algebra.laplace_programs.propose_test_release import (
    PassTest,
    release_probability,
)

from ._quartiles import Number, below_exp, changes_to_leave, floor_log, interquartile_range

HALF = Fraction(1, 2)
Interval = tuple[Fraction, Fraction]


def printed_intervals(iqr: Number) -> tuple[Interval, Interval]:
    """Return the exponents of B₁ and B₂ as printed: both from k = ⌊log IQR⌋."""
    k = Fraction(floor_log(iqr))
    return (k, k + 1), (k - HALF, k + HALF)


def repaired_intervals(iqr: Number) -> tuple[Interval, Interval]:
    """Return the exponents of two intervals that both hold the IQR, on two shifted grids."""
    k, shifted = Fraction(floor_log(iqr)), Fraction(floor_log(iqr, HALF))
    return (k, k + 1), (shifted - HALF, shifted + HALF)


def distances(values: Sequence[Number], intervals: tuple[Interval, Interval]) -> tuple[int, int]:
    """Return A₁ and A₂: how many points must be replaced to move the IQR out of each."""
    first, second = (changes_to_leave(values, *ends) for ends in intervals)
    return first, second


def printed_interval(epsilon: Fraction, root: Fraction) -> PassTest:
    """Return R_j > 1 + log(1/δ) with R_j = A_j + Lap(1/ε), for ε ≤ 1 or whole.

    root: δ^ε for ε < 1, and δ for a whole ε: the number that must be rational.
    """
    if epsilon >= 1:
        return PassTest(1 / epsilon, 1, root, 1)
    return PassTest(1 / epsilon, 1, root, 1 / epsilon)


def repaired_interval(epsilon: Fraction, delta: Fraction) -> PassTest:
    """Return R_j > 1 + log(1/δ)/ε with R_j = A_j + Lap(1/ε)."""
    return PassTest(1 / epsilon, 1, delta, 1 / epsilon)


@dataclass(frozen=True)
class Release:
    """One run of the algorithm: whether a number is released, and how large it is."""

    values: tuple[Number, ...]
    test: PassTest
    repaired: bool

    @property
    def probability(self) -> ExpSum:
        """Return the chance that it is not ⊥."""
        iqr = interquartile_range(self.values)
        intervals = repaired_intervals(iqr) if self.repaired else printed_intervals(iqr)
        return release_probability(self.test, distances(self.values, intervals))

    def above(self, level: Number, power: Fraction) -> ExpSum:
        """Return the chance of a released number above ``level``: log IQR + Lap(1/ε) > level.

        power: IQR^ε, which must be rational and is checked: power^(1/ε) = IQR for ε = 1/n, and
            power = IQR^ε for a whole ε.
        """
        iqr, epsilon = interquartile_range(self.values), 1 / Fraction(self.test.scale)
        if power**epsilon.denominator != iqr**epsilon.numerator:
            raise ValueError(f"{power} is not {iqr} to the power {epsilon}")
        if below_exp(iqr, level):
            return self.probability * exp(-epsilon * level) * (power / 2)
        return self.probability * (1 - exp(epsilon * level) * (1 / (2 * power)))
