"""Rational ends around functions of rational numbers, and where expressions lie on a box."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache

from provado.proofs.kernel import exp_enclosure

from .expression import Function, Variable
from .ratio import Ratio, SymbolPolynomial

Ends = tuple[Fraction | None, Fraction | None]
"""The lower and the upper end; ``None`` where there is none."""

Box = Mapping[Variable, Ends]


@lru_cache(maxsize=10_000)
def enclose(name: str, x: Fraction, bits: int = 64) -> tuple[Fraction, Fraction]:
    """Return ends around a function of a number, about 2^−bits apart; ``ValueError`` outside."""
    if name == "exp":
        return exp_enclosure(x, bits)
    if name == "ln":
        return _logarithm(x, bits)
    if name == "sqrt":
        if x < 0:
            raise ValueError("the root of a number below 0")
        scaled = (x.numerator * x.denominator) << 2 * bits
        low = math.isqrt(scaled)
        high = low + (low * low != scaled)
        return Fraction(low, x.denominator << bits), Fraction(high, x.denominator << bits)
    if name == "arctan":
        return _arctangent(x, bits)
    if name in ("sin", "cos"):
        return _circular(name, x, bits)
    raise ValueError(f"{name} is not enclosed")


def _logarithm(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    if x <= 0:
        raise ValueError("the logarithm of a number that is not above 0")
    # ln x = 2·(y + y³/3 + y⁵/5 + …) with y = (x − 1)/(x + 1), after x was halved or doubled.
    halvings = x.numerator.bit_length() - x.denominator.bit_length()
    low, high = _inverse_hyperbolic(x / Fraction(2) ** halvings, bits + 8)
    two = _inverse_hyperbolic(Fraction(2), bits + 16)
    ends = [low + halvings * one for one in two], [high + halvings * one for one in two]
    return min(ends[0]), max(ends[1])


def _inverse_hyperbolic(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    y = _rounded((x - 1) / (x + 1), bits + 8)
    slack = Fraction(8, 1 << bits + 8)
    total, power, k = Fraction(0), y, 1
    while abs(power) > Fraction(1, 1 << bits + 4):
        total += _rounded(power / k, bits + 8)
        power = _rounded(power * y * y, bits + 8)
        k += 2
    # Each rounding is off by half a unit; what is left out is at most power/(1 − y²).
    error = slack * k + 2 * abs(power) / (1 - y * y)
    return 2 * total - 2 * error, 2 * total + 2 * error


def _rounded(x: Fraction, bits: int) -> Fraction:
    return Fraction(round(x * (1 << bits)), 1 << bits)


def _arctangent(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    if x < 0:
        low, high = _arctangent(-x, bits)
        return -high, -low
    if x > 1:
        quarter, rest = _arctangent(Fraction(1), bits + 2), _arctangent(1 / x, bits + 2)
        return 2 * quarter[0] - rest[1], 2 * quarter[1] - rest[0]
    if x > Fraction(1, 2):
        half = _arctangent(Fraction(1, 2), bits + 2)
        rest = _arctangent((x - Fraction(1, 2)) / (1 + x / 2), bits + 2)
        return half[0] + rest[0], half[1] + rest[1]
    return _alternating(x, bits, lambda k: Fraction(1, 2 * k + 1), odd=True)


def _circular(name: str, x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    if abs(x) > 64:
        return Fraction(-1), Fraction(1)
    odd = name == "sin"
    low, high = _alternating(
        x, bits, lambda k: Fraction(1, math.factorial(2 * k + odd)), odd=odd, least=int(abs(x)) + 1
    )
    return max(low, Fraction(-1)), min(high, Fraction(1))


def _alternating(
    x: Fraction, bits: int, factor: Callable[[int], Fraction], *, odd: bool, least: int = 0
) -> tuple[Fraction, Fraction]:
    """Return ends around Σ (−1)^k·factor(k)·x^(2k + odd), whose terms fall from ``least`` on."""
    total, k, limit = Fraction(0), 0, Fraction(1, 1 << bits)
    while True:
        term = (-1) ** k * factor(k) * x ** (2 * k + odd)
        if k >= least and abs(term) <= limit:
            return total - abs(term), total + abs(term)
        total += term
        k += 1


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
    """Return where a polynomial lies on a box, term by term."""
    total: Ends = (Fraction(0), Fraction(0))
    for m, c in polynomial.terms:
        part: Ends = (c, c)
        for symbol, k in m:
            part = times(part, power_of(range_of_symbol(symbol, box, bits), k))
        total = plus(total, part)
    return total


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
    if name == "abs":
        return power_of_abs(ends)
    if name == "clip":
        return _clipped(low, symbol, down=True), _clipped(high, symbol, down=False)
    if name in ("sin", "cos"):
        return _range_of_circular(name, ends, bits)
    below: Fraction | None = {"exp": Fraction(0), "sqrt": Fraction(0)}.get(name)
    if name == "ln" and low is not None and low <= 0:
        low = None
    if name == "sqrt" and (low is None or low < 0):
        low = None
    least = below if low is None else enclose(name, low, bits)[0]
    most = None if high is None else enclose(name, high, bits)[1]
    if name == "arctan":
        quarter = enclose("arctan", Fraction(1), bits)[1]
        least = -2 * quarter if least is None else least
        most = 2 * quarter if most is None else most
    return least, most


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


def _range_of_circular(name: str, ends: Ends, bits: int) -> Ends:
    """Return where a sine or a cosine lies: by its ends where it rises or falls between them."""
    low, high = ends
    one = Fraction(1)
    if low is None or high is None or high - low > 3:
        return -one, one
    quarter = enclose("arctan", one, bits)
    # In units of π, the turning points are at whole numbers (cos) or halves (sin).
    shift = Fraction(0) if name == "cos" else Fraction(1, 2)
    about = [float(x) / math.pi - float(shift) for x in (low, high)]
    inner = range(math.floor(about[0]) - 1, math.ceil(about[1]) + 2)
    values = [*enclose(name, low, bits), *enclose(name, high, bits)]
    for k in inner:
        at = [4 * q * (k + shift) for q in quarter]
        if min(at) <= high and max(at) >= low:
            values.append(one if k % 2 == 0 else -one)
    return min(values), max(values)
