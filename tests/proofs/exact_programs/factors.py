"""Products of Laplace probabilities, with equal factors multiplied once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Any

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs.algebra import Piecewise, laplace
from tests.proofs.exact_programs.densities import below


def exact_answers(answers: Any, name: str = "answers") -> tuple[Fraction, ...]:
    """Return answers as fractions; a float stands for the binary number that it holds.

    Datasets of the catalogue are floats such as 0.5, which the mechanism takes as they are, so that
    here, unlike for parameters, reading them exactly is what is meant.
    """
    try:
        found = tuple(
            Fraction(a) if isinstance(a, Fraction | int) else Fraction(float(a)) for a in answers
        )
    except (TypeError, ValueError, OverflowError):
        found = ()
    if not found:
        raise UsageError(f"{name} is {answers!r}: it must be a sequence of finite numbers")
    return found


@cache
def noisy_below(answer: Fraction, scale: Fraction) -> Piecewise:
    """Return x ↦ Pr[answer + Laplace(scale) < x]; scale 0 stands for no noise."""
    if scale == 0:
        return Piecewise((answer,), (0, 1))
    return below(laplace(answer, scale))


@cache
def noisy_reaches(answer: Fraction, scale: Fraction) -> Piecewise:
    """Return x ↦ Pr[answer + Laplace(scale) ≥ x]; scale 0 stands for no noise."""
    return 1 - noisy_below(answer, scale)


def grouped_product(factors: Iterable[Piecewise]) -> Piecewise:
    """Return the product; equal factors, which are common, are raised to their power in one go."""
    result = Piecewise.constant(1)
    for factor, times in Counter(factors).items():
        result = result * Piecewise(factor.breaks, [part**times for part in factor.parts])
    return result
