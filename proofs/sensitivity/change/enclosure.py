"""Where expressions lie on a box: rational ends, by interval arithmetic and the kernel."""

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from provado.proofs import kernel

from .expression import Function, Variable
from .ratio import Ratio, SymbolPolynomial, common_powers, divided_by

Ends = tuple[Fraction | None, Fraction | None]
"""The lower and the upper end; ``None`` where there is none."""

Box = Mapping[Variable, Ends]


function_range = lru_cache(maxsize=10_000)(kernel.function_range)
"""The kernel's, each asked for once."""


def times(a: Ends, b: Ends) -> Ends:
    """Return where products lie."""
    corners = [_product(x, y, i, j) for i, x in enumerate(a) for j, y in enumerate(b)]
    return _finite(min(corners)), _finite(max(corners))


def _product(x: Fraction | None, y: Fraction | None, i: int, j: int) -> Fraction | float:
    if x == 0 or y == 0:
        return Fraction(0)
    if x is not None and y is not None:
        return x * y
    signs = [
        (-1 if end == 0 else 1) if v is None else (1 if v > 0 else -1)
        for v, end in ((x, i), (y, j))
    ]
    return math.inf if signs[0] * signs[1] > 0 else -math.inf


def _finite(value: Fraction | float | None) -> Fraction | None:
    return value if isinstance(value, Fraction) else None


def plus(a: Ends, b: Ends) -> Ends:
    """Return where sums lie."""
    return (
        None if a[0] is None or b[0] is None else a[0] + b[0],
        None if a[1] is None or b[1] is None else a[1] + b[1],
    )


def power_of(ends: Ends, k: int) -> Ends:
    """Return where powers lie."""
    low, high = ends
    if k % 2:
        return (None if low is None else low**k), (None if high is None else high**k)
    sizes = [None if x is None else x**k for x in ends]
    most = None if None in sizes else max(sizes)  # type: ignore[type-var]
    crosses = (low is None or low <= 0) and (high is None or high >= 0)
    if crosses:
        return Fraction(0), most
    least = min(x for x in sizes if x is not None)
    return least, most


def range_of_polynomial(polynomial: SymbolPolynomial, box: Box, bits: int = 64) -> Ends:
    """Return where a polynomial lies on a box: by terms; of one variable by coefficients too."""
    several = min(len(polynomial.terms), len(polynomial.symbols)) > 1
    if several and (shared := common_powers(*(m for m, _ in polynomial.terms))):
        # Of x·ln 2 - x·ln 3 the sign is known, whatever x is.
        rest = range_of_polynomial(divided_by(polynomial, shared), box, bits)
        for symbol, k in shared.items():
            rest = times(rest, power_of(range_of_symbol(symbol, box, bits), k))
        return rest
    total: Ends = (Fraction(0), Fraction(0))
    for m, c in polynomial.terms:
        part: Ends = (c, c)
        for symbol, k in m:
            part = times(part, power_of(range_of_symbol(symbol, box, bits), k))
        total = plus(total, part)
    alone = next(iter(polynomial.symbols), None) if len(polynomial.symbols) == 1 else None
    low, high = box[alone] if isinstance(alone, Variable) else (None, None)
    if low is None or high is None or total[0] is None or total[1] is None:
        return total
    terms = [(c, (m[0][1] if m else 0,)) for m, c in polynomial.terms]
    result = kernel.bernstein(terms, (low,), (high,)).values()
    return max(total[0], min(result)), min(total[1], max(result))


def range_of(expression: Ratio, box: Box, bits: int = 64) -> Ends:
    """Return where an expression lies on a box; no ends where its divisor may be 0."""
    top = range_of_polynomial(expression.top, box, bits)
    low, high = range_of_polynomial(expression.bottom, box, bits)
    if low is not None and low > 0:
        inverse: Ends = (Fraction(0) if high is None else 1 / high, 1 / low)
    elif high is not None and high < 0:
        inverse = (1 / high, Fraction(0) if low is None else 1 / low)
    else:
        return None, None
    return times(top, inverse)


def range_of_symbol(symbol: object, box: Box, bits: int = 64) -> Ends:
    """Return where a variable or a function lies on a box."""
    if isinstance(symbol, Variable):
        return box[symbol]
    if not isinstance(symbol, Function):
        raise TypeError(f"{symbol!r} stands in no question")
    return range_of_function(symbol, range_of(symbol.argument, box, bits), bits)


def range_of_function(symbol: Function, ends: Ends, bits: int = 64) -> Ends:
    """Return where a function lies whose argument lies between two ends."""
    low, high = ends
    name = symbol.name
    if name == "above":
        return Fraction(0), Fraction(1)
    if name == "within":
        return symbol.low, symbol.high
    if name == "abs":
        return power_of_abs(ends)
    if name == "clip":
        return _clipped(low, symbol, down=True), _clipped(high, symbol, down=False)
    if name == "exp":
        # Further out, e^x is next to 0 or beyond all floats, and its ends would be long numbers.
        low = None if low is not None and low < -FAR else low
        high = None if high is None or high > FAR else max(high, -FAR)
        if low is not None and low > FAR:
            low = FAR
    return function_range(name, low, high, bits)


FAR = Fraction(5000)


def power_of_abs(ends: Ends) -> Ends:
    """Return where absolute values lie."""
    low, high = ends
    sizes = [None if x is None else abs(x) for x in ends]
    most = None if None in sizes else max(sizes)  # type: ignore[type-var]
    if (low is None or low <= 0) and (high is None or high >= 0):
        return Fraction(0), most
    return min(x for x in sizes if x is not None), most


def _clipped(x: Fraction | None, symbol: Function, *, down: bool) -> Fraction | None:
    if x is None:
        return symbol.low if down else symbol.high
    x = x if symbol.low is None else max(x, symbol.low)
    return x if symbol.high is None else min(x, symbol.high)
