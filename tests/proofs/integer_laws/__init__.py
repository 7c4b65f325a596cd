"""Exact distributions on the integers: sums of c·k^j·r^k with rational numbers throughout."""

from integer_laws.geom_poly import GeomPoly
from integer_laws.integer_line import (
    IntegerLine,
    below,
    convolve,
    exceeds,
    geometric,
    tail,
    two_sided_geometric,
    uniform_integers,
)

__all__ = [
    "GeomPoly",
    "IntegerLine",
    "below",
    "convolve",
    "exceeds",
    "geometric",
    "tail",
    "two_sided_geometric",
    "uniform_integers",
]
