"""Noisy tables: the charge as a polynomial, their promise, and a planted fault beside it."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from provado.proofs import ledger
from provado.proofs.algebra import ExpSum, exp
from provado.proofs.kernel import Sum
from provado.proofs.ledger.fact import AtLeastZero, Fact, NotPrivate
from provado.proofs.ledger.find_certificate import named
from provado.proofs.ledger.formula import variables

from . import source

Record = tuple[int, int, int]
Records = tuple[Record, ...]

PAIR: tuple[Records, Records] = (((0, 0, 0),), ((1, 1, 1),))
"""One record of three columns: two cells of each table move by 1."""


@dataclass(frozen=True)
class TablesCharge(ledger.Claim):
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
        used, idle, polynomial, left, rate, rarer, rest, cut, fine = variables(9)
        once = used + idle if self.planned else used
        ever = polynomial + left if self.planned else polynomial
        budget = self.moved * (once * rate + ever * rarer + cut * fine) + rest
        loss = 2 * ((used + idle) * rate + polynomial * rarer + cut * fine)
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
        sums = ExpSum.of(1)
        for x, y in combinations(range(3), 2):
            low = sum(r[x] == r[y] == 0 for r in records)
            high = sum(r[x] == r[y] == 1 for r in records)
            sums = sums * at_least(1 - low) * at_least(high)
        return sums.as_data()

    return named(chance, f"telling_event_with_noise_for_{tables}")


def _power(value: ExpSum, k: int) -> ExpSum:
    return math.prod([value] * k, start=ExpSum.of(1))


# The promise of noisy tables: noise by the number of tables that were planned.

PLANNED_CLAIM = TablesCharge()


@ledger.Entry(
    source=source("the sum that is charged, with Laplace noise"),
    printed="[Code:] cost = Σ 2/b over all tables that the plan allows, at most ε.",
    words="Everything that a run releases is ε-DP, ε the sum of 2/b over the planned tables.",
    scope="Replace-one; the numbers of records, columns and levels fixed beforehand; discrete "
    "Laplace noise by an exact sampler. With Gaussian noise the same sum is one of ρ = 1/σ²; "
    "tables of pairs less their margins then count as (Σ(1 − 1/k))²/2, k levels a column.",
    claim=PLANNED_CLAIM,
    twin=ledger.Twin(
        "Counted are the tables that were used, not those that were planned.",
        TablesCharge(planned=False),
    ),
)
def _planned(claim: TablesCharge) -> ledger.Evidence:
    ratio, charge = claim.obligations()
    return ledger.Evidence(
        printed=ledger.show_claim(claim),
        argument=(
            ledger.Reading(
                "The plan says how many tables there are of each kind, and the scale b of the "
                "noise on each of their cells. It follows from ε and the numbers of records, "
                "columns and levels, which are public. Tables of pairs are released at once, "
                "tables of three columns on demand, up to the planned number. A histogram that "
                "cuts the bins of a numeric column is a table of one column, released before."
            ),
            "A record is in one cell of each table. Replacing one takes 1 from a cell and adds 1 "
            "to a cell: two cells of a table move by 1, or none does.",
            ledger.Step(
                "The chance of noise z is c·e^(−|z|/b), that of z + 1 is e^(−1/b) or e^(1/b) times "
                "it, and c does not depend on z: both ratios are at most e^x, x = 1/b (kernel).",
                (ratio,),
            ),
            "So a table, its cells' noise independent, costs at most 2/b: the logarithms add up. "
            "Which table comes next may depend on those before; given these it is the same "
            "question for both datasets, and the losses of all tables add up (adaptive basic "
            "composition).",
            ledger.Step(
                "Tables at once x1 + x2, each costing 2·x5, and x3 of the x3 + x4 on demand, each "
                "costing 2·x6, x8 histograms, each costing 2·x9, and x7 of ε to spare: what is "
                "planned is never less than what is spent (kernel).",
                (charge,),
            ),
            "All else, tests, scores, directions and what stands, is computed from the tables.",
        ),
    )


# The planted fault beside it: noise by the number of tables that were used.

_EVENT = (
    "cells (0, 0) of all three tables show at least 1, cells (1, 1) at most 0, and six coins, each "
    "with chance (1 + e^(−1/b))/2 of heads, show heads"
)


@dataclass(frozen=True)
class NoiseFor(ledger.Claim):
    """Three tables are released with noise of scale 2·tables/ε, and cost ε; tried at ε = 1."""

    tables: int = 1

    @property
    def formula(self) -> str:
        return (
            f"the tables of three pairs with discrete Laplace noise of scale {2 * self.tables}/ε "
            "on each cell are ε-DP, tried at ε = 1"
        )

    def counterexamples(self) -> tuple[Fact, ...]:
        name = f"tables.noisy_tables.telling_event_with_noise_for_{self.tables}"
        return (NotPrivate(name, "replace-one", 1),)


USED_CLAIM, REPAIRED = NoiseFor(), TablesCharge()


@ledger.Entry(
    source=source("a planted fault, the twin tables-used-not-planned of the catalogue"),
    printed="[Planted:] noise of scale 2k/ε on each cell, k the tables that took an edge away.",
    words="Tables with noise for as many as were used cost ε, however many were released.",
    scope="Replace-one; three columns of two levels, the tables of all pairs released, one used.",
    claim=USED_CLAIM,
    expected=ledger.LedgerVerdict.REFUTED,
    twin=ledger.Twin("The same event where the noise is for all three tables.", NoiseFor(3)),
)
def _used(claim: NoiseFor) -> ledger.Evidence:
    (broken,) = claim.counterexamples()
    return ledger.Evidence(
        printed=(ledger.not_private(broken, PAIR, _EVENT, telling_event(claim.tables)),),
        corrected=ledger.show_claim(REPAIRED),
        corrected_claim=REPAIRED,
        correction="Noise by the number of tables that are planned, as tables/planned has it.",
        kind="repair",
        argument=(
            "Of three tables one takes an edge away. To charge this one alone is to say that the "
            "others, which are released as well, reveal nothing.",
            ledger.Step(
                "Let D be one record (0, 0, 0), and let D′ be (1, 1, 1): six cells move by 1. That "
                "all of them show what D has is e^(6/b) times as likely under D, with b = 2 that "
                "is e^3. Six coins that do not depend on the data make the chances finite sums, "
                "1/64 and e^(−3)/64 (kernel, replayed).",
                (broken,),
            ),
            ledger.Step("The repaired form is tables/planned (kernel).", REPAIRED.obligations()),
        ),
    )


ENTRIES = (_planned, _used)
