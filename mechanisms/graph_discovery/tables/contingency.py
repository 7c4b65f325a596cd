"""Tests of conditional independence from contingency tables: stratified Kendall's τ, χ² and G.

Source: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020),
Definition 6, as the authors' released code computes it; see
``provado.mechanisms.scores.conditional_ranks``, which computes the same from rows, exactly. For
χ² and G: Spirtes, Glymour and Scheines, Causation, Prediction, and Search (2000), section 5.5.

**Counts of three discrete columns at a time from bits: one plane of n bits for each level.** A cell
of a table is then the number of ones that three planes have in common, 64 rows to a word. The last
level of a column needs no plane in a product: its count is what the others leave of the table
without that column. Where the columns have few levels this is several times quicker than to number
every row's cell; all counts are whole numbers, the same as ``CodedTable.tables`` gives.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.scores.conditional_ranks import Rule

from .coded import CodedTable, Tables

_KEPT = 1 << 15
"""Tables of three columns that are kept."""

_LANES = 1023
"""Words whose ones are added up in 16 bits: 1,023 times 64 is below 2^16."""


@dataclass(frozen=True, eq=False)
class BitPlanes:
    """One plane for each level of each column, and the tables of all pairs of columns.

    levels: of the d columns. first: where each column's levels start in a numbering of all of
    them, and their number last. planes: shape (levels of all columns, words). pairs: shape (levels
    of all columns, the same), how many rows have both levels.
    """

    levels: tuple[int, ...]
    first: NDArray[np.int64]
    planes: NDArray[np.uint64]
    pairs: NDArray[np.int64]
    _known: dict[tuple[int, ...], Tables] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(data: CodedTable) -> BitPlanes:
        """Return the planes of a table whose codes are rows, not counted combinations.

        Memory is n·Σlevels bits.
        """
        first = np.concatenate(([0], np.cumsum(data.levels))).astype(np.int64)
        planes = np.zeros((int(first[-1]), (data.n + 63) // 64), dtype=np.uint64)
        octets = planes.view(np.uint8)
        for column, codes in enumerate(data.codes):
            for level in range(data.levels[column]):
                packed = np.packbits(codes == level)
                octets[first[column] + level, : packed.size] = packed
        return BitPlanes(data.levels, first, planes, _pairs(data, first, planes))

    def pair(self, x: int, y: int) -> NDArray[np.int64]:
        """Return the contingency table of two columns; shape (levels of x, levels of y)."""
        return self.pairs[self.first[x] : self.first[x + 1], self.first[y] : self.first[y + 1]]

    def cost(self, columns: tuple[int, int, int]) -> int:
        """Return how many cells of these columns' table are counted from the planes."""
        return math.prod(self.levels[column] - 1 for column in columns)

    def triples(self, x: int, y: int, given: Sequence[int]) -> list[Tables]:
        """Return the tables of x and y in each level of each of the given columns, one by one.

        For each given column, shape (its levels, levels of x, levels of y). A table of three
        columns is counted once, whichever two of them are asked about.
        """
        if len(self._known) > _KEPT:
            self._known.clear()
        axes = [_ascending((z, x, y)) for z in given]
        missing = [i for i, (key, _) in enumerate(axes) if key not in self._known]
        if missing:
            columns = [given[i] for i in missing]
            ends = np.cumsum([self.levels[z] for z in columns])
            counted = np.split(self._counted(x, y, columns), ends[:-1])
            for i, table in zip(missing, counted, strict=True):
                key, order = axes[i]
                self._known[key] = table.transpose(order)
            if len(missing) == len(given):
                return counted
        return [
            self._known[key].transpose(order.index(0), order.index(1), order.index(2))
            for key, order in axes
        ]

    def _counted(self, x: int, y: int, given: Sequence[int]) -> Tables:
        levels = np.concatenate([np.arange(self.first[z], self.first[z + 1]) for z in given])
        ends = np.cumsum([self.levels[z] for z in given])
        last = np.zeros(levels.size, dtype=bool)
        last[ends - 1] = True
        a, b = self.levels[x], self.levels[y]
        result = np.empty((levels.size, a, b), dtype=np.int64)
        inner = np.empty((levels.size - ends.size, a - 1, b - 1), dtype=np.int64)
        within = self.planes[levels[~last]]
        room = np.empty_like(within)
        for i in range(a - 1):
            for j in range(b - 1):
                both = self.planes[self.first[x] + i] & self.planes[self.first[y] + j]
                np.bitwise_and(within, both, out=room)
                inner[:, i, j] = _ones(room)
        result[~last, :-1, :-1] = inner
        starts = np.concatenate(([0], ends[:-1])) - np.arange(ends.size)
        result[last, :-1, :-1] = self.pair(x, y)[:-1, :-1] - np.add.reduceat(inner, starts, axis=0)
        of_x = self.pairs[levels, self.first[x] : self.first[x + 1]]
        of_y = self.pairs[levels, self.first[y] : self.first[y + 1]]
        result[:, :-1, -1] = of_x[:, :-1] - result[:, :-1, :-1].sum(axis=2)
        result[:, -1, :] = of_y - result[:, :-1, :].sum(axis=1)
        return result


