"""Expressions at points, in floating point: where they are largest, and whether they are below 0.

For searches and comparisons only: nothing is proved here.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .enclosure import Box, Ends
from .expression import Function, Variable, variables
from .ratio import Ratio, SymbolPolynomial, text_of

STARTS, ROUNDS, FINER = 8, 4, 5
"""Points from which the largest change is looked for, passes over all variables from each, and how
often it is looked for closer to the best one."""

ROUNDING = 1e-9
"""Of the sizes of all terms together: by so much floating point may be wrong."""

Floats = NDArray[np.float64]


def is_below_zero(value: Ratio, box: Box) -> bool:
    """Tell whether an expression is clearly below 0 at a point of a box that a search finds."""
    free = sorted(variables(value), key=text_of)
    ends, rng = [box[v] for v in free], np.random.default_rng(0)
    try:
        found = climb(-value, free, ends, {}, rng)
    except (LookupError, ArithmeticError):
        return False
    if found is None:
        return False
    point = dict(zip(free, map(float, found[1]), strict=True))
    with np.errstate(all="ignore"):
        size = _float(value.top, point, np.abs) / np.abs(_float(value.bottom, point))
    return bool(float_value(value, point) < -ROUNDING * size)


def float_value(value: Ratio, at: Mapping[Any, Floats | float]) -> Floats:
    """Return an expression at points, in floating point: for searches and comparisons only."""
    with np.errstate(all="ignore"):
        return np.divide(_float(value.top, at), _float(value.bottom, at))


def _float(
    polynomial: SymbolPolynomial,
    at: Mapping[Any, Floats | float],
    of_term: Callable[[Any], Any] = lambda term: term,
) -> Floats:
    result: Any = 0.0
    known: dict[object, Any] = {}
    for c, m in polynomial.floats:
        part: Any = c
        for symbol, k in m:
            if symbol not in known:
                known[symbol] = _float_symbol(symbol, at)
            part = part * known[symbol] ** k
        result = result + of_term(part)
    return np.asarray(result)


def _float_symbol(symbol: object, at: Mapping[Any, Floats | float]) -> Any:
    if not isinstance(symbol, Function) or symbol.name == "within":
        return at[symbol]
    x = float_value(symbol.argument, at)
    match symbol.name:
        case "clip":
            low = -np.inf if symbol.low is None else float(symbol.low)
            return np.clip(x, low, np.inf if symbol.high is None else float(symbol.high))
        case "above":
            return np.where((x > 0) | ((x == 0) & (symbol.low is not None)), 1.0, 0.0)
        case "ln":
            # Where queries have the logarithm of 0, they have 0 times it.
            return np.log(np.where(x == 0, np.nextafter(0, 1), x))
        case _:
            return getattr(np, symbol.name)(x)


def climb(
    value: Ratio,
    free: Sequence[Variable],
    ends: Sequence[Ends],
    fixed: Mapping[Variable, float],
    rng: np.random.Generator,
    until: float = math.inf,
) -> tuple[float, tuple[Fraction, ...]] | None:
    """Return the largest value found by moving one variable at a time, and where it is.

    fixed: the values of other variables. until: when to give up, by raising ``ValueError``.
    """
    grids = [_grid(low, high) for low, high in ends]
    if not free:
        number = float(float_value(value, fixed))
        return (number, ()) if math.isfinite(number) else None
    floats = [np.array(grid, dtype=float) for grid in grids]
    places = np.stack([rng.integers(len(grid), size=STARTS) for grid in grids], axis=1)
    places[0], places[1] = 0, 1
    for _ in range(ROUNDS):
        before = places.copy()
        for j, grid in enumerate(floats):
            if time.thread_time() > until:
                raise ValueError("the largest change was not found in time")
            # All starts at once, each with all values of one variable.
            at: dict[Variable, Any] = {**fixed}
            for i, variable in enumerate(free):
                chosen = floats[i][places[:, i]]
                at[variable] = np.repeat(chosen, len(grid))
            at[free[j]] = np.tile(grid, STARTS)
            heights = np.broadcast_to(float_value(value, at), STARTS * len(grid))
            heights = np.where(np.isfinite(heights), heights, -np.inf).reshape(STARTS, len(grid))
            now = heights[np.arange(STARTS), places[:, j]]
            slack = np.where(np.isfinite(now), 1e-12 * np.abs(now), 0.0)
            better = heights.max(axis=1) > now + slack
            places[:, j] = np.where(better, heights.argmax(axis=1), places[:, j])
        if np.array_equal(before, places):
            break
    point = {v: floats[i][places[:, i]] for i, v in enumerate(free)}
    tops = np.broadcast_to(float_value(value, {**fixed, **point}), STARTS)
    best = int(np.argmax(np.where(np.isfinite(tops), tops, -np.inf)))
    if not math.isfinite(tops[best]):
        return None
    at_best = [grid[place] for grid, place in zip(grids, places[best], strict=True)]
    return _closer(value, free, ends, fixed, at_best, float(tops[best]))


def _closer(
    value: Ratio,
    free: Sequence[Variable],
    ends: Sequence[Ends],
    fixed: Mapping[Variable, float],
    point: list[Fraction],
    top: float,
) -> tuple[float, tuple[Fraction, ...]]:
    """Return the largest value found next to a point, and where: closer and closer to it."""
    shares = [Fraction(k, 8) for k in range(-8, 9)]
    for finer in range(1, FINER + 1):
        for j, (low, high) in enumerate(ends):
            if low is None or high is None or point[j] in (low, high):
                continue
            step = (high - low) / (3 * 8**finer)
            near = [min(max(point[j] + step * 8 * share, low), high) for share in shares]
            at: dict[Variable, Any] = {**fixed, **dict(zip(free, map(float, point), strict=True))}
            at[free[j]] = np.array(near, dtype=float)
            heights = np.broadcast_to(float_value(value, at), len(near))
            heights = np.where(np.isfinite(heights), heights, -np.inf)
            if heights.max() > top + 1e-9 * abs(top):
                top, point[j] = float(heights.max()), near[int(heights.argmax())]
    for j, x in enumerate(point):
        short = x.limit_denominator(12)
        at = {**fixed, **dict(zip(free, map(float, point), strict=True))}
        at[free[j]] = float(short)
        if float(float_value(value, at)) >= top - 1e-9 * abs(top):
            point[j] = short
    return top, tuple(point)


def _grid(low: Fraction | None, high: Fraction | None) -> list[Fraction]:
    if low is None or high is None:
        start = low if low is not None else high or Fraction(0)
        signs = [1] * (high is None) + [-1] * (low is None)
        return [start + sign * size for sign in signs for size in (0, 1, 2, 10, 1000)]
    if low == high:
        return [low, low]
    parts = {Fraction(k, d) for d in (1, 2, 3, 4, 5) for k in range(d + 1)}
    # The ends first: of equal values they are taken.
    return [low, high, *sorted(low + (high - low) * part for part in parts if 0 < part < 1)]
