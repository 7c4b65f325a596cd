"""Which tables are released and with how much noise: planned from public facts alone.

Public are the number of records, the columns' levels and the budget. What a plan allows is charged
in full, whatever is asked of it later.

**Integer noise on the cells of a table, and what a table with it costs.** Under replacement of one
record two cells of a table move by 1: ℓ1-sensitivity 2, ℓ2-sensitivity √2.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from provado.mechanisms.accounting.composition import (
    concentrated_epsilon,
    concentrated_rho,
    rounded_up,
)
from provado.mechanisms.definitions.parameters import UsageError, check_delta, natural, positive
from provado.mechanisms.noise.exact_noise import discrete_gaussian_noise, discrete_laplace_noise

Law = Literal["laplace", "gaussian"]

_FINE = 10
"""Binary digits that are kept of a parameter, and all of its whole part: within 1/1,000."""


_SMOOTH = 2.0
"""A σ² from which on the variance is σ² but for 1e-14 of it; below, few numbers matter."""


@dataclass(frozen=True)
class CellNoise:
    """Independent integer noise on each cell of a table.

    law: discrete Laplace or discrete Gaussian. parameter: exact; the scale b of the Laplace, σ² of
    the Gaussian.
    """

    law: Law
    parameter: Fraction

    @property
    def variance(self) -> float:
        """Of a cell; of a Gaussian it is below σ² where σ² is small."""
        parameter = float(self.parameter)
        if self.law == "laplace":
            ratio = math.exp(-1 / parameter)
            return 2 * ratio / (1 - ratio) ** 2
        if parameter > _SMOOTH:
            return parameter
        z = np.arange(1, 20)
        chances = np.exp(-(z**2) / (2 * parameter))
        return float(2 * (z**2 @ chances) / (1 + 2 * chances.sum()))

    @property
    def cost(self) -> Fraction:
        """Of a table: ε = 2/b of pure DP for the Laplace, ρ = 1/σ² of zCDP for the Gaussian.

        Source: Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy (2020),
        Theorem 14 for vectors of integers, ρ = Δ²/(2σ²) with Δ² = 2.
        """
        return (2 if self.law == "laplace" else 1) / self.parameter

    def draw(self, shape: tuple[int, ...], rng: Generator) -> NDArray[np.int64]:
        """Return noise for a table of this shape, by the exact samplers."""
        draw = discrete_laplace_noise if self.law == "laplace" else discrete_gaussian_noise
        return draw(self.parameter, shape, rng)


def cheapest_noise(law: Law, budget: Fraction) -> CellNoise:
    """Return about the smallest noise of which a table costs at most ``budget`` (ε or ρ).

    Rounded up, to a number that the samplers take.
    """
    wanted = (2 if law == "laplace" else 1) / budget
    fine = 1 << max(0, _FINE - math.floor(math.log2(wanted)))
    return CellNoise(law, Fraction(math.ceil(wanted * fine), fine))


MOST_CELLS = 1 << 16
"""Of one table of all columns; with more cells its noise would not be worth it."""

TRIPLES_BELOW = 0.01
"""Expected error of a correlation from which on triples are left out of a plan.

Measured on networks of 5 to 37 columns: above it, tests given two columns took more true edges away
than false ones.
"""

TRIPLES_SHARE = Fraction(1, 3)
"""Of the budget, for all triples together."""

MARGINS_SHARE = Fraction(1, 10)
"""Of the budget, for the fine histograms that bins are cut by.

