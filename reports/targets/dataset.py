"""Reads the datasets of a pair from files, and what a record may be.

``.json``: lists, numbers, strings, objects, taken as Python has them (NaN and Infinity too, as
Python writes them). ``.npy``: one numpy array, no pickled objects. ``.csv``: one record a line. A
first line that is not all numbers is a header: the dataset is a data frame with its names, and the
types that pandas sees. Without a header it is numbers: a vector of one column, a matrix of several;
with one, too, where ``:matrix`` follows the file's name. ``.parquet``: a data frame.

What a record may be: ``0:1``, ``a,b,c``, ``numbers``, ``text``; or each column alone.
"""

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from provado.audit.options.declaration import DOMAIN_FORMS
from provado.mechanisms import NeighboringRelation, UsageError
from provado.mechanisms.definitions import relation as definition
from provado.mechanisms.definitions.parameters import natural
from provado.reports.documents.schema import load_json
from provado.reports.text.formatting import other_encoding, unreadable

from .csv_and_parquet import csv_lines, pandas


def read_domain(stated: Sequence[str] | str | Mapping[str, str], name: str = "--domain") -> Any:
    """Return a domain as ``audit`` takes it.

    stated: one text for all columns, texts ``COLUMN=…``, or a mapping of columns to texts. Raises
    ``UsageError`` that starts with ``name``.
    """
    if isinstance(stated, str):
        return _field(stated, name)
    if not isinstance(stated, Mapping):
        texts = list(stated)
        if len(texts) == 1 and "=" not in texts[0]:
            return _field(texts[0], name)
        stated = {}
        for text in texts:
            column, equals, field = text.partition("=")
            if not equals or column in stated:
                raise UsageError(f"{name}: {text!r}: it must be COLUMN=…, each column once")
            stated[column] = field
    return {_position(column): _field(text, f"{name} {column}") for column, text in stated.items()}


def of_records(domain: Any) -> Any:
    """Return a domain as ``proofs`` takes it: columns without names, by position, are a tuple."""
    if isinstance(domain, Mapping) and set(domain) == set(range(len(domain))):
        return tuple(domain[place] for place in range(len(domain)))
    return domain


def read_size(stated: int | str, name: str) -> tuple[int, int | None]:
    """Return the fewest and the most records: ``9`` is exactly 9, ``9:`` is 9 or more.

    Raises ``UsageError`` that starts with ``name``.
    """
    least, colon, most = str(stated).partition(":")
    try:
        fewest = natural(int(least), name)
        return fewest, (natural(int(most), name) if most else None) if colon else fewest
    except ValueError:
        raise UsageError(f"{name} {stated!r}: it must be LEAST or LEAST:MOST, from 1 on") from None


def _position(column: str) -> Any:
    """Return a column's name, or its position where the data have no names."""
    return int(column) if column.isdecimal() else column


def _field(text: str, name: str) -> Any:
    rest, comma, last = text.rpartition(",")
    if comma and last.strip() == "missing":
        field = _field(rest, name)
        return type(field)((*field, None)) if isinstance(field, tuple | list) else (field, None)
    if text in ("numbers", "integers", "booleans"):
        return {"numbers": float, "integers": int, "booleans": bool}[text]
    if text == "text":
        from hypothesis import strategies

        return strategies.text(max_size=20) | strategies.just("many words " * 100)
    if text.count(":") == 1:
        low, high = text.split(":")
        numbers = (_end(low, -math.inf), _end(high, math.inf))
        if None not in numbers:
            if numbers[0] > numbers[1]:  # type: ignore[operator]
                raise UsageError(f"{name}: {text!r} is refused: {low} is above {high}")
            return numbers
    elif text.strip():
        values = [_value(one.strip()) for one in text.split(",")]
        if len(values) == 1 and not isinstance(values[0], str):
            ends = f"0:{text}" if values[0] > 0 else f"{text}:1"
            raise UsageError(
                f"{name}: {text!r} is a single number, so that all records would be alike; a range "
                f"is LOW:HIGH, as in {ends}"
            )
        return values
    more = "; each column has a --domain of its own" if "=" in text else ""
    raise UsageError(f"{name}: {text!r} is refused: it must be {DOMAIN_FORMS}{more}")


def _end(text: str, absent: float) -> float | None:
    if not text.strip():
        return absent
    value = _value(text.strip())
    return value if isinstance(value, int | float) else None


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


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
        raise UsageError(f"dataset {str(file)!r}: {unreadable(file, error)}") from error


def load_pair(
    files: tuple[str, str], relation: NeighboringRelation | None = None
) -> tuple[Any, Any]:
    """Return two datasets; with a relation, raises ``UsageError`` unless they are neighbors."""
    d, d_prime = (load_dataset(Path(file)) for file in files)
    if hasattr(d, "columns") and hasattr(d_prime, "columns") and d.columns.equals(d_prime.columns):
        # A column has one type in both, so that the type alone reveals nothing.
        types = pandas().concat([d, d_prime]).dtypes
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
    """Raise ``UsageError`` that starts with ``name`` unless two datasets are neighbors.

    Without a relation they need only differ.
    """
    try:
        definition.check_neighbors(d, d_prime, relation)
    except (UsageError, TypeError, ValueError) as error:
        raise UsageError(f"{name}: {error}" if name else str(error)) from error


def _npy(file: Path) -> Any:
    try:
        return np.load(file, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise UsageError(f"dataset {str(file)!r}: not readable as .npy: {error}") from error


def _csv(file: Path, matrix: bool = False) -> Any:
    """Return a data frame with the header's names; an array without a header, or as asked."""
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
        # Space around a name or a value is no part of it.
        frame = _frame(file, "read_csv", low_memory=False, skipinitialspace=True)
        frame.columns = frame.columns.str.strip()
        return frame
    array = np.array(table)
    return array[:, 0] if array.shape[1] == 1 else array


def _frame(file: Path, reader: str, **options: Any) -> Any:
    read = getattr(pandas(), reader)
    try:
        frame = read(file, **options)
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
        raise UsageError(f"{name}: not readable as UTF-8: {other_encoding(file)}") from error
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
