"""Populations of datasets: where the data of an observational study come from."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms import UsageError
from provado.mechanisms.definitions.relation import counted, one_line

Datasets = NDArray[Any]
"""Shape (number of datasets, data points); whole numbers or floats."""

DRAWS_A_DATASET = 500
"""A value rarer than one in so many draws of a sampler is taken as one that never occurs."""

_LEAST_BATCH = 2000


class DatasetPopulation(Protocol):
    """Whole datasets, drawn independently; data points within one may be correlated.

    names: one for each data point.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the data points, in the order in which a dataset lists them."""
        ...

    def first(self) -> Datasets:
        """Return one dataset, always the same."""
        ...

    def given(self, point: int, value: float, size: int, rng: np.random.Generator) -> Datasets:
        """Return ``size`` datasets drawn given that D_point = ``value``; ``UsageError`` if none."""
        ...


@dataclass(frozen=True)
class TablePopulation:
    """The uniform distribution over the rows of a table; repeated rows count as often."""

    names: tuple[str, ...]
    rows: Datasets

    def first(self) -> Datasets:
        """Return the first row."""
        row: Datasets = self.rows[0].copy()
        return row

    def given(self, point: int, value: float, size: int, rng: np.random.Generator) -> Datasets:
        """Return rows with that value, drawn with replacement."""
        fitting = self.rows[self.rows[:, point] == value]
        if not len(fitting):
            result = np.unique(self.rows[:, point])
            shown = ", ".join(f"{v:g}" for v in result[:8]) + (", …" if len(result) > 8 else "")
            raise UsageError(
                f"value {value:g}: it never occurs at data point {self.names[point]!r} of the "
                f"population, which takes {shown}"
            )
        drawn: Datasets = fitting[rng.integers(0, len(fitting), size)]
        return drawn


@dataclass(frozen=True)
class SampledPopulation:
    """What ``sampler(size, rng)`` returns: independent datasets, one a row."""

    names: tuple[str, ...]
    sampler: Callable[[int, np.random.Generator], Any]
    example: Datasets

    def first(self) -> Datasets:
        """Return the dataset that was drawn first."""
        return self.example.copy()

    def given(self, point: int, value: float, size: int, rng: np.random.Generator) -> Datasets:
        """Return datasets with that value, by drawing until there are enough."""
        result: list[Datasets] = [np.empty((0, len(self.names)), dtype=self.example.dtype)]
        have, drawn, most = 0, 0, DRAWS_A_DATASET * max(size, _LEAST_BATCH)
        while have < size:
            if drawn >= most:
                raise UsageError(
                    f"value {value:g}: it occurs in {have} of {drawn:,} datasets that the "
                    f"population drew at data point {self.names[point]!r}; {size:,} are needed"
                )
            batch = max(size, _LEAST_BATCH)
            rows = _draw(self.sampler, batch, rng)[1]
            if rows.shape[1] != len(self.names):
                raise UsageError(
                    f"population: it drew datasets of {len(self.names)} and of {rows.shape[1]} "
                    "data points; all must have the same"
                )
            rows = rows[rows[:, point] == value]
            result.append(rows)
            have, drawn = have + len(rows), drawn + batch
        return np.concatenate(result)[:size]


def as_population(given: Any, rng: np.random.Generator) -> DatasetPopulation:
    """Return a population from a sampler, a data frame or an array with a dataset in each row.

    A sampler is a callable ``population(size, rng)`` that returns ``size`` datasets as an array or
    a data frame. Data points of an array are named "0", "1", …. Anything but finite numbers, and
    a table of fewer than two rows, raises ``UsageError``.
    """
    if callable(given):
        names, rows = _draw(given, 1, rng)
        return SampledPopulation(names, given, rows[0])
    names, rows = _table(given)
    if len(rows) < 2:
        raise UsageError("population: it has fewer than 2 rows")
    return TablePopulation(names, rows)


def place_of(population: DatasetPopulation, point: int | str) -> int:
    """Return the position of a data point given by name or position; ``UsageError`` if unknown."""
    names = population.names
    if isinstance(point, str) and point in names:
        return names.index(point)
    if isinstance(point, int | np.integer) and 0 <= point < len(names):
        return int(point)
    shown = ", ".join(map(repr, names[:8])) + (", …" if len(names) > 8 else "")
    raise UsageError(f"point {point!r}: the population has no such data point; it has {shown}")


def _draw(
    sampler: Callable[[int, np.random.Generator], Any], size: int, rng: np.random.Generator
) -> tuple[tuple[str, ...], Datasets]:
    try:
        drawn = sampler(size, rng)
    except Exception as error:
        raise UsageError(f"population: it raised {one_line(error)}") from error
    names, rows = _table(drawn)
    if len(rows) != size:
        raise UsageError(
            f"population: it drew {counted(len(rows), 'dataset')} where {size} were requested"
        )
    return names, rows


def _table(given: Any) -> tuple[tuple[str, ...], Datasets]:
    """Return names and rows of a frame or array; whole numbers become integers."""
    columns = getattr(given, "columns", None)
    try:
        rows = np.asarray(given)
        if rows.dtype.kind not in "biu":
            rows = rows.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise UsageError(f"population: its values must be numbers ({error})") from error
    if rows.ndim != 2 or not rows.shape[1]:
        raise UsageError(f"population: shape {rows.shape} where (datasets, data points) is needed")
    if not np.all(np.isfinite(rows)):
        raise UsageError("population: its values must be finite numbers; some are not")
    if rows.dtype.kind in "bu":
        rows = rows.astype(np.int64)
    names = range(rows.shape[1]) if columns is None else columns
    return tuple(map(str, names)), rows
