"""The probabilities of Theorem 2, with ε′ = x and the noise in units of Δ.

The sieve has Y ~ Lap(2Δ/ε′) on the threshold and Z ~ Lap(4Δ/ε′) on the answer. An answer that lies
d above the tweaked threshold is missed with probability Pr[Y + Z > d·ε′/Δ].
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.algebra.exppoly import ExpPoly
from provado.proofs.ledger import Claim, Formula, refute, show
from provado.proofs.ledger.fact import AtLeastZero, Equal, Fact, Fails

from ._terms import SIEVE_NOISE, tail_along


def share_of(bits: tuple[int, ...], level: Fraction) -> tuple[Fraction, ...]:
    """Return how far each single record, as a subset, lies above the level; the query is a mean."""
    return tuple(bit - level for bit in bits)


def missed(bits: tuple[int, ...], level: Fraction) -> ExpPoly:
    """Return x ↦ the probability that the mean of a subset of one record misses the level."""
    total = ExpPoly()
    for distance in share_of(bits, level):
        total = total + tail_along(distance)
    return total * Fraction(1, len(bits))


@dataclass(frozen=True)
class ErrorAtMost(Claim):
    """The printed bound on an error of the sieve, tried where the subset is one record of two.

    The query is the mean, Δ = 1 on the subset, and ε′ = x. tail: the shape of the bound, at
    x·distance. threshold: T. margin: f(D) is T + margin for type I, T − margin for type II. tweak:
    t. passes: type II, the chance to pass instead of that to be missed.
    """

    tail: Formula
    threshold: Fraction
    margin: Fraction
    tweak: Fraction
    passes: bool

    @property
    def formula(self) -> str:
        error, sign = ("passes", "−") if self.passes else ("is missed", "+")
        return (
            f"a query at T {sign} α {error} with at most {self.tail} at x = ε′(α {sign} t)/Δ; "
            f"tried at T = {self.threshold}, α = {self.margin}, t = {self.tweak}"
        )

    def chance(self) -> ExpPoly:
        """Return the chance of the error under the subset of one of (0, 1), in x = ε′."""
        found = missed(BITS, self.threshold - self.tweak)
        return 1 - found if self.passes else found

    def counterexamples(self) -> tuple[Fact, ...]:
        distance = self.margin - self.tweak if self.passes else self.margin + self.tweak
        bound = self.tail.value().compose(distance, 0)
        at = self.threshold + (-self.margin if self.passes else self.margin)
        mean = Fraction(sum(BITS), len(BITS))
        return (
            *SIEVE_NOISE.obligations(),
            # f(D) is as far from T as the bound speaks of.
            Equal(((at, 0, 0, 0),), ((mean, 0, 0, 0),)),
            Fails((bound - self.chance()).as_data(), "≥ 0", 0),
        )

    def stays(self) -> AtLeastZero:
        """Return the fact that the chance stays above 1/4 for all x ≥ 16."""
        return AtLeastZero((self.chance() - Fraction(1, 4)).as_data(), 16)


BITS = (0, 1)
POINT = 40
"""ε′ at which the bound fails."""


def error_findings(claim: ErrorAtMost) -> tuple[kernel.Checked, ...]:
    """Return the findings that refute such a claim."""
    *before, fails = claim.counterexamples()
    return *map(show, before), refute(fails, POINT), show(claim.stays())
