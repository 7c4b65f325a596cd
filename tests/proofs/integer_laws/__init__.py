"""Exact distributions on the integers: sums of c·k^j·r^k with rational numbers throughout."""

from tests.proofs.integer_laws.geom_poly import GeomPoly
from tests.proofs.integer_laws.integer_line import (
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
