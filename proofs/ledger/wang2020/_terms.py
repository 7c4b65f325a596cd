"""How the entries of this paper write expressions, and ask the kernel about them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from provado.mechanisms import Source
from provado.proofs.algebra.exppoly import ExpPoly, Piecewise
from provado.proofs.algebra.exppoly.certificates import laplace_sum_tail
from provado.proofs.ledger import Formula, LaplaceTail

WORK = "Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020)"


def source(place: str) -> Source:
    """Return the paper with a place in it."""
    return Source(WORK, place)


RECOVERED = Formula("2/3·(e^(−x/4) − 1/4·e^(−x/2))")
"""The shape of the printed bounds at x = ε′·distance/Δ."""
SIEVE_NOISE = LaplaceTail(
    (2, 4), RECOVERED, "the sieve's noise on threshold and answer, in units of Δ/ε′"
)


@cache
def two_noises() -> Piecewise:
    """Return t ↦ Pr[Y + Z > t] for Laplace variables of scales 2 and 4."""
    return laplace_sum_tail((2, 4))[0]


def tail_along(slope: int | Fraction) -> ExpPoly:
    """Return x ↦ Pr[Y + Z > slope·x] for x ≥ 0 and a slope of either sign, not 0."""
    tail = two_noises()
    return tail.piece_at(1 if slope > 0 else -1).compose(slope, 0)
