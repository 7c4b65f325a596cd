"""Reads named numeric columns of a table, CSV with a header line or Parquet, and populations."""

import csv
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms import Mechanism, UsageError
from provado.mechanisms.definitions.parameters import optional
from provado.reports.targets.load import load_target
from provado.reports.text.formatting import counted, hint, other_encoding, unreadable

LEAST_ROWS = 4
"""Two rows to train on and two to test on."""

Columns = dict[str, list[Any]]


def load_columns(file: Path, names: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    """Return the named columns of a table as float64, all of one length, in the file's order.

    file: ``.csv`` (comma-separated, first line the names, UTF-8) or ``.parquet``.

    Raises ``UsageError`` that names the file, the column, the row (the first record is row 1) and
    the rule it broke: a file that cannot be read, a missing column, text, NaN or an empty cell,
    infinity, fewer than 4 rows.
    """
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise UsageError(f"column {repeated[0]!r} is named twice: give different columns")
    cells = read_cells(file, names)
    require_rows(file, len(next(iter(cells.values()))))
    return {name: _numbers(file, name, column) for name, column in cells.items()}


def require_rows(file: Path, rows: int, least: int = LEAST_ROWS) -> None:
    """Raise ``UsageError`` where a file has fewer rows than ``least``."""
    if rows < least:
        raise UsageError(f"{file}: it has {counted(rows, 'row')}; at least {least} are needed")


def read_cells(file: Path, names: Sequence[str]) -> Columns:
    """Return the named columns as they stand; raises ``UsageError`` naming the file."""
    reader = {".csv": _csv, ".parquet": _parquet}.get(file.suffix.lower())
    if reader is None:
        raise UsageError(f"{file}: the file's name must end in .csv or .parquet")
    try:
        return reader(file, names)
    except OSError as error:
        raise UsageError(f"{file}: {unreadable(file, error)}") from error


def _csv(file: Path, names: Sequence[str]) -> Columns:
    lines = csv_lines(file)
    header = [name.strip() for name in next(lines, (1, []))[1]]
    places = [_place(file, name, header) for name in names]
    columns: list[list[Any]] = [[] for _ in names]
    for _, line in lines:
        for column, place in zip(columns, places, strict=True):
            column.append(line[place])
    return dict(zip(names, columns, strict=True))


def csv_lines(file: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line of a CSV in UTF-8, and those below it that are not empty.

    Each comes with its number, and cut into cells. Raises ``UsageError`` naming the file, and where
    a line has not as many cells as those before it, or the first line has semicolons or tabs alone.
    """
    many = 0
    try:
        with file.open("rb") as beginning:
            if b"\0" in beginning.read(64):
                raise UsageError(f"{file}: not readable as CSV in UTF-8: {other_encoding(file)}")
        # utf-8-sig: spreadsheets put a mark before the first name.
        with file.open(encoding="utf-8-sig", newline="") as stream:
            lines = csv.reader(stream, strict=True)
            for i, line in enumerate(lines):
                many = many or len(line)
                if i == 0 and many == 1 and (mark := re.search(r"[;\t]", line[0])):
                    result = "tabs" if mark[0] == "\t" else "semicolons"
                    rule = f"its columns are separated by {result}, and a CSV file needs commas"
                    raise UsageError(f"{file}: line 1 is {line[0][:60]!r}: {rule}")
                if line and len(line) != many:
                    cells = f"{counted(len(line), 'cell')}, the first line has {many}"
                    raise UsageError(f"{file}: line {lines.line_num} has {cells}")
                if line or i == 0:
                    yield lines.line_num, line
    except OSError as error:
        raise UsageError(f"{file}: {unreadable(file, error)}") from error
    except (csv.Error, UnicodeDecodeError) as error:
        why = error if isinstance(error, csv.Error) else other_encoding(file)
        raise UsageError(f"{file}: not readable as CSV in UTF-8: {why}") from error


def _parquet(file: Path, names: Sequence[str]) -> Columns:
    table = read_parquet(file)
    header = [str(name) for name in table.columns]
    return {name: table.iloc[:, _place(file, name, header)].tolist() for name in names}


def pandas() -> Any:
    """Return the package; raises ``UsageError`` where it is not installed."""
    return optional("pandas", "a table with named columns", "pandas")


def read_parquet(file: Path) -> Any:
    """Return the table of a Parquet file; raises ``UsageError`` naming the file."""
    optional("pyarrow", f"{file}: reading Parquet", "parquet")
    read = pandas().read_parquet
    try:
        return read(file)
    except ValueError as error:
        raise UsageError(f"{file}: not readable as Parquet: {error}") from error


def _place(file: Path, name: str, header: list[str]) -> int:
    if header.count(name) == 1:
        return header.index(name)
    if name in header:
        raise UsageError(f"{file}: column {name!r} stands {header.count(name)} times")
    shown = ", ".join(map(repr, header[:8])) + (", …" if len(header) > 8 else "")
    more = hint(name, header) or f"; it has {shown or 'none'}"
    raise UsageError(f"{file}: no column {name!r}{more}")


def _numbers(file: Path, name: str, cells: list[Any]) -> NDArray[np.float64]:
    values = np.array([as_number(cell) for cell in cells])
    for i in np.flatnonzero(~np.isfinite(values)):
        cell = cells[i]
        rule = "it must be a finite number; drop or fill such rows beforehand"
        shown = "empty" if is_empty(cell) else repr(cell if isinstance(cell, str) else str(cell))
        raise UsageError(f"{file}: column {name!r}, row {i + 1} is {shown[:42]}: {rule}")
    return values


def is_empty(cell: Any) -> bool:
    """Return whether a cell holds nothing."""
    if isinstance(cell, str):
        return not cell.strip()
    return cell is None or type(cell).__name__ == "NAType"


def as_number(cell: Any) -> float:
    """Return a cell as a float; NaN for what is none."""
    try:
        # Python reads 1_000 as a number; a table that holds it more likely holds text.
        return float("nan") if isinstance(cell, str) and "_" in cell else float(cell)
    except (TypeError, ValueError):
        return float("nan")


LEAST_PEOPLE = 2


def load_population(text: str) -> Any:
    """Return a data frame (``family.csv``) or a sampler (``module:name``, ``file.py:name``).

    A table is comma-separated UTF-8, first line the names of the data points, each further line
    one dataset of numbers. Raises ``UsageError`` that names the file, the column, the row (the
    first dataset is row 1) and the rule it broke.
    """
    if text.lower().endswith(".csv"):
        return _population_table(Path(text))
    if ":" not in text:
        raise UsageError(
            f"--population {text!r}: it must be a file that ends in .csv, or module:sampler"
        )
    result = load_target(text).mechanism
    if isinstance(result, Mechanism):
        raise UsageError(
            f"--population {text!r}: it is a Mechanism; a sampler population(size, rng) is needed"
        )
    return result


def point_in(population: Any, text: str) -> int | str:
    """Return the data point that ``--point`` names: a column, or a position from 0 on."""
    if hasattr(population, "columns"):
        header = list(population.columns)
        if text in header:
            return text
        if text.isdecimal() and int(text) < len(header):
            return str(header[int(text)])
        more = hint(text, header) or f"; it has {', '.join(map(repr, header))}"
        raise UsageError(f"--point {text!r}: the population has no such column{more}")
    return int(text) if text.isdecimal() else text


def _population_table(file: Path) -> Any:
    lines = [line for _, line in csv_lines(file) if line]
    if not lines:
        raise UsageError(f"{file}: it is empty; its first line must name the data points")
    header = [name.strip() for name in lines[0]]
    for name in header:
        if not name or header.count(name) > 1:
            raise UsageError(f"{file}: column {name!r}: names must be different and not empty")
    require_rows(file, len(lines) - 1, LEAST_PEOPLE)
    rows = [
        [_population_number(file, i, name, cell) for name, cell in zip(header, line, strict=True)]
        for i, line in enumerate(lines[1:], 1)
    ]
    return pandas().DataFrame(rows, columns=header)


def _population_number(file: Path, i: int, name: str, cell: str) -> float:
    value = as_number(cell)
    if not math.isfinite(value):
        shown = repr(cell[:40]) if cell.strip() else "empty"
        raise UsageError(
            f"{file}: column {name!r}, row {i} is {shown}: it must be a finite number; "
            "write categories as numbers"
        )
    # Whole numbers stay such: a mechanism may use a data point as an index.
    return int(value) if value.is_integer() and abs(value) < 2**53 else value
