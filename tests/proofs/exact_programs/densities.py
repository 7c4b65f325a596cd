"""Exponential and uniform densities, and what is computed from densities, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs.algebra import ExpPoly, ExpSum, Piecewise, exact, positive_exact
from provado.proofs.algebra.exp_poly import Scalar


def exponential(scale: int | Fraction, start: int | Fraction = 0) -> Piecewise:
    """Return the density e^(−(x − start)/scale)/scale for x > start."""
    b, s = positive_exact(scale, "scale"), exact(start, "start")
    return Piecewise((s,), (0, ExpPoly.term(1 / b, rate=-1 / b, exponent=s / b)))


def uniform(lower: int | Fraction, upper: int | Fraction) -> Piecewise:
    """Return the density 1/(upper − lower) on the interval."""
    low, high = exact(lower, "lower"), exact(upper, "upper")
    if low >= high:
        raise UsageError(f"bounds are {lower!r}, {upper!r}: the lower must be below the upper")
    return Piecewise.on(low, high, 1 / (high - low))


def below(density: Piecewise) -> Piecewise:
    """Return t ↦ Pr[X ≤ t]."""
    return density.running_integral()


def exceeds(density: Piecewise, other: Piecewise) -> ExpSum:
    """Return Pr[X > Y] for independent X and Y with these densities."""
    return (density * below(other)).integral()


def expectation(density: Piecewise, function: Piecewise) -> ExpSum:
    """Return E[function(X)]; raise ``UsageError`` where it is not finite."""
    return (density * function).integral()


def product(functions: Iterable[Piecewise | ExpPoly | Scalar]) -> Piecewise:
    """Return the product of all functions; of none, 1."""
    result = Piecewise.constant(1)
    for f in functions:
        result = result * f
    return result
