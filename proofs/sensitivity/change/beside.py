"""What was read of a query beside the query itself: both are computed on random datasets.

A query that was misread gives other numbers than the expressions that a proof is about.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from provado.mechanisms.definitions.relation import of_one_field, short
from provado.proofs.sensitivity.trace.bound import RecordColumns

from .expression import Length, Mixture, PlaceSymbol, PublicSymbol, RecordSymbol, Size, Total
from .points import float_value
from .ratio import Ratio

RUNS = 24
"""Datasets on which a query is computed both ways."""

MORE_RECORDS = (0, 1, 2, 0, 3, 1, 5, 12)
"""So many records more than the fewest they have, in turn."""

MOST_NUMBERS = 50_000
"""So many records they have in all, or there are fewer of them."""

ROUNDING, TINY = 1e-9, 1e-12
"""Two ways of rounding differ by so much, relatively; and by what such moves of the data do."""


class AtRecords(dict[Any, Any]):
    """The values of symbols for some records, from their definitions; by ``float_value``.

    What nothing but ends is known of is missing: ``KeyError``.
    """

    def __init__(self, table: Any, known: Mapping[Any, Any]) -> None:
        super().__init__(
            {key: item for key, item in known.items() if isinstance(key, PublicSymbol)}
        )
        self.table = np.asarray(table, dtype=float).reshape(len(table), -1)

    def __missing__(self, symbol: Any) -> Any:
        match symbol:
            case RecordSymbol(step=step, sizes=sizes, offset=offset):
                n = len(self.table)
                place = (step * self[PlaceSymbol(symbol.inner)] if step else 0) + sizes * n + offset
                place = place % n if symbol.turned else np.asarray(place)
                if np.any(place < 0) or np.any(place >= n):
                    raise IndexError("a place without a record")
                result: Any = self.table[place, symbol.column]
            case Size():
                result = len(self.table)
            case Total():
                result = self._total(symbol)
            case Mixture(which="", slope=Ratio() as weights):
                result = self._sorted(symbol, weights)
            case _:
                raise KeyError(symbol)
        self[symbol] = result
        return result

    def _cells(self, element: Ratio, *places: Any) -> Any:
        at = AtRecords(self.table, self)
        at.update(zip((PlaceSymbol(), PlaceSymbol(inner=True)), places, strict=False))
        return np.broadcast_to(float_value(element, at), places[0].shape)

    def _many(self, length: Length) -> int:
        return length.sizes * len(self.table) + length.more

    def _total(self, symbol: Total) -> Any:
        many = self._many(symbol.length)
        if symbol.kind == "pairs":
            return self._cells(symbol.element, *np.triu_indices(many, 1)).sum()
        cells = self._cells(symbol.element, np.arange(many))
        if symbol.kind == "quantile":
            return np.quantile(cells, float(symbol.share))
        return cells.sum() if symbol.kind == "sum" else cells.prod()

    def _sorted(self, symbol: Mixture, weights: Ratio) -> Any:
        many = self._many(symbol.length)
        ends = ((symbol.start, 0), (symbol.stop, many))
        first, last = (at if ratio is None else int(float_value(ratio, self)) for ratio, at in ends)
        places = np.arange(first, last)
        cells = np.sort(self._cells(symbol.element, np.arange(many)))[places]
        return (cells * self._cells(weights, places, places)).sum()


def datasets(records: RecordColumns, sizes: tuple[int, int | None]) -> Iterator[list[Any]]:
    """Yield random datasets: of values that are often equal, of ends, and of any in between."""
    rng, tried = np.random.default_rng(0), records.tried()
    left = MOST_NUMBERS
    for k in range(RUNS):
        size = sizes[0] + MORE_RECORDS[k % len(MORE_RECORDS)]
        size = size if sizes[1] is None else min(size, sizes[1])
        if k and size > (left := left - size):
            return
        columns = []
        for domain, values in zip(records.columns, tried, strict=True):
            some = values[: 2 + k % 2 * len(values)]
            column = [some[int(rng.integers(len(some)))] for _ in range(size)]
            if k % 3 and isinstance(domain, tuple):
                low, high = domain[:2]
                column = [float(low + (high - low) * rng.random()) for _ in range(size)]
            columns.append(column)
        yield list(zip(*columns, strict=True))


def table_of(records: RecordColumns, data: Sequence[Any]) -> list[list[float]]:
    """Return records as numbers, texts as their places in the domain."""
    return [
        [
            domain.index(item) if isinstance(item, str) else float(item)
            for item, domain in zip(record, records.columns, strict=True)
        ]
        for record in data
    ]


def differs(
    values: Sequence[Ratio],
    records: RecordColumns,
    data: Sequence[Any],
    known: Mapping[Any, Any],
    returned: Sequence[float],
) -> str:
    """Return how numbers that were returned differ from what was read, in words; else nothing.

    known: the values of public symbols. What has ends alone is left out.
    """
    if len(values) != len(returned):
        return f"it returns {len(returned)} numbers, and was read to return {len(values)}"
    at, rng = AtRecords(table_of(records, data), known), np.random.default_rng(0)
    # Sums of short binary fractions are exact, and so is on which side of a jump they are.
    exact = np.all(at.table * 64 == np.floor(at.table * 64))
    for value, true in zip(values, returned, strict=True):
        try:
            read = float(float_value(value, at))
            near = ROUNDING * (1 + abs(true) + abs(read))
            if abs(read - true) <= near:
                continue
            moves = (1 + TINY * rng.uniform(-1, 1, at.table.shape) for _ in range(4))
            moved = [float(float_value(value, AtRecords(at.table * by, known))) for by in moves]
        except KeyError:
            continue
        # What is badly conditioned may differ by more, down to roots of what is just below 0.
        apart = max((abs(item - read) for item in moved if not math.isnan(item)), default=0.0)
        if not exact:
            near += 1e-7 * (1 + np.abs(at.table).max()) + 1e3 * apart
        elif apart < 1e-6 * (1 + abs(read)):
            near += 1e-8 + 1e3 * apart
        if abs(read - true) > near or math.isnan(true):
            return f"it returns {true:.10g}, and was read to return {read:.10g}"
    return ""


def misread(
    records: RecordColumns,
    sizes: tuple[int, int | None],
    compared: Callable[[Sequence[Any], int], tuple[str, str]],
) -> str:
    """Return on which dataset a query gives other numbers than were read of it; else nothing.

    compared: returns how they differ on some records, and words for further arguments; its second
    argument counts the datasets.
    """
    for number, data in enumerate(datasets(records, sizes)):
        d = short(of_one_field(data), 80)
        try:
            with np.errstate(all="ignore"):
                found, words = compared(data, number)
        except (Exception, SystemExit) as error:
            return f"on {d} it raises {short(f'{error!r}', 120)}"
        if found:
            return f"on {d}{words} {found}"
    return ""
