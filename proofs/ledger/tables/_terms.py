"""The charge for noisy tables as a polynomial, and an event in which they tell all they can."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from provado.proofs.algebra.exppoly import ExpSum, exp
from provado.proofs.kernel import Sum
from provado.proofs.ledger import Claim
from provado.proofs.ledger.fact import AtLeastZero, Fact
from provado.proofs.ledger.formula import variables
from provado.proofs.ledger.show import named

Record = tuple[int, int, int]
Records = tuple[Record, ...]

PAIR: tuple[Records, Records] = (((0, 0, 0),), ((1, 1, 1),))
"""One record of three columns: two cells of each table move by 1."""


@dataclass(frozen=True)
class Charge(Claim):
    """What the tables tell is at most the sum of moved/b, over those that are counted.

    moved: by how much all cells of a table together move. planned: all tables that were planned
    are counted; otherwise those that were used.
    """

    moved: int = 2
    planned: bool = True

    @property
    def formula(self) -> str:
        counted = "planned" if self.planned else "used"
        return (
            f"tables with discrete Laplace noise of scales b on each cell, Σ {self.moved}/b ≤ ε "
            f"over those that were {counted}, cost ε"
        )

    def obligations(self) -> tuple[Fact, ...]:
        # Of the tables released at once, used and not; of those on demand, asked and not; the rates
        # 1/b of both kinds; what is left of ε; histograms that cut bins, and their rate.
        used, idle, asked, left, rate, rarer, rest, cut, fine = variables(9)
        once = used + idle if self.planned else used
        ever = asked + left if self.planned else asked
        budget = self.moved * (once * rate + ever * rarer + cut * fine) + rest
        loss = 2 * ((used + idle) * rate + asked * rarer + cut * fine)
        # Of neighboring chances the largest ratio is e^x, x = 1/b; the other is e^−x.
        ratio = AtLeastZero(((1, 0, 0, 1), (-1, 0, 0, -1)), 0)
        return (ratio, (budget - loss).nonnegative())


def telling_event(tables: int) -> Callable[[Records], Sum]:
    """Return the chance of an event where three tables have noise for so many, at ε = 1 in all.

    Records have three columns of 0 and 1. Each pair's table is released, scale b = 2·tables. The
    event: cells (0, 0) show at least 1 and cells (1, 1) at most 0, and six coins, each with chance
    (1 + e^(−1/b))/2 of heads, show heads: so its chance is a finite sum. The coins do not depend
    on the records.
    """
    step = exp(Fraction(-1, 2 * tables))

    def at_least(k: int) -> ExpSum:
        """Return Pr[Z ≥ k] times the coin's chance: e^(−k/b)/2 from k = 0 on."""
        if k >= 0:
            return _power(step, k) * Fraction(1, 2)
        return (1 + step - _power(step, 1 - k)) * Fraction(1, 2)

    def chance(records: Records) -> Sum:
        found = ExpSum.of(1)
        for x, y in combinations(range(3), 2):
            low = sum(r[x] == r[y] == 0 for r in records)
            high = sum(r[x] == r[y] == 1 for r in records)
            found = found * at_least(1 - low) * at_least(high)
        return found.as_data()

    return named(chance, f"telling_event_with_noise_for_{tables}")


def _power(value: ExpSum, k: int) -> ExpSum:
    return math.prod([value] * k, start=ExpSum.of(1))
