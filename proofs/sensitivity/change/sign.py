"""Is an expression at least 0 on a box? A search for a certificate, and the certificate's check.

A certificate is a tree. ``CoefficientLeaf``: the coefficients of the numerator in Bernstein's basis
are ≥ 0 and those of the denominator > 0, functions counted as variables in the ranges where they
lie. ``MoveToEnd``: the derivative in one variable has one sign on the whole box, so that the least
value is at one end of it. ``BoxCut``: the box is cut in two. ``ConstantLeaf``: no variable is left,
and the constant is 0 formally, or its enclosure is at or above 0.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import cast

import numpy as np

from provado.proofs import kernel

from .enclosure import Box, Ends, power_of, range_of, range_of_function, range_of_symbol
from .expression import (
    KINKED,
    WITHOUT_RULES,
    Function,
    Variable,
    derivative,
    function,
    replaced,
    symbols_within,
    variables,
)
from .points import Floats, float_value, is_below_zero
from .ratio import Ratio, SymbolPolynomial, TooLargeError, text_of, total

PLACES = (64, 256)
"""Binary places to which constants are enclosed at a point, one after the other."""


@dataclass(frozen=True)
class CoefficientLeaf:
    """The coefficients of numerator and denominator show it."""


@dataclass(frozen=True)
class ConstantLeaf:
    """No variable is left. bits: of the enclosures of functions that show it."""

    bits: int


@dataclass(frozen=True)
class MoveToEnd:
    """The least value is where one variable is at its upper or lower end."""

    variable: Variable
    upper: bool
    then: Tree


@dataclass(frozen=True)
class BoxCut:
    """One variable is at most ``at``, or at least."""

    variable: Variable
    at: Fraction
    below: Tree
    above: Tree


Tree = CoefficientLeaf | ConstantLeaf | MoveToEnd | BoxCut


def coefficients(
    polynomial: SymbolPolynomial, box: Box, bits: int = 64
) -> tuple[kernel.BoxSign, dict[tuple[int, ...], Fraction]] | None:
    """Return a polynomial on the box of its symbols as evidence, with its coefficients there.

    A symbol without a lower end stands there as minus it; ``None`` where it has no end at all, or
    is nowhere defined, or where a coefficient is clearly below 0. One that has only even powers
    stands there as its square, and so on.
    """
    symbols, shared = sorted(polynomial.symbols, key=text_of), dict[Hashable, int]()
    for m, _ in polynomial.terms:
        for element, k in m:
            shared[element] = math.gcd(shared.get(element, 0), k)
    units = [shared[element] for element in symbols]
    try:
        ends = [
            power_of(range_of_symbol(symbol, box, bits), unit)
            for symbol, unit in zip(symbols, units, strict=True)
        ]
    except ValueError:
        return None
    if (None, None) in ends:
        return None
    return _coefficients(polynomial, tuple(symbols), tuple(units), tuple(ends))


@lru_cache(maxsize=1_000)
def _coefficients(
    polynomial: SymbolPolynomial,
    symbols: tuple[Hashable, ...],
    units: tuple[int, ...],
    ends: tuple[Ends, ...],
) -> tuple[kernel.BoxSign, dict[tuple[int, ...], Fraction]] | None:
    places = {symbol: i for i, symbol in enumerate(symbols)}
    terms = []
    for m, c in polynomial.terms:
        powers = [0] * len(symbols)
        for element, k in m:
            i = places[element]
            powers[i] = k // units[i]
            c = -c if powers[i] % 2 and ends[i][0] is None else c
        terms.append((c, tuple(powers)))
    # Not both are None.
    lower = tuple(-(high or 0) if low is None else low for low, high in ends)
    upper = tuple(None if low is None else high for low, high in ends)
    size = 1
    for i in range(len(symbols)):
        size *= max((powers[i] for _, powers in terms), default=0) + 1
    if size > MOST_COEFFICIENTS or _is_below(terms, lower, upper):
        return None
    return kernel.BoxSign(tuple(terms), lower, upper), kernel.bernstein(terms, lower, upper)


def _is_below(
    terms: Sequence[tuple[Fraction, tuple[int, ...]]],
    lower: Sequence[kernel.Number],
    upper: Sequence[kernel.Number | None],
) -> bool:
    """Tell, in floating point, whether a coefficient is below 0: exact ones take long."""
    degrees = [max((powers[i] for _, powers in terms), default=0) for i in range(len(lower))]
    found, size = (np.zeros([d + 1 for d in degrees]) for _ in range(2))
    try:
        for c, powers in terms:
            found[powers] += float(c)
            size[powers] += abs(float(c))
        for i, (low, high, degree) in enumerate(zip(lower, upper, degrees, strict=True)):
            places = range(degree + 1)
            moved = np.array(
                [
                    [math.comb(k, j) * float(low) ** (k - j) if k >= j else 0.0 for k in places]
                    for j in places
                ]
            )
            if high is not None:
                width = float(high - low)
                moved = (
                    np.array(
                        [
                            [
                                math.comb(j, k) / math.comb(degree, k) * width**k if k <= j else 0.0
                                for k in places
                            ]
                            for j in places
                        ]
                    )
                    @ moved
                )
            found, size = (
                np.moveaxis(np.tensordot(step, array, axes=(1, i)), 0, i)
                for step, array in ((moved, found), (np.abs(moved), size))
            )
    except OverflowError:
        return False
    return bool((found < -1e-9 * size).any())


MOST_COEFFICIENTS = 20_000
"""Of one polynomial on a box; what needs more is left to cuts."""


def shown_by_coefficients(
    polynomial: SymbolPolynomial, box: Box, bits: int = 64, *, strict: bool
) -> kernel.BoxSign | None:
    """Return the evidence that a polynomial is ≥ 0, or > 0, on a box; ``None`` where it is none."""
    result = coefficients(polynomial, box, bits)
    if result is None:
        return None
    evidence, weights = result
    if min(weights.values(), default=Fraction(0)) < 0:
        return None
    if strict:
        # Without the powers of what has no upper end: all of them must be above 0.
        finite = [c for powers, c in weights.items() if _bounded(powers, evidence.upper)]
        places = range(len(evidence.upper))
        degrees = [max((powers[i] for _, powers in evidence.terms), default=0) for i in places]
        many = math.prod(
            d + 1 for d, high in zip(degrees, evidence.upper, strict=True) if high is not None
        )
        if len(finite) < many or min(finite, default=Fraction(0)) <= 0:
            return None
    return evidence


def _bounded(powers: tuple[int, ...], upper: tuple[kernel.Number | None, ...]) -> bool:
    return all(high is not None or not k for k, high in zip(powers, upper, strict=True))


Evidence = kernel.BoxSign | kernel.FunctionRange


def at_least_zero(value: Ratio, box: Box, bits: int = 64) -> list[Evidence] | None:
    """Return evidence that an expression is ≥ 0 on a box by its coefficients; ``None`` if not.

    Beside the signs it has the ranges of functions that count as variables.
    """
    curved = any(isinstance(symbol, Function) for symbol in value.top.symbols)
    for top, bottom in ((value.top, value.bottom), (-value.top, -value.bottom)):
        over = shown_by_coefficients(top, box, bits, strict=False)
        if over is None and not curved:
            continue
        under = shown_by_coefficients(bottom, box, bits, strict=True)
        if under is None:
            continue
        if over is not None:
            return [*ranges_in(value, box, bits), replace(under, strict=True), over]
        for moved, further, evidence in _by_mean_values(Ratio.of(top), box, bits):
            if (result := at_least_zero(moved, further, bits)) is not None:
                return [*evidence, under, *result]
    return None


MOST_FOR_MEANS = 30
"""Terms of what is tried by mean values too; of more it takes long, and shows little."""


def _by_mean_values(
    value: Ratio, box: Box, bits: int
) -> Iterator[tuple[Ratio, Box, list[Evidence]]]:
    """Yield an expression with f(u) + s·(v − u) for f(v), where it holds f(u) as well.

    By the mean value theorem s is the derivative somewhere between u and v.
    """
    functions = sorted((s for s in value.symbols if isinstance(s, Function)), key=text_of)
    if len(value.top.terms) > MOST_FOR_MEANS:
        return
    for name, parity in (("sin", -1), ("cos", 1), ("arctan", -1), ("ln", 0), ("sqrt", 0)):
        both = [s for s in functions if s.name == name]
        for sign in (1, -1) if parity and len(both) == 2 else (1,) * (len(both) == 2):
            one, other = both
            # f(v) is f(−v), or −f(−v).
            at, factor = (
                Ratio.number(sign) * other.argument,
                Ratio.number(parity if sign < 0 else 1),
            )
            ends = [range_of(ratio, box, bits) for ratio in (one.argument, at)]
            if None in itertools.chain(*ends):
                continue
            between, variable = Variable(f"between {len(box)}"), Variable(f"derivative {len(box)}")
            within = {between: (min(e[0] for e in ends), max(e[1] for e in ends))}  # type: ignore[type-var]
            slope = derivative(Function(name, Ratio.symbol(between)))  # type: ignore[arg-type]
            slopes = range_of(slope, within, bits)
            apart = Ratio.symbol(variable) * (at - one.argument)
            moved = value.replace({other: factor * (Ratio.symbol(one) + apart)}.get)  # type: ignore[arg-type]
            if slopes != (None, None) and one not in moved.symbols:
                known = [*ranges_in(value, box, bits), *ranges_in(slope, within, bits)]
                yield moved, {**box, variable: slopes}, [*known]
    # e^u is 1 + s·u, for u next to 0.
    powers = [s for s in functions if s.name == "exp" and len(variables(s.argument)) > 1]
    small, evidence, further = dict[Function, Ratio](), list(ranges_in(value, box, bits)), dict(box)
    for power in powers:
        low, high = range_of(power.argument, box, bits)
        if low is not None and high is not None and low <= 0 <= high:
            variable = Variable(f"derivative {len(further)}")
            further[variable] = range_of_function(power, (low, high), bits)
            evidence.append(kernel.FunctionRange("exp", low, high, *further[variable], bits))
            small[power] = Ratio.number(1) + Ratio.symbol(variable) * power.argument
    if small:
        yield value.replace(small.get), further, [*evidence]  # type: ignore[arg-type]


def ranges_in(value: Ratio, box: Box, bits: int = 64) -> Iterator[kernel.FunctionRange]:
    """Yield evidence for the ranges of the functions in an expression, those within them too."""
    for symbol in sorted(value.symbols, key=text_of):
        if isinstance(symbol, Function):
            yield from ranges_in(symbol.argument, box, bits)
            if symbol.name not in WITHOUT_RULES:
                ends = range_of(symbol.argument, box, bits)
                lies = range_of_function(symbol, ends, bits)
                name = cast("kernel.FunctionName", symbol.name)
                yield kernel.FunctionRange(name, *ends, *lies, bits)


def believed(evidence: Iterable[Evidence]) -> tuple[kernel.Checked, ...]:
    """Return the kernel's findings of evidence, each once.

    That of a constant is the finding of a variable that is 0.
    """
    return tuple(_checked(_with_a_variable(item)) for item in dict.fromkeys(evidence))


_checked = lru_cache(maxsize=4_000)(kernel.check)
"""The kernel's finding, each asked for once."""


