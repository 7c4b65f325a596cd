"""Which tables are released and with how much noise: planned from public facts alone.

Public are the number of records, the columns' levels and the budget. What a plan allows is charged
in full, whatever is asked of it later.

**Integer noise on the cells of a table, and what a table with it costs.** Under replacement of one
record two cells of a table move by 1: ℓ1-sensitivity 2, ℓ2-sensitivity √2.

**Tables of pairs less what single columns tell cost less together.** With Gaussian noise each
column's table is released, and of each pair its table less its margins, P·N·Q: P and Q subtract
averages over k and l levels. A record of levels i and j adds v⊗w to it, v = P·eᵢ and w = Q·eⱼ. Let
another record replace it, with v′ and w′, and let a = ‖v‖² = 1 − 1/k, c = v·v′ ∈ {a, −1/k} for each
column. ‖v⊗w − v′⊗w′‖² is 2·a·a′ less 2·c·c′ for a pair, and over all pairs these sum to (Σa)² − Σa²
− (Σc)² + Σc², at most (Σa)², since |c| ≤ a. So with variance σ² on each cell they promise ρ =
(Σa)²/(2σ²) of zCDP together, which for d columns of two levels is d²/8σ², and d²/2σ² − d/2σ² if
each has a table of its own. What noise adds to margins is known to be noise, and taken off.
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
from provado.mechanisms.definitions.relation import counted
from provado.mechanisms.noise.exact_noise import (
    LIMIT,
    discrete_gaussian_noise,
    discrete_laplace_noise,
)

Law = Literal["laplace", "gaussian"]

_FINE = 10
"""Binary digits that are kept of a parameter, and all of its whole part: within 1/1,000."""


_LARGE = 1 << 24
"""A σ² from which on σ is a whole number: the sampler takes few others."""

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
    if law == "gaussian" and wanted > _LARGE:
        return CellNoise(law, Fraction((math.isqrt(math.ceil(wanted) - 1) + 1) ** 2))
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

SINGLES_SHARE = Fraction(1, 5)
"""Of the budget, for tables of single columns, where those of pairs are less their margins."""

TRIPLES_EACH, LITTLE = 3, 0.125
"""Triples for each column at least, and the share of sampling's variance up to which more are had.

Measured at ε = 10 on networks of 11 to 37 columns: with 3 a column, sets that separate were left
untried; with 30, noise took true edges away.
"""


@dataclass(frozen=True)
class TablesPlan:
    """What may be released of n records.

    n: how many records. levels: of each column, how many. epsilon, delta: the whole budget. whole:
    noise of one table of all columns, or ``None``. pairs: noise of the table of each pair, or
    ``None``; one of the two is there. single: noise of the table of each column, where those of
    pairs are released less their margins, see the module. triples: how many tables of three columns
    may be asked for. triple: their noise, ``None`` where there are none. margins: how many numeric
    columns are cut into bins by a noisy histogram each. margin: the noise of these.
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
    single: CellNoise | None = None

    @property
    def releases(self) -> tuple[tuple[CellNoise, int | Fraction], ...]:
        """The noise of each kind of table, and how many tables there are of it at most.

        Tables of pairs less their margins count as the number of tables that cost as much.
        """
        pairs = math.comb(len(self.levels), 2) if self.single is None else less_margins(self.levels)
        tables = ((self.whole, 1), (self.single, len(self.levels)), (self.pairs, pairs))
        kinds = (*tables, (self.triple, self.triples), (self.margin, self.margins))
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
    below ``TRIPLES_BELOW``, a third of their budget pays for triples, which are chosen later: as
    many as have ``LITTLE`` noise, at least ``TRIPLES_EACH`` for each column. Raises ``UsageError``
    for fewer than two columns, and values out of range.
    """
    widths = tuple(natural(width, "levels") for width in levels)
    if len(widths) < 2:
        raise UsageError(f"levels has {counted(len(widths), 'column')}: a graph needs at least 2")
    records, total, chance = natural(n, "n"), positive(epsilon, "epsilon"), check_delta(delta)
    laws: list[Law] = ["laplace", "gaussian"] if chance else ["laplace"]
    result = []
    for law in laws:
        budget = Fraction(total if law == "laplace" else concentrated_rho(total, chance))
        fine: CellNoise | None = None
        if margins:
            fine = cheapest_noise(law, MARGINS_SHARE * budget / margins)
            budget *= 1 - MARGINS_SHARE
        if math.prod(widths) <= MOST_CELLS:
            noise = cheapest_noise(law, budget)
            result.append(
                TablesPlan(records, widths, total, chance, noise, None, 0, None, margins, fine)
            )
        noise = cheapest_noise(law, budget / math.comb(len(widths), 2))
        result.append(
            TablesPlan(records, widths, total, chance, None, noise, 0, None, margins, fine)
        )
    best = min(result, key=lambda plan: plan.error)
    return best if best.whole is not None else _by_order(best, triples)


def _by_order(plan: TablesPlan, triples: bool) -> TablesPlan:
    """Return a plan of pairs with what else its budget can buy: single columns, and triples."""
    assert plan.pairs is not None
    law, d, number = plan.law, len(plan.levels), Fraction(math.comb(len(plan.levels), 2))
    budget, single = plan.pairs.cost * number, None
    if law == "gaussian" and 4 * plan.pairs.parameter * max(plan.levels) ** 4 < LIMIT:
        single = cheapest_noise(law, SINGLES_SHARE * budget / d)
        budget, number = (1 - SINGLES_SHARE) * budget, less_margins(plan.levels)
    plan = replace(plan, pairs=_for_pairs(law, budget / number), single=single)
    if not triples or d < 4 or plan.error > TRIPLES_BELOW:
        return plan
    most = LITTLE * plan.n / float(np.mean(plan.levels)) ** 3
    little = CellNoise(law, Fraction(most if law == "gaussian" else math.sqrt(most / 2)))
    able = math.floor(TRIPLES_SHARE * budget / little.cost)
    asked = min(max(TRIPLES_EACH * d, able), math.comb(d, 3))
    return replace(
        plan,
        pairs=_for_pairs(law, (1 - TRIPLES_SHARE) * budget / number),
        triples=asked,
        triple=cheapest_noise(law, TRIPLES_SHARE * budget / asked),
    )


def _for_pairs(law: Law, budget: Fraction) -> CellNoise:
    """Return ``cheapest_noise``, σ of a Gaussian rounded up to a fraction of few digits."""
    noise = cheapest_noise(law, budget)
    if law == "laplace":
        return noise
    fine = 1 << max(0, _FINE - 2 - math.isqrt(math.floor(noise.parameter)).bit_length())
    root = math.isqrt(math.ceil(noise.parameter * fine**2) - 1) + 1
    return CellNoise(law, Fraction(root, fine) ** 2)


def less_margins(levels: Sequence[int]) -> Fraction:
    """Return how many tables cost as much as those of all pairs less their margins."""
    return sum((1 - Fraction(1, width) for width in levels), Fraction(0)) ** 2 / 2


def _mean_cells(levels: Sequence[int]) -> float:
    cells = [a * b for a, b in combinations(levels, 2)]
    return sum(cells) / len(cells)
