"""Noisy tables as they are released: the only place where a private run looks at the records.

**How many bins numeric columns get: from public facts alone.**

**Numeric columns in bins of about equally many records, cut by noisy histograms.** Bins of equal
width leave nearly all records of a skewed column, or of one with a generous range, in one bin. A
histogram of fine bins of equal width, with noise on each cell, tells where the records are; the
bins are cut by what it shows. It is one more table of one column: it costs what a table of its
noise costs, and the bins, whose number is fixed beforehand, are post-processing.

**The levels of a column as noisy tables show them: rare ones joined, and scores on the rest.**

**Released tables drawn again: what noise could have shown instead.** Post-processing: only what was
released is examined. Fresh noise is added, so that the noise that is in the tables already counts
once more: what stands up to that stands up to somewhat less as well. Where one table holds all
columns, records are drawn from the shares that it shows, negative ones taken as 0, so that sampling
counts as well. Tables of pairs show the same records: records drawn for each on its own would make
columns depend on each other that do not, as a test takes what two tables show off a third.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from provado.mechanisms.definitions.parameters import UsageError, natural
from provado.mechanisms.definitions.relation import counted

from ..tables.coded import CodedTable
from ..tables.numeric import NumericTable
from .plan import TRIPLES_BELOW, CellNoise, TablesPlan, plan_tables

BY_QUANTILES, BY_WIDTH = "quantiles", "width"
CUTS = (BY_QUANTILES, BY_WIDTH)
"""How bins are cut, the default first: by noisy histograms, see ``cut_by_quantiles``, or evenly."""

LEAST_BINS, MOST_BINS = 3, 8
"""With two bins, dependence that is not monotone is lost; with many, few records are in each."""


def plan_bins(
    n: int,
    levels: Sequence[int],
    numeric: int,
    *,
    epsilon: float,
    delta: float,
    quantiles: bool = False,
) -> int:
    """Return the most bins for ``numeric`` columns that keep noise small, at least ``LEAST_BINS``.

    n: records. levels: of the other columns. quantiles: whether the bins are cut by noisy
    histograms, which cost a share of the budget. Small: an expected error of a correlation of at
    most ``TRIPLES_BELOW`` under the plan that the budget (epsilon, delta) buys. Raises
    ``UsageError`` as ``plan_tables`` does.
    """
    number = natural(numeric, "numeric")

    def error(bins: int) -> float:
        every = (*levels, *(bins,) * number)
        margins = number if quantiles else 0
        return plan_tables(n, every, epsilon=epsilon, delta=delta, margins=margins).error

    able = [bins for bins in range(LEAST_BINS, MOST_BINS + 1) if error(bins) <= TRIPLES_BELOW]
    return max(able, default=LEAST_BINS)


FINE = 1024
"""Fine bins of a column."""

_DEVIATIONS = 2.5
"""Of its noise, that a fine bin has at least; with fewer it counts as empty."""


@dataclass(frozen=True, eq=False)
class BinnedColumns:
    """Numeric columns in bins, and what was released of them.

    table: the bins as levels. histograms: noisy, shape (d, FINE). starts: shape (d, bins − 1), the
    fine bin with which each bin but the first begins.
    """

    table: CodedTable
    histograms: Counts
    starts: NDArray[np.int64]

    def edges(self, column: int, low: float, high: float) -> tuple[float, ...]:
        """Return where the bins of a column begin, within its range."""
        return tuple((low + (high - low) * self.starts[column] / FINE).tolist())


def cut_by_quantiles(
    data: NumericTable, bins: int, noise: CellNoise, rng: Generator
) -> BinnedColumns:
    """Return the columns in ``bins`` bins each, cut by histograms with this noise.

    Guarantee: the histograms cost d times ``noise.cost`` under replacement of one record, for
    ranges and a number of bins fixed beforehand. Raises ``UsageError`` unless bins is 2 to 256.
    """
    if not 2 <= bins <= 1 << 8:
        raise UsageError(f"bins is {bins!r}: it must be from 2 to 256")
    fine = fine_bins(data)
    counts = np.array([np.bincount(column, minlength=FINE) for column in fine])
    histograms = counts + noise.draw(counts.shape, rng)
    starts = cuts(histograms, math.sqrt(noise.variance), bins)
    codes = [
        np.searchsorted(begins, column, side="right")
        for begins, column in zip(starts, fine, strict=True)
    ]
    levels = (bins,) * len(data.names)
    table = CodedTable(data.names, levels, np.array(codes, dtype=np.uint8), None, data.n)
    return BinnedColumns(table, histograms, starts)


def fine_bins(data: NumericTable) -> NDArray[np.int64]:
    """Return the fine bin of each value, from 0 to ``FINE`` − 1, shape (d, n)."""
    place = np.floor((data.values + 1) / 2 * FINE).astype(np.int64)
    return np.minimum(place, FINE - 1)


def cuts(histogram: Counts, deviation: float, bins: int) -> NDArray[np.int64]:
    """Return the fine bins with which bins of about equally many records begin, ascending.

    histogram: noisy, shape (…, fine bins), of which (…, bins − 1) are returned. deviation: of the
    noise in a cell. Of equal width where nothing stands out. Bins may be empty, where a fine bin
    holds more than the share of one.
    """
    standing = np.where(histogram >= max(_DEVIATIONS * deviation, 1.0), histogram, 0)
    standing = np.where(standing.any(axis=-1, keepdims=True), standing, 1)
    below = np.cumsum(standing, axis=-1)
    shares = np.arange(1, bins) / bins * below[..., -1:]
    begins: NDArray[np.int64] = (below[..., None] < shares[..., None, :]).sum(axis=-2) + 1
    # The last fine bin begins a bin at the latest.
    return np.asarray(np.minimum(begins, histogram.shape[-1] - 1))


Floats = NDArray[np.float64]

_FEW = 5.0
"""Records that a level has at least, without noise."""

DEVIATIONS = 3.0
"""So many standard deviations of its noisy count a level has at least."""


@dataclass(frozen=True, eq=False)
class Levels:
    """Groups of a column's levels, and functions on them.

    group: shape (levels, k), 1 where a level is in a group. share: shape (k,), of the records in
    each, summing to 1. scores: shape (k, k − 1), functions of mean 0 and variance 1, uncorrelated
    with one another under ``share``, and orthogonal in the noise of cells. noise: shape (k − 1,),
    the sum of each one's squares, each times how many levels its group holds: the variance of the
    score of pure noise, in units of that of a cell. Where margins have noise of their own, theirs
    stands for its part in this. mean: shape (k − 1,), of each score over the levels then, else 0.
    """

    group: Floats
    share: Floats
    scores: Floats
    noise: Floats
    mean: Floats

    @property
    def joined(self) -> Floats:
        """How many levels each group holds, shape (k,)."""
        return np.asarray(self.group.sum(axis=0))


def seen_levels(counts: Floats, deviation: float, cell: float, less: bool = False) -> Levels:
    """Return the groups of levels that stand out of the noise.

    counts: noisy, shape (levels,). deviation: of each of them. cell: standard deviation of a cell
    of the tables that are to be examined. less: whether their margins have the noise of the counts.

    The smallest group is joined with the smaller of its neighbors until each has at least three
    deviations, one ``cell`` and five records, or one group is left, of which nothing can be seen.
    Raises ``UsageError`` for fewer than two levels.
    """
    if counts.size < 2:
        raise UsageError(f"counts has {counted(counts.size, 'level')}: at least 2 are needed")
    least = max(DEVIATIONS * deviation, cell, _FEW)
    groups = [[level] for level in range(counts.size)]
    sizes = np.maximum(counts, 0.0).tolist()
    while len(groups) > 1 and min(sizes) < least:
        i = sizes.index(min(sizes))
        beside = [j for j in (i - 1, i + 1) if 0 <= j < len(groups)]
        j = min(beside, key=sizes.__getitem__)
        first, second = min(i, j), max(i, j)
        groups[first] += groups.pop(second)
        sizes[first] += sizes.pop(second)
    group = np.zeros((counts.size, len(groups)))
    for number, levels in enumerate(groups):
        group[levels, number] = 1.0
    if len(groups) == 1:
        return Levels(group, np.ones(1), np.zeros((1, 0)), np.zeros(0), np.zeros(0))
    share = np.array(sizes) / sum(sizes)
    ratio = (deviation / cell) ** 2 if less else None
    return Levels(group, share, *_scores(share, group.sum(axis=0), ratio))


def _scores(share: Floats, joined: Floats, ratio: float | None) -> tuple[Floats, Floats, Floats]:
    """Return scores, their noise and means. ratio: variance of margins' noise over a cell's."""
    root, width = np.sqrt(share), joined.sum()
    # Directions beside the constant, of unit variance: then turned so that noise parts them.
    scores = np.linalg.svd(root[None, :])[2][1:].T / root[:, None]
    mean = np.zeros(share.size - 1) if ratio is None else joined @ scores / width
    known = np.outer(mean, mean) * (width - (ratio or 0.0))
    noise, turn = np.linalg.eigh(scores.T * joined @ scores - known)
    return scores @ turn, noise, mean @ turn


Counts = NDArray[np.int64]
"""How many records each combination of some columns' levels has; an axis a column, ascending."""