def _with_a_variable(item: Evidence) -> Evidence:
    if isinstance(item, kernel.BoxSign) and not item.lower:
        return replace(item, terms=tuple((c, (0,)) for c, _ in item.terms), lower=(0,), upper=(0,))
    return item


def rises(
    value: Ratio, variable: Variable, box: Box, *, down: bool = False
) -> list[Evidence] | None:
    """Return evidence that an expression rises in one variable, or falls; ``None`` if not."""
    change = numerator_of_slope(value, variable)
    if change is None:
        return None
    # Where it is divided by what is 0 at an end only, such as √x, its sign elsewhere is enough.
    change = change * Ratio.of(_zero_at_ends(change.bottom, box))
    result = at_least_zero(-change if down else change, box)
    if result is None:
        return None
    under = above_zero(value.bottom, box) or above_zero(-value.bottom, box)
    return None if under is None else [*ranges_in(Ratio.of(value.bottom), box), under, *result]


def _zero_at_ends(polynomial: SymbolPolynomial, box: Box) -> SymbolPolynomial:
    """Return the common factor of what is never below 0, and 0 nowhere inside of a box."""
    powers = [dict(m) for m, _ in polynomial.terms]
    shared = {s: min(item.get(s, 0) for item in powers) for s in polynomial.symbols}
    factor = SymbolPolynomial.number(1)
    for symbol, power in shared.items():
        root = isinstance(symbol, Function) and symbol.name in ("sqrt", "cbrt")
        if power and (root or isinstance(symbol, Variable)):
            low, _ = range_of_symbol(symbol, box)
            if low is not None and low >= 0:
                factor = factor * SymbolPolynomial.symbol(symbol).power(power)
    return factor


