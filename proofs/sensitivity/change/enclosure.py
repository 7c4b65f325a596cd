"""Where expressions lie on a box: rational ends, by interval arithmetic and the kernel."""

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from provado.proofs import kernel
from provado.proofs.sensitivity.trace.interval import Interval

from .expression import Function, Variable
from .ratio import Ratio, SymbolPolynomial, common_powers, divided_by

Ends = tuple[Fraction | None, Fraction | None]
"""The lower and the upper end; ``None`` where there is none."""

Box = Mapping[Variable, Ends]


function_range = lru_cache(maxsize=10_000)(kernel.function_range)
"""The kernel's, each asked for once."""


def _interval(ends: Ends) -> Interval:
    low, high = ends
    return Interval(-math.inf if low is None else low, math.inf if high is None else high)


def _ends(interval: Interval) -> Ends:
    low, high = (None if isinstance(x, float) else x for x in (interval.low, interval.high))
    return low, high


def power_of(ends: Ends, k: int) -> Ends:
    """Return where powers lie."""
    return _ends(_interval(ends).power(k))


def range_of_polynomial(polynomial: SymbolPolynomial, box: Box, bits: int = 64) -> Ends:
    """Return where a polynomial lies on a box: by terms; of one variable by coefficients too."""
    several = min(len(polynomial.terms), len(polynomial.symbols)) > 1
    if several and (shared := common_powers(*(m for m, _ in polynomial.terms))):
        # Of x·ln 2 - x·ln 3 the sign is known, whatever x is.
        part = _interval(range_of_polynomial(divided_by(polynomial, shared), box, bits))
        for symbol, k in shared.items():
            part *= _interval(range_of_symbol(symbol, box, bits)).power(k)
        return _ends(part)
    added = Interval(Fraction(0), Fraction(0))
    for m, c in polynomial.terms:
        part = Interval(c, c)
        for symbol, k in m:
            part *= _interval(range_of_symbol(symbol, box, bits)).power(k)
        added += part
    total = _ends(added)
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
    return _ends(_interval(top) * _interval(inverse))


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
        return _ends(abs(_interval(ends)))
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


def _clipped(x: Fraction | None, symbol: Function, *, down: bool) -> Fraction | None:
    if x is None:
        return symbol.low if down else symbol.high
    x = x if symbol.low is None else max(x, symbol.low)
    return x if symbol.high is None else min(x, symbol.high)
