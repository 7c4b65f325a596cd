"""Pairs of datasets on which the conditional scores move far, and the scores on records."""

from __future__ import annotations

from fractions import Fraction

from provado.mechanisms.scores.conditional_kendall import conditional_tau_average
from provado.mechanisms.scores.conditional_spearman import conditional_rho_average
from provado.proofs import kernel
from provado.proofs.exppoly import ExpPoly
from provado.proofs.ledger.wang2020._terms import X, nonnegative

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


# For ``moving_record`` the average moves by 2(3a + 4)/(2a² + 6a − 1) and Σw is
# 9a(2a² + 6a − 1)/((2a + 5)(2a + 7)), before and after; x = a.
_TOP = 2 * (3 * X + 4)
_BOTTOM = 2 * X * X + 6 * X - 1
_SIZE = 2 * X + 1


def family_findings() -> tuple[kernel.Checked, ...]:
    """Return, for all a ≥ 3: n·change > 5; n·(change of z)² > 36; n·change < 6."""
    # change² of z is change²·Σw.
    squared = _TOP * _TOP * 9 * X * _SIZE - 36 * _BOTTOM * (2 * X + 5) * (2 * X + 7)
    return (
        nonnegative(_TOP * _SIZE - 5 * _BOTTOM, 3, strict=True),
        nonnegative(squared, 50, strict=True),
        nonnegative(6 * _BOTTOM - _TOP * _SIZE, 3, strict=True),
    )


def bound_findings(slack: Fraction = Fraction(0)) -> tuple[kernel.Checked, ...]:
    """Return the inequalities of the bound 12/(2n − 7K) for K strata; x = a.

    slack: taken off the constants, for the broken twin.
    """
    small, large = 2 * X + 5, 2 * X + 7
    # Over 2·(2a + 5)(2a + 7): what the record's pairs do to w·τ, and how w itself changes.
    pairs = 18 * X * (X - 1) + 18 * X * small
    weight = 9 * X * (X + 1) * small - 9 * X * (X - 1) * large
    common: ExpPoly = 2 * small * large
    weighed = 9 * X * (X - 1) - (X * 9 - Fraction(63, 2)) * (X + Fraction(5, 2))
    return (
        nonnegative((9 - slack) * common - pairs - weight, 0),
        nonnegative((Fraction(9, 2) - slack) * common - pairs + weight, 0),
        nonnegative(weighed, 0),
    )
