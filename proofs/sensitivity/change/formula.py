"""Bounds as people write them: ``2*(n-1)/n``, ``log(2)``, ``pi/4``, read and printed."""

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from provado.mechanisms import UsageError

from . import expression
from .enclosure import range_of
from .ratio import Monomial, Ratio, SymbolPolynomial, TooLargeError
from .sign import SignSearch

_FUNCTIONS: dict[str, expression.FunctionName] = {
    "log": "ln",
    "ln": "ln",
    "exp": "exp",
    "sqrt": "sqrt",
    "cbrt": "cbrt",
    "sin": "sin",
    "cos": "cos",
    "arctan": "arctan",
    "atan": "arctan",
}
_ONE, _TWO = Ratio.number(1), Ratio.number(2)
_E = expression.function("exp", _ONE)


def _exp(u: Ratio) -> Ratio:
    return expression.function("exp", u)


_COMPOSED: dict[str, Callable[[Ratio], Ratio]] = {
    "sinh": lambda u: (_exp(u) - _exp(-u)) / _TWO,
    "cosh": lambda u: (_exp(u) + _exp(-u)) / _TWO,
    "tanh": lambda u: (_exp(u) - _exp(-u)) / (_exp(u) + _exp(-u)),
    "tan": lambda u: expression.function("sin", u) / expression.function("cos", u),
}
_KNOWN = {*_FUNCTIONS, *_COMPOSED}
_HALF_CIRCLE = expression.Variable("pi")
_NAMES = {"n": expression.SIZE, "pi": expression.PI, "e": _E}

RULE = (
    "it must be a number of at least 0, or an expression of numbers, n (the number of records), "
    "pi, e, + - * / **, log, exp, sqrt, cbrt, sin, cos, tan, arctan, sinh, cosh and tanh, such as "
    "2*(n-1)/n"
)


TINY = Ratio.number(Fraction(1, 1000))
"""What must not be 0 for any number of records is at least this far from it."""


def read_formula(text: str, name: str) -> Ratio:
    """Return a bound that is written as an expression; raises ``UsageError`` naming the option."""
    try:
        return _read(ast.parse(text.strip(), mode="eval").body, text)
    except (SyntaxError, ValueError, ZeroDivisionError, TooLargeError, RecursionError) as error:
        raise UsageError(f"{name} {text!r}: {RULE}") from error


def _read(node: ast.expr, text: str) -> Ratio:
    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            # A decimal is the number that is written: 0.1 is 1/10.
            return Ratio.number(Fraction(ast.get_source_segment(text.strip(), node) or ""))
        case ast.Name(id=id) if id in _NAMES:
            return _NAMES[id]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_read(operand, text)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _read(operand, text)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            power, base = _read(right, text), _read(left, text)
            exponent = power.constant
            if exponent is None and (base.constant or 0) > 0:
                return expression.function("exp", power * expression.function("ln", base))
            if exponent is None or abs(exponent) > 60:
                raise ValueError("an exponent is a number")
            if exponent.denominator == 2:
                return expression.function("sqrt", _read(left, text)).power(exponent.numerator)
            if exponent.denominator != 1:
                return expression.function("exp", power * expression.function("ln", base))
            return _read(left, text).power(int(exponent))
        case ast.BinOp(left=left, op=op, right=right):
            return _joined(op, _read(left, text), _read(right, text))
        case ast.Call(func=ast.Name(id=id), args=[argument], keywords=[]) if id in _KNOWN:
            inner = _read(argument, text)
            if id in _COMPOSED:
                return _COMPOSED[id](inner)
            positive = id in ("log", "ln", "sqrt", "cbrt")
            if positive and inner.constant is not None and inner.constant <= 0:
                raise ValueError("a function of what must be above 0")
            return expression.function(_FUNCTIONS[id], inner)
        case _:
            raise ValueError("no expression of a bound")


def _joined(op: ast.operator, left: Ratio, right: Ratio) -> Ratio:
    if type(op) not in _OPERATIONS:
        raise ValueError("an operation that is not read")
    return _OPERATIONS[type(op)](left, right)


