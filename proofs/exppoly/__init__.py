"""Piecewise exponential polynomials: sums, comparisons and maxima of Laplace variables, exactly."""

from provado.proofs.exppoly.convolve import convolve
from provado.proofs.exppoly.densities import laplace, tail
from provado.proofs.exppoly.exp_poly import ExpPoly
from provado.proofs.exppoly.exp_sum import ExpSum, exact, exp, positive_exact
from provado.proofs.exppoly.piecewise import Piecewise, combine

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
