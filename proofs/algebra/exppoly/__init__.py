"""Piecewise exponential polynomials: sums, comparisons and maxima of Laplace variables, exactly."""

from .convolve import convolve
from .densities import laplace, tail
from .exp_poly import ExpPoly
from .exp_sum import ExpSum, exact, exp, positive_exact
from .piecewise import Piecewise, combine

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
