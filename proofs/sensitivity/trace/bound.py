"""A bound on the sensitivity of a query, from how it is built."""

from __future__ import annotations

import builtins
import math
import types
from collections.abc import Callable, Mapping
from contextvars import copy_context
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from provado.mechanisms import AddOrRemoveOne, NeighboringRelation, ReplaceOne, UsageError
from provado.mechanisms.statement.intervention import short

from .cells import Cells, Listed
from .domain import Domain
from .interval import End, times
from .number import Number, as_float, number
from .rows import Rows
from .table import Index, Matrix, Table, size_of
from .tracing import Step, Trace, UntraceableError, running

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
    steps: tuple[Step, ...]
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
    query: Callable[[Any], Any],
    domain: Domain,
    relation: NeighboringRelation,
    size: tuple[int, int | None],
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

    The bound holds in exact arithmetic: floating point may move a sum by a few last bits more.

    Guarantee: each step's rule is a textbook inequality, in its docstring or beside it; that the
    query does the same on data as on what stands for them is not checked here (``isinstance`` may
    tell them apart).
    """
    given, trace = domain.standing(), Trace(_one_more(relation), *size)
    released = copy_context().run(_run, query, given, trace)
    if trace.stopped or isinstance(released, UntraceableError):
        return Traced(None, None, 0, tuple(trace.steps), trace.stopped or str(released))
    if isinstance(released, Exception | SystemExit):
        said = f"{type(released).__name__}: {released}"
        return Traced(None, None, 0, tuple(trace.steps), f"the query raised {short(said, 200)}")
    parts = _parts(released)
    if parts is None:
        what = getattr(type(released), "what", type(released).__name__)
        return Traced(None, None, 0, tuple(trace.steps), f"it returns {what}, no numbers")
    together = [one if isinstance(one, Cells) else Cells(one, one.moves, 1) for one in parts]
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


def _run(query: Callable[[Any], Any], given: Any, trace: Trace) -> Any:
    running(trace)
    try:
        return _with_our_len(query)(given)
    except (UntraceableError, Exception, SystemExit) as error:
        return error


def _with_our_len(query: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function in which ``len``, ``min``, ``max`` and ``float`` take what stands for data.

    Python lets ``len`` return nothing but an integer, and ``min`` compares.
    """
    if not isinstance(query, types.FunctionType):
        return query
    names = {name: made for name, made in _OURS.items() if name not in query.__globals__}
    made = types.FunctionType(
        query.__code__,
        {**query.__globals__, **names},
        query.__name__,
        query.__defaults__,
        query.__closure__,
    )
    made.__kwdefaults__ = query.__kwdefaults__
    return made


def _len(value: Any) -> Any:
    """Return the number of records, or of numbers: moves by 1 where a record comes or goes."""
    standing = isinstance(value, Rows | Matrix | Table | Index)
    if isinstance(value, Cells):
        return value.length
    return size_of(value) if standing else builtins.len(value)


def _least(*values: Any, **options: Any) -> Any:
    """Return the least of several numbers: moves by no more than one of them."""
    return _extreme(builtins.min, Number._smallest, values, options)


def _largest(*values: Any, **options: Any) -> Any:
    """Return the largest of several numbers: moves by no more than one of them."""
    return _extreme(builtins.max, Number._largest, values, options)


def _extreme(plain: Any, ours: Any, values: Any, options: Any) -> Any:
    if options or builtins.len(values) < 2 or not any(isinstance(v, Number) for v in values):
        return plain(*values, **options)
    first, *rest = values
    found = first if isinstance(first, Number) else number(first)
    for one in rest:
        found = ours(found, one)
    return found


_OURS = {"len": _len, "min": _least, "max": _largest, "float": as_float}


def _parts(released: Any) -> list[Number | Cells] | None:
    """Return the numbers that were released; ``None`` where there is anything else."""
    if isinstance(released, Listed):
        return [released.cells]
    if isinstance(released, Number | Cells):
        return [released]
    if isinstance(released, Mapping):
        released = list(released.values())
    if isinstance(released, np.ndarray):
        released = released.ravel().tolist()
    if isinstance(released, list | tuple):
        found: list[Number | Cells] = []
        for one in released:
            inner = _parts(one)
            if inner is None:
                return None
            found += inner
        return found
    plain = None if isinstance(released, str | bytes) else number(released)
    return None if plain is None else [plain]


def _squares(cells: Cells) -> End:
    """Return the most that squares add up to: as many as can move by the most, one by the rest."""
    most, moves = cells.most, min(cells.moves, times(Fraction(cells.length), cells.most))
    if not most or math.isinf(most):
        return most
    full, rest = divmod(moves, most)
    return full * most**2 + rest**2


def finite(value: End | None) -> bool:
    """Tell whether there is a bound, and a finite one."""
    return value is not None and not math.isinf(value)
