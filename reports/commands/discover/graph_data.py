"""Reads the columns of a graph, what is known of them, and bins numeric ones beside discrete ones.

Discrete cells are compared as follows, in the table and in the file of levels alike: a number is a
number however it is written (1 and 1.0), unless zeros lead it (007); truth values are the texts
True and False; all else is text, without the space around it. An empty cell is missing, and so is
the text nan in any case; None, NA and the like are levels as any other.
"""

import argparse
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from provado.mechanisms import UsageError
from provado.mechanisms.definitions.relation import short
from provado.mechanisms.graph_discovery.noisy_tables import release
from provado.mechanisms.graph_discovery.noisy_tables.plan import TablesPlan
from provado.mechanisms.graph_discovery.tables.coded import CodedTable, beside, binned, code_columns
from provado.mechanisms.graph_discovery.tables.numeric import NumericTable, numeric_columns
from provado.reports.documents.schema import load_json
from provado.reports.targets import csv_and_parquet
from provado.reports.targets.csv_and_parquet import load_columns

MOST_LEVELS = 256
"""Of a discrete column; one with more is most likely a number or an identifier."""

FILL = "drop such rows, or write a level of its own, such as missing, in these cells"

_LONGEST_NUMBER = 300
"""In characters; more digits are an identifier."""

Level = str | int | float


class Ordered(tuple[Level, ...]):
    """Levels whose order says more than the order in which they are listed: low, middle, high."""


Levels = Mapping[str, tuple[Level, ...]]
Ranges = Mapping[str, tuple[float, float]]

_WHOLE = re.compile(r"[+-]?(0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[+-]?((0|[1-9][0-9]*)?\.[0-9]+|(0|[1-9][0-9]*)\.?)([eE][+-]?[0-9]+)?")


def column_names(file: Path) -> list[str]:
    """Return the names of all columns of a ``.csv`` or ``.parquet`` table, in its order.

    Raises ``UsageError`` for a file that cannot be read.
    """
    if file.suffix.lower() != ".csv":
        # Asking for no column reads the table, and refuses what is not one.
        csv_and_parquet.read_cells(file, [])
        return [str(name) for name in csv_and_parquet.read_parquet(file).columns]
    return [name.strip() for name in next(csv_and_parquet.csv_lines(file), (1, []))[1]]


def load_discrete(file: Path, names: Sequence[str], levels: Levels | None) -> CodedTable:
    """Return the named columns as a coded table.

    levels: of each column, in the order that counts for τ, as ``load_levels`` reads them; ``None``
    takes those that occur, numbers first and in their order, then texts in theirs.

    Raises ``UsageError`` that names file, column, row and value: a missing value, a value that is
    not among the levels, more than 256 levels, a column without levels, a constant column, fewer
    than 4 rows.
    """
    lacking = [name for name in names if levels is not None and name not in levels]
    if lacking:
        raise UsageError(f"levels: column {lacking[0]!r} has none; give its list of levels")
    cells = csv_and_parquet.read_cells(file, names)
    csv_and_parquet.require_rows(file, len(next(iter(cells.values()))))
    coded: dict[str, list[Level]] = {}
    orders: dict[str, tuple[Level, ...]] = {}
    for name in names:
        listed = set(levels[name]) if levels is not None else set()
        coded[name] = _coded(cells[name], listed, f"{file}: column {name!r}")
        orders[name] = tuple(levels[name]) if levels is not None else _order(coded[name])
        if len(orders[name]) > MOST_LEVELS:
            raise UsageError(
                f"{file}: column {name!r} has {len(orders[name]):,} different values, such as "
                f"{orders[name][0]!r}; a discrete column has at most {MOST_LEVELS}: leave it out "
                "(--columns), or, if it is a number, have it binned (--method tables --ranges)"
            )
    try:
        return code_columns(coded, levels=orders)
    except UsageError as error:
        raise UsageError(f"{file}: {error}") from error