Columns = tuple[int, ...]


class Tables(Protocol):
    """Noisy tables by their columns, within a plan."""

    @property
    def plan(self) -> TablesPlan:
        """What may be released."""
        ...

    @property
    def released(self) -> Mapping[Columns, Counts]:
        """The tables so far, by ascending columns."""
        ...

    def triple(self, columns: Columns) -> Counts | None:
        """Return the table of three ascending columns; ``None`` where no more may be asked for."""
        ...


class NoisyTables:
    """The noisy tables of a table of records.

    What is planned without choice is drawn at once. Guarantee: all that is ever released promises
    what ``plan.cost()`` says, under replacement of one record, for n and the levels fixed
    beforehand, however the triples are chosen by what was released before: each table is an
    integer vector of ℓ1-sensitivity 2 and ℓ2-sensitivity √2 with noise of its own (those of pairs
    less their margins: k·l times them, see ``plan``), and neither their number nor their noise
    depends on the records.
    """

    def __init__(self, data: CodedTable, plan: TablesPlan, rng: Generator) -> None:
        """Draw the table of all columns, or those of all pairs, after those of single columns.

        Raises ``UsageError`` for a plan of other records or levels.
        """
        if (data.n, data.levels) != (plan.n, plan.levels):
            raise UsageError("plan is of another number of records or other levels than data")
        self.plan = plan
        self._data, self._rng, self._left = data, rng, plan.triples
        self._released: dict[Columns, Counts] = {}
        every = range(len(data.levels))
        if plan.whole is not None:
            self._draw(tuple(every), count(data, tuple(every)))
        if plan.single is not None:
            for x in every:
                self._draw((x,), count(data, (x,)))
        if plan.pairs is not None:
            for y in every:
                for x in range(y):
                    self._draw((x, y), data.tables(x, y)[0])

    @property
    def released(self) -> Mapping[Columns, Counts]:
        """The tables so far, by ascending columns."""
        return MappingProxyType(self._released)

    def triple(self, columns: Columns) -> Counts | None:
        """Return the table of three ascending columns; ``None`` where no more may be asked for.

        A table is drawn once: asked for again, it costs nothing and is the same.
        """
        if columns not in self._released and self._left and self.plan.triple is not None:
            self._left -= 1
            self._draw(columns, count(self._data, columns))
        return self._released.get(columns)

    def _draw(self, columns: Columns, table: Counts) -> None:
        self._released[columns] = noisy(columns, table, self.plan, self._released, self._rng)


