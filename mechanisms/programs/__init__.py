"""Mechanisms as plain Python functions: what is run and audited is what ``provado prove`` reads.

A function takes answers to queries and says what it tells:

    from provado.mechanisms.programs import laplace, output

    def above(q, epsilon=1.0, threshold=0.0):
        noisy = threshold + laplace(2 / epsilon)
        for x in q:
            if x + laplace(4 / epsilon) >= noisy:
                output(True)
                break
            output(False)
"""

from .noise import (
    argmax,
    bernoulli,
    discrete_laplace,
    exponential,
    gaussian,
    integers,
    laplace,
    output,
)
from .program import Program, is_program, program

__all__ = [
    "Program",
    "argmax",
    "bernoulli",
    "discrete_laplace",
    "exponential",
    "gaussian",
    "integers",
    "is_program",
    "laplace",
    "output",
    "program",
]
