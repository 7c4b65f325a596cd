"""The answer of each definition: its exact smallest e^ε, and the comparison that needs it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from .exact import Factor, Number, Value, exact, factor_at_most_exp, ratio
from .population import Population


@dataclass(frozen=True)
class Comparison:
    """One instance of Pr[O = o when d] ≤ e^ε·Pr[O = o when d′].

    where: what is conditioned on or set, for example ``"D1"`` or ``"D1, D2"``.
    d, d_prime: its two values. output: o. left, right: the two probabilities.
    people: the population, where the definition has one.
    """

    where: str
    d: Value
    d_prime: Value
    output: Value
    left: Fraction
    right: Fraction
    people: Population | None = None

    @property
    def factor(self) -> Factor | None:
        """The smallest e^ε for which this instance holds; ``None`` if it asks nothing."""
        return ratio(self.left, self.right)

    def words(self) -> str:
        """Return the instance as a sentence."""
        crowd = "" if self.people is None else f" under {dict(self.people.weights)!r}"
        return (
            f"{self.where} = {self.d!r} gives {self.output!r} with probability {self.left}, "
            f"{self.d_prime!r} with {self.right}{crowd}"
        )


@dataclass(frozen=True)
class Smallest:
    """The smallest e^ε ≥ 1 for which a definition holds, and the comparison that needs it.

    factor: a ``Fraction``, or ``math.inf`` if no ε will do. It is a supremum over all instances,
    and here always reached. at: where; ``None`` if no instance asks anything, when ε = 0 holds.
    """

    factor: Factor
    at: Comparison | None

    def within(self, factor: Number) -> bool:
        """Return whether the definition holds with this rational e^ε."""
        return self.factor <= exact(factor, "factor")

    def within_epsilon(self, epsilon: Number) -> bool:
        """Return whether the definition holds with this rational ε ≥ 0, decided exactly."""
        return factor_at_most_exp(self.factor, epsilon)


def smallest(comparisons: Iterable[Comparison]) -> Smallest:
    """Return the smallest e^ε that all comparisons allow, with the first that needs it.

    Each definition runs over ordered pairs, so that 1 is the least that any real instance needs.
    """
    best, at = Fraction(0), None
    for each in comparisons:
        p, q = each.left, each.right
        # p > best·q on whole numbers: quicker than dividing fractions that are not the largest.
        if p.numerator * q.denominator * best.denominator > (
            best.numerator * q.numerator * p.denominator
        ):
            at = each
            if not q:
                return Smallest(math.inf, at)
            best = p / q
    return Smallest(max(best, Fraction(1)), at)