def above_zero(polynomial: SymbolPolynomial, box: Box) -> kernel.BoxSign | None:
    """Return the evidence that a polynomial is above 0 on the whole box; ``None`` if not."""
    certificate = shown_by_coefficients(polynomial, box, strict=True)
    return None if certificate is None else replace(certificate, strict=True)


@lru_cache(maxsize=1_000)
def numerator_of_slope(value: Ratio, variable: Variable) -> Ratio | None:
    """Return the derivative in one variable, through functions, times the divisor's square.

    ``None`` where there is none, or where it would be too long to be worth working out.
    """
    if len(value.top.terms) * len(value.bottom.terms) > MOST_COEFFICIENTS:
        return None
    top, bottom = (_slope(polynomial, variable) for polynomial in (value.top, value.bottom))
    if top is None or bottom is None:
        return None
    return top * Ratio.of(value.bottom) - Ratio.of(value.top) * bottom


def _slope(polynomial: SymbolPolynomial, variable: Variable) -> Ratio | None:
    ratio = Ratio.of(polynomial.partial(variable))
    for symbol in sorted(polynomial.symbols, key=text_of):
        if isinstance(symbol, Function) and variable in variables(symbol.argument):
            if symbol.name in WITHOUT_RULES:
                return None
            inner = numerator_of_slope(symbol.argument, variable)
            if inner is None:
                return None
            under = Ratio.of(symbol.argument.bottom)
            inner = inner / (under * under)
            ratio = ratio + Ratio.of(polynomial.partial(symbol)) * derivative(symbol) * inner
    return ratio