def noisy(
    columns: Columns,
    table: Counts,
    plan: TablesPlan,
    released: Mapping[Columns, Counts],
    rng: Generator,
) -> Counts:
    """Return a table of some columns with the noise that the plan has for it.

    released: those before. Where single columns have tables, these are brought to n records, and
    margins of pairs are theirs, to the next whole number.
    """
    noise = plan.whole or (plan.single, plan.pairs, plan.triple)[len(columns) - 1]
    assert noise is not None
    if plan.single is None or len(columns) > 2:
        return table + noise.draw(table.shape, rng)
    if len(columns) == 1:
        told = table + noise.draw(table.shape, rng)
        return whole(told + (plan.n - told.sum()) / told.size)
    # Of whole numbers, and with it the noise; its σ may be a fraction.
    times = math.isqrt(noise.parameter.denominator) * table.size
    fine = replace(noise, parameter=noise.parameter * times**2)
    told = without_margins(table) * (times // table.size) + fine.draw(table.shape, rng)
    less = without_margins(told / times / table.size)
    one, other = (released[x,] / size for x, size in zip(columns, table.shape[::-1], strict=True))
    return whole(less + one[:, None] + other - plan.n / table.size)


def whole(table: Floats) -> Counts:
    """Return the nearest whole numbers."""
    return np.asarray(np.rint(table), dtype=np.int64)


def without_margins(table: NDArray[Any]) -> NDArray[Any]:
    """Return k·l times a table of k × l cells less its margins: each row and column sums to 0."""
    rows, columns = (table.sum(axis=axis, keepdims=True) for axis in (1, 0))
    k, width = table.shape
    return np.asarray(k * width * table - k * rows - width * columns + table.sum())


def count(data: CodedTable, columns: Columns) -> Counts:
    """Return how many records each combination of the columns' levels has, an axis a column."""
    short = data.onto(columns)
    table = np.zeros(short.levels, dtype=np.int64)
    assert short.counts is not None
    table[tuple(short.codes)] = short.counts
    return table


class Redrawn:
    """Tables drawn again from released ones; no table can be had that was not released."""

    def __init__(self, tables: Tables, rng: Generator) -> None:
        """Draw each released table again."""
        self.plan: TablesPlan = tables.plan
        drawn = dict[Columns, Counts]()
        for columns, table in tables.released.items():
            fresh = table
            if self.plan.whole is not None:
                fresh = rng.multinomial(self.plan.n, shares(table).ravel()).reshape(table.shape)
            drawn[columns] = noisy(columns, fresh, self.plan, drawn, rng)
        self.released: Mapping[Columns, Counts] = MappingProxyType(drawn)

    def triple(self, columns: Columns) -> Counts | None:
        """Return the table of three columns, ``None`` where none was released."""
        return self.released.get(columns)


def shares(table: Counts) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return a noisy table as shares of the records: nothing below 0, summing to 1."""
    kept = np.maximum(table, 0).astype(np.float64)
    total = float(kept.sum())
    if not total:
        return np.full(table.shape, 1 / table.size)
    return kept / total
