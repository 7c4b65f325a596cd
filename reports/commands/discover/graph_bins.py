"""Numeric columns with ranges known beforehand, in bins beside discrete ones."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.noisy_tables.plan import TablesPlan
from provado.mechanisms.graph_discovery.noisy_tables.release import (
    BY_QUANTILES,
    cut_by_quantiles,
    plan_bins,
)
from provado.mechanisms.graph_discovery.tables.coded import CodedTable, beside, binned
from provado.mechanisms.graph_discovery.tables.numeric import NumericTable, numeric_columns
from provado.reports.targets.columns import load_columns

from .graph_data import Levels, Ranges, load_discrete

Edges = Mapping[str, tuple[float, ...]]
"""Where the bins of numeric columns begin, but the first."""


@dataclass(frozen=True, eq=False)
class Mixed:
    """Columns as they were read, before anything private is drawn.

    numbers: within their ranges. discrete: of none or one table. ranges: as given. bins: of each
    numeric column. cut: how.
    """

    names: tuple[str, ...]
    numbers: NumericTable
    discrete: tuple[CodedTable, ...]
    ranges: Ranges
    bins: int
    cut: str

    @property
    def levels(self) -> tuple[int, ...]:
        """Of each column, how many, bins included."""
        known = {
            name: width
            for table in self.discrete
            for name, width in zip(table.names, table.levels, strict=True)
        }
        return tuple(known.get(name, self.bins) for name in self.names)

    @property
    def margins(self) -> int:
        """How many columns are cut by a noisy histogram."""
        return len(self.numbers.names) if self.cut == BY_QUANTILES else 0

    def table(self, plan: TablesPlan, rng: np.random.Generator) -> tuple[CodedTable, Edges]:
        """Return the columns with the numeric ones in bins, and where these begin.

        Where a noisy histogram cuts them it is drawn here, as the plan has it.
        """
        if plan.margin is None:
            own, fine = binned(self.numbers, self.bins), np.arange(1, self.bins) / self.bins
            starts = {
                name: tuple((low + (high - low) * fine).tolist())
                for name, (low, high) in self.ranges.items()
            }
        else:
            found = cut_by_quantiles(self.numbers, self.bins, plan.margin, rng)
            own = found.table
            starts = {
                name: found.edges(i, *self.ranges[name])
                for i, name in enumerate(self.numbers.names)
            }
        return beside([*self.discrete, own], self.names), starts


def read_mixed(
    options: argparse.Namespace, names: Sequence[str], levels: Levels | None, ranges: Ranges
) -> Mixed:
    """Return the columns, those with a range as numbers, and how many bins these get.

    How many is planned from the numbers of rows and columns, the other levels and the budget.
    Raises ``UsageError`` where no column has a range, and as reading the columns does.
    """
    numeric = [name for name in names if name in ranges]
    discrete = [name for name in names if name not in ranges]
    if not numeric:
        raise UsageError(f"{options.ranges}: it names none of the columns {', '.join(names)}")
    known = {name: ranges[name] for name in numeric}
    try:
        numbers = numeric_columns(load_columns(options.file, numeric), ranges=known)
    except UsageError as error:
        raise UsageError(f"{options.file}: {error}") from error
    parts = (load_discrete(options.file, discrete, levels),) if discrete else ()
    cut = options.bins or BY_QUANTILES
    bins = plan_bins(
        numbers.n,
        [width for part in parts for width in part.levels],
        len(numeric),
        epsilon=float(options.epsilon),
        delta=options.delta or 0.0,
        quantiles=cut == BY_QUANTILES,
    )
    return Mixed(tuple(names), numbers, parts, known, bins, cut)