def put(value: Ratio, symbol: Hashable, at: Ratio) -> Ratio:
    """Return an expression with a symbol replaced, within functions too."""
    ratio = _with_one_base(replaced(value, {symbol: at}.get))
    # Powers of the root of e may be powers of e.
    parts = any(_is_part_of_e(s) for s in ratio.symbols)
    return without_powers(ratio) if parts else ratio


def _with_one_base(value: Ratio) -> Ratio:
    """Return an expression with one base for powers of e whose exponents are multiples of a term.

    e^x beside e^(x/2) is the square of that.
    """
    exponents: dict[Hashable, dict[Function, Fraction]] = {}
    for s in value.symbols:
        if isinstance(s, Function) and s.name == "exp" and len(s.argument.top.terms) == 1:
            ((monomial, factor),) = s.argument.top.terms
            exponents.setdefault((monomial, s.argument.bottom), {})[s] = factor
    for several in exponents.values():
        if len(several) > 1 and not all(s.argument.constant for s in several):
            whole = math.lcm(*(factor.denominator for factor in several.values()))
            first, factor = next(iter(several.items()))
            unit = Fraction(math.gcd(*(int(c * whole) for c in several.values())), whole)
            base = Ratio.symbol(Function("exp", first.argument * Ratio.number(unit / factor)))
            powers = {s: base.power(int(c / unit)) for s, c in several.items()}
            value = value.replace(powers.get)  # type: ignore[arg-type]
    return value


