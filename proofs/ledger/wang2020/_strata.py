"""Pairs of datasets on which the conditional scores move far, and the scores on records."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from provado.mechanisms.scores.conditional.kendall import conditional_tau_average
from provado.mechanisms.scores.conditional.spearman import conditional_rho_average
from provado.proofs.algebra.exppoly import ExpPoly
from provado.proofs.kernel import Number
from provado.proofs.ledger import Claim
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import AtLeastZero, Fact

Record = tuple[int, int, int]
"""x, y and the conditioning value."""
Records = tuple[Record, ...]


def tau_average(records: Records) -> Fraction:
    """Return Σwτ/Σw over the strata."""
    x, y, given = zip(*records, strict=True)
    return conditional_tau_average(x, y, given)


def rho_average(records: Records) -> Fraction:
    """Return Σwρ/Σw over the strata."""
    x, y, given = zip(*records, strict=True)
    return conditional_rho_average(x, y, given)


def moving_record(a: int) -> tuple[Records, Records]:
    """Return neighbors of 2a + 1 records in two strata of a and one that moves between them.

    The first stratum is in the same order in both columns, the second in opposite orders. The
    record disagrees with all of the first stratum, and in the second it agrees with all.
    """
    first = tuple((i, i, 0) for i in range(a))
    second = tuple((i, -i, 1) for i in range(a))
    return ((a, -1, 0), *first, *second), ((a, a, 1), *first, *second)


def one_stratum_of_two(n: int) -> tuple[Records, Records]:
    """Return neighbors of n records, two in one stratum and each other one alone in its own."""
    alone = tuple((0, 0, i) for i in range(1, n - 1))
    return ((1, 1, 0), (0, 0, 0), *alone), ((1, -1, 0), (0, 0, 0), *alone)


X = ExpPoly.term(power=1)

# For ``moving_record`` the average moves by 2(3a + 4)/(2a² + 6a − 1) and Σw is
# 9a(2a² + 6a − 1)/((2a + 5)(2a + 7)), before and after; x = a.
_TOP = 2 * (3 * X + 4)
_BOTTOM = 2 * X * X + 6 * X - 1
_SIZE = 2 * X + 1


def family_facts() -> tuple[Fact, ...]:
    """Return, for all a: n·change > 5 and < 6 from 3 on; n·(change of z)² > 36 from 50 on."""
    # change² of z is change²·Σw.
    squared = _TOP * _TOP * 9 * X * _SIZE - 36 * _BOTTOM * (2 * X + 5) * (2 * X + 7)
    return (
        AtLeastZero((_TOP * _SIZE - 5 * _BOTTOM).as_data(), 3, strict=True),
        AtLeastZero(squared.as_data(), 50, strict=True),
        AtLeastZero((6 * _BOTTOM - _TOP * _SIZE).as_data(), 3, strict=True),
    )


@dataclass(frozen=True)
class FewStrata(Claim):
    """The average over at most K strata, fixed beforehand, moves by at most 12/(2n − 7K).

    both, apart: bounds on G + h and G − h; their sum over the least weight gives the 12. weight,
    shift: w(n) ≥ weight·(n − shift).
    """

    both: Number = 9
    apart: Number = Fraction(9, 2)
    weight: Number = Fraction(9, 4)
    shift: Number = Fraction(7, 2)

    @property
    def formula(self) -> str:
        top, each = 2 * (self.both + self.apart) / self.weight, 2 * self.shift
        return f"the average over K strata moves by at most {top}/(2n − {each}K)"

    def statement(self) -> Statement | None:
        top = Fraction(2 * (self.both + self.apart)) / Fraction(self.weight)
        each = Fraction(2 * self.shift)
        if top.denominator != 1 or each.denominator != 1:
            return None
        return Statement(
            "forall (R : realFieldType) (Z : finType) (m : nat) "
            f"(D D' : dataset ((R * R) * Z) m), ({each} * #|Z| < 2 * m)%N -> replace_one D D' -> "
            "`|conditional_tau D - conditional_tau D'| "
            f"<= {top}%:R / (2%:R * m%:R - {each}%:R * #|Z|%:R)",
            ("definitions.dataset", "definitions.conditional"),
        )

    def obligations(self) -> tuple[Fact, ...]:
        small, large = 2 * X + 5, 2 * X + 7
        # Over 2·(2a + 5)(2a + 7): what the record's pairs do to w·τ, and how w itself changes.
        pairs = 18 * X * (X - 1) + 18 * X * small
        weight = 9 * X * (X + 1) * small - 9 * X * (X - 1) * large
        common: ExpPoly = 2 * small * large
        weighed = 9 * X * (X - 1) - 4 * self.weight * (X - self.shift) * (X + Fraction(5, 2))
        return (
            AtLeastZero((self.both * common - pairs - weight).as_data(), 0),
            AtLeastZero((self.apart * common - pairs + weight).as_data(), 0),
            AtLeastZero(weighed.as_data(), 0),
        )
