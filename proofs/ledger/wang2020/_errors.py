"""The probabilities of Theorem 2, with ε′ = x and the noise in units of Δ.

The sieve has Y ~ Lap(2Δ/ε′) on the threshold and Z ~ Lap(4Δ/ε′) on the answer. An answer that lies
d above the tweaked threshold is missed with probability Pr[Y + Z > d·ε′/Δ].
"""

from __future__ import annotations

from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.exppoly import ExpPoly
from provado.proofs.exppoly.certificates import same
from provado.proofs.ledger.wang2020._terms import grow, tail_along, two_noises

RECOVERED = Fraction(2, 3) * grow(Fraction(-1, 4)) - Fraction(1, 6) * grow(Fraction(-1, 2))
"""t ↦ (2/3)(e^(−t/4) − e^(−t/2)/4), the shape of the printed bound at t = ε′·distance/Δ."""


def exact_tail(wrong: Fraction = Fraction(0)) -> tuple[kernel.Checked, kernel.Checked]:
    """Return the findings on the tail of Y + Z, and that beyond 0 it is ``RECOVERED``.

    wrong: an amount by which the claim is off, for the broken twin.
    """
    tail, finding = two_noises()
    return finding, same(tail.piece_at(0), RECOVERED + wrong)


def share_of(bits: tuple[int, ...], level: Fraction) -> tuple[Fraction, ...]:
    """Return how far each single record, as a subset, lies above the level; the query is a mean."""
    return tuple(bit - level for bit in bits)


def missed(bits: tuple[int, ...], level: Fraction) -> ExpPoly:
    """Return x ↦ the probability that the mean of a subset of one record misses the level."""
    total = ExpPoly()
    for distance in share_of(bits, level):
        total = total + tail_along(distance)
    return total * Fraction(1, len(bits))
