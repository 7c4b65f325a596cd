"""A bound on the sensitivity of a query, from how it is built and what a record may be."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from types import MappingProxyType
from typing import Any

import numpy as np

from provado.mechanisms import AddOrRemoveOne, NeighboringRelation, ReplaceOne, UsageError
from provado.mechanisms.definitions.relation import short

from .cells import Listed, TracedCells
from .interval import End, Interval, plain, times
from .number import Number, number
from .python import PYTHON
from .rows import TracedRows, column
from .run import in_place_of, released_by
from .table import Matrix, TracedTable
from .untraceable import QueryStep, QueryTrace


@dataclass(frozen=True)
class RecordColumns:
    """The columns of a record.

    names: those of a data frame; ``None`` of an array. several: whether the array has two axes.
    """

    columns: tuple[Any, ...]
    names: tuple[str, ...] | None = None
    several: bool = False

    def standing(self) -> TracedRows | Matrix | TracedTable:
        """Return what stands for any records."""
        rows = tuple(column(one, series=self.names is not None) for one in self.columns)
        if self.names is not None:
            return TracedTable(dict(zip(self.names, rows, strict=True)))
        return Matrix(rows) if self.several else rows[0]

    def made(self, records: Any) -> Any:
        """Return records, which are tuples, as an array or a data frame."""
        # No records have the type of those that there may be.
        rows = list(records) or [tuple(values[0] for values in self.tried())]
        if self.names is not None:
            import pandas as pd

            return pd.DataFrame(rows, columns=list(self.names)).iloc[: len(records)]
        if self.several:
            return np.array(rows, dtype=float)[: len(records)]
        return np.array([one for (one,) in rows])[: len(records)]

    def tried(self) -> list[list[Any]]:
        """Return values of each column that are exact in floating point, the extremes first."""
        return [_values(one) for one in self.columns]


def read_domain(domain: Any) -> RecordColumns:
    """Return what a user calls a domain; raises ``UsageError`` for what is none."""
    if isinstance(domain, Mapping):
        if len(names := tuple(map(str, domain))) != len(set(names)) or not names:
            raise UsageError(f"domain is {short(domain, 60)}: it must name a column, and each once")
        return RecordColumns(tuple(map(_column, domain.values())), names)
    if isinstance(domain, tuple) and domain and all(map(_is_column, domain)):
        return RecordColumns(tuple(_of_an_array(_column(one)) for one in domain), several=True)
    return RecordColumns((_of_an_array(_column(domain)),))


def _is_column(domain: Any) -> bool:
    return isinstance(domain, list | tuple) or domain in (bool, float)


def _column(domain: Any) -> Any:
    """Return a column, with the numbers of NumPy's types as Python's."""
    if isinstance(domain, list | tuple):
        domain = type(domain)(x.item() if isinstance(x, np.generic) else x for x in domain)
    domain = float if domain == (float, None) else domain
    values = domain if isinstance(domain, list | tuple) else ()
    ends = isinstance(domain, tuple) and len(domain) in (2, 3) and all(map(plain, domain[:2]))
    ends = ends and domain[2:] in ((), (None,))
    rule = ""
    if not (ends or domain in (bool, float) or (isinstance(domain, list) and domain)):
        rule = "a column is (low, high), a list of values, bool or float; None for what is missing"
    elif len({isinstance(x, bool) for x in values}) > 1:
        rule = "True and False stand beside other values"
    elif any(isinstance(x, int) and abs(x) > 2**53 for x in values):
        rule = "floats do not hold integers beyond 2**53"
    if rule:
        raise UsageError(f"domain is {short(domain, 60)}: {rule}")
    return domain


def _of_an_array(domain: Any) -> Any:
    """Return a column whose values one array holds, whatever other values are beside them."""
    values = domain if isinstance(domain, list) else [0]
    if not (all(isinstance(x, str) for x in values) or all(isinstance(x, Real) for x in values)):
        raise UsageError(
            f"domain is {short(domain, 60)}: an array holds either numbers or text; beside other "
            "values, such as None, their type depends on the data: use a data frame, or NaN"
        )
    return domain


def _values(domain: Any) -> list[Any]:
    if domain is bool:
        return [False, True]
    if domain is float:
        return [0.0, 1.0, -1.0, 1e6, -1e6, math.nan, math.inf]
    if isinstance(domain, list):
        return domain
    low, high, *missing = domain
    within = [low * (1 - part / 8) + high * (part / 8) for part in (1, 2, 4, 6)]
    within = [one for one in (*within, low + 1, high - 1) if low <= one <= high]
    return [low, high, *(math.nan for _ in missing), *within]


# A bound on the sensitivity of a query, from how it is built.

SCALE = 10**18
"""Roots are exact to one part of it."""


@dataclass(frozen=True)
class Traced:
    """What following a query through its steps showed.

    moves: the most by which it moves between neighbors, all its numbers together (ℓ1); ``None``
    where it could not be followed. most: the most by which one of its numbers moves. numbers: how
    many it releases; 1 for a plain number. steps: what was computed on the way. reason: why it
    could not be followed, with the line; else empty. squares: the most to which the squares of what
    its numbers move by add up.
    """

    moves: End | None
    most: End | None
    numbers: int
    steps: tuple[QueryStep, ...]
    reason: str = ""
    squares: End = Fraction(0)

    def moved(self, norm: str) -> End | None:
        """Return the most by which it moves in a norm: ``"l1"``, ``"l2"`` or ``"linf"``."""
        if norm == "l2" and self.moves is not None:
            return root(self.squares, up=True)
        return self.moves if norm == "l1" else self.most


def root(square: End, *, up: bool) -> End:
    """Return the root of a number from 0 on: a fraction that is just above or below, or equal."""
    if not isinstance(square, Fraction):
        return square
    exact = square.numerator * square.denominator * SCALE**2
    found = math.isqrt(exact)
    return Fraction(found + (up and found**2 < exact), square.denominator * SCALE)


def trace_query(
    query: Callable[..., Any],
    domain: RecordColumns,
    relation: NeighboringRelation,
    size: tuple[int, int | None],
    parameters: Mapping[str, Any] = MappingProxyType({}),
) -> Traced:
    """Follow a query through its steps and return by how much it moves between neighbors.

    query: called once, with something that stands for an array, a series or a data frame of any
        records of the domain. It may use arithmetic, comparisons, NumPy's and pandas' functions of
        columns, sums, means, counts, quantiles, histograms over given edges and groups by given
        keys; whatever else it does ends the trace with a reason, and never with a bound.
    domain: what a record is.
    relation: ``ReplaceOne()`` or ``AddOrRemoveOne()``.
    size: the fewest records and the most, or ``None``; under add-or-remove-one of the larger one
        of two neighbors.
    parameters: the query's further arguments; (low, high) stands for any number between them.

    The bound holds in exact arithmetic: floating point may move a sum by a few last bits more.

    Guarantee: each step's rule is a textbook inequality, in its docstring or beside it; that the
    query does the same on data as on what stands for them is not checked here (``isinstance`` may
    tell them apart).
    """
    given, trace = domain.standing(), QueryTrace(_one_more(relation), *size)
    further = {
        name: Number(Interval(*value), Fraction(0)) if isinstance(value, tuple) else value
        for name, value in parameters.items()
    }
    released, reason = released_by(query, given, trace, in_place_of(PYTHON), **further)
    if reason:
        return Traced(None, None, 0, tuple(trace.steps), reason)
    parts = _parts(released)
    if parts is None:
        what = getattr(released, "what", type(released).__name__)
        return Traced(None, None, 0, tuple(trace.steps), f"it returns {what}, no numbers")
    together = [
        one if isinstance(one, TracedCells) else TracedCells(one, one.moves, 1) for one in parts
    ]
    moves = sum(one.moves for one in together)
    most = max((one.most for one in together), default=0)
    many = sum(one.length for one in together)
    squares = sum(map(_squares, together), Fraction(0))
    return Traced(moves, most, many, tuple(trace.steps), squares=squares)


def _one_more(relation: NeighboringRelation) -> bool:
    if isinstance(relation, AddOrRemoveOne):
        return True
    if isinstance(relation, ReplaceOne):
        return False
    raise UsageError(f"relation is {relation!r}: it must be ReplaceOne() or AddOrRemoveOne()")


def _parts(released: Any) -> list[Number | TracedCells] | None:
    """Return the numbers that were released; ``None`` where there is anything else."""
    if isinstance(released, Listed):
        return [released.cells]
    if isinstance(released, Number | TracedCells):
        return [released]
    if isinstance(released, Mapping):
        released = list(released.values())
    if isinstance(released, np.ndarray):
        released = released.ravel().tolist()
    if isinstance(released, list | tuple):
        found: list[Number | TracedCells] = []
        for one in released:
            inner = _parts(one)
            if inner is None:
                return None
            found += inner
        return found
    plain = None if isinstance(released, str | bytes) else number(released)
    return None if plain is None else [plain]


def _squares(cells: TracedCells) -> End:
    """Return the most that squares add up to: as many as can move by the most, one by the rest."""
    most, moves = cells.most, min(cells.moves, times(Fraction(cells.length), cells.most))
    if not most or math.isinf(most):
        return most
    full, rest = divmod(moves, most)
    return full * most**2 + rest**2


def finite(value: End | None) -> bool:
    """Tell whether there is a bound, and a finite one."""
    return value is not None and not math.isinf(value)
