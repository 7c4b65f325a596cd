"""Piecewise exponential polynomials: sums, comparisons and maxima of Laplace variables, exactly."""

from provado.proofs.exppoly.convolve import convolve
from provado.proofs.exppoly.densities import (
    below,
    exceeds,
    expectation,
    exponential,
    laplace,
    tail,
    uniform,
)
from provado.proofs.exppoly.exp_poly import ExpPoly
from provado.proofs.exppoly.exp_sum import ExpSum, exact, exp
from provado.proofs.exppoly.piecewise import Piecewise, combine, product
from provado.proofs.exppoly.to_sympy import to_sympy

__all__ = [
    "ExpPoly",
    "ExpSum",
    "Piecewise",
    "below",
    "combine",
    "convolve",
    "exact",
    "exceeds",
    "exp",
    "expectation",
    "exponential",
    "laplace",
    "product",
    "tail",
    "to_sympy",
    "uniform",
]
