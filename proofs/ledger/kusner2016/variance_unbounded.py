"""Section 3.3: one record moves the variance score without bound."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.kusner2016._quartiles import Number
from provado.proofs.ledger.kusner2016._terms import source

SIZES = (2, 3, 10)
POWERS = (1, 10, 100)


def variance(values: Sequence[Number]) -> Fraction:
    """Return the mean squared deviation from the mean; the divisor m − 1 gives the same ratios."""
    mean = Fraction(sum(values), len(values))
    return sum(((v - mean) ** 2 for v in values), Fraction(0)) / len(values)


def pair(m: int, power: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return neighbors of m numbers: zeros and a 1 in D, zeros and 3^power in D′."""
    zeros = (0,) * (m - 1)
    return (*zeros, 1), (*zeros, 3**power)


def moves_by(m: int, power: int, at_least: Number) -> kernel.Checked:
    """Return that log V moves by ``at_least`` on the pair, and by no more than 3·power."""
    d, d_prime = (variance(values) for values in pair(m, power))
    ratio = kernel.Enclosure(((0, d_prime),), at_least, 3 * power, ((0, d),), logarithm=True)
    return kernel.check(ratio)


def _gather() -> Evidence:
    return Evidence(
        printed=(
            kernel.check(kernel.Enclosure(((0, 3),), 1, 2, logarithm=True)),
            *(moves_by(m, power, 2 * power) for m in SIZES for power in POWERS),
        ),
        argument=(
            "Let D hold m − 1 zeros and 1, D′ m − 1 zeros and N = 3^j; b is any column with "
            "V(b) > 0 that stays.",
            "V(D′) = N²·V(D), as the variance is of degree 2, so the score moves by 2j·ln 3 ≥ 2j, "
            "as ln 3 ≥ 1 (kernel). j is free: no bound holds, for no m ≥ 2.",
            "For m = 2, 3, 10 and j = 1, 10, 100 the logarithm of the two variances' ratio was "
            "enclosed: it is at least 2j (kernel).",
            "A constant column has log V = −∞, which is farther still.",
        ),
    )


ENTRY = Entry(
    id="kusner2016/variance-unbounded",
    source=source("section 3.3, variance score"),
    printed="Changes to a single input value can induce arbitrarily large changes to this score "
    "[log V(a) + log V(b)].",
    words="The variance score has no finite global sensitivity.",
    scope="All m ≥ 2, replace-one, unbounded data.",
    expected=LedgerVerdict.PROVED,
    gather=_gather,
    twin=Twin("A move of 3 claimed where it is 2·ln 3 = 2.2.", lambda: moves_by(3, 1, 3)),
)
