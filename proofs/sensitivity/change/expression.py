"""Symbols of a query that is followed for all records at once, and the functions of them.

An array is one expression for its generic place i; its records are ``x[step·i + sizes·n + offset]``
of some column. A number is an expression without i.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from .ratio import Ratio, SymbolPolynomial


@dataclass(frozen=True)
class RecordSymbol:
    """The record at the place step·i + sizes·n + offset, in one column; step 0: a fixed one.

    turned: the place is taken modulo n. inner: i is the second place of a pair.
    """

    column: int
    step: int = 1
    sizes: int = 0
    offset: int = 0
    turned: bool = False
    inner: bool = False


@dataclass(frozen=True)
class PlaceSymbol:
    """The generic place i of an array; inner: the second place of a pair."""

    inner: bool = False


@dataclass(frozen=True)
class Size:
    """The number of records n. moves: neighbors differ in it, so that it is data as well."""

    moves: bool = False


@dataclass(frozen=True)
class PublicSymbol:
    """A number that is the same before and after the change. low, high: ``None`` for no end."""

    name: str
    low: Fraction | None = None
    high: Fraction | None = None


@dataclass(frozen=True)
class Variable:
    """A real number of the question that is left once one record was changed."""

    name: str


@dataclass(frozen=True)
class Length:
    """sizes·n + more numbers in an array. moves: as of ``Size``; such arrays have no places."""

    sizes: int
    more: int
    moves: bool = False

    def ratio(self) -> Ratio:
        """Return it as an expression."""
        many = Ratio.symbol(Size(self.moves))
        return Ratio.number(self.sizes) * many + Ratio.number(self.more)


FunctionName = Literal[
    "exp", "ln", "sqrt", "cbrt", "sin", "cos", "arctan", "abs", "clip", "above", "within"
]
KINKED = ("abs", "clip", "above")
"""Functions without a derivative somewhere."""
WITHOUT_RULES = (*KINKED, "within")
"""Functions of which the kernel knows no range, and that have no derivative."""


@dataclass(frozen=True)
class Function:
    """A function of an expression. low, high: the ends of a clip; ``above``: whether it is > 0.

    ``above`` with ``low`` 0 means ≥ 0: 1 where the argument is so, else 0. Of ``within`` it is
    only known that it lies between ``low`` and ``high``, and is the same for equal arguments;
    ``which`` says what it is.
    """

    name: FunctionName
    argument: Ratio
    low: Fraction | None = None
    high: Fraction | None = None
    which: str = ""

    def of(self, argument: Ratio) -> Ratio:
        """Return the same function of another argument."""
        if self.name == "within":
            return Ratio.symbol(Function("within", argument, self.low, self.high, self.which))
        return function(self.name, argument, self.low, self.high)


@dataclass(frozen=True)
class Total:
    """The sum, the product or a quantile (``share``) of the numbers of an array.

    ``pairs`` is the sum over all pairs of places, the first before the second.
    """

    kind: Literal["sum", "product", "quantile", "pairs"]
    element: Ratio
    length: Length
    share: Fraction = Fraction(0)


@dataclass(frozen=True)
class Mixture:
    """A number that moves by what the changed record's element moves by, times a slope.

    So does a weighted sum of sorted numbers: each of them rises with the record, by shares of its
    change that add up to 1, and the slope is one of its weights. each, many: it is ``many`` times
    what lies where ``each`` does. start, stop: the places of sorted numbers that are added up,
    where these are not all. which: what else it is; of these, and of a part, it moves by a share
    of the slope, from 0 to 1. Without a slope it may move anywhere.
    """

    element: Ratio
    length: Length
    each: Ratio
    many: Ratio
    slope: Ratio | None
    start: Ratio | None = None
    stop: Ratio | None = None
    which: str = ""


SIZE, PLACE = Ratio.symbol(Size()), Ratio.symbol(PlaceSymbol())


def depends_on_place(expression: Ratio) -> bool:
    """Tell whether it differs from place to place."""
    return any(
        isinstance(s, PlaceSymbol)
        or (isinstance(s, RecordSymbol) and s.step != 0)
        or (isinstance(s, Function) and depends_on_place(s.argument))
        for s in expression.symbols
    )


def symbols_within(expression: Ratio) -> Iterator[object]:
    """Yield its symbols, those within functions and totals too."""
    for s in expression.symbols:
        yield s
        if isinstance(s, Function):
            yield from symbols_within(s.argument)
        elif isinstance(s, Total | Mixture):
            yield from symbols_within(s.element)


def variables(expression: Ratio) -> frozenset[Variable]:
    """Return the variables in an expression, those within functions too."""
    own = {s for s in expression.symbols if isinstance(s, Variable)}
    within = (s.argument for s in expression.symbols if isinstance(s, Function))
    return frozenset(own).union(*map(variables, within))


def replaced(expression: Ratio, by: Callable[[Hashable], Ratio | None]) -> Ratio:
    """Return it with each symbol replaced for which ``by`` has one, within functions too."""

    def each(symbol: Hashable) -> Ratio | None:
        new = by(symbol)
        if new is None and isinstance(symbol, Function):
            argument = symbol.argument.replace(each)
            return None if argument is symbol.argument else symbol.of(argument)
        return new

    return expression.replace(each)


def depends_on_data(expression: Ratio) -> bool:
    """Tell whether it holds records, what was computed of them, or their number if it moves."""
    return any(
        isinstance(s, RecordSymbol | Total | Mixture) or (isinstance(s, Size) and s.moves)
        for s in symbols_within(expression)
    )


def shifted(expression: Ratio, step: int, sizes: int, offset: int) -> Ratio:
    """Return it at the place step·i + sizes·n + offset instead of i."""

    def by(symbol: object) -> Ratio | None:
        if isinstance(symbol, PlaceSymbol):
            place = Ratio.number(step) * PLACE + Ratio.number(sizes) * SIZE
            return place + Ratio.number(offset)
        if isinstance(symbol, RecordSymbol) and symbol.step:
            return Ratio.symbol(
                RecordSymbol(
                    symbol.column,
                    symbol.step * step,
                    symbol.step * sizes + symbol.sizes,
                    symbol.step * offset + symbol.offset,
                )
            )
        return None

    return replaced(expression, by)


def placed(expression: Ratio, to: Callable[[bool], bool]) -> Ratio:
    """Return it with the second place of a pair as the first, or the other way round.

    to: whether a place becomes the second, from whether it is.
    """

    def by(symbol: object) -> Ratio | None:
        if isinstance(symbol, PlaceSymbol) or (isinstance(symbol, RecordSymbol) and symbol.step):
            return Ratio.symbol(replace(symbol, inner=to(symbol.inner)))
        return None

    return replaced(expression, by)


def function(
    name: FunctionName, u: Ratio, low: Fraction | None = None, high: Fraction | None = None
) -> Ratio:
    """Return a function of an expression, in the form in which equal ones are the same."""
    exact: Ratio | Fraction | None
    value = u.constant
    if name in ("sin", "cos") and (turns := (u / PI).constant) is not None:
        exact = _sine_of_turns(turns + (name == "cos") * Fraction(1, 2))
        if exact is not None:
            return exact
    if name == "exp":
        return _exponential(u)
    if name in ("ln", "sqrt") and value is not None and 0 < value != 1:
        return _of_primes(name, value)
    if name == "ln" and value is None and u.bottom.constant == 1 and all(map(_is_known, u.symbols)):
        # log((e + 1)/2) is log(e + 1) − log(2).
        first = u.top.terms[0][1]
        if first > 0 and first != 1:
            return function(name, Ratio.number(first)) + function(name, u / Ratio.number(first))
    if value is not None and (exact := _exact(name, value, low, high)) is not None:
        return Ratio.number(exact)
    if name in ("sin", "cos", "arctan", "abs") and u.top.terms[0][1] < 0:
        opposite = function(name, -u)
        return opposite if name in ("cos", "abs") else -opposite
    return Ratio.symbol(Function(name, u, low, high))


def _is_known(symbol: Hashable) -> bool:
    return isinstance(symbol, Function) and symbol.argument.constant is not None


def _sine_of_turns(half_turns: Fraction) -> Ratio | None:
    """Return the sine of a multiple of π where that is a fraction, or the root of one."""
    reduced = half_turns % 2
    sign, reduced = (-1, reduced - 1) if reduced >= 1 else (1, reduced)
    twelfths = min(reduced, 1 - reduced) * 12
    known = {0: 0, 2: 1, 3: 2, 4: 3, 6: 4}
    quarters = known.get(int(twelfths)) if twelfths.denominator == 1 else None
    if quarters is None:
        return None
    return Ratio.number(sign) * function("sqrt", Ratio.number(Fraction(quarters, 4)))


def _exponential(u: Ratio) -> Ratio:
    """Return e^u as a product over the terms of u, so that e^(x + y) is e^x·e^y."""
    ratio, rest = _divided(u)
    return _power_of_e(ratio) * _power_of_e(rest)


def _power_of_e(u: Ratio) -> Ratio:
    ratio, over = Ratio.number(1), u.bottom.constant
    under = SymbolPolynomial.number(1) if over is not None else u.bottom
    for m, c in u.top.terms:
        times = c / (over or 1)
        is_whole = times.denominator == 1
        symbol = m[0][0] if len(m) == 1 and m[0][1] == 1 else None
        if isinstance(symbol, Function) and symbol.name == "ln" and over is not None:
            if is_whole:
                ratio = ratio * symbol.argument.power(int(times))
                continue
            if symbol.argument.constant == 0 and times > 0:
                return Ratio.number(0)
        unit = Fraction(1) if is_whole else abs(times)
        base = Ratio.symbol(Function("exp", Ratio.of(SymbolPolynomial.of({m: unit}), under)))
        ratio = ratio * base.power(int(times) if is_whole else (1 if times > 0 else -1))
    return ratio


def _divided(u: Ratio) -> tuple[Ratio, Ratio]:
    """Return a quotient by a + b·v as a polynomial in v, and what is left of it."""
    nothing = Ratio.number(0)
    symbol = next(iter(u.bottom.symbols), None)
    if len(u.bottom.symbols) != 1 or u.bottom.degree(symbol) != 1:
        return nothing, u
    under = u.bottom.coefficients(symbol)
    a, b = (Ratio.of(under[k]) if k in under else nothing for k in (0, 1))
    parts = {k: Ratio.of(coefficient) for k, coefficient in u.top.coefficients(symbol).items()}
    ratio = nothing
    for k in range(max(parts, default=0), 0, -1):
        lead = parts.get(k, nothing) / b
        ratio = ratio + lead * Ratio.symbol(symbol).power(k - 1)
        parts[k - 1] = parts.get(k - 1, nothing) - lead * a
    return ratio, parts.get(0, nothing) / Ratio.of(u.bottom)


def _of_primes(name: FunctionName, value: Fraction) -> Ratio:
    """Return a logarithm or a root of a fraction by its prime factors: ln 4 is 2·ln 2."""
    logs, outside, inside = Ratio.number(0), Fraction(1), 1
    for number, sign in ((value.numerator, 1), (value.denominator, -1)):
        for prime, power in _factors(number).items():
            logs = logs + Ratio.number(sign * power) * Ratio.symbol(
                Function("ln", Ratio.number(prime))
            )
            # 1/√p is √p/p.
            outside *= Fraction(prime) ** (sign * (power // 2) - (sign < 0) * (power % 2))
            inside *= prime ** (power % 2)
    if name == "ln":
        return logs
    root = Ratio.number(1) if inside == 1 else Ratio.symbol(Function("sqrt", Ratio.number(inside)))
    return Ratio.number(outside) * root


def _factors(number: int) -> dict[int, int]:
    """Return the prime factors of a number with their powers; a large rest counts as one."""
    result: dict[int, int] = {}
    for prime in range(2, 1000):
        while number % prime == 0:
            number //= prime
            result[prime] = result.get(prime, 0) + 1
    return result if number == 1 else result | {number: result.get(number, 0) + 1}


def _exact(
    name: str, value: Fraction, low: Fraction | None, high: Fraction | None
) -> Fraction | None:
    """Return a function of a fraction where that is a fraction."""
    if name == "abs":
        return abs(value)
    if name == "above":
        return Fraction(value > 0 or (low is not None and value == 0))
    if name == "clip":
        value = value if low is None else max(value, low)
        return value if high is None else min(value, high)
    zero, own = {0: 0}, {0: 0, 1: 1}
    known = {"ln": {1: 0}, "sqrt": own, "cbrt": own, "sin": zero, "cos": {0: 1}, "arctan": zero}
    result = known.get(name, {}).get(int(value)) if value.denominator == 1 else None
    return None if result is None else Fraction(result)


QUARTER_TURN = Function("arctan", Ratio.number(1))
PI = Ratio.number(4) * Ratio.symbol(QUARTER_TURN)


def derivative(symbol: Function) -> Ratio:
    """Return the derivative of a function at its argument; none of a kinked one is asked for."""
    u, itself = symbol.argument, Ratio.symbol(symbol)
    one = Ratio.number(1)
    match symbol.name:
        case "exp":
            return itself
        case "ln":
            return one / u
        case "sqrt":
            return one / (Ratio.number(2) * itself)
        case "cbrt":
            return one / (Ratio.number(3) * itself * itself)
        case "sin":
            return function("cos", u)
        case "cos":
            return -function("sin", u)
        case "arctan":
            return one / (one + u * u)
        case _:
            raise ValueError(f"{symbol.name} has no derivative everywhere")
