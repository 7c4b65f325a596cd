"""Reads the datasets of a pair from files.

``.json``: lists, numbers, strings, objects, taken as Python has them (NaN and Infinity too, as
Python writes them). ``.npy``: one numpy array, no pickled objects. ``.csv``: one record a line. A
first line that is not all numbers is a header: the dataset is a data frame with its names, and the
types that pandas sees. Without a header it is numbers: a vector of one column, a matrix of several;
with one, too, where ``:matrix`` follows the file's name. ``.parquet``: a data frame.
"""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from provado.mechanisms import NeighboringRelation, UsageError
from provado.reports.documents.read import load_json

MATRIX = ":matrix"
"""After the name of a CSV file: its numbers are wanted, not a data frame."""


def load_dataset(file: Path) -> Any:
    """Return the dataset of a file; raises ``UsageError`` that names the file and what is wrong."""
    reader = _READERS.get(file.suffix.lower())
    if reader is None:
        known = ", ".join(sorted(_READERS))
        raise UsageError(f"dataset {str(file)!r}: the file's name must end in one of {known}")
    try:
        return reader(file)
    except OSError as error:
        raise UsageError(f"dataset {str(file)!r}: {error.strerror or error}") from error


def load_pair(
    files: tuple[str, str], relation: NeighboringRelation | None = None
) -> tuple[Any, Any]:
    """Return two datasets; with a relation, raises ``UsageError`` unless they are neighbors."""
    d, d_prime = (load_dataset(Path(file)) for file in files)
    if hasattr(d, "columns") and hasattr(d_prime, "columns") and d.columns.equals(d_prime.columns):
        import pandas as pd

        # A column has one type in both, so that the type alone tells nothing.
        types = pd.concat([d, d_prime]).dtypes
        d, d_prime = d.astype(types), d_prime.astype(types)
    check_neighbors(d, d_prime, relation, f"--pair {files[0]} {files[1]}")
    return d, d_prime


def relation_for(mechanism: Any, relation: NeighboringRelation | None) -> NeighboringRelation:
    """Return the relation by which neighbors are made of ``--data``: the one typed or stated."""
    relation = relation or getattr(mechanism, "relation", None)
    if not isinstance(relation, NeighboringRelation):
        raise UsageError(
            "--data: it needs --relation, which says what a neighboring dataset is: add "
            "--relation add-or-remove-one (a record is in the data or not) or --relation "
            "replace-one (a record has another value)"
        )
    return relation


def check_neighbors(
    d: Any, d_prime: Any, relation: NeighboringRelation | None, name: str = ""
) -> None:
    """Raise ``UsageError`` that starts with ``name`` unless two datasets are neighbors."""
    if relation is None:
        return
    try:
        relation.check(d, d_prime)
    except (UsageError, TypeError, ValueError) as error:
        raise UsageError(f"{name}: {error}" if name else str(error)) from error


def _npy(file: Path) -> Any:
    try:
        return np.load(file, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise UsageError(f"dataset {str(file)!r}: not readable as .npy: {error}") from error


def _csv(file: Path, matrix: bool = False) -> Any:
    """Return a data frame with the header's names; an array without a header, or as asked."""
    from .columns import csv_lines

    name, header = f"dataset {str(file)!r}", False
    file = file.with_name(file.name.removesuffix(MATRIX))
    table: list[Any] = []
    for at, cells in filter(itemgetter(1), csv_lines(file)):
        plain = matrix or not header
        values = numbers([cell.strip() or "nan" for cell in cells]) if plain else None
        if values is None and not (header or table):
            header = True
        elif values is None and plain:
            hint = "not numbers; give a table that also has text a first line of names"
            raise UsageError(f"{name}: line {at} is {','.join(cells)[:60]!r}: {hint}")
        else:
            table.append(values)
    if not table:
        raise UsageError(f"{name}: it holds no record")
    if header and not matrix:
        return _frame(file, "read_csv", low_memory=False)
    array = np.array(table)
    return array[:, 0] if array.shape[1] == 1 else array


def _frame(file: Path, reader: str, **options: Any) -> Any:
    import pandas as pd

    try:
        frame = getattr(pd, reader)(file, **options)
    except (ValueError, ImportError) as error:
        words = " ".join(str(error).split())
        raise UsageError(f"dataset {str(file)!r}: not readable as a table: {words}") from error
    if not len(frame.columns):
        raise UsageError(f"dataset {str(file)!r}: it has no column")
    if arrow := sys.modules.get("pyarrow"):
        # It keeps the memory in which it read the file.
        arrow.default_memory_pool().release_unused()
    return frame


def text_lines(file: Path, name: str) -> list[tuple[int, str]]:
    """Return the lines that are not blank, with their numbers from 1 on.

    Raises ``UsageError`` that starts with ``name`` where the file cannot be read.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{name}: not readable as UTF-8: {error}") from error
    return [(i, line) for i, line in enumerate(lines, start=1) if line.strip()]


def numbers(cells: Sequence[str]) -> list[float] | None:
    """Return cells as floats; ``None`` where one is none."""
    try:
        return [float(cell) for cell in cells]
    except ValueError:
        return None


_READERS: dict[str, Callable[[Path], Any]] = {
    ".json": partial(load_json, constants=True),
    ".npy": _npy,
    ".csv": _csv,
    ".csv" + MATRIX: partial(_csv, matrix=True),
    ".parquet": partial(_frame, reader="read_parquet"),
}