def load_levels(file: Path) -> Levels:
    """Return the levels of columns from a JSON file: {"column": ["a", "b"], …}.

    {"column": {"ordered": ["low", "high"]}} declares that their order has a meaning: ``Ordered``.
    Raises ``UsageError`` for anything but lists of at least two different texts or numbers.
    """

    def read(where: str, value: Any) -> tuple[Level, ...]:
        ordered = isinstance(value, dict) and list(value) == ["ordered"]
        listed = value["ordered"] if ordered else value
        if not isinstance(listed, list) or len(listed) < 2:
            raise UsageError(f"{where} is {short(value)}: it must be a list of at least two levels")
        strange = [v for v in listed if not isinstance(v, str | bool | int | float) or v == ""]
        if strange:
            sentence = FILL if strange[0] in ("", None) else "a level is a text or a number"
            raise UsageError(f"{where} holds {strange[0]!r}: {sentence}")
        known = tuple(map(level, listed))
        twice = [v for v in known if known.count(v) > 1]
        if twice:
            raise UsageError(f"{where} holds {twice[0]!r} twice: each level must stand once")
        return Ordered(known) if ordered else known

    return {name: read(where, value) for name, where, value in _by_column(file)}


def load_ranges(file: Path) -> Ranges:
    """Return the ranges of columns from a JSON file: {"column": [lowest, highest], …}.

    Raises ``UsageError`` for anything but two finite numbers in order.
    """

    def read(where: str, value: Any) -> tuple[float, float]:
        try:
            low, high = map(float, value)
            if not (low < high and math.isfinite(high - low)):
                raise ValueError
        except (TypeError, ValueError, OverflowError):
            raise UsageError(
                f"{where} is {short(value)}: it must be two finite numbers, the lower first"
            ) from None
        return low, high

    return {name: read(where, value) for name, where, value in _by_column(file)}


def level(value: Any) -> Level:
    """Return a cell or a listed level in the form in which the two are compared."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    text = str(value).strip()
    if len(text) > _LONGEST_NUMBER:
        return text
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) and math.isfinite(float(text)) else text


def _coded(cells: list[Any], listed: set[Level], where: str) -> list[Level]:
    """Return the cells as levels. What differs is read once: a table has few different cells."""
    first: dict[Any, int] = {}
    for row, cell in enumerate(cells, 1):
        first.setdefault(cell, row)
    known = {cell: _cell(cell, listed, f"{where}, row {row}") for cell, row in first.items()}
    return [known[cell] for cell in cells]


def _cell(cell: Any, listed: set[Level], where: str) -> Level:
    missing = csv_and_parquet.is_empty(cell) or cell != cell
    result = "" if missing else level(cell)
    if missing or (str(result).casefold() == "nan" and result not in listed):
        shown = "empty" if missing else repr(result)
        raise UsageError(f"{where} is {shown}: a missing value has no level; {FILL}")
    return result


def _order(values: list[Level]) -> tuple[Level, ...]:
    return tuple(sorted(set(values), key=lambda v: (isinstance(v, str), v)))


def _by_column(file: Path) -> Iterator[tuple[str, str, Any]]:
    """Yield the columns that a JSON file names: name, words for an error, and value."""
    result = load_json(file)
    if not isinstance(result, dict):
        raise UsageError(f"{file}: it must be an object that maps columns' names to lists")
    for name, value in result.items():
        yield name, f"{file}: column {name!r}", value


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
        tables = (zip(item.names, item.levels, strict=True) for item in self.discrete)
        known = dict(chain.from_iterable(tables))
        return tuple(known.get(name, self.bins) for name in self.names)

    @property
    def margins(self) -> int:
        """How many columns are cut by a noisy histogram."""
        return len(self.numbers.names) if self.cut == release.BY_QUANTILES else 0

    def table(self, plan: TablesPlan, rng: np.random.Generator) -> tuple[CodedTable, Edges]:
        """Return the columns with the numeric ones in bins, and where these begin.

        Where a noisy histogram cuts them it is drawn here, as the plan has it.
        """
        starts: dict[str, tuple[float, ...]] = {}
        if plan.margin is None:
            own, fine = binned(self.numbers, self.bins), np.arange(1, self.bins) / self.bins
            for name, (low, high) in self.ranges.items():
                starts[name] = tuple((low + (high - low) * fine).tolist())
        else:
            binned_columns = release.cut_by_quantiles(self.numbers, self.bins, plan.margin, rng)
            own = binned_columns.table
            for i, name in enumerate(self.numbers.names):
                starts[name] = binned_columns.edges(i, *self.ranges[name])
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
    cut = options.bins or release.BY_QUANTILES
    bins = release.plan_bins(
        numbers.n,
        [width for part in parts for width in part.levels],
        len(numeric),
        epsilon=float(options.epsilon),
        delta=options.delta or 0.0,
        quantiles=cut == release.BY_QUANTILES,
    )
    return Mixed(tuple(names), numbers, parts, known, bins, cut)
