"""Data from files: cause-effect pairs (Tübingen, or a folder of the user), and the cells of Sachs.

The Tübingen pairs and the flow-cytometry data of Sachs et al. are those that cdt ships; cdt is not
imported. Source of the latter: Sachs et al., Causal Protein-Signaling Networks Derived from
Multiparameter Single-Cell Data (2005).

A folder of pairs holds one file a pair, which is named after the file without its ending:

- ``.csv``: two numbers a line, separated by a comma; a first line that is not numbers is a header;
- ``.txt``: two numbers a line, separated by spaces or tabs, without a header;
- ``.parquet``: a table of exactly two numeric columns.

The first column is X, the second Y. An optional ``labels.csv`` in the folder gives the true
directions: a header ``name,direction``, then a line a pair, the direction ``X->Y`` or ``Y->X``
(``X→Y`` and ``Y→X`` are read too). A pair that it does not name has no known direction. Empty lines
are skipped; other files in the folder are left alone.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms import UsageError
from provado.mechanisms.cause_effect.additive_noise_model import Direction
from provado.reports.targets.csv_and_parquet import LEAST_ROWS, pandas, read_parquet
from provado.reports.targets.dataset import numbers, text_lines

LABELS = "labels.csv"

_DIRECTIONS = {
    "X->Y": Direction.FORWARD,
    "X→Y": Direction.FORWARD,
    "Y->X": Direction.BACKWARD,
    "Y→X": Direction.BACKWARD,
}

_TARGETS = {1.0: Direction.FORWARD, -1.0: Direction.BACKWARD}


@dataclass(frozen=True, eq=False)
class NamedPair:
    """Two columns of one length, in their own units, and the true direction where it is known."""

    name: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    direction: Direction | None

    def swapped(self) -> NamedPair:
        """Return the same pair with X and Y exchanged."""
        turned = None if self.direction is None else self.direction.reversed()
        return replace(self, x=self.y, y=self.x, direction=turned)


def tuebingen_pairs(rng: np.random.Generator) -> tuple[NamedPair, ...]:
    """Return the Tübingen cause-effect pairs, each with its columns exchanged by a fair coin.

    The files hold 99 pairs of 94 to 16,382 records, all with the cause first; without the coins a
    method that always says X → Y would be right throughout. The columns stay in their own units.

    Source: Mooij et al., Distinguishing Cause from Effect Using Observational Data (2016); the
    files are those of the package cdt, which is not imported. Raises ``UsageError`` where cdt is
    not installed or its files are not as expected.
    """
    folder = cdt_folder()
    pairs, targets = folder / "Tuebingen_pairs.csv", folder / "Tuebingen_targets.csv"
    directions = dict(_rows(targets, ("SampleID", "Target"), _target))
    result = []
    for name, columns in _rows(pairs, ("SampleID", "A", "B"), _long_columns):
        if name not in directions:
            raise UsageError(f"{targets}: no line for {name!r}, which {pairs.name} has")
        pair = NamedPair(name, x=columns[0], y=columns[1], direction=directions[name])
        result.append(pair.swapped() if rng.integers(2) else pair)
    return tuple(result)


def load_pairs(folder: Path) -> tuple[NamedPair, ...]:
    """Return the pairs of a folder, sorted by name; the module says what the files look like.

    Nothing is exchanged. Raises ``UsageError`` that names file, line and rule: a line that is not
    two finite numbers, fewer than 4 records, two files of one name, a label for no file, an unknown
    direction, no pair at all.
    """
    try:
        files = sorted(
            file
            for file in folder.iterdir()
            if file.suffix.lower() in _READERS and file.name.lower() != LABELS
        )
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror or error}") from error
    if not files:
        raise UsageError(f"{folder}: no pair in it; names must end in {', '.join(_READERS)}")
    labels = _labels(folder / LABELS)
    named: dict[str, Path] = {}
    for file in files:
        other = named.setdefault(file.stem, file)
        if other is not file:
            raise UsageError(f"{file}: {other.name} has the same name; names must be unique")
    unknown = sorted(set(labels) - set(named))
    if unknown:
        raise UsageError(f"{folder / LABELS}: no file of the folder is named {unknown[0]!r}")
    return tuple(
        NamedPair(name, *_two_columns(file), labels.get(name))
        for name, file in sorted(named.items())
    )


def cdt_folder() -> Path:
    """Return where cdt keeps its data. Raises ``UsageError`` where it is not installed."""
    spec = importlib.util.find_spec("cdt")
    places = spec.submodule_search_locations if spec is not None else None
    if not places:
        raise UsageError("this needs the files of cdt: pip install 'provado[data]'")
    return Path(next(iter(places))) / "data" / "resources"


def _rows(
    file: Path, header: tuple[str, ...], read: Callable[[Path, str, list[str]], Any]
) -> list[tuple[str, Any]]:
    lines = text_lines(file, str(file))
    if not lines or tuple(lines[0][1].split(",")) != header:
        raise UsageError(f"{file}: line 1 must be {','.join(header)!r}")
    result = []
    for number, line in lines[1:]:
        name, *cells = line.split(",")
        if len(cells) != len(header) - 1:
            raise UsageError(f"{file}: line {number} must have {len(header)} cells")
        result.append((name, read(file, name, cells)))
    return result


def _target(file: Path, name: str, cells: list[str]) -> Direction:
    try:
        return _TARGETS[float(cells[0])]
    except (KeyError, ValueError):
        raise UsageError(
            f"{file}: {name} has the target {cells[0]!r}: it must be 1 or -1"
        ) from None


def _long_columns(
    file: Path, name: str, cells: list[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    try:
        first, second = (np.array(cell.split(), dtype=np.float64) for cell in cells)
    except ValueError as error:
        raise UsageError(
            f"{file}: {name} must hold numbers separated by spaces: {error}"
        ) from error
    if first.size != second.size:
        raise UsageError(f"{file}: {name} has {first.size} and {second.size} numbers: not a pair")
    if not (np.all(np.isfinite(first)) and np.all(np.isfinite(second))):
        raise UsageError(f"{file}: {name} must hold finite numbers only")
    return first, second


def _labels(file: Path) -> dict[str, Direction]:
    if not file.exists():
        return {}
    lines = text_lines(file, str(file))
    if not lines or [cell.strip() for cell in lines[0][1].split(",")] != ["name", "direction"]:
        raise UsageError(f"{file}: line 1 must be 'name,direction'")
    result: dict[str, Direction] = {}
    for number, line in lines[1:]:
        name, _, word = (part.strip() for part in line.rpartition(","))
        if word not in _DIRECTIONS:
            raise UsageError(
                f"{file}: line {number} has the direction {word!r}: it must be X->Y or Y->X"
            )
        if name in result:
            raise UsageError(f"{file}: line {number} names {name!r} a second time")
        result[name] = _DIRECTIONS[word]
    return result


def _two_columns(file: Path) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    table = _READERS[file.suffix.lower()](file)
    if len(table) < LEAST_ROWS:
        raise UsageError(f"{file}: {len(table)} records; at least {LEAST_ROWS} are needed")
    return np.ascontiguousarray(table[:, 0]), np.ascontiguousarray(table[:, 1])


def _text(separator: str | None) -> Callable[[Path], NDArray[np.float64]]:
    def read(file: Path) -> NDArray[np.float64]:
        lines = text_lines(file, str(file))
        if separator and lines and numbers(lines[0][1].split(separator)) is None:
            lines = lines[1:]
        table = np.empty((len(lines), 2))
        for row, (number, line) in enumerate(lines):
            values = numbers(line.split(separator))
            if values is None or len(values) != 2 or not np.all(np.isfinite(values)):
                between = "a comma" if separator else "spaces or tabs"
                raise UsageError(
                    f"{file}: line {number} is {line[:60]!r}: it must be two finite numbers "
                    f"separated by {between}"
                )
            table[row] = values
        return table

    return read


def _parquet(file: Path) -> NDArray[np.float64]:
    table = read_parquet(file)
    types = pandas().api.types
    numeric = all(
        types.is_numeric_dtype(kind) and not types.is_bool_dtype(kind) for kind in table.dtypes
    )
    if table.shape[1] != 2 or not numeric:
        kinds = ", ".join(map(str, table.dtypes))
        raise UsageError(f"{file}: columns of type {kinds}: it must have two numeric columns")
    values = table.to_numpy(dtype=np.float64, na_value=np.nan)
    bad = np.flatnonzero(~np.isfinite(values).all(axis=1))
    if bad.size:
        raise UsageError(f"{file}: row {bad[0] + 1} must hold two finite numbers")
    return np.asarray(values)


_READERS: dict[str, Callable[[Path], NDArray[np.float64]]] = {
    ".csv": _text(","),
    ".txt": _text(None),
    ".parquet": _parquet,
}


DATA, GRAPH = "cyto_full_data.csv", "cyto_full_target.csv"


@dataclass(frozen=True, eq=False)
class SachsCells:
    """Measurements of 11 proteins in single cells, and which act on which.

    columns: by the protein's name, each of one length, in their own units. directed: shape
    (11, 11), whether i → j, in the order of the columns.
    """

    columns: Mapping[str, NDArray[np.float64]]
    directed: NDArray[np.bool_]

    @property
    def skeleton(self) -> NDArray[np.bool_]:
        """Shape (11, 11), symmetric: which pairs are adjacent."""
        return self.directed | self.directed.T


@cache
def sachs_cells() -> SachsCells:
    """Return 7,466 cells and the graph of 18 arcs that is usually taken as true.

    Raises ``UsageError`` where cdt is not installed or its files are not as expected.
    """
    data, graph = cdt_folder() / DATA, cdt_folder() / GRAPH
    (_, head), *lines = text_lines(data, str(data))
    names = tuple(head.split(","))
    rows = []
    for number, line in lines:
        values = numbers(line.split(","))
        if values is None or len(values) != len(names) or not np.all(np.isfinite(values)):
            raise UsageError(f"{data}: line {number} must hold {len(names)} finite numbers")
        rows.append(values)
    directed = np.zeros((len(names),) * 2, dtype=bool)
    for number, line in text_lines(graph, str(graph))[1:]:
        ends = [end.strip('" ') for end in line.split(",")]
        if len(ends) != 2 or not set(ends) <= set(names):
            raise UsageError(f"{graph}: line {number} must name two columns of {DATA}")
        directed[names.index(ends[0]), names.index(ends[1])] = True
    directed.setflags(write=False)
    table = np.array(rows, dtype=np.float64).T
    return SachsCells(dict(zip(names, table, strict=True)), directed)