def _ascending(columns: tuple[int, int, int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the columns in ascending order, and where each stood."""
    order = tuple(sorted(range(3), key=columns.__getitem__))
    return tuple(columns[i] for i in order), order


def _pairs(
    data: CodedTable, first: NDArray[np.int64], planes: NDArray[np.uint64]
) -> NDArray[np.int64]:
    """Return the tables of all pairs, the last level of each column being 1 less the others."""
    last = np.zeros(planes.shape[0], dtype=bool)
    last[first[1:] - 1] = True
    kept = np.flatnonzero(~last)
    ones = planes[kept]
    counts = np.empty((kept.size + 1, kept.size + 1), dtype=np.int64)
    counts[0, 0] = data.n
    counts[0, 1:] = counts[1:, 0] = _ones(ones)
    for i in range(kept.size):
        counts[i + 1, i + 1 :] = counts[i + 1 :, i + 1] = _ones(ones[i:] & ones[i])
    # Row r says how level r is made of the constant 1 and the levels that were kept.
    made = np.zeros((last.size, kept.size + 1), dtype=np.int64)
    made[kept, np.arange(1, kept.size + 1)] = 1
    column = np.searchsorted(first, kept, side="right")
    made[first[column] - 1, np.arange(1, kept.size + 1)] = -1
    made[first[1:] - 1, 0] = 1
    pairs: NDArray[np.int64] = made @ counts @ made.T
    return pairs


def _ones(words: NDArray[np.uint64]) -> NDArray[Any]:
    """Return how many ones each row of words has."""
    counts = np.bitwise_count(words)
    if counts.shape[1] <= _LANES:
        return np.asarray(counts.sum(axis=1, dtype=np.uint16), dtype=np.int64)
    starts = np.arange(0, counts.shape[1], _LANES)
    lanes = [counts[:, s : s + _LANES].sum(axis=1, dtype=np.uint16) for s in starts]
    return np.asarray(np.sum(lanes, axis=0, dtype=np.int64))


@dataclass(frozen=True)
class Stratified:
    """A correlation s over strata: Σ w_k·s_k and Σ w_k, w one over its variance."""

    weighted: float
    weights: float

    @property
    def average(self) -> float:
        """Σws/Σw in [−1, 1]; 0 where no stratum counts."""
        return self.weighted / self.weights if self.weights else 0.0

    @property
    def z(self) -> float:
        """Σws/√Σw, of variance 1 under independence; 0 where no stratum counts."""
        return self.weighted / math.sqrt(self.weights) if self.weights else 0.0


@dataclass(frozen=True)
class StratifiedTau(Stratified):
    """Kendall's τ-a over strata, w = 9n(n − 1)/(4n + 10), which is 1/variance without ties."""

    @property
    def p_value(self) -> float:
        """Pr[N(0, 1) > |z|]: one-sided, at most 1/2, as the released code has it.

        0 where no stratum counts: nothing was tested, so no edge may go. In the released code z is
        then 0/0, which is not above any level.
        """
        return math.erfc(abs(self.z) / math.sqrt(2)) / 2 if self.weights else 0.0


def concordances(tables: Tables) -> NDArray[np.int64]:
    """Return S = concordant − discordant pairs in each table; shape (strata,). Exact.

    tables: shape (strata, levels, levels), or leading axes more. No loop over pairs: each cell is
    multiplied by the records above it on the left less those above it on the right, from two
    cumulative sums.
    """
    if tables.shape[-2:] == (2, 2):
        crossed = tables[..., 0, 0] * tables[..., 1, 1] - tables[..., 0, 1] * tables[..., 1, 0]
        return np.asarray(crossed, dtype=np.int64)
    above = np.cumsum(tables, axis=-2) - tables
    left = np.cumsum(above, axis=-1)
    lead = 2 * left - above - left[..., -1:]
    return np.asarray(np.einsum("...ij,...ij->...", tables, lead), dtype=np.int64)


def stratified_tau(tables: Tables, *, rule: Rule = "released") -> StratifiedTau:
    """Return the stratified τ of two columns from their tables.

    tables: shape (strata, levels, levels). rule: which strata count; ``"all"`` takes each with at
    least two rows, ``"released"`` each with three in which neither column is constant. Raises
    ``UsageError`` for an unknown rule.
    """
    counts, sizes = counted(tables, rule)
    if not counts.all():
        tables, sizes = tables[counts], sizes[counts]
    n = sizes.astype(np.float64)
    share = 9 / (2 * n + 5)
    return StratifiedTau(float(share @ concordances(tables)), float(share @ (n * (n - 1))) / 2)


def chi_squared_terms(
    tables: Tables, *, statistic: Literal["chi2", "g"] = "chi2"
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return Pearson's χ² or the G statistic of each stratum, and its degrees of freedom.

    tables: shape (strata, levels, levels); both results: shape (strata,). The degrees of freedom
    are (rows − 1)(columns − 1) over the levels that occur in the stratum, as in causal-learn; other
    programs count levels that do not occur too. Raises ``UsageError`` for an unknown statistic.
    """
    # Here, so that the catalogue loads without scipy.
    from scipy.special import xlogy

    if statistic not in ("chi2", "g"):
        raise UsageError(f"statistic is {statistic!r}: it must be 'chi2' or 'g'")
    rows, columns = np.add.reduce(tables, axis=2), np.add.reduce(tables, axis=1)
    sizes = np.maximum(np.add.reduce(rows, axis=1), 1)
    free = np.maximum(np.add.reduce(rows > 0, axis=1) - 1, 0)
    degrees = free * np.maximum(np.add.reduce(columns > 0, axis=1) - 1, 0)
    expected = rows[:, :, None] * columns[:, None, :] / sizes[:, None, None]
    # Where nothing is expected nothing is seen, and nothing is added.
    divisor = np.where(expected > 0, expected, 1.0)
    if statistic == "g":
        parts = 2 * xlogy(tables, tables / divisor)
    else:
        parts = (tables - expected) ** 2 / divisor
    return np.asarray(np.add.reduce(parts, axis=(1, 2))), degrees


def tau_terms(
    tables: Tables, *, rule: Rule = "released"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return each stratum's w·τ and w, both 0 where it does not count; see ``stratified_tau``."""
    counts, sizes = counted(tables, rule)
    n = sizes.astype(np.float64)
    share = 9 / (2 * n + 5) * counts
    return share * concordances(tables), share * (n * (n - 1)) / 2


def counted(tables: Tables, rule: Rule) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return which strata count under the rule, and how many rows each has.

    ``"all"`` takes each with at least two rows, ``"released"`` each with three in which neither
    column is constant. Raises ``UsageError`` for an unknown rule.
    """
    if rule not in ("all", "released"):
        raise UsageError(f"rule is {rule!r}: it must be 'all' or 'released'")
    rows = tables.sum(axis=2)
    sizes = rows.sum(axis=1)
    if rule == "all":
        return sizes >= 2, sizes
    varies = (rows.max(axis=1) < sizes) & (tables.sum(axis=1).max(axis=1) < sizes)
    return varies & (sizes >= 3), sizes