def _is_part_of_e(symbol: object) -> bool:
    exponent = symbol.argument.constant if isinstance(symbol, Function) else None
    named = isinstance(symbol, Function) and symbol.name == "exp"
    return named and exponent is not None and exponent.denominator > 1


def without_kinks(value: Ratio, box: Box) -> tuple[Ratio, list[Evidence]]:
    """Return an expression without the kinks whose side is known, and evidence for the sides."""
    evidence: list[Evidence] = []

    def shown(apart: Ratio) -> bool:
        result = at_least_zero(apart, box)
        evidence.extend(result or ())
        return result is not None

    def by(symbol: object) -> Ratio | None:
        if not isinstance(symbol, Function) or symbol.name not in KINKED:
            return None
        u = symbol.argument
        if symbol.name == "abs":
            return u if shown(u) else -u if shown(-u) else None
        if symbol.name == "above":
            return Ratio.number(1) if symbol.low is not None and shown(u) else None
        below, over = symbol.low, symbol.high
        if below is not None and shown(Ratio.number(below) - u):
            return Ratio.number(below)
        if over is not None and shown(u - Ratio.number(over)):
            return Ratio.number(over)
        inside = below is None or shown(u - Ratio.number(below))
        return u if inside and (over is None or shown(Ratio.number(over) - u)) else None

    return value.replace(by), evidence


@dataclass
class SignSearch:
    """Looks for a certificate. nodes: how many it may still try; until: when it gives up.

    closely: whether the box of one variable is cut next to where the least value is. tried: whether
    points where the expression is below 0 were searched for; if there is one, nothing is certified.
    """

    nodes: int = 120
    closely: bool = False
    tried: bool = False
    until: float = field(default_factory=lambda: time.thread_time() + 5.0)

    def find(self, value: Ratio, box: Box, cuts: int = 6) -> Tree | None:
        """Return a certificate that an expression is ≥ 0 on a box; ``None`` if none was found."""
        self.nodes -= 1
        if self.nodes < 0 or time.thread_time() > self.until:
            return None
        try:
            return self._found(value, box, cuts)
        except (TooLargeError, ZeroDivisionError, ValueError):
            return None

    def _found(self, value: Ratio, box: Box, cuts: int) -> Tree | None:
        value, _ = without_kinks(value, box)
        free = sorted(variables(value), key=text_of)
        fixed = next((v for v in free if box[v][0] is not None and box[v][0] == box[v][1]), None)
        if fixed is not None:
            return self._moved(value, box, fixed, upper=False, cuts=cuts)
        if not free:
            bits = _sign_of_constant(without_powers(value))
            return None if bits is None else ConstantLeaf(bits)
        if at_least_zero(value, box) is not None:
            return CoefficientLeaf()
        if not self.tried and is_below_zero(value, box):
            self.nodes = 0
        self.tried = True
        for variable in free if self.nodes else ():
            if time.thread_time() > self.until:
                return None
            low, high = box[variable]
            if low is not None and rises(value, variable, box) is not None:
                return self._moved(value, box, variable, upper=False, cuts=cuts)
            if high is not None and rises(value, variable, box, down=True) is not None:
                return self._moved(value, box, variable, upper=True, cuts=cuts)
        if not cuts or not self.nodes:
            return None
        for variable, at in self._cuts(value, box, free):
            low, high = box[variable]
            below = self.find(value, {**box, variable: (low, at)}, cuts - 1)
            if below is None:
                return None
            above = self.find(value, {**box, variable: (at, high)}, cuts - 1)
            return None if above is None else BoxCut(variable, at, below, above)
        return None

    def _moved(
        self, value: Ratio, box: Box, variable: Variable, *, upper: bool, cuts: int
    ) -> Tree | None:
        end = box[variable][upper]
        if end is None:
            return None
        rest = {v: ends for v, ends in box.items() if v != variable}
        then = self.find(put(value, variable, Ratio.number(end)), rest, cuts)
        return None if then is None else MoveToEnd(variable, upper, then)

    def _cuts(
        self, value: Ratio, box: Box, free: list[Variable]
    ) -> Iterator[tuple[Variable, Fraction]]:
        """Yield where to cut: at kinks, at turning points on corners of others, in the middle."""
        yield from _kinks_of_one(value, box)
        if self.closely and len(free) == 1 and None not in box[free[0]]:
            # Next to where it is least, on both sides, it has slopes of one sign.
            at, (low, high) = least_at(value, free[0], box), box[free[0]]
            if at.denominator > 24:
                aside = Fraction(1, 2**31)
                yield from ((free[0], x) for x in (at - aside, at + aside) if low < x < high)  # type: ignore[operator]
        widths: list[tuple[Fraction, Variable]] = []
        for variable in sorted(free, key=lambda v: None in box[v]):
            low, high = box[variable]
            is_whole = low is not None and high is not None
            widths.append((high - low if is_whole else Fraction(0), variable))  # type: ignore[operator]
            turning = _turning_point(value, box, variable, free)
            if turning is not None:
                yield variable, turning
        for width, variable in sorted(widths, key=lambda item: (-item[0], text_of(item[1]))):
            low, high = box[variable]
            if low is not None:
                yield variable, low + (width / 2 if high is not None else 1)
            else:
                yield variable, Fraction(0) if high is None else high - 1


