"""The exact chance that a sum of two noisy maxima is small, for inputs beyond following each run.

A program with 20 inputs has 2¹⁸ orders of its noisy answers. Of one maximum of k equal answers the
distribution function is Fᵏ, so that of the sum is one integral of exponential polynomials.
"""

from __future__ import annotations

from fractions import Fraction

from provado.proofs.programs.probability.exponential_integrals import (
    ONE,
    ExponentialPiece,
    ExponentialRatio,
    PiecewiseExponential,
    product,
)
from provado.proofs.programs.probability.finite_data import Quotient, quotient
from provado.proofs.programs.probability.output_probability import NUMBER, Event


def chance_of_sum(answer: Fraction, each: int, most: Fraction) -> ExponentialPiece:
    """Return Pr[max + max ≤ ``most``] for two times ``each`` equal answers, noise of scale 1/ε."""
    density = PiecewiseExponential.laplace(Fraction(1)).compose(Fraction(1), -answer)
    below = density.running()
    others = product([below] * (each - 1))
    first = density * others * PiecewiseExponential.constant(each)
    second = (below * others).compose(Fraction(-1), most)
    return (first * second).integral()


def loss_of_sum(each: int, most: Fraction) -> Quotient:
    """Return the ratio of these chances where all answers are 0 and where all are 1."""
    size = 2 * each
    d, d_prime = ((Fraction(v),) * size for v in (0, 1))
    event = Event((NUMBER,), ((None, most),))
    p, q = (ExponentialRatio(chance_of_sum(one[0], each, most), ONE.bottom) for one in (d, d_prime))
    return quotient(d, d_prime, event, p, q)
