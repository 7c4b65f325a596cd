"""Cuts a box where conditions on single records change, so that they are constants on each cell.

A histogram's changes are such: one record leaves one bin, and another enters one.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from .enclosure import Ends
from .expression import Function, Variable, function
from .ratio import Ratio
from .sign import put

MOST_CELLS = 2_000

Box = Mapping[Variable, Ends]
Cell = tuple[Fraction, Ends]
"""A point of a cell, and its closure."""


def cells(values: Sequence[Ratio], box: Box) -> list[tuple[list[Ratio], Box]] | None:
    """Return expressions on every cell, with its closure; ``None`` where there is nothing to cut.

    A condition on one variable, linear in it, is true on all of an open cell or on none of it, and
    each end between two cells is a cell of its own. What holds for the closure holds for the cell.
    """
    changes = {one: _threshold(one, box) for value in values for one in _conditions(value)}
    known = {one: found for one, found in changes.items() if found is not None}
    parts = {
        variable: list(_cells(box[variable], {at for v, at in known.values() if v == variable}))
        for variable, _ in known.values()
    }
    if not parts or math.prod(map(len, parts.values())) > MOST_CELLS:
        return None
    answers = {
        (one, point): function("above", put(one.argument, variable, Ratio.number(point)), one.low)
        for one, (variable, _) in known.items()
        for point, _ in parts[variable]
    }
    found_cells: list[tuple[list[Ratio], Box]] = []
    for chosen in itertools.product(*parts.values()):
        cell = dict(zip(parts, chosen, strict=True))
        decided = {one: answers[one, cell[variable][0]] for one, (variable, _) in known.items()}
        closure = {variable: ends for variable, (_, ends) in cell.items()}
        found_cells.append(([_decided(one, decided) for one in values], {**box, **closure}))
    return found_cells


def _conditions(value: Ratio) -> Iterator[Function]:
    for symbol in value.symbols:
        if isinstance(symbol, Function):
            if symbol.name == "above":
                yield symbol
            yield from _conditions(symbol.argument)


def _threshold(condition: Function, box: Box) -> tuple[Variable, Fraction] | None:
    """Return the variable of a condition and where it changes; ``None`` if it has another form."""
    argument, symbols = condition.argument, list(condition.argument.symbols)
    if len(symbols) != 1 or not isinstance(symbols[0], Variable):
        return None
    variable = symbols[0]
    parts = argument.top.coefficients(variable)
    plain = argument.bottom.constant is not None and max(parts) == 1
    if not plain or None in box[variable]:
        return None
    slope = parts[1].constant
    start = parts[0].constant if 0 in parts else Fraction(0)
    return None if slope is None or start is None else (variable, -start / slope)


def _cells(ends: Ends, thresholds: set[Fraction]) -> Iterator[Cell]:
    low, high = ends
    assert low is not None
    assert high is not None
    cuts = [low, *sorted(x for x in thresholds if low < x < high), high]
    for at in dict.fromkeys(cuts):
        yield at, (at, at)
    for first, last in itertools.pairwise(dict.fromkeys(cuts)):
        yield (first + last) / 2, (first, last)


def _decided(value: Ratio, answers: Mapping[Function, Ratio]) -> Ratio:
    """Return an expression whose conditions have these answers, within functions too."""

    def by(symbol: object) -> Ratio | None:
        if not isinstance(symbol, Function) or symbol in answers:
            return answers.get(symbol) if isinstance(symbol, Function) else None
        inner = symbol.argument.replace(by)
        return symbol.of(inner)

    return value.replace(by)
