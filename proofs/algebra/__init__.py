"""Exact algebra of piecewise exponential polynomials: sums and maxima of Laplace variables."""

from .exp_poly import ExpPoly, ExpSum, exact, exp, positive_exact
from .piecewise import Piecewise, combine, convolve, laplace, tail

__all__ = [
    "ExpPoly",
    "ExpSum",
    "Piecewise",
    "combine",
    "convolve",
    "exact",
    "exp",
    "laplace",
    "positive_exact",
    "tail",
]