_OPERATIONS: Mapping[type[ast.operator], Callable[[Ratio, Ratio], Ratio]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def value_at(bound: Ratio, n: int) -> tuple[Fraction, Fraction] | None:
    """Return ends around a bound for so many records, next to each other; ``None`` without ends."""
    try:
        fixed = at_size(bound, n)
        if fixed.constant is not None:
            return fixed.constant, fixed.constant
        low, high = range_of(fixed, {})
    except (ValueError, ZeroDivisionError):
        return None
    return None if low is None or high is None else (low, high)


def largest_value(bound: Ratio, sizes: tuple[int, int | None]) -> Fraction | None:
    """Return a number that a bound is not above for all numbers of records; ``None`` if none.

    It is the larger one of those for the fewest records and for many, if that is shown to be one.
    """
    least, most = sizes
    ends = [value_at(bound, least), None if most is None else value_at(bound, most)]
    if most is None and (far := limit_of(bound)) is not None:
        ends[1] = value_at(far, least)
    fraction = max((high for pair in ends if pair is not None for high in pair), default=None)
    if fraction is None or expression.Size() not in expression.symbols_within(bound):
        return fraction
    return fraction if is_at_least_zero(Ratio.number(fraction) - bound, sizes) else None


def is_at_least_zero(value: Ratio, sizes: tuple[int, int | None]) -> bool:
    """Tell whether it is shown to be ≥ 0 for all these numbers of records."""
    (least, most), more = sizes, expression.Variable("more")
    size = Ratio.number(least) + Ratio.symbol(more)
    box = {more: (Fraction(0), None if most is None else Fraction(most - least))}
    return SignSearch().find(_with_size(value, size), box) is not None


def is_defined(bound: Ratio, least: int) -> bool:
    """Tell whether its roots, logarithms and quotients exist, from some number of records on."""
    under = Ratio.of(bound.bottom)
    if not any(is_at_least_zero(ratio - TINY, (least, None)) for ratio in (under, -under)):
        return False
    for symbol in expression.symbols_within(bound):
        if isinstance(symbol, expression.Function) and symbol.name in ("ln", "sqrt", "cbrt"):
            # Of a logarithm the argument must be above 0.
            above = symbol.argument - (TINY if symbol.name == "ln" else Ratio.number(0))
            if not is_at_least_zero(above, (least, None)):
                return False
    return True


def limit_of(bound: Ratio) -> Ratio | None:
    """Return what a bound comes to for many records, where it is a plain quotient with a limit."""
    size = expression.Size()
    top, bottom = bound.top.degree(size), bound.bottom.degree(size)
    if top > bottom or size not in bound.symbols:
        return None
    if top < bottom:
        return Ratio.number(0)
    return Ratio.of(*(item.coefficients(size)[top] for item in (bound.top, bound.bottom)))


def at_size(bound: Ratio, n: int) -> Ratio:
    """Return a bound for so many records."""
    return _with_size(bound, Ratio.number(n))


def _with_size(bound: Ratio, size: Ratio) -> Ratio:
    return expression.replaced(bound, lambda s: size if isinstance(s, expression.Size) else None)


def formula_words(bound: Ratio) -> str:
    """Return a bound as text that ``read_formula`` reads."""
    bound = _without_common_factor(bound)
    if bound.constant is not None:
        return str(bound.constant)
    quarter = Ratio.symbol(_HALF_CIRCLE) / Ratio.number(4)
    bound = bound.replace(lambda s: quarter if s == expression.QUARTER_TURN else None)
    scale = math.lcm(*(c.denominator for item in (bound.top, bound.bottom) for _, c in item.terms))
    polynomial = SymbolPolynomial.number(scale)
    top, bottom = _words(bound.top * polynomial), _words(bound.bottom * polynomial)
    if bottom == "1":
        return top
    alone = len(bound.top.terms) == 1 or re.fullmatch(r"([0-9]+\*)?\([^()]*\)", top)
    under = (
        bottom if re.fullmatch(r"[a-z0-9]+(\([^()]*\))?(\*\*[0-9]+)?", bottom) else f"({bottom})"
    )
    return f"{top if alone else f'({top})'}/{under}"


def _without_common_factor(bound: Ratio) -> Ratio:
    """Return a quotient of polynomials in n without common factors n, n − 1, n − 2."""
    size, parts = expression.Size(), [bound.top, bound.bottom]
    if bound.symbols != {size} or not bound.bottom.degree(size):
        return bound
    for root in range(3):
        while all(at_size(Ratio.of(part), root).constant == 0 for part in parts):
            parts = [_divided(part, root) for part in parts]
    lead = parts[1].coefficients(size)[parts[1].degree(size)].terms[0][1]
    sign = SymbolPolynomial.number(-1 if lead < 0 else 1)
    # As they stand: a quotient whose parts are normal may have both signs turned.
    return Ratio(parts[0] * sign, parts[1] * sign)


def _divided(polynomial: SymbolPolynomial, root: int) -> SymbolPolynomial:
    """Return a polynomial in n that is 0 at a root, divided by n − root."""
    factors = {sum(k for _, k in monomial): c for monomial, c in polynomial.terms}
    carried = Fraction(0)
    terms: dict[Monomial, Fraction] = {}
    for power in range(max(factors), 0, -1):
        carried = factors.get(power, Fraction(0)) + root * carried
        terms[((expression.Size(), power - 1),) if power > 1 else ()] = carried
    return SymbolPolynomial.of(terms)


def _product(factor: Fraction, text: str) -> str:
    """Return a multiple of what is written: ``3*pi/4``."""
    top = {1: text, -1: f"-{text}"}.get(factor.numerator, f"{factor.numerator}*{text}")
    return top if factor.denominator == 1 else f"{top}/{factor.denominator}"


def _words(polynomial: SymbolPolynomial) -> str:
    """Return a polynomial, its common factor before a parenthesis: ``2*(n - 1)``."""
    parts = [c for _, c in polynomial.terms]
    common = Fraction(
        math.gcd(*(c.numerator for c in parts)), math.lcm(*(c.denominator for c in parts))
    )
    terms = [
        (c / common, "*".join(_power(s, k) for s, k in m))
        for m, c in sorted(
            polynomial.terms, key=lambda term: (term[1] < 0, -sum(k for _, k in term[0]))
        )
    ]
    if len(terms) == 1:
        (factor, text) = terms[0]
        return _product(factor * common, text) if text else str(factor * common)
    joined = ""
    for factor, text in terms:
        part = _product(abs(factor), text) if text else str(abs(factor))
        joined += f" {'-' if factor < 0 else '+'} {part}"
    joined = joined[3:] if joined.startswith(" + ") else f"-{joined[3:]}"
    return joined if common == 1 else _product(common, f"({joined})")


def _power_of_a_number(symbol: expression.Function) -> str | None:
    """Return e^(n·ln c) as ``c**n``, and e^(c·ln n) as ``n**c``."""
    logs = [
        s for s in symbol.argument.symbols if isinstance(s, expression.Function) and s.name == "ln"
    ]
    if symbol.name != "exp" or len(logs) != 1:
        return None
    exponent, base = symbol.argument / Ratio.symbol(logs[0]), logs[0].argument
    fixed = base.constant is not None and exponent.symbols == {expression.Size()}
    if not fixed and exponent.constant is None:
        return None
    first, last = (
        text if re.fullmatch("n|[0-9]+", text) else f"({text})"
        for text in map(formula_words, (base, exponent))
    )
    return f"{first}**{last}"


def _power(symbol: object, k: int) -> str:
    if (
        isinstance(symbol, expression.Function)
        and (power := _power_of_a_number(symbol)) is not None
    ):
        text = power if k == 1 else f"({power})"
    elif isinstance(symbol, expression.Function):
        name = {"ln": "log"}.get(symbol.name, symbol.name)
        plain = symbol.name == "exp" and symbol.argument == Ratio.number(1)
        text = "e" if plain else f"{name}({formula_words(symbol.argument)})"
    elif isinstance(symbol, expression.Size) or symbol == _HALF_CIRCLE:
        text = "n" if isinstance(symbol, expression.Size) else "pi"
    else:
        raise TypeError(f"{symbol!r} stands in no bound")
    return text if k == 1 else f"{text}**{k}"
