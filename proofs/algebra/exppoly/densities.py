"""The Laplace density, and the tail of a density, as exact functions."""

from __future__ import annotations

from fractions import Fraction

from .exp_poly import ExpPoly
from .exp_sum import exact, positive_exact
from .piecewise import Piecewise


def laplace(center: int | Fraction, scale: int | Fraction) -> Piecewise:
    """Return the density e^(−|x − center|/scale)/(2·scale)."""
    b, m = positive_exact(scale, "scale"), exact(center, "center")
    rising = ExpPoly.term(1 / (2 * b), rate=1 / b, exponent=-m / b)
    falling = ExpPoly.term(1 / (2 * b), rate=-1 / b, exponent=m / b)
    return Piecewise((m,), (rising, falling))


def tail(density: Piecewise) -> Piecewise:
    """Return t ↦ Pr[X > t]."""
    return 1 - density.running_integral()
