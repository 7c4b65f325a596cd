"""Densities as exact functions: Laplace, exponential and uniform."""

from __future__ import annotations

from fractions import Fraction

from provado.mechanisms.errors import UsageError
from provado.proofs.exppoly.exp_poly import ExpPoly
from provado.proofs.exppoly.exp_sum import ExpSum, exact
from provado.proofs.exppoly.piecewise import Piecewise


def _scale(value: int | Fraction) -> Fraction:
    scale = exact(value, "scale")
    if scale <= 0:
        raise UsageError(f"scale is {value!r}: it must be above 0")
    return scale


def laplace(center: int | Fraction, scale: int | Fraction) -> Piecewise:
    """Return the density e^(−|x − center|/scale)/(2·scale)."""
    b, m = _scale(scale), exact(center, "center")
    rising = ExpPoly.term(1 / (2 * b), rate=1 / b, exponent=-m / b)
    falling = ExpPoly.term(1 / (2 * b), rate=-1 / b, exponent=m / b)
    return Piecewise((m,), (rising, falling))


def exponential(scale: int | Fraction, start: int | Fraction = 0) -> Piecewise:
    """Return the density e^(−(x − start)/scale)/scale for x > start."""
    b, s = _scale(scale), exact(start, "start")
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


def tail(density: Piecewise) -> Piecewise:
    """Return t ↦ Pr[X > t]."""
    return 1 - density.running_integral()


def exceeds(density: Piecewise, other: Piecewise) -> ExpSum:
    """Return Pr[X > Y] for independent X and Y with these densities."""
    return (density * below(other)).integral()


def expectation(density: Piecewise, function: Piecewise) -> ExpSum:
    """Return E[function(X)]; raise ``UsageError`` where it is not finite."""
    return (density * function).integral()