def _kinks_of_one(value: Ratio, box: Box) -> Iterator[tuple[Variable, Fraction]]:
    """Yield where a kink of one variable is, between its ends, if that is a fraction."""
    for kink in symbols_within(value):
        if not isinstance(kink, Function) or kink.name not in KINKED:
            continue
        free = variables(kink.argument)
        variable = next(iter(free), Variable(""))
        low, high = box.get(variable, (None, None))
        if len(free) > 1 or low is None or high is None or low == high:
            continue
        grid = np.linspace(float(low), float(high), 25)
        for end in {kink.low or Fraction(0), kink.high or Fraction(0)}:
            apart = float_value(kink.argument - Ratio.number(end), {variable: grid})
            for k in np.flatnonzero(np.diff(np.sign(np.broadcast_to(apart, 25)))):
                left, right = grid[k], grid[k + 1]
                for _ in range(60):
                    middle = (left + right) / 2
                    there = float_value(kink.argument - Ratio.number(end), {variable: middle})
                    left, right = (left, middle) if there * apart[k] <= 0 else (middle, right)
                at = Fraction(float(right)).limit_denominator(10**6)
                exact = put(kink.argument, variable, Ratio.number(at)) == Ratio.number(end)
                if low < at < high and exact:
                    yield variable, at


def least_at(value: Ratio, variable: Variable, box: Box) -> Fraction:
    """Return a number next to where an expression of one variable is least; a short one if so."""
    low, high = box[variable]
    assert low is not None
    assert high is not None
    grid = np.linspace(float(low), float(high), 241)
    heights = np.broadcast_to(float_value(value, {variable: grid}), len(grid))
    place = int(np.argmin(np.where(np.isfinite(heights), heights, np.inf)))
    if place in (0, 240):
        return high if place else low
    slope, (left, right) = numerator_of_slope(value, variable), (grid[place - 1], grid[place + 1])
    short = Fraction(float(grid[place])).limit_denominator(24)
    if slope is None:
        return short
    for _ in range(60):
        middle = (left + right) / 2
        left, right = (
            (middle, right) if float_value(slope, {variable: middle}) < 0 else (left, middle)
        )
    at = Fraction(round(middle * 2**32), 2**32)
    short = at.limit_denominator(24)
    return short if abs(short - at) < (high - low) / 2**30 else at


FAR_ENOUGH = Fraction(6)
"""Up to so far from its end the turning point of what has one end only is looked for."""


