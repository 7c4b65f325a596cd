"""Numeric columns with ranges known beforehand, in bins beside discrete ones."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from provado.mechanisms import UsageError
from provado.mechanisms.graphs.noisy.bins import plan_bins
from provado.mechanisms.graphs.tables.binned import beside, binned
from provado.mechanisms.graphs.tables.coded import CodedTable
from provado.mechanisms.graphs.tables.numeric import numeric_columns
from provado.reports.ask.columns import load_columns

from .graph_data import Levels, Ranges, load_discrete


def mixed_table(
    options: argparse.Namespace, names: Sequence[str], levels: Levels | None, ranges: Ranges
) -> tuple[CodedTable, int]:
    """Return the columns as a coded table, those with a range in bins, and how many bins.

    How many is planned from the numbers of rows and columns, the other levels and the budget.
    Raises ``UsageError`` where no column has a range, and as reading the columns does.
    """
    numeric = [name for name in names if name in ranges]
    discrete = [name for name in names if name not in ranges]
    if not numeric:
        raise UsageError(f"{options.ranges}: it names none of the columns {', '.join(names)}")
    try:
        numbers = numeric_columns(
            load_columns(options.file, numeric), ranges={name: ranges[name] for name in numeric}
        )
    except UsageError as error:
        raise UsageError(f"{options.file}: {error}") from error
    parts = [load_discrete(options.file, discrete, levels)] if discrete else []
    others = [width for part in parts for width in part.levels]
    bins = plan_bins(
        numbers.n,
        others,
        len(numeric),
        epsilon=float(options.epsilon),
        delta=options.delta or 0.0,
    )
    return beside([*parts, binned(numbers, bins)], names), bins
