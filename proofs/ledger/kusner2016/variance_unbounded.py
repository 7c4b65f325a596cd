"""Section 3.3: one record moves the variance score without bound."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from provado.proofs.kernel import Number
from provado.proofs.ledger import Entry, Evidence, LedgerVerdict, Step, Twin, show_claim

from . import source
from ._claims import Unbounded

SIZES = (2, 3, 10)
POWERS = (1, 10, 100)


def variance(values: Sequence[Number]) -> Fraction:
    """Return the mean squared deviation from the mean; the divisor m − 1 gives the same ratios."""
    mean = Fraction(sum(values), len(values))
    return sum(((v - mean) ** 2 for v in values), Fraction(0)) / len(values)


def pair(m: int, power: int, base: int = 3) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return neighbors of m numbers: zeros and a 1 in D, zeros and base^power in D′."""
    zeros = (0,) * (m - 1)
    return (*zeros, 1), (*zeros, base**power)


class UnboundedVariance(Unbounded):
    """The claim on the variance, with the neighbors of ``pair``."""

    sizes = SIZES

    def values(self, m: int, power: int) -> tuple[Fraction, Fraction]:
        """Return the variance of both neighbors."""
        d, d_prime = (variance(values) for values in pair(m, power, self.base))
        return d, d_prime


CLAIM = UnboundedVariance("V", 2, POWERS)


def _gather(claim: UnboundedVariance) -> Evidence:
    return Evidence(
        printed=show_claim(claim),
        argument=(
            "Let D hold m − 1 zeros and 1, D′ m − 1 zeros and N = 3^j; b is any column with "
            "V(b) > 0 that stays.",
            Step(
                "V(D′) = N²·V(D), as the variance is of degree 2, so the score moves by "
                "2j·ln 3 ≥ 2j, as ln 3 ≥ 1 (kernel).",
                claim.obligations()[:1],
            ),
            "j is free: no bound holds, for no m ≥ 2.",
            Step(
                "For m = 2, 3, 10 and j = 1, 10, 100 the logarithm of the two variances' ratio was "
                "enclosed: it is at least 2j (kernel).",
                claim.obligations()[1:],
            ),
        ),
    )


ENTRY = Entry(
    id="kusner2016/variance-unbounded",
    source=source("section 3.3, variance score"),
    printed="Changes to a single input value can induce arbitrarily large changes to this score "
    "[log V(a) + log V(b)].",
    words="Neither a column's variance nor its logarithm has a finite global sensitivity.",
    scope="All m ≥ 2, replace-one, unbounded data.",
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin(
        "A move of 3j claimed where it is 2j·ln 3 = 2.2·j.",
        UnboundedVariance("V", 3, POWERS),
    ),
    theorem_of=CLAIM,
)
