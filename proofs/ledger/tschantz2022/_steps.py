"""The algebra that the universal statements rest on, one certificate a step.

Each is an inequality between polynomials in quantities that are ≥ 0: probabilities, weights, and
what a bound leaves over (its slack). A sum of any number of terms is built up by ``averaged``, one
term at a time.
"""

from __future__ import annotations

from typing import Literal

from provado.proofs.ledger import Step
from provado.proofs.ledger.fact import Polynomial
from provado.proofs.ledger.multivariate import variables


def averaged(*, same_weights: bool = True) -> Polynomial:
    """Return that a bound on sums survives one more term; with other weights it does not.

    Variables: Σwp, S, p, s and the weights w, w′ of the new term on the left and right;
    t·Σwp′ = Σwp + S and t·p′ = p + s.
    """
    total, slack, p, s, w, other = variables(6)
    right = w if same_weights else other
    return (total + slack + right * (p + s) - total - w * p).nonnegative()


def conditioned() -> Polynomial:
    """Return w·(t·w′·p′) − w′·(w·p) ≥ 0; variables w, w′, p and s = t·p′ − p."""
    w, other, p, s = variables(4)
    return (w * other * (p + s) - other * w * p).nonnegative()


def multiplied(*, second: bool = True) -> Polynomial:
    """Return t₁·t₂·a′·b′ − a·b ≥ 0; without the ``second`` factor t₂ it is not.

    Variables: a, s = t₁·a′ − a, b, u = t₂·b′ − b. Without t₂ there is b′ itself for t₂·b′ on the
    left, and b = b′ + u on the right, where the third variable is b′.
    """
    a, s, b, u = variables(4)
    if second:
        return ((a + s) * (b + u) - a * b).nonnegative()
    return ((a + s) * b - a * (b + u)).nonnegative()


def chained(*, power: Literal[1, 2] = 2) -> Polynomial:
    """Return t^power·p″ − p ≥ 0 for t ≥ 1; variables t, p″, u = t·p″ − p′ and s = t·p′ − p.

    p = t·p′ − s and p′ = t·p″ − u.
    """
    t, last, u, s = variables(4)
    middle = t * last - u
    whole = t * last if power == 1 else t * t * last
    return (whole - (t * middle - s)).nonnegative(1, 0, 0, 0)


AVERAGED = Step(
    "One term more keeps a bound on sums (kernel): with S = t·Σwp′ − Σwp ≥ 0 and s = t·p′ − p ≥ 0, "
    "t·(Σwp′ + w·p′) − (Σwp + w·p) = S + w·s ≥ 0. By induction it holds for any number of terms, "
    "and for the empty sum S = 0.",
    (averaged(),),
)
CONDITIONED = Step(
    "Conditioning cancels (kernel): w·p/w ≤ t·w′·p′/w′ for w, w′ > 0 follows from "
    "s = t·p′ − p ≥ 0, since w·w′ times the difference is w·w′·s. At w = w′ it is w²·s, so that "
    "there the two say the same.",
    (conditioned(),),
)
DISTRIBUTED = (
    "A common factor leaves a sum: (Σw + w)·p = (Σw)·p + w·p, for any p and one weight w more. "
    "That is the distributive law; what is left to see is that the sum is the one meant."
)
MULTIPLIED = Step(
    "Bounds multiply (kernel): with s = t₁·a′ − a ≥ 0 and u = t₂·b′ − b ≥ 0, "
    "t₁·t₂·a′·b′ − a·b = (a + s)·(b + u) − a·b ≥ 0.",
    (multiplied(),),
)
CHAINED = Step(
    "Two changes in turn (kernel): with u = t·p″ − p′ ≥ 0 and s = t·p′ − p ≥ 0, "
    "t²·p″ − p = t·u + s ≥ 0 for t ≥ 1.",
    (chained(),),
)