Measured on columns of exponentiated normal values, 8 of them and 10,000 to 100,000 rows: with a
twentieth or a quarter the graphs are about as good.
"""

TRIPLES_EACH = 3
"""Triples for each column."""


@dataclass(frozen=True)
class TablesPlan:
    """What may be released of n records.

    n: how many records. levels: of each column, how many. epsilon, delta: the whole budget. whole:
    noise of one table of all columns, or ``None``. pairs: noise of the table of each pair, or
    ``None``; one of the two is there. triples: how many tables of three columns may be asked for.
    triple: their noise, ``None`` where there are none. margins: how many numeric columns are cut
    into bins by a noisy histogram each. margin: the noise of these.
    """

    n: int
    levels: tuple[int, ...]
    epsilon: float
    delta: float
    whole: CellNoise | None
    pairs: CellNoise | None
    triples: int
    triple: CellNoise | None
    margins: int = 0
    margin: CellNoise | None = None

    @property
    def releases(self) -> tuple[tuple[CellNoise, int], ...]:
        """The noise of each kind of table, and how many tables there are of it at most."""
        pairs = math.comb(len(self.levels), 2)
        tables = ((self.whole, 1), (self.pairs, pairs), (self.triple, self.triples))
        kinds = (*tables, (self.margin, self.margins))
        return tuple((noise, number) for noise, number in kinds if noise is not None and number)

    @property
    def law(self) -> Law:
        """Of the noise; all tables of a plan have the same."""
        return self.releases[0][0].law

    def cost(self) -> tuple[float, float]:
        """Return (ε, δ) of all tables that the plan allows; at most its budget.

        Laplace: the sum of ε, δ = 0. Gaussian: the sum of ρ as (ε, δ), see
        ``concentrated_epsilon``. Tables may be chosen by what others told: how many there are, and
        their noise, are fixed beforehand, so that plain adaptive composition holds.
        """
        total = sum((noise.cost * number for noise, number in self.releases), Fraction(0))
        if self.law == "laplace":
            return rounded_up(total), 0.0
        return concentrated_epsilon(rounded_up(total), self.delta), self.delta

    @property
    def error(self) -> float:
        """Expected error of a correlation of two columns, of noise and sampling together.

        For columns whose levels are equally frequent; the root of the mean square over all pairs.
        """
        if self.whole is not None:
            noise = self.whole.variance * math.prod(self.levels)
        else:
            assert self.pairs is not None
            noise = self.pairs.variance * _mean_cells(self.levels)
        return math.sqrt(noise) / self.n + 1 / math.sqrt(self.n)


def plan_tables(
    n: int,
    levels: Sequence[int],
    *,
    epsilon: float,
    delta: float,
    margins: int = 0,
    triples: bool = True,
) -> TablesPlan:
    """Return the plan of least expected error within a budget.

    n: how many records. levels: of each column, how many. epsilon, delta: the whole budget, ε > 0
    and δ in [0, 1). margins: how many of the columns are cut into bins by a noisy histogram; a
    tenth of the budget pays for all of them. triples: whether tables of three columns are of use.

    Candidates are one table of all columns, and tables of all pairs, each with discrete Laplace and
    (δ above 0) discrete Gaussian noise. Where the pairs alone would keep the error of a correlation
    below ``TRIPLES_BELOW``, a third of their budget pays for three triples a column, which are
    chosen later. Raises ``UsageError`` for fewer than two columns, and values out of range.
    """
    widths = tuple(natural(width, "levels") for width in levels)
    if len(widths) < 2:
        raise UsageError(f"levels has {len(widths)} columns: a graph needs at least 2")
    records, total, chance = natural(n, "n"), positive(epsilon, "epsilon"), check_delta(delta)
    laws: list[Law] = ["laplace", "gaussian"] if chance else ["laplace"]
    found = []
    for law in laws:
        budget = Fraction(total if law == "laplace" else concentrated_rho(total, chance))
        fine: CellNoise | None = None
        if margins:
            fine = cheapest_noise(law, MARGINS_SHARE * budget / margins)
            budget *= 1 - MARGINS_SHARE
        if math.prod(widths) <= MOST_CELLS:
            noise = cheapest_noise(law, budget)
            found.append(
                TablesPlan(records, widths, total, chance, noise, None, 0, None, margins, fine)
            )
        pairs = _by_order(records, widths, total, chance, law, budget, triples)
        found.append(replace(pairs, margins=margins, margin=fine))
    return min(found, key=lambda plan: plan.error)


def _by_order(
    n: int,
    levels: tuple[int, ...],
    epsilon: float,
    delta: float,
    law: Law,
    budget: Fraction,
    triples: bool,
) -> TablesPlan:
    number = math.comb(len(levels), 2)
    alone = cheapest_noise(law, budget / number)
    plan = TablesPlan(n, levels, epsilon, delta, None, alone, 0, None)
    if not triples or len(levels) < 4 or plan.error > TRIPLES_BELOW:
        return plan
    asked = min(TRIPLES_EACH * len(levels), math.comb(len(levels), 3))
    pairs = cheapest_noise(law, (1 - TRIPLES_SHARE) * budget / number)
    triple = cheapest_noise(law, TRIPLES_SHARE * budget / asked)
    return TablesPlan(n, levels, epsilon, delta, None, pairs, asked, triple)


def _mean_cells(levels: Sequence[int]) -> float:
    cells = [a * b for a, b in combinations(levels, 2)]
    return sum(cells) / len(cells)