def _turning_point(
    value: Ratio, box: Box, variable: Variable, free: list[Variable]
) -> Fraction | None:
    """Return a short fraction next to where the least value on a corner of the others lies."""
    low, high = box[variable]
    if low is None or (high is not None and high - low < Fraction(1, 64)):
        return None
    width = FAR_ENOUGH if high is None else high - low
    others = [v for v in free if v != variable]
    choices = [[float(x) for x in box[v] if x is not None] or [0.0] for v in others]
    corners = list(itertools.islice(itertools.product(*choices), 8))
    grid = [low + width * Fraction(k, 24) for k in range(25)]
    at: dict[Variable, Floats] = {
        v: np.repeat([corner[j] for corner in corners], len(grid)) for j, v in enumerate(others)
    }
    result = float_value(value, {**at, variable: np.tile(np.array(grid, float), len(corners))})
    result = np.broadcast_to(result, len(grid) * len(corners))
    if not np.isfinite(result).any():
        return None
    worst = grid[int(np.nanargmin(np.where(np.isfinite(result), result, np.inf))) % len(grid)]
    short = worst.limit_denominator(24)
    return None if worst in (grid[0], grid[-1]) else short if grid[0] < short < grid[-1] else worst


def without_powers(value: Ratio) -> Ratio:
    """Return an expression with √u·√u as u, and powers of e^c for numbers c as one."""

    def plain(polynomial: SymbolPolynomial) -> Ratio:
        if not any(getattr(symbol, "name", "") in ("sqrt", "exp") for symbol in polynomial.symbols):
            return Ratio.of(polynomial)
        parts = []
        for m, c in polynomial.terms:
            part, exponent = Ratio.number(c), Ratio.number(0)
            for symbol, k in m:
                name = symbol.name if isinstance(symbol, Function) else ""
                if isinstance(symbol, Function) and name == "sqrt":
                    part, k = part * symbol.argument.power(k // 2), k % 2
                if (
                    isinstance(symbol, Function)
                    and name == "exp"
                    and not variables(symbol.argument)
                ):
                    exponent = exponent + Ratio.number(k) * symbol.argument
                else:
                    part = part * Ratio.symbol(symbol).power(k)
            parts.append(part * function("exp", exponent))
        return total(parts)

    return plain(value.top) / plain(value.bottom)


def _sign_of_constant(value: Ratio) -> int | None:
    """Return the places by which a constant is seen to be ≥ 0; ``None`` where it is not."""
    return next((bits for bits in PLACES if at_least_zero(value, {}, bits) is not None), None)


def check(tree: Tree, value: Ratio, box: Box) -> tuple[kernel.Checked, ...]:
    """Return the kernel's findings along a certificate; raises ``ValueError`` where one fails.

    Nothing of the search is believed: each leaf, derivative and cut is worked out again.
    """
    value, sides = without_kinks(value, box)
    return (*believed(sides), *_check(tree, value, box))


def _check(tree: Tree, value: Ratio, box: Box) -> tuple[kernel.Checked, ...]:
    match tree:
        case ConstantLeaf(bits=bits):
            if variables(value) or bits not in PLACES:
                raise ValueError("a variable is left at a point")
            result = at_least_zero(without_powers(value), {}, bits)
            if result is None:
                raise ValueError("the constant may be below 0")
            return believed(result)
        case CoefficientLeaf():
            result = at_least_zero(value, box)
            if result is None:
                raise ValueError("a coefficient is below 0")
            return believed(result)
        case MoveToEnd(variable=variable) | BoxCut(variable=variable) if variable not in box:
            raise ValueError("there is no such variable")
        case MoveToEnd(variable=variable, upper=upper, then=then):
            low, high = box[variable]
            end = high if upper else low
            if end is None:
                raise ValueError("there is no such end")
            findings: tuple[kernel.Checked, ...] = ()
            if low != high:
                shown = rises(value, variable, box, down=upper)
                if shown is None:
                    raise ValueError("the derivative may have the other sign")
                findings = believed(shown)
            rest = {v: ends for v, ends in box.items() if v != variable}
            return (*findings, *check(then, put(value, variable, Ratio.number(end)), rest))
        case BoxCut(variable=variable, at=at, below=below, above=above):
            low, high = box[variable]
            if not ((low is None or low < at) and (high is None or at < high)):
                raise ValueError("the cut is outside of the box")
            return (
                *check(below, value, {**box, variable: (low, at)}),
                *check(above, value, {**box, variable: (at, high)}),
            )
