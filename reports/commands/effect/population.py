"""Reads the population of ``provado effect``: a table of datasets, or a sampler by its name."""

import math
from pathlib import Path
from typing import Any

import pandas as pd

from provado.mechanisms import Mechanism, UsageError
from provado.reports.targets.columns import as_number, csv_lines
from provado.reports.targets.load import load_target
from provado.reports.text import did_you_mean

LEAST_ROWS = 2


def load_population(text: str) -> Any:
    """Return a data frame (``family.csv``) or a sampler (``module:name``, ``file.py:name``).

    A table is comma-separated UTF-8, first line the names of the data points, each further line
    one dataset of numbers. Raises ``UsageError`` that names the file, the column, the row (the
    first dataset is row 1) and the rule it broke.
    """
    if text.lower().endswith(".csv"):
        return _table(Path(text))
    if ":" not in text:
        raise UsageError(
            f"--population {text!r}: it must be a file that ends in .csv, or module:sampler"
        )
    found = load_target(text).mechanism
    if isinstance(found, Mechanism):
        raise UsageError(
            f"--population {text!r}: it is a Mechanism; a sampler population(size, rng) is needed"
        )
    return found


def point_in(population: Any, text: str) -> int | str:
    """Return the data point that ``--point`` names: a column, or a position of a sampler's."""
    if isinstance(population, pd.DataFrame):
        header = list(population.columns)
        if text in header:
            return text
        more = did_you_mean.hint(text, header) or f"; it has {', '.join(map(repr, header))}"
        raise UsageError(f"--point {text!r}: the population has no such column{more}")
    return int(text) if text.isdecimal() else text


def _table(file: Path) -> pd.DataFrame:
    lines = [line for _, line in csv_lines(file) if line]
    if not lines:
        raise UsageError(f"{file}: it is empty; its first line must name the data points")
    header = [name.strip() for name in lines[0]]
    for name in header:
        if not name or header.count(name) > 1:
            raise UsageError(f"{file}: column {name!r}: names must be different and not empty")
    if len(lines) - 1 < LEAST_ROWS:
        raise UsageError(f"{file}: it has {len(lines) - 1} rows; at least {LEAST_ROWS} are needed")
    rows = [
        [_number(file, i, name, cell) for name, cell in zip(header, line, strict=True)]
        for i, line in enumerate(lines[1:], 1)
    ]
    return pd.DataFrame(rows, columns=header)


def _number(file: Path, i: int, name: str, cell: str) -> float:
    value = as_number(cell)
    if not math.isfinite(value):
        shown = repr(cell[:40]) if cell.strip() else "empty"
        raise UsageError(
            f"{file}: column {name!r}, row {i} is {shown}: it must be a finite number; "
            "write categories as numbers"
        )
    # Whole numbers stay such: a mechanism may use a data point as an index.
    return int(value) if value.is_integer() and abs(value) < 2**53 else value
