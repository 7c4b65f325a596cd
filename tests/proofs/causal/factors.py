"""A rational factor against e^ε, exactly, and the maximum of relative probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs.algebra.exp_poly import exact
from provado.proofs.causal.definitions import Smallest, _effect, smallest
from provado.proofs.causal.model import (
    Factor,
    Model,
    Number,
    Population,
)


def factor_at_most_exp(factor: Factor, epsilon: Number) -> bool:
    """Return whether ``factor`` ≤ e^ε for a rational ε ≥ 0, exactly.

    For rational ε ≠ 0 the number e^ε is irrational (Lindemann), so the partial sums of its series,
    with twice the next term added, close in on one side of the factor.
    """
    exponent = exact(epsilon, "epsilon")
    if exponent < 0:
        raise UsageError(f"epsilon is {epsilon!r}: it must be at least 0")
    if factor == math.inf:
        return False
    if exponent == 0:
        return factor <= 1
    low, term, k = Fraction(0), Fraction(1), 0
    while True:
        low, k = low + term, k + 1
        term = term * exponent / k
        if factor <= low:
            return True
        # From here on each term is at most half of the one before.
        if k >= 2 * exponent and factor >= low + 2 * term:
            return False


def maximum_relative_probability(
    model: Model, people: Population | None, y: Sequence[str], x: Sequence[str]
) -> Smallest:
    """Return the maximum of RP over values of Y and two values of X, equation (27)."""
    return smallest(_effect(model, people, y, x))
