"""What stands for an array, or for a number, while a query is followed with symbols."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial, partialmethod
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from provado.mechanisms import UsageError
from provado.mechanisms.definitions.parameters import as_written
from provado.proofs.sensitivity.trace.interval import MOST, end
from provado.proofs.sensitivity.trace.python import EachRecord, Element, listed
from provado.proofs.sensitivity.trace.untraceable import (
    Blocked,
    IntegersMayWrap,
    UntraceableError,
    methods,
    stop,
)

from .enclosure import Ends, range_of
from .expression import (
    PI,
    PLACE,
    SIZE,
    Function,
    FunctionName,
    Length,
    Mixture,
    PlaceSymbol,
    PublicSymbol,
    RecordSymbol,
    Size,
    Total,
    Variable,
    depends_on_data,
    depends_on_place,
    function,
    placed,
    replaced,
    shifted,
    symbols_within,
)
from .ratio import Ratio, SymbolPolynomial, TooLargeError, split_by
from .sign import above_zero

ONE, ZERO = Ratio.number(1), Ratio.number(0)

MOST_EXPONENT = 700
"""Beyond it an exponential is no float."""

MOST_STEPS = 40
"""Of one rounding whose steps are followed one by one."""

MOST_RECORDS = 2**36
"""No dataset in memory has more of them."""

WRAPS = "integers of 64 bits may wrap around: use astype(float)"


@dataclass(eq=False)
class Following:
    """What is known while one query is followed.

    domain: the ends of each column. least, most: the numbers of records, ``most`` ``None`` where
    there is no limit. one_more: neighbors differ by one record more or less. means: where totals
    lie, once known; ranges: where expressions do. truths: the columns of True and False.
    decide: answers conditions on public numbers. unknown: makes one more public number.
    place: which place a public one is, on the way that is followed. squares: expressions that are
    never below 0, being sums of squares. powers: what was computed as a power, with base and
    exponent. changes: what changes in cases, once worked out.
    """

    domain: tuple[tuple[Fraction, Fraction], ...]
    least: int
    most: int | None
    one_more: bool = False
    means: dict[Total, Ends] = field(default_factory=dict)
    ranges: dict[Ratio, Ends] = field(default_factory=dict)
    numbers: dict[object, int] = field(default_factory=dict)
    truths: frozenset[int] = frozenset()
    decide: Callable[[Ratio], bool] | None = None
    unknown: Callable[[], Any] | None = None
    place: Callable[[Ratio], int] | None = None
    squares: set[Ratio] = field(default_factory=set)
    powers: dict[Ratio, tuple[Ratio, int]] = field(default_factory=dict)
    changes: dict[Any, Any] = field(default_factory=dict)

    def constant(self, value: Any) -> SymbolicNumber | None:
        """Return a plain number as one that is kept exactly; ``None`` for what is none."""
        exact = constant_of(value)
        return None if exact is None else SymbolicNumber(exact[0], self, exact[1])

    def generic(self, expression: Ratio) -> tuple[Ratio, dict[Variable, Ends]]:
        """Return an expression with a variable for each record, number and mean in it."""
        box: dict[Variable, Ends] = {}
        return replaced(expression, partial(self._variable, box)), box

    def _variable(self, box: dict[Variable, Ends], symbol: object) -> Ratio | None:
        by = partial(self._variable, box)
        if isinstance(symbol, Function):
            return None
        variable, factor = Variable(f"v{self.numbers.setdefault(symbol, len(self.numbers))}"), ONE
        if isinstance(symbol, RecordSymbol):
            box[variable] = self.domain[symbol.column]
        elif isinstance(symbol, Size):
            most = None if self.most is None else Fraction(self.most)
            box[variable] = Fraction(self.least), most
        elif isinstance(symbol, PublicSymbol):
            box[variable] = symbol.low, symbol.high
        elif isinstance(symbol, PlaceSymbol):
            box[variable] = Fraction(0), None if self.most is None else Fraction(self.most)
        elif isinstance(symbol, Mixture):
            box[variable], factor = self.range_of(symbol.each), symbol.many.replace(by)
        elif isinstance(symbol, Total):
            box[variable] = self.range_of_total(symbol)
            many = symbol.length.ratio().replace(by)
            if symbol.kind == "sum":
                factor = many
            elif symbol.kind == "pairs":
                factor = many * (many - ONE) / Ratio.number(2)
        else:
            return None
        return Ratio.symbol(variable) * factor

    def range_of(self, expression: Ratio) -> Ends:
        """Return where an expression lies for all records."""
        if expression not in self.ranges:
            self.ranges[expression] = range_of(*self.generic(expression))
        low, high = self.ranges[expression]
        over, by = expression.bottom.terms[0]
        known = dict(expression.top.terms).get(over, Fraction(0)) / by
        if known and expression - Ratio.number(known) in self.squares:
            low = known if low is None else max(low, known)
        return low, high

    def is_whole(self, expression: Ratio) -> bool:
        """Return whether an expression is a whole number for all records."""
        factors = [c.denominator for _, c in expression.top.terms]
        powers = [p for monomial, _ in expression.top.terms for _, p in monomial]
        plain = (
            expression.bottom.constant == 1
            and {1}.issuperset(factors)
            and min(powers, default=1) > 0
        )
        return plain and all(map(self._is_whole_symbol, expression.symbols))

    def _is_whole_symbol(self, symbol: object) -> bool:
        match symbol:
            case RecordSymbol():
                return symbol.column in self.truths
            case Function(name="abs" | "clip", argument=of, low=low, high=high):
                is_whole = all(x is None or x.denominator == 1 for x in (low, high))
                return is_whole and self.is_whole(of)
            case (
                Total(kind="sum" | "product")
                | Total(share=Fraction(numerator=0 | 1, denominator=1))
            ):
                return self.is_whole(symbol.element)
            case Function(name="above") | Size() | PlaceSymbol():
                return True
        return False

    def is_above_zero(self, expression: Ratio) -> bool:
        """Return whether an expression is above 0 for all records."""
        value, box = self.generic(expression)
        low, _ = self.range_of(expression)
        if low is not None and low > 0:
            return True
        for sign in (1, -1):
            parts = [item * SymbolPolynomial.number(sign) for item in (value.top, value.bottom)]
            if all(above_zero(part, box) is not None for part in parts):
                return True
        return False

    def range_in_memory(self, expression: Ratio) -> Ends:
        """Return where it lies for no more records than memory holds."""
        value, box = self.generic(expression)
        for symbol in (Size(), Size(moves=True), PlaceSymbol(), PlaceSymbol(inner=True)):
            variable = Variable(f"v{self.numbers.get(symbol)}")
            if variable in box and self.most is None:
                box[variable] = box[variable][0], Fraction(MOST_RECORDS)
        return range_of(value, box)

    def range_of_total(self, total: Total) -> Ends:
        """Return where a product or a quantile lies; of a sum, the mean of what it adds."""
        if total not in self.means:
            low, high = self.range_of(total.element)
            if total.kind == "product":
                inside = low is not None and high is not None and max(abs(low), abs(high)) <= 1
                low = None if not inside or low is None else min(low, Fraction(0))
                high = Fraction(1) if inside else None
            self.means[total] = low, high
        return self.means[total]


COMPOSED: dict[str, Callable[..., Any]] = {
    "square": lambda x: x**2,
    "reciprocal": lambda x: 1.0 / x._as_no_whole("np.reciprocal"),
    "exp2": lambda x: (x * _ln(2, x))._exp(),
    "expm1": lambda x: x._exp() - 1,
    "log1p": lambda x: (x + 1)._log(),
    "log2": lambda x: x._log() / _ln(2, x),
    "log10": lambda x: x._log() / _ln(10, x),
    "sinh": lambda x: (x._exp() - (-x)._exp()) / 2,
    "cosh": lambda x: (x._exp() + (-x)._exp()) / 2,
    "tanh": lambda x: _tanh(x),
    "tan": lambda x: x._sin() / x._cos(),
    "arcsin": lambda x: (x / ((1 - x**2)._sqrt() + 1))._arctan() * 2,
    "arccos": lambda x: -COMPOSED["arcsin"](x) + _constant(PI / Ratio.number(2), x),
    "arctan2": lambda y, x: (y / _above_zero(x))._arctan(),
    "arcsinh": lambda x: (x + (x**2 + 1)._sqrt())._log(),
    "arctanh": lambda x: ((x + 1)._log() - (1 - x)._log()) / 2,
    "sign": lambda x: (x > 0).astype(int) - (x < 0).astype(int),
    "heaviside": lambda x, at_zero: (x > 0) * 1.0 + (x == 0) * at_zero,
    "hypot": lambda x, y: (x**2 + x._pair(y) ** 2)._sqrt(),
    "logaddexp": lambda x, y: (x._exp() + x._pair(y)._exp())._log(),
    "expit": lambda x: 1 / ((-x)._exp() + 1),
    "log_expit": lambda x: -((-x)._exp() + 1)._log(),
    "logit": lambda x: x._log() - (1 - x)._log(),
    "xlogy": lambda x, y: _xlogy(x, x._pair(y)),
    "xlog1py": lambda x, y: _xlogy(x, x._pair(y) + 1),
    "entr": lambda x: -_xlogy(x, x),
}
"""Functions of NumPy that are computed from others."""


def _tanh(x: Any) -> Any:
    """Return it by powers of e that stay small where x is bounded on one side."""
    sign = 1 if x.range_of()[1] is not None else -1
    power = x._new(function("exp", Ratio.number(2 * sign) * x.value), "f")
    return (power - 1) / (power + 1) * sign


def _xlogy(x: Any, y: Any) -> Any:
    """Return x·ln y, which is 0 where x is, of x from 0 on and y, or of x itself."""
    if x.value == y.value and x.range_of()[0] == 0:
        return x * x._new(function("ln", x.value), "f")
    return x * y._log()


def _above_zero(x: Any) -> Any:
    if not isinstance(x, Symbolic) or (x.range_of()[0] or 0) <= 0:
        raise stop("np.arctan2 is followed where the second number is above 0")
    return x


class Symbolic(Blocked):
    """Base of arrays and numbers that stand for data."""

    value: Ratio
    kind: str
    following: Following

    UFUNCS: ClassVar[Mapping[str, Any]] = COMPOSED | methods(
        "add:__add__ subtract:__sub__ multiply:__mul__ divide:__truediv__ power:__pow__ "
        "float_power:__pow__ minimum:_minimum maximum:_maximum fmin:_minimum fmax:_maximum "
        "negative:__neg__ positive:_same absolute:__abs__ fabs:__abs__ exp:_exp log:_log "
        "sqrt:_sqrt cbrt:_cbrt sin:_sin cos:_cos arctan:_arctan less:__lt__ less_equal:__le__ "
        "greater:__gt__ greater_equal:__ge__ equal:__eq__ not_equal:__ne__ invert:__invert__ "
        "logical_not:__invert__ logical_and:__and__ bitwise_and:__and__ logical_or:__or__ "
        "bitwise_or:__or__ logical_xor:__xor__ bitwise_xor:__xor__ floor:_floor ceil:_ceil "
        "trunc:_trunc rint:_rint remainder:__mod__ floor_divide:__floordiv__"
    )

    def _as_no_whole(self, name: str) -> Any:
        if self.kind != "f":
            raise stop(f"{name} of whole numbers: use astype(float)")
        return self

    def _new(self, value: Ratio, kind: str, *others: Any) -> Any:
        raise NotImplementedError

    def _pair(self, other: Any) -> Any:
        raise NotImplementedError

    def _made(self, value: Ratio, kind: str, *others: Any) -> Any:
        """Return a result, if its type can hold what it may be."""
        low, high = self.following.range_in_memory(value)
        if kind == "i":
            if low is None or high is None or max(-low, high) > MOST["i"]:
                raise stop(WRAPS, IntegersMayWrap)
        elif any(x is not None and abs(x) > MOST["f"] for x in (low, high)):
            raise stop("a number may leave the range of floats")
        return self._new(value, kind, *others)

    def _arithmetic(self, other: Any, make: Callable[[Ratio, Ratio], Ratio]) -> Any:
        second = self._pair(other)
        if second is None:
            return NotImplemented
        if self.kind == second.kind == "b":
            raise stop("arithmetic on conditions alone: write astype(int), or + 0, first")
        kind = _kind_of_both(self.kind, second.kind)
        try:
            value = make(self.value, second.value)
        except TooLargeError as error:
            raise stop(str(error)) from None
        return self._made(value, kind, second)

    def __add__(self, other: Any) -> Any:
        return self._arithmetic(other, lambda x, y: x + y)

    def __sub__(self, other: Any) -> Any:
        return self._arithmetic(other, lambda x, y: x - y)

    def __mul__(self, other: Any) -> Any:
        second = self._pair(other)
        if second is not None and self.kind == second.kind == "b":
            return self & other
        result = self._arithmetic(other, lambda x, y: x * y)
        same = second is not None and self.value == second.value
        return self._square_if(result, same or self._of_squares(second))

    def _of_squares(self, second: Any) -> bool:
        """Return whether both are never below 0, one of them as a sum of squares."""
        squares, both = self.following.squares, (self, second)
        if second is None or not any(form.value in squares for form in both):
            return False
        lows = (Fraction(0) if form.value in squares else form.range_of()[0] for form in both)
        return all(low is not None and low >= 0 for low in lows)

    def _square_if(self, result: Any, holds: bool) -> Any:
        """Return a result, and note that it is never below 0 where that holds."""
        if holds and isinstance(result, Symbolic):
            self.following.squares.add(result.value)
        return result

    def __truediv__(self, other: Any) -> Any:
        second = self._pair(other)
        if second is None:
            return NotImplemented
        of_public = not any(map(depends_on_data, (self.value, second.value)))
        if of_public and self.following.unknown is not None and not self._is_not_zero(second.value):
            # Whatever is computed of public numbers alone is one more of them.
            return self.following.unknown()
        self._not_zero(second.value)
        result = self._made(self.value / second.value, "f", second)
        return self._square_if(result, self._of_squares(second))

    def __rtruediv__(self, other: Any) -> Any:
        second = self._pair(other)
        return NotImplemented if second is None else second / self

    def _is_not_zero(self, value: Ratio) -> bool:
        return any(map(self.following.is_above_zero, (value, -value)))

    def _not_zero(self, value: Ratio) -> None:
        if not self._is_not_zero(value):
            raise stop("a quotient by what may be 0")

    def __pow__(self, other: Any) -> Any:
        if isinstance(other, SymbolicArray) and self.value.constant is not None:
            return other.__rpow__(self)
        if isinstance(other, SymbolicNumber) and not depends_on_data(other.value):
            return self._between_powers(other)
        if isinstance(other, Symbolic):
            if (result := self._power_of_place(other)) is not None:
                return result
            if "f" not in (self.kind, other.kind):
                raise stop("integers to the power of what depends on the data: use astype(float)")
            return (self._log() * other)._exp()
        if isinstance(other, float | np.floating):
            return self._fractional_power(float(other))
        is_whole = isinstance(other, int | np.integer) and not isinstance(other, bool)
        if not is_whole or not -60 <= int(other) <= 60:
            raise stop("only whole powers up to 60 are followed")
        exponent: int = int(other)
        root = _only(self.value, "sqrt")
        if root is not None and exponent > 0 and exponent % 2 == 0:
            return self._new(root.argument, self.kind) ** (exponent // 2)
        if exponent < 0:
            self._not_zero(self.value)
        try:
            value = self.value.power(exponent)
        except TooLargeError as error:
            raise stop(str(error)) from None
        result = self._made(value, self.kind if exponent >= 0 else "f")
        if exponent > 1 and depends_on_data(self.value):
            self.following.powers[result.value] = self.value, exponent
        return self._square_if(result, exponent % 2 == 0)

    def _power_of_place(self, exponent: Any) -> Any:
        """Return records from 0 to 1, each to the power of its place and more: they lie there too.

        Two records at one place are not told apart: only each at its own is followed.
        """
        more = (exponent.value - PLACE).constant
        own = [symbol for symbol in self.value.symbols if isinstance(symbol, RecordSymbol)]
        plain = own and self.value == Ratio.symbol(RecordSymbol(own[0].column))
        low, high = self.range_of()
        inside = low is not None and low >= 0 and high is not None and high <= 1
        if more is None or more < 0 or not plain or not inside or self.following.one_more:
            return None
        return self._within(Fraction(0), Fraction(1), f"power of place + {more}")

    def _fractional_power(self, exponent: float) -> Any:
        """Return a power by roots, or as e to the logarithm, of what is not below 0."""
        near = as_written(exponent)
        if near.denominator == 1:
            return self ** int(near)
        if near < 0:
            return 1.0 / self._fractional_power(-exponent)
        root = {2: "sqrt", 4: "sqrt", 8: "sqrt", 3: "cbrt"}.get(near.denominator)
        whole, rest = divmod(near, 1)
        if root is not None:
            part = getattr(self, f"_{root}")() ** (float(rest) * (2 if root == "sqrt" else 3))
            return part * self ** int(whole) if whole else part
        low, _ = self.range_of()
        if low is None or low < 0:
            raise stop("powers that are no whole numbers are followed of what is never below 0")
        logarithm = function("ln", self.value)
        return self._made(function("exp", Ratio.number(near) * logarithm), "f")

    def _between_powers(self, exponent: SymbolicNumber) -> Any:
        """Return a power above 0 of what lies in [0, 1]: it lies there too."""
        if (known := exponent.value.constant) is not None:
            return self ** (int(known) if known.denominator == 1 else float(known))
        positive, ends = exponent.range_of()[0], self.range_of()
        product = _product_of(self.value)
        if product is not None and self.following.is_above_zero(product.element):
            return (self._log() * exponent)._exp()
        inside = ends[0] is not None and ends[0] >= 0 and ends[1] is not None and ends[1] <= 1
        if positive is None or positive < 0 or not inside:
            raise stop("such a power is followed of numbers from 0 to 1 only")
        return self._within(Fraction(0), Fraction(1), f"power {exponent.value!r}")

    def range_of(self) -> Ends:
        """Return where it lies for all records."""
        return self.following.range_of(self.value)

    def _within(self, low: Fraction, high: Fraction | None, which: str) -> Any:
        """Return what is computed of it and of what is public, of which only the ends are known."""
        return self._new(Ratio.symbol(Function("within", self.value, low, high, which)), "f")

    def __rpow__(self, other: Any) -> Any:
        base = self._pair(other)
        value = None if base is None else base.value.constant
        if other == math.e:
            return self._exp()
        if value == -1 and self.following.is_whole(self.value):
            # (−1)^i is cos πi.
            return self._new(function("cos", PI * self.value), base.kind)
        if value is None or value <= 0:
            raise stop("a power whose exponent depends on the data")
        return (self * _ln(value, self))._exp()

    def __mod__(self, other: Any) -> Any:
        if isinstance(other, Symbolic) and other.value == SIZE and self._turn() is not None:
            return self._within(Fraction(0), None, "turned")
        by = self._divisor(other)
        is_whole = self.following.is_whole(self.value) and by.denominator == 1
        if (
            by == 2
            and is_whole
            and depends_on_place(self.value)
            and not depends_on_data(self.value)
        ):
            # Of an odd number i, cos πi is −1; of an even one 1.
            return self._new((ONE - function("cos", PI * self.value)) / Ratio.number(2), "i")
        return self._within(Fraction(0), by - is_whole, f"modulo {by}")

    def _turn(self) -> int | None:
        """Return c of places i + c."""
        turn = (self.value - PLACE).constant
        return None if turn is None or turn.denominator != 1 else int(turn)

    def __floordiv__(self, other: Any) -> Any:
        low, high = self.range_of()
        kind = _kind_of_both(self.kind, self._pair(other).kind)
        if low is not None and high is not None and high - low <= MOST_STEPS * self._divisor(other):
            return replace((self / other)._floor(), kind=kind)
        result = replace((self - self % other) / self._pair(other), kind=kind)
        return self._square_if(result, low is not None and low >= 0)

    def _divisor(self, other: Any) -> Fraction:
        second = self._pair(other)
        by: Fraction | None = None if second is None else second.value.constant
        if by is None or by <= 0:
            raise stop("a remainder by what is no number above 0")
        return by

    def _steps(self, *, add: Fraction, even: bool = False) -> Any:
        """Return ⌊x + add⌋ as a sum of conditions, one for each step; even: ties go to even."""
        kind, (low, high) = self._number_kind(), self.range_of()
        if self.following.is_whole(self.value):
            return self
        if low is None or high is None or high - low > MOST_STEPS:
            rest = self._within(Fraction(0), Fraction(1), f"part {add} {even}")
            result = self.value + Ratio.number(add) - rest.value
            if low is not None and low >= 0:
                self.following.squares.add(result)
            return self._made(result, kind)
        first, last = math.floor(low + add), math.floor(high + add)
        result = Ratio.number(first)
        for k in range(first + 1, last + 1):
            reached = self.value - Ratio.number(k - add)
            closed = not even or k % 2 == 0
            result = result + function("above", reached, Fraction(0) if closed else None)
        return self._made(result, kind)

    def _floor(self) -> Any:
        return self._steps(add=Fraction(0))

    def _ceil(self) -> Any:
        return -(-self)._steps(add=Fraction(0))

    def _rint(self) -> Any:
        return self._steps(add=Fraction(1, 2), even=True)

    def _trunc(self) -> Any:
        low, high = self.range_of()
        if low is not None and low >= 0:
            return self._floor()
        if high is not None and high <= 0:
            return self._ceil()
        return self._maximum(0)._floor() + self._minimum(0)._ceil()

    def round(self, decimals: Any = 0) -> Any:
        """Return each, rounded to so many decimals; ties go to the even one."""
        if type(decimals) is not int or abs(decimals) > 6:
            raise stop("rounding to a number of decimals from −6 to 6 is followed")
        if decimals == 0:
            return self._rint()
        scale = Fraction(10) ** decimals
        unit = _constant(Ratio.number(scale), self)
        return (self * unit)._rint() / unit

    def __neg__(self) -> Any:
        return self._made(-self.value, self._number_kind())

    def __abs__(self) -> Any:
        return self._function("abs", kind=self._number_kind())

    def __pos__(self) -> Any:
        return self

    def _same(self) -> Any:
        return self

    def _number_kind(self) -> str:
        if self.kind == "b":
            raise stop("arithmetic on conditions alone: write astype(int), or + 0, first")
        return self.kind

    def abs(self) -> Any:
        """Return the absolute values."""
        return abs(self)

    def _function(
        self,
        name: FunctionName,
        low: Fraction | None = None,
        high: Fraction | None = None,
        *,
        kind: str = "f",
        value: Ratio | None = None,
    ) -> Any:
        value = self.value if value is None else value
        least, most = self.following.range_of(value)
        below = -value in self.following.squares
        if name == "exp" and not below and (most is None or most > MOST_EXPONENT):
            raise stop("the exponential of what may leave the range of floats")
        if name == "ln" and (product := _product_of(value)) is not None:
            # The logarithm of a product is the sum of the logarithms.
            element = SymbolicNumber(product.element, self.following)
            return self._made(sum_of(element._log().value, product.length), kind)
        if name == "ln" and not (least is not None and least > 0):
            parts = [Ratio.of(polynomial) for polynomial in (value.top, value.bottom)]
            if all(map(self.following.is_above_zero, parts)):
                over, under = (function("ln", part) for part in parts)
                return self._made(over - under, kind)
            chosen = getattr(self, "chosen", None)
            if chosen is not None and _shows_above_zero(value, chosen, holds=True):
                return self._made(function("ln", value), kind)
            if not self._is_above_zero_by_choice(value):
                if isinstance(self, SymbolicArray) and chosen is None and least == 0:
                    return WhereAboveZero(replace(self, value=function("ln", value)), value)
                raise stop(
                    "the logarithm of what may not be above 0 (np.where(x > 0, x, 1) always is)"
                )
        squares = value in self.following.squares
        if name in ("sqrt", "cbrt") and not (squares or (least is not None and least >= 0)):
            raise stop("the root of what may be below 0")
        if name == "abs" and least is not None and least >= 0:
            return self._made(value, kind)
        if name == "abs" and most is not None and most <= 0:
            return self._made(-value, kind)
        if name == "clip":
            # An end that no value passes is no end; what lies beyond an end is at it.
            low = None if low is not None and least is not None and least >= low else low
            high = None if high is not None and most is not None and most <= high else high
            if low is None and high is None:
                return self._made(value, kind)
            value, low, high = _one_clip(value, low, high)
        return self._made(function(name, value, low, high), kind)

    def _is_above_zero_by_choice(self, value: Ratio) -> bool:
        """Return whether it is one number where that is above 0, and elsewhere one above 0."""
        for condition in map(Ratio.symbol, value.symbols):
            where, elsewhere = (_known(value, condition, holds=holds) for holds in (True, False))
            asked = _shows_above_zero(where, condition, holds=True)
            if asked and self.following.is_above_zero(elsewhere):
                return True
        return False

    _exp, _log = partialmethod(_function, "exp"), partialmethod(_function, "ln")
    _sqrt, _arctan = partialmethod(_function, "sqrt"), partialmethod(_function, "arctan")
    _sin, _cos = partialmethod(_function, "sin"), partialmethod(_function, "cos")
    _cbrt = partialmethod(_function, "cbrt")

    def _extreme(self, other: Any, *, up: bool) -> Any:
        second = self._pair(other)
        if second is None:
            return NotImplemented
        kind = _kind_of_both(self.kind, second.kind)
        for form, bound in ((self, second), (second, self)):
            if _is_within(form.value, bound.value, Fraction(up)):
                return bound
            if (at := bound.value.constant) is not None:
                ends = (at, None) if up else (None, at)
                return form._function("clip", *ends, kind=kind)
        # max(x, y) is y + max(x − y, 0).
        zero = Fraction(0)
        beyond = (self - second)._function("clip", *((zero, None) if up else (None, zero)))
        return self._made(beyond.value + second.value, kind, second)

    _maximum, _minimum = partialmethod(_extreme, up=True), partialmethod(_extreme, up=False)

    def clip(
        self, lower: Any = None, upper: Any = None, *, min: Any = None, max: Any = None
    ) -> Any:
        """Return each, moved to the nearest end where it lies outside."""
        lower, upper = min if lower is None else lower, max if upper is None else upper
        self._number_kind()
        ends = [None if item is None else self._pair(item) for item in (lower, upper)]
        if any((e is None) != (item is None) for e, item in zip(ends, (lower, upper), strict=True)):
            raise stop("an end of a clip is no number")
        low, high = (None if item is None else item.value.constant for item in ends)
        if any(e is not None and c is None for e, c in zip(ends, (low, high), strict=True)):
            form = self if lower is None else self._maximum(lower)
            return form if upper is None else form._minimum(upper)
        if low is not None and high is not None and low > high:
            raise stop("the lower end of a clip is above the upper one")
        kinds = {item.kind for item in ends if item is not None}
        return self._function("clip", low, high, kind="f" if "f" in kinds else self.kind)

    def _compared(self, other: Any, *, less: bool, equal: bool) -> Any:
        second = self._pair(other)
        if second is None:
            return NotImplemented
        for form, bound, below in ((self, second, less), (second, self, not less)):
            inside = _only(form.value, "abs")
            if inside is not None and bound.value.constant is not None:
                # |u| < c says that u < c and −u < c.
                u = form._new(inside.argument, form.kind)
                result = u._compared(bound, less=True, equal=equal == below) & (-u)._compared(
                    bound, less=True, equal=equal == below
                )
                return result if below else ~result
        apart = second.value - self.value if less else self.value - second.value
        low, high = self.following.range_of(apart)
        if low is not None and (low > 0 or (equal and low == 0)):
            result = ONE
        elif high is not None and (high < 0 or (not equal and high == 0)):
            result = ZERO
        else:
            result = function("above", apart, Fraction(0) if equal else None)
        return self._new(result, "b", second)

    __lt__ = partialmethod(_compared, less=True, equal=False)
    __le__ = partialmethod(_compared, less=True, equal=True)
    __gt__ = partialmethod(_compared, less=False, equal=False)
    __ge__ = partialmethod(_compared, less=False, equal=True)

    def __and__(self, other: Any) -> Any:
        """Return both of two conditions."""
        return self._new(self.value * self._condition(other).value, "b", self._condition(other))

    def __or__(self, other: Any) -> Any:
        """Return one or both of two conditions."""
        second = self._condition(other)
        return self._new(self.value + second.value - self.value * second.value, "b", second)

    def __xor__(self, other: Any) -> Any:
        """Return one of two conditions, not both."""
        second = self._condition(other)
        both = self.value * second.value
        return self._new(self.value + second.value - both - both, "b", second)

    def __invert__(self) -> Any:
        self._condition(self)
        return self._new(ONE - self.value, "b")

    def _condition(self, other: Any) -> Any:
        second = self._pair(other)
        if second is None or self.kind != "b" or second.kind != "b":
            raise stop("& and | of numbers are not followed: only of conditions")
        return second

    def astype(self, dtype: Any, *, copy: Any = True) -> Any:  # noqa: ARG002
        """Return it as floats, or as integers where it is whole."""
        wanted = np.dtype(dtype)
        if wanted == np.float64:
            return self._new(self.value, "f")
        if wanted == np.int64:
            symbolic = self if self.following.is_whole(self.value) else self._trunc()
            return self._new(symbolic.value, "i")
        raise stop(f"astype({wanted}) is not followed: float is")

    def copy(self) -> Any:
        """Return the same."""
        return self

    def __eq__(self, other: object) -> Any:
        return NotImplemented if other is None else (self >= other) & (self <= other)

    def __ne__(self, other: object) -> Any:
        return NotImplemented if other is None else ~(self == other)

    __hash__ = Blocked.__hash__


def _shows_above_zero(value: Ratio, condition: Ratio, *, holds: bool) -> bool:
    """Return whether it is above 0 where a condition holds, or where it does not."""
    for turned in (False, True):
        one = _only(ONE - condition if turned else condition, "above")
        if one is not None:
            # That u is above 0 or, with ``low``, at least 0; that it is not.
            is_above = holds is not turned
            least = (value - (one.argument if is_above else -one.argument)).constant
            strict = is_above is (one.low is None)
            return least is not None and (least > 0 or (least == 0 and strict))
    return False


def _known(value: Ratio, condition: Ratio, holds: bool) -> Ratio:
    """Return an expression where a condition holds, or where it does not."""
    one = _only(condition, "above") or _only(ONE - condition, "above")
    answer = Ratio.number(holds == (one is not None and condition == Ratio.symbol(one)))
    return value if one is None else replaced(value, {one: answer}.get)  # type: ignore[arg-type]


def _product_of(value: Ratio) -> Total | None:
    """Return the product that an expression is; ``None`` for another one."""
    result = next(iter(value.symbols), None)
    plain = isinstance(result, Total) and value == Ratio.symbol(result)
    return result if plain and isinstance(result, Total) and result.kind == "product" else None


def _kind_of_both(one: str, other: str) -> str:
    """Return the kind of what is computed of both; n: whole numbers of Python, of any size."""
    if "f" in (one, other):
        return "f"
    return "n" if one == other == "n" else other if one == "b" == other else "i"


def _is_within(ratio: Ratio, end: Ratio, share: Fraction) -> bool:
    """Return whether one is the first record, or the last, of those of which end is the end."""
    total = next(iter(end.symbols), None)
    if not isinstance(total, Total) or end != Ratio.symbol(total) or total.share != share:
        return False
    last = total.length.sizes, total.length.more - 1
    ends = (shifted(total.element, 0, *place) for place in ((0, 0), last))
    return total.kind == "quantile" and ratio in ends


def _only(value: Ratio, name: str) -> Function | None:
    """Return the function that an expression is, where it is one of that name."""
    result = next(iter(value.symbols), None)
    named = isinstance(result, Function) and result.name == name and value == Ratio.symbol(result)
    return result if named and isinstance(result, Function) else None


def _one_clip(
    value: Ratio, low: Fraction | None, high: Fraction | None
) -> tuple[Ratio, Fraction | None, Fraction | None]:
    """Return a clip of a clip, such as min(max(x, 0), 1), as one of what the inner one clips."""
    inner = _only(value, "clip")
    if inner is None:
        return value, low, high
    bottom = max((x for x in (low, inner.low) if x is not None), default=None)
    top = min((x for x in (high, inner.high) if x is not None), default=None)
    apart = bottom is not None and top is not None and bottom > top
    return (value, low, high) if apart else (inner.argument, bottom, top)


@dataclass(frozen=True, eq=False, repr=False)
class SymbolicNumber(Symbolic):
    """A number that a query computed from all records."""

    value: Ratio
    following: Following
    kind: str = "f"
    what = "a number that depends on the data"
    role = "number"

    def _as_float(self) -> Any:
        return self.astype(float)

    def _whole(self) -> Any:
        return self.astype(int)

    def __round__(self, digits: Any = None) -> Any:
        return self.round(digits or 0)

    def __bool__(self) -> bool:
        if (known := self.value.constant) is not None:
            return bool(known)
        decide = self.following.decide
        return bool(self._value() if decide is None else decide(self.value))

    def __index__(self) -> int:
        place = self.following.place
        return int(self._value() if place is None else place(self.value))

    def _new(self, value: Ratio, kind: str, *others: Any) -> Any:
        for other in others:
            if isinstance(other, SymbolicArray | SymbolicPairs):
                return replace(other, value=value, kind=kind)
        return SymbolicNumber(value, self.following, kind)

    def _pair(self, other: Any) -> Any:
        if isinstance(other, Symbolic):
            return other
        return self.following.constant(other)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return _by_ufunc(self, self._rule(ufunc, method, options), inputs)

    FUNCTIONS: ClassVar[Mapping[str, str]] = methods("clip round around:round where:_where")

    def _is_private_condition(self) -> bool:
        """Return whether it is 0 or 1, depending on the data."""
        is_whole = depends_on_data(self.value) and self.following.is_whole(self.value)
        return is_whole and None not in self.range_of() and {*self.range_of()} <= {0, 1}

    def _where(self, one: Any, other: Any) -> Any:
        if not self._is_private_condition():
            raise stop("where needs a condition")
        condition, first, second = _only(self.value, "above"), self._pair(one), self._pair(other)
        if condition is not None and first is not None and second is not None:
            factor = ((first.value - second.value) / condition.argument).constant
            if factor is not None:
                # Both are the same where the condition changes: that is a clip.
                beyond = SymbolicNumber(condition.argument, self.following)._maximum(0)
                return second + beyond * _constant(Ratio.number(factor), self)
        return SymbolicArray._where(replace(self, kind="b"), one, other)  # type: ignore[arg-type]

    def item(self) -> SymbolicNumber:
        """Return the number itself."""
        return self

    __iadd__, __isub__ = Symbolic.__add__, Symbolic.__sub__
    __imul__, __itruediv__ = Symbolic.__mul__, Symbolic.__truediv__


def _by_ufunc(symbolic: Symbolic, rule: Any, inputs: tuple[Any, ...]) -> Any:
    if any(getattr(type(input_), "takes_numbers", False) for input_ in inputs):
        return NotImplemented
    first, *rest = inputs
    if not isinstance(first, Symbolic):
        first = symbolic._pair(first)
        if first is None:
            raise stop(f"{type(inputs[0]).__name__} beside what depends on the data")
    result = _applied(rule, first, *rest)
    if result is NotImplemented:
        raise stop(f"{type(rest[0]).__name__} beside what depends on the data")
    return result


def _applied(rule: Any, first: Symbolic, *rest: Any) -> Any:
    """Return what a method, by its name, or a function makes of operands."""
    return getattr(first, rule)(*rest) if isinstance(rule, str) else rule(first, *rest)


def constant_of(value: Any) -> tuple[Ratio, str] | None:
    """Return a number as it is written, and its kind; ``None`` for what is none.

    A float that is a simple multiple of ``math.pi`` stands for that multiple of π.
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, bool | np.bool_):
        return Ratio.number(int(value)), "b"
    try:
        exact = end(value)
    except UsageError:
        return None
    if not isinstance(exact, Fraction):
        return None
    if isinstance(value, int):
        return Ratio.number(exact), "n"
    if isinstance(value, np.integer):
        return Ratio.number(exact), "i"
    turns = Fraction(float(exact) / math.pi).limit_denominator(12)
    if turns and float(turns.numerator * math.pi / turns.denominator) == value:
        return Ratio.number(turns) * PI, "f"
    return Ratio.number(as_written(value) if isinstance(value, float) else exact), "f"


def _is_one(value: Any) -> bool:
    return isinstance(value, SymbolicNumber) or constant_of(value) is not None


def _constant(value: Ratio, like: Symbolic) -> Any:
    return SymbolicNumber(value, like.following)


def _ln(value: int | Fraction, like: Symbolic) -> Any:
    return _constant(function("ln", Ratio.number(value)), like)


class Rows(Blocked):
    """Base of what stands for several numbers, of which none is missing."""

    role = "rows"
    missing = False

    def to_numpy(self) -> Any:
        """Return it as an array."""
        return self


@dataclass(frozen=True, eq=False, repr=False)
class SymbolicArray(Rows, Symbolic):
    """An array of numbers: one expression for the generic place. chosen: a weight of 0 or 1."""

    value: Ratio
    following: Following
    length: Length
    kind: str = "f"
    chosen: Ratio | None = None
    what = "the records"

    def _length(self) -> SymbolicNumber:
        return self.size

    def _filled(self, value: Any) -> SymbolicArray:
        """Return one value for each record."""
        number = self._pair(value.array if isinstance(value, SortedArray) else value)
        return replace(self, value=number.value, kind=_kind_of_both("b", number.kind))

    def _new(self, value: Ratio, kind: str, *others: Any) -> Any:
        del others
        return replace(self, value=value, kind=kind)

    def _pair(self, other: Any) -> Any:
        if isinstance(other, SymbolicNumber):
            return other
        if isinstance(other, SymbolicArray):
            if other.length != self.length or other.chosen != self.chosen:
                raise stop("arrays of two lengths meet")
            return other
        return self.following.constant(other)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method == "outer" and all(isinstance(input_, SymbolicArray) for input_ in inputs):
            return ufunc(inputs[0][:, None], inputs[1][None, :], **options)
        if method in ("accumulate", "reduce") and len(inputs) == 1 and not options:
            return self._reduced(ufunc.__name__, running=method == "accumulate")
        return _by_ufunc(self, self._rule(ufunc, method, options), inputs)

    def _reduced(self, name: str, *, running: bool) -> Any:
        """Return what a function of two numbers makes of all of them, or of those up to each."""
        own = {"add": "sum", "maximum": "largest", "minimum": "least"}
        if running and name in own:
            self._whole("what there is up to a record")
            return Running(self, own[name])  # type: ignore[arg-type]
        low, high = self.range_of()
        if running and name == "multiply" and low is not None and high is not None:
            if low >= 0 and high <= 1:
                self._whole("what there is up to a record")
                return Running(self, "product")
            raise stop("products up to each record are followed of numbers from 0 to 1")
        whole = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min"}.get(name)
        if name == "logaddexp" and not running:
            return self._exp().sum()._log()
        if running or whole is None:
            raise stop(f"np.{name} of one record after the other is not followed")
        return getattr(self, whole)()

    # What there is of it, and parts of it.

    @property
    def size(self) -> SymbolicNumber:
        """How many numbers it holds."""
        if self.chosen is not None:
            return self._number(sum_of(self.chosen, self.length), "i")
        return self._number(self.length.ratio(), "n")

    def _size(self) -> SymbolicNumber:
        """Return how many numbers it holds."""
        return self.size

    @property
    def shape(self) -> tuple[SymbolicNumber]:
        """The number of numbers, in a tuple."""
        return (self.size,)

    @property
    def ndim(self) -> int:
        """One."""
        return 1

    @property
    def values(self) -> SymbolicArray:
        """As an array."""
        return self

    def any_two(self) -> list[SymbolicNumber]:
        """Return two numbers of which nothing is known."""
        return [self._number(Ratio.symbol(PublicSymbol(f"number {k}"))) for k in "ab"]

    def ravel(self) -> SymbolicArray:
        """Return it as it is."""
        return self

    flatten = ravel

    def tolist(self) -> EachRecord:
        """Return it as a list."""
        return listed(self)

    def _number(self, value: Ratio, kind: str = "f") -> SymbolicNumber:
        return SymbolicNumber(value, self.following, kind)

    def _has_no_places(self) -> bool:
        return self.chosen is None and not any(
            isinstance(s, PlaceSymbol) for s in symbols_within(self.value)
        )

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, SymbolicArray) and key.kind == "b" and key.length == self.length:
            if self.chosen is not None or key.chosen is not None:
                raise stop("records are chosen twice: join the conditions with &")
            return replace(self, chosen=key.value)
        if self.chosen is not None:
            raise stop("what is taken of chosen records depends on the data")
        if isinstance(key, bool):
            raise stop("what is taken of the records is not followed")
        if isinstance(key, int | np.integer | SymbolicNumber):
            if isinstance(key, SymbolicNumber) and depends_on_data(key.value):
                return self._at_extreme(key)
            if isinstance(key, SymbolicNumber) and _linear(key) is None:
                return self._at_public(key)
            sizes, more = self._place_of(key)
            self._within_array(sizes, more)
            self._without_turn()
            return self._number(shifted(self.value, 0, sizes, more), self.kind)
        if isinstance(key, slice):
            return self._part(key)
        if isinstance(key, tuple) and key in ((slice(None), None), (None, slice(None))):
            return self._in_pairs(inner=key[0] is not None)
        if isinstance(key, Element) and isinstance(key.rows, SymbolicArray):
            return Element(self._at_places(key.rows), key.loop)
        if isinstance(key, Element) and isinstance(key.rows, SymbolicPairs):
            for inner in (False, True):
                if key.rows.value == Ratio.symbol(PlaceSymbol(inner)):
                    pairs = self._in_pairs(inner=inner)
                    return Element(replace(pairs, chosen=key.rows.chosen), key.loop)
        raise stop("what is taken of the records is not followed")

    def _at_public(self, key: SymbolicNumber) -> Any:
        """Return the number at a place such as len(x) // 2: it moves with one record, or not."""
        self._without_turn()
        ends = [
            self.following.range_of(ratio)[0] for ratio in (key.value, self.size.value - key.value)
        ]
        # Places are whole numbers.
        if key.kind == "f" or ends[0] is None or ends[1] is None or ends[0] <= -1 or ends[1] <= 0:
            raise stop("a place that may be beyond the records: say by size how many there are")
        return replace(_mixed(self, f"place {key.value!r}", each=True), kind=self.kind)

    def _at_extreme(self, key: SymbolicNumber) -> Any:
        """Return the number at the place of the largest, or of the least."""
        for sign, name in ((1, "max"), (-1, "min")):
            numbers = replace(self, value=Ratio.number(sign) * self.value)
            if numbers._argmax().value == key.value:
                return getattr(self, name)()
        raise stop("an index that depends on the data")

    def _at_place(self, place: SymbolicNumber) -> Any:
        """Return what stands at a place: of places themselves, the place."""
        shift = (self.value - PLACE).constant
        return self[place] if shift is None or self.chosen is not None else place + shift

    def _in_pairs(self, *, inner: bool) -> SymbolicPairs:
        """Return the records as the first, or the second, of every pair."""
        self._with_places()
        plain = Ratio.symbol(PlaceSymbol(inner))
        first = _linear(self._number(self.value - PLACE))
        if first is not None and self.chosen is None:
            # A range of places: those within it are chosen.
            start, more = Ratio.number(first[0]) * SIZE + Ratio.number(first[1]), self.length
            inside = function("above", plain - start, Fraction(0))
            inside = inside * function("above", start + more.ratio() - plain)
            return SymbolicPairs(plain, self.following, self.kind, inside)
        records = [s for s in symbols_within(self.value) if isinstance(s, RecordSymbol)]
        own = all(record == RecordSymbol(record.column) for record in records)
        if self.length != Length(1, 0) or self.chosen is not None or not own:
            raise stop("pairs of records are followed where all records, or their places, meet")
        return SymbolicPairs(placed(self.value, lambda _: inner), self.following, self.kind)

    def _outer(self, other: Any) -> Any:
        """Return the products of all pairs."""
        if _is_one(other):
            raise stop("np.outer of records and a number")
        return self._in_pairs(inner=True) * other

    def _at_places(self, places: SymbolicArray) -> SymbolicArray:
        """Return the records at places that follow one another, in their order or backwards."""
        of_data = places.chosen is not None and depends_on_data(places.chosen)
        if depends_on_data(places.value) or of_data:
            raise stop("what is taken of the records depends on the data")
        self._without_turn()
        turned = _only(places.value, "within")
        if turned is not None and turned.which == "turned" and places.length == self.length:
            # Of x[(i + c) % n] the first places follow the last one.
            return self._roll(-int((turned.argument - PLACE).constant or 0))
        for step in (1, -1):
            first = self._number(places.value - Ratio.number(step) * PLACE)
            if (begin := _linear(first)) is not None:
                many = places.length
                last = begin[0] + step * many.sizes, begin[1] + step * (many.more - 1)
                below = -self.following.least <= begin[1] < 0 == begin[0]
                if below and step == 1 and many == self.length:
                    # Of x[i − 1] the first place is the last one.
                    return self._roll(-begin[1])
                if below and step == -1 and begin[1] == -1 and many == self.length:
                    begin, last = self._from_end(-1), (0, 0)
                if not (self._is_inside(*begin) and self._is_inside(*last)):
                    raise stop("a place before the first record, or beyond the last")
                value = shifted(self.value, step, *begin)
                return replace(self, value=value, length=many, chosen=places.chosen)
        raise stop("of places i + c, and of c - i, the records are followed")

    def _from_end(self, place: int) -> tuple[int, int]:
        return self.length.sizes, self.length.more + place

    def _place_of(self, key: Any) -> tuple[int, int]:
        """Return a place as sizes·n + more; from the end where it is a number below 0."""
        if isinstance(key, SymbolicNumber) and (linear := _linear(key)) is not None:
            return linear
        place = int(key)
        return (0, place) if place >= 0 else self._from_end(place)

    def _is_inside(
        self, sizes: int, more: int, *, end: bool = False, least: int | None = None
    ) -> bool:
        """Return whether a place, or an end, is one of the array of at least so many records."""
        least = self.following.least if least is None else least
        left = Length(self.length.sizes - sizes, self.length.more - more - (not end))
        return min(left.sizes, sizes * least + more, left.sizes * least + left.more) >= 0

    def _within_array(self, sizes: int, more: int, *, end: bool = False) -> None:
        """Ask for so many records that a place, or an end, is one of the array."""
        if not self._is_inside(sizes, more, end=end):
            counts = range(self.following.least + 1, 1000)
            enough = (n for n in counts if self._is_inside(sizes, more, end=end, least=n))
            raise self._too_few(next(enough, None))

    def _with_places(self) -> None:
        if self.length.moves:
            raise stop("the place of a record is followed where one record is replaced by another")

    def _without_turn(self) -> None:
        self._with_places()
        if any(isinstance(s, RecordSymbol) and s.turned for s in symbols_within(self.value)):
            raise stop("a part of records that were turned by np.roll is not followed")

    def _roll(self, shift: Any) -> SymbolicArray:
        """Return the records, each so many places later; the last ones come first."""
        records = [s for s in symbols_within(self.value) if isinstance(s, RecordSymbol) and s.step]
        plain = all((s.step, s.sizes) == (1, 0) for s in records) and not self.chosen
        places = any(isinstance(s, PlaceSymbol | Size) for s in symbols_within(self.value))
        if type(shift) is not int or not plain or places or self.length != Length(1, 0):
            raise stop("np.roll is followed of all records in their order, by a whole number")
        self._at_least(2 * abs(shift) + 1)

        def turn(symbol: object) -> Ratio | None:
            if isinstance(symbol, RecordSymbol) and symbol.step:
                return Ratio.symbol(replace(symbol, offset=symbol.offset - shift, turned=True))
            return None

        return replace(self, value=replaced(self.value, turn))

    def _decayed(self, factor: Any, start: Any) -> Any:
        """Return what repeated s = factor·s + x leaves of s."""
        known = self.following.constant(factor)
        if known is None or not 0 < (known.value.constant or 0) <= 1:
            raise stop("a running number is multiplied by what is no number from 0 to 1")
        self._whole("a running number")
        left = known**self.size * start if isinstance(start, Symbolic) or start else 0
        return (self[::-1] * known ** arange(self.size)).sum() + left

    def _argmax(self) -> SymbolicNumber:
        """Return a place, of which it is known only that it is one of the array."""
        self._whole("a place")
        return _anywhere(self, Fraction(1), self.size - 1, "place of the largest", "i")

    def _argmin(self) -> SymbolicNumber:
        return (-self)._argmax()  # type: ignore[no-any-return]

    argmax, argmin = _argmax, _argmin

    def _sort(self) -> SortedArray:
        self._whole("an order")
        return SortedArray(self, ZERO, self.length.ratio())

    def cumsum(self) -> Running:
        """Return the sums of the records up to each of them."""
        self._whole("sums up to a record")
        return Running(self)

    def cumprod(self) -> Running:
        """Return the products of the records up to each of them."""
        return self._reduced("multiply", running=True)  # type: ignore[no-any-return]

    def _at_least(self, many: int) -> None:
        least = self.length.sizes * self.following.least + self.length.more
        if least < many:
            enough = self.length.sizes and -((self.length.more - many) // self.length.sizes)
            raise self._too_few(enough or None)

    def _too_few(self, enough: int | None) -> UntraceableError:
        """Return that there may be too few records, and how many are enough if that is known."""
        fewest, least = self.following.least, enough or "LEAST"
        few = "1 record is" if fewest == 1 else f"{fewest} records are"
        size = f"--size {least}: (size=({least}, None))"
        return stop(f"{few} too few here: state how many there are, {size}")

    def _part(self, key: slice) -> Any:
        step = 1 if key.step is None else key.step
        ends = (key.start, key.stop)
        self._without_turn()
        if step == 1 and any(isinstance(item, Element) for item in ends):
            start = 0 if key.start is None else key.start
            last = self.size if key.stop is None else key.stop
            pairs: Any = self._in_pairs(inner=True)
            return pairs._chosen_as(places_of_pairs(start, last))
        if step == -1 and ends == (None, None):
            sizes, more = self._from_end(-1)
            return replace(self, value=shifted(self.value, -1, sizes, more))
        if step != 1:
            return self._every(step, *ends)
        if any(isinstance(e, SymbolicNumber) and _linear(e) is None for e in ends):
            return self._between(*ends)
        begin = (0, 0) if key.start is None else self._place_of(key.start)
        close = self._from_end(0) if key.stop is None else self._place_of(key.stop)
        for place in (begin, close):
            self._within_array(*place, end=True)
        sizes, more = close[0] - begin[0], close[1] - begin[1]
        if sizes < 0 or sizes * self.following.least + more < 0:
            raise stop("a part that may be empty: say by size how many records there are")
        return replace(self, value=shifted(self.value, 1, *begin), length=Length(sizes, more))

    def _every(self, step: Any, start: Any, last: Any) -> SymbolicArray:
        """Return every second record, or third, …, as a choice by their places."""
        if last is not None or type(step) is not int or step < 2:
            raise stop(f"every {step}th record is followed in the form x[start::step]")
        first = 0 if start is None else start
        if type(first) is not int or not 0 <= first < step:
            raise stop(f"x[{start}::{step}] is followed from a start below the step")
        angle = PI * (PLACE - Ratio.number(first)) / Ratio.number(Fraction(step, 2))
        if step == 2:
            sign = Ratio.number(1 - 2 * first)
            chosen = (ONE + sign * function("cos", PI * PLACE)) / Ratio.number(2)
        else:
            # The cosine is 1 at these places, and at most cos(2π/step) at all others.
            least = Fraction(1 + math.cos(2 * math.pi / step)) / 2
            chosen = function("above", function("cos", angle) - Ratio.number(least))
        return replace(self, chosen=chosen)

    def _between(self, start: Any, last: Any) -> SymbolicArray:
        """Return the records from one public place to another, as a choice by their places."""
        chosen = ONE
        for place, sign in ((start, 1), (last, -1)):
            if place is None:
                continue
            number = self._pair(place)
            low, _ = number.range_of()
            if depends_on_data(number.value) or low is None or low < 0:
                raise stop("what is taken of the records depends on the data")
            apart = Ratio.number(sign) * (PLACE - number.value)
            chosen = chosen * function("above", apart, Fraction(0) if sign > 0 else None)
        return replace(self, chosen=chosen)

    # What is computed of all of it.

    def sum(self, *, dtype: Any = None) -> Any:
        """Return the sum."""
        if dtype is not None:
            return self.astype(dtype).sum()
        value = self._without_conditions(
            self.value if self.chosen is None else self.value * self.chosen
        )
        limit = MOST["f" if self.kind == "f" else "i"] / MOST_RECORDS
        if any(x is not None and abs(x) > limit for x in self.following.range_of(value)):
            raise stop("the sum of numbers so large may leave their type")
        if (number := self._around_median()) is not None:
            return number
        if (number := self._beyond_own(value)) is not None:
            return number
        number = self._number(sum_of(value, self.length), "f" if self.kind == "f" else "i")
        return self._square_if(number, self.value in self.following.squares)

    def mean(self, *, dtype: Any = None) -> Any:
        """Return the mean."""
        self._whole("the mean")
        if dtype is not None and np.dtype(dtype) != np.float64:
            raise stop(f"the mean with dtype={np.dtype(dtype)} is not followed: float is")
        if (number := self._around_median()) is not None:
            return number / self.size
        value = self._without_conditions(self.value)
        number = self._number(sum_of(value, self.length) / self.length.ratio())
        return self._square_if(number, self.value in self.following.squares)

    def _without_conditions(self, value: Ratio) -> Ratio:
        """Return an expression with x for x·(x > 0) where x is never below 0."""
        if value.bottom.constant is None:
            return value
        result: dict[Any, Fraction] = {}
        for monomial, factor in value.top.terms:
            powers = dict(monomial)
            for power in list(powers):
                if isinstance(power, Function) and power.name == "above" and power.low is None:
                    inside = next(iter(power.argument.symbols), None)
                    low = self.following.range_of(power.argument)[0]
                    if inside in powers and power.argument == Ratio.symbol(inside) and low == 0:
                        del powers[power]
            rest = tuple((s, powers[s]) for s, _ in monomial if s in powers)
            result[rest] = result.get(rest, Fraction(0)) + factor
        return Ratio.of(SymbolPolynomial.of(result), value.bottom)

    def _around_median(self) -> SymbolicNumber | None:
        """Return Σ|x − median| as twice the upper half's sum, less the sum."""
        numbers = None if self.chosen is not None else self._own_median()
        if numbers is None:
            return None
        number: SymbolicNumber = _mixed(numbers[0], "upper half") * 2 - numbers[0].sum()
        self.following.squares.add(number.value)
        return number

    def _own_median(self) -> tuple[SymbolicArray, Total] | None:
        """Return the numbers, with their median, of whose distances from it this is the array."""
        inside = _only(self.value, "abs")
        for item in [] if inside is None else inside.argument.symbols:
            if isinstance(item, Total) and item.kind == "quantile" and item.share == Fraction(1, 2):
                apart = item.element - Ratio.symbol(item)
                if item.length == self.length and inside and inside.argument in (apart, -apart):
                    return replace(self, value=item.element), item
        return None

    def _beyond_own(self, value: Ratio) -> SymbolicNumber | None:
        """Return how many numbers are beyond their own mean, or their largest or least.

        They are not all, and at least one is not below, and one is not above it.
        """
        one = _only(value, "above")
        if one is None or not any(isinstance(s, Total) for s in one.argument.symbols):
            return None
        for sign in (Ratio.number(1), Ratio.number(-1)):
            numbers = sign * one.argument
            for symbol in numbers.symbols:
                if isinstance(symbol, Total) and symbol.length == self.length:
                    mean = sum_of(symbol.element, self.length) / self.length.ratio()
                    ends = symbol.share in (0, 1) and symbol.kind == "quantile"
                    own = Ratio.symbol(symbol) if ends else mean
                    if numbers == symbol.element - own:
                        number = _anywhere(self, Fraction(1), self.size - 1, repr(value), "i")
                        return number + (one.low is not None)  # type: ignore[no-any-return]
        return None

    def _whole(self, what: str) -> None:
        if self.chosen is not None:
            raise stop(f"{what} of what was chosen: where nothing is, there is none")
        self._at_least(1)

    def var(self, *, ddof: Any = 0) -> SymbolicNumber:
        """Return the variance."""
        self._whole("the variance")
        if type(ddof) is not int or ddof < 0:
            raise stop("a variance with such a ddof is not followed")
        self._at_least(ddof + 1)
        squares, mean = sum_of(self.value * self.value, self.length), self.mean().value
        spread = squares - mean * mean * self.length.ratio()
        number = self._number(spread / (self.length.ratio() - Ratio.number(ddof)))
        return self._square_if(number, True)  # type: ignore[no-any-return]

    def std(self, *, ddof: Any = 0) -> SymbolicNumber:
        """Return the root of the variance, which is never below 0."""
        return self._number(function("sqrt", self.var(ddof=ddof).value))

    def prod(self) -> SymbolicNumber:
        """Return the product."""
        self._whole("the product")
        return self._number(Ratio.symbol(Total("product", self.value, self.length)), self.kind)

    def _quantile(self, share: Fraction) -> SymbolicNumber:
        self._whole("a quantile")
        # The least and the largest of whole numbers are whole numbers, which may wrap.
        kind = "i" if self.kind == "i" and share in (0, 1) else "f"
        value = Ratio.symbol(Total("quantile", self.value, self.length, share))
        return self._number(value, kind)

    def min(self) -> SymbolicNumber:
        """Return the least."""
        return self._quantile(Fraction(0))

    def max(self) -> SymbolicNumber:
        """Return the largest."""
        return self._quantile(Fraction(1))

    def median(self) -> SymbolicNumber:
        """Return the median; of distances from the own median at most half of the range."""
        numbers, _ = self._own_median() or (None, None)
        if numbers is not None:
            low, high = numbers.range_of()
            if low is not None and high is not None:
                self._whole("the median")
                one = self._number(ONE)
                return _anywhere(self, (high - low) / 2, one, "median distance")
        return self._quantile(Fraction(1, 2))

    def quantile(self, q: Any = 0.5) -> SymbolicNumber:
        """Return one quantile."""
        return self._at_share(q, 1, "quantile")

    def _percentile(self, q: Any) -> SymbolicNumber:
        return self._at_share(q, 100, "percentile")

    def _at_share(self, q: Any, whole: int, name: str) -> SymbolicNumber:
        exact = constant_of(q)
        if exact is None or exact[0].constant is None or not 0 <= exact[0].constant <= whole:
            raise stop(f"a {name} is given by one number from 0 to {whole}")
        return self._quantile(exact[0].constant / whole)

    def ptp(self) -> SymbolicNumber:
        """Return the distance of the largest and the least."""
        return self.max() - self.min()  # type: ignore[no-any-return]

    def dot(self, other: Any) -> Any:
        """Return the sum of the products; the products with one number."""
        if getattr(self, "kind", "") == getattr(other, "kind", "") == "b":
            raise stop("the product of conditions is a condition: use astype(int)")
        result = self * other
        return result if _is_one(other) else result.sum()

    def __matmul__(self, other: Any) -> Any:
        return self.dot(other)

    def _count_nonzero(self) -> Any:
        return (self if self.kind == "b" else self != 0).astype(int).sum()

    def _any(self) -> SymbolicNumber:
        return (self if self.kind == "b" else self != 0).max()

    def _all(self) -> SymbolicNumber:
        return (self if self.kind == "b" else self != 0).min()

    def _diff(self, n: Any = 1) -> SymbolicArray:
        symbolic_array = self
        for _ in range(n):
            symbolic_array = symbolic_array[1:] - symbolic_array[:-1]
        return symbolic_array

    def _trapezoid(self) -> SymbolicNumber:
        return ((self[1:] + self[:-1]) / 2).sum()  # type: ignore[no-any-return]

    def _average(self, *, weights: Any = None) -> Any:
        if weights is None:
            return self.mean()
        return (self * weights).sum() / np.sum(weights)

    def _flip(self) -> SymbolicArray:
        return self[::-1]  # type: ignore[no-any-return]

    def _where(self, one: Any, other: Any) -> SymbolicArray:
        if self.kind != "b":
            raise stop("where needs a condition")
        first, second = (
            self._pair(way.given(self.value, holds) if isinstance(way, WhereAboveZero) else way)
            for way, holds in ((one, True), (other, False))
        )
        if first is None or second is None:
            raise stop(
                "np.where, and a if c else b, are followed between numbers: add noise after that"
            )
        kinds = {first.kind, second.kind}
        kind = "b" if kinds == {"b"} else "f" if "f" in kinds else "i"
        value = self.value * _known(first.value, self.value, holds=True)
        value = value + (ONE - self.value) * _known(second.value, self.value, holds=False)
        return replace(self, value=value, kind=kind)

    def _full_like(self, value: Any, *, dtype: Any = None) -> SymbolicArray:
        """Return the same number for each, of the type of these unless another is given."""
        if (self if dtype is None else self.astype(dtype)).kind != "f":
            raise stop("an array of whole numbers that is filled: make it of x.astype(float)")
        return self._filled(value).astype(float)  # type: ignore[no-any-return]

    def _zeros_like(self, *, dtype: Any = None) -> SymbolicArray:
        return self._full_like(0, dtype=dtype)

    def _ones_like(self, *, dtype: Any = None) -> SymbolicArray:
        return self._full_like(1, dtype=dtype)

    def _norm(self, ord: Any = None) -> SymbolicNumber:
        if ord in (None, 2):
            return self._number(function("sqrt", (self * self).sum().value))
        if ord == 3:
            return self._number(function("cbrt", (abs(self) ** 3).sum().value))
        if ord == 1:
            return abs(self).sum()  # type: ignore[no-any-return]
        if ord in (math.inf, -math.inf):
            return abs(self).max() if ord > 0 else abs(self).min()  # type: ignore[no-any-return]
        raise stop(f"norm with ord={ord!r} is not followed: 1, 2, 3, inf and -inf are")

    FUNCTIONS: ClassVar[Mapping[str, str]] = methods(
        "sum mean median quantile percentile:_percentile min amin:min max amax:max ptp prod "
        "var std dot vdot:dot inner:dot size:_size count_nonzero:_count_nonzero clip "
        "where:_where diff:_diff flip:_flip norm:_norm any:_any all:_all ravel abs:__abs__ "
        "copy asarray:copy roll:_roll sort:_sort round around:round average:_average "
        "trapezoid:_trapezoid trapz:_trapezoid ediff1d:_diff outer:_outer cumsum cumprod "
        "argmax:_argmax argmin:_argmin zeros_like:_zeros_like ones_like:_ones_like "
        "full_like:_full_like nansum:sum nanmean:mean nanmax:max nanmin:min nanmedian:median "
        "nanstd:std nanvar:var nanprod:prod"
    )


@dataclass(frozen=True, eq=False, repr=False)
class WhereAboveZero(NDArrayOperatorsMixin, Rows):
    """What is computed of the logarithm of numbers that may be 0: it waits for a condition.

    array: its numbers where ``above`` is above 0, which ``np.where`` has to ask for.
    """

    array: SymbolicArray
    above: Ratio
    what = "the logarithm of what may not be above 0"
    takes_numbers = True

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        given = [x for x in inputs if isinstance(x, WhereAboveZero)]
        if any(item.above != self.above for item in given) or method != "__call__" or options:
            raise stop(f"np.{ufunc.__name__} of {self.what}")
        array = ufunc(*(x.array if isinstance(x, WhereAboveZero) else x for x in inputs))
        return replace(self, array=array)

    def given(self, condition: Ratio, holds: bool) -> SymbolicArray:
        """Return the numbers for a place where a condition holds, or where it does not."""
        if not _shows_above_zero(self.above, condition, holds=holds):
            raise stop(f"{self.what}, where it is not asked whether it is")
        return self.array


@dataclass(frozen=True, eq=False, repr=False)
class SymbolicPairs(Rows, Symbolic):
    """A number for each pair of places: one expression for the generic pair."""

    value: Ratio
    following: Following
    kind: str = "f"
    chosen: Ratio | None = None
    what = "the pairs of records"
    takes_numbers = True

    def _in_pairs(self, *, inner: bool) -> SymbolicPairs:
        if not inner:
            raise stop("more than two records at once are not followed")
        return self

    def _chosen_as(self, other: SymbolicPairs) -> SymbolicPairs:
        return replace(self, chosen=_both(self.chosen, other.chosen))

    def _filled(self, value: Any) -> SymbolicPairs:
        number = self._pair(value)
        return replace(self, value=number.value, kind=_kind_of_both("b", number.kind))

    def _new(self, value: Ratio, kind: str, *others: Any) -> Any:
        chosen = self.chosen
        for other in others:
            chosen = _both(chosen, other.chosen if isinstance(other, SymbolicPairs) else None)
        return replace(self, value=value, kind=kind, chosen=chosen)

    def _pair(self, other: Any) -> Any:
        if isinstance(other, SymbolicArray):
            return other._in_pairs(inner=False)
        if isinstance(other, SymbolicNumber | SymbolicPairs):
            return other
        return self.following.constant(other)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        first, *rest = map(self._pair, inputs)
        if first is None or None in rest:
            raise stop(f"what is no number beside {self.what}")
        return _applied(self._rule(ufunc, method, options), first, *rest)

    def __getitem__(self, key: Any) -> SymbolicPairs:
        if not isinstance(key, SymbolicPairs) or key.kind != "b":
            raise stop("what is taken of pairs of records is not followed")
        return replace(self, chosen=_both(_both(self.chosen, key.chosen), key.value))

    def sum(self, *, axis: Any = None) -> SymbolicNumber:
        """Return the sum over all pairs, each of two records twice, and each with itself."""
        if axis is not None:
            raise stop("of pairs of records the sum of all is followed")
        value = self.value if self.chosen is None else self.value * self.chosen
        length, kind = Length(1, 0), "f" if self.kind == "f" else "n"
        # All pairs of more than 2³¹ records are beyond any computer.
        if kind == "n" and any(x is None or abs(x) > 2 for x in self.following.range_of(value)):
            raise stop(WRAPS, IntegersMayWrap)
        apart = Ratio.number(0)
        for ratio in (value, placed(value, operator.not_)):
            apart = apart + _in_order(ratio, Fraction(1))
        alone = placed(_in_order(value, Fraction(0)), lambda _: False)
        result = sum_of(alone, length) + sum_of(apart, length, "pairs")
        return SymbolicNumber(result, self.following, kind)

    def mean(self, *, axis: Any = None) -> Any:
        """Return the mean over all pairs."""
        if self.chosen is not None:
            raise stop("the mean of pairs that were chosen: divide their sum")
        return self.sum(axis=axis) / SymbolicNumber(SIZE * SIZE, self.following)

    def _triu(self, k: Any = 0) -> SymbolicPairs:
        """Return 0 in place of the pairs below a diagonal: the first place is the row."""
        if type(k) is not int:
            raise stop("a diagonal that is no whole number")
        row, column = (Ratio.symbol(PlaceSymbol(inner)) for inner in (True, False))
        kept = function("above", column - row - Ratio.number(k), Fraction(0))
        return self._new(self.value * kept, self.kind)  # type: ignore[no-any-return]

    def _tril(self, k: Any = 0) -> SymbolicPairs:
        swapped = replace(self, value=placed(self.value, operator.not_))._triu(-k)
        return replace(swapped, value=placed(swapped.value, operator.not_))

    _where = SymbolicArray._where
    FUNCTIONS: ClassVar[Mapping[str, str]] = methods(
        "sum mean where:_where clip abs:__abs__ absolute:__abs__ triu:_triu tril:_tril"
    )


def _both(one: Ratio | None, other: Ratio | None) -> Ratio | None:
    """Return the weight of what both weights leave."""
    if one is None or other is None or one == other:
        return one if other is None else other
    return one * other


def _in_order(element: Ratio, apart: Fraction) -> Ratio:
    """Return what a pair adds where its second place is after its first, or, apart 0, equal."""
    after, last = Variable("after"), Variable("last")
    first = Ratio.symbol(Variable("first"))
    second = first + (Ratio.symbol(after) if apart else ZERO)
    box = {Variable("first"): (Fraction(0), None), after: (apart, None), last: (Fraction(1), None)}

    def place(symbol: object) -> Ratio | None:
        if isinstance(symbol, PlaceSymbol):
            return second if symbol.inner else first
        return second + Ratio.symbol(last) if isinstance(symbol, Size) else None

    def by(symbol: object) -> Ratio | None:
        if not isinstance(symbol, Function) or symbol.name != "above":
            return None
        if not depends_on_data(symbol.argument):
            low, high = range_of(symbol.argument.replace(place), box)
            equal = symbol.low is not None
            if low is not None and (low > 0 or (equal and low == 0)):
                return ONE
            if high is not None and (high < 0 or (not equal and high == 0)):
                return ZERO
        return None

    ratio = replaced(element, by)
    if any(isinstance(s, PlaceSymbol) for s in symbols_within(ratio)):
        raise stop("pairs of records whose places count in another way than by their order")
    return ratio


def sum_of(element: Ratio, length: Length, kind: Literal["sum", "pairs"] = "sum") -> Ratio:
    """Return Σ element as numbers times sums of what differs from place to place.

    So ((x − mean)²).sum() is Σx² − 2·mean·Σx + n·mean².
    """
    inside = _differs
    many = length.ratio()
    if kind == "pairs":
        many = many * (many - ONE) / Ratio.number(2)
    if element.bottom.symbols and any(map(inside, element.bottom.symbols)):
        mixed = any(not inside(s) for s in element.bottom.symbols)
        over, under = ONE, Ratio.of(element.bottom)
        if mixed:
            return Ratio.symbol(Total(kind, element, length))
    else:
        over, under = Ratio.of(element.bottom), ONE
    ratio = ZERO
    for free, rest in split_by(element.top, lambda s: not inside(s)):
        part = Ratio.of(rest) / under
        known, part = _sums_of_places(part, length)
        ratio = ratio + Ratio.of(free) * known
        if part.constant is not None:
            whole = Ratio.number(part.constant) * many
        else:
            lead = part.top.terms[0][1]
            whole = Ratio.number(lead) * Ratio.symbol(
                Total(kind, part / Ratio.number(lead), length)
            )
        ratio = ratio + Ratio.of(free) * whole
    return ratio / over


def _sums_of_places(element: Ratio, length: Length) -> tuple[Ratio, Ratio]:
    """Return the sum of the terms that are multiples of i and i², and the element without them."""
    known, many = ZERO, length.ratio()
    sums = {
        1: many * (many - ONE) / Ratio.number(2),
        2: many * (many - ONE) * (many + many - ONE) / Ratio.number(6),
    }
    for monomial, factor in element.top.terms if element.bottom.constant == 1 else ():
        if len(monomial) == 1 and isinstance(monomial[0][0], PlaceSymbol):
            power = monomial[0][1]
            if power in sums:
                known = known + Ratio.number(factor) * sums[power]
                element = element - Ratio.number(factor) * PLACE.power(power)
    return known, element


def _linear(number: SymbolicNumber) -> tuple[int, int] | None:
    """Return a number as sizes·n + more, sizes 0 or 1; ``None`` for what is none of these."""
    for sizes in (0, 1):
        more = (number.value - Ratio.number(sizes) * SIZE).constant
        if more is not None and more.denominator == 1:
            return sizes, int(more)
    return None


@dataclass(frozen=True, eq=False, repr=False)
class SortedArray(NDArrayOperatorsMixin, Rows):
    """The numbers of an array in rising order, from one place to another, each with a weight.

    weights: of the place i in rising order, which is a second place beside that of the array. down:
    whether they are read from the largest on.
    """

    array: SymbolicArray
    start: Ratio
    stop: Ratio
    weights: Ratio = ONE
    down: bool = False
    what = "sorted records"
    takes_numbers = True

    @property
    def size(self) -> SymbolicNumber:
        """How many numbers it holds."""
        return SymbolicNumber(self.stop - self.start, self.array.following, "n")

    def _length(self) -> SymbolicNumber:
        return self.size

    def _is_below(self, one: Ratio, other: Ratio) -> bool:
        """Return whether a place is never beyond another one."""
        apart, following = other - one, self.array.following
        low, _ = following.range_of(apart)
        # Places are whole numbers.
        return apart in following.squares or (low is not None and low > -1)

    def _place(self, key: Any, end: Ratio) -> Ratio:
        """Return how far a place is from the first one read; below 0 it counts from the end."""
        number = key if isinstance(key, SymbolicNumber) else self.array.following.constant(key)
        if number is None or number.kind in "bf" or depends_on_data(number.value):
            raise stop("an index that depends on the data, or is no whole number")
        value = number.value
        known = value.constant
        # Of s[-k:] with k = 0 nothing is counted from the end.
        below = known < 0 if known is not None else self._is_below(value, -ONE)
        if not below and not self._is_below(ZERO, value):
            raise stop("an index that may be below 0")
        return end + value if below else value

    def __getitem__(self, key: Any) -> Any:
        many = self.stop - self.start
        if isinstance(key, slice):
            if key.step not in (None, 1, -1) or (key.step == -1 and (key.start or key.stop)):
                raise stop("of sorted records parts are followed in the form s[a:b] and s[::-1]")
            if key.step == -1:
                return replace(self, down=not self.down)
            first = ZERO if key.start is None else self._place(key.start, many)
            last = many if key.stop is None else self._place(key.stop, many)
        else:
            first = self._place(key, many)
            last = first + ONE
        if not all(map(self._is_below, (ZERO, first, last), (first, last, many))):
            raise stop("a place beyond the sorted records: say by size how many records there are")
        start, stop_ = (
            (self.stop - last, self.stop - first)
            if self.down
            else (self.start + first, self.start + last)
        )
        part = replace(self, start=start, stop=stop_)
        return part if isinstance(key, slice) else part.sum()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        factor = inputs[-1] if inputs[0] is self else inputs[0]
        if ufunc is np.subtract and not options and all(isinstance(x, SortedArray) for x in inputs):
            return self._gaps(*inputs)
        known = method == "__call__" and not options and not isinstance(factor, SortedArray)
        if known and ufunc is np.negative:
            return replace(self, weights=-self.weights)
        divided = ufunc is np.divide and inputs[0] is self
        if not known or not (divided or ufunc is np.multiply):
            raise stop(
                f"np.{ufunc.__name__} of sorted records: their weighted sums are followed, and "
                "single ones"
            )
        if divided:
            factor = 1.0 / self._factor(factor)
        return replace(self, weights=self.weights * self._of_places(self._factor(factor)))

    def _factor(self, factor: Any) -> Any:
        made = factor if isinstance(factor, Symbolic) else self.array.following.constant(factor)
        alike = not isinstance(made, SymbolicArray) or (
            made.length.ratio() == self.stop - self.start and made.chosen is None
        )
        if made is None or not alike or depends_on_data(made.value):
            raise stop("sorted records beside what is no public number, or weight, of each")
        return made

    def _of_places(self, factor: Any) -> Ratio:
        """Return weights of the places as they are read, by the place in rising order."""
        place = Ratio.symbol(PlaceSymbol(inner=True))
        read = self.stop - ONE - place if self.down else place - self.start
        return replaced(factor.value, lambda s: read if isinstance(s, PlaceSymbol) else None)

    def sum(self) -> SymbolicNumber:
        """Return the sum, in which each counts as its weight says."""
        array, many = self.array, self.stop - self.start
        is_whole, same = many == array.length.ratio(), not depends_on_place(self.weights)
        kind = "i" if array.kind == "i" and self.weights == ONE else "f"
        if many == ONE and same and ZERO in (self.start, self.stop - array.length.ratio()):
            number = array.min() if self.start == ZERO else array.max()
        elif is_whole and same:
            number = array.sum()
        else:
            each, part = self.weights * array.value, () if is_whole else (self.start, self.stop)
            mixture = Mixture(array.value, array.length, each, many, self.weights, *part)
            number = SymbolicNumber(Ratio.symbol(mixture), array.following)
            return replace(number, kind=kind)
        return number * SymbolicNumber(self.weights, array.following, kind)  # type: ignore[no-any-return]

    def mean(self) -> Any:
        """Return the mean."""
        return self.sum() / self.size

    dot = SymbolicArray.dot
    __matmul__ = dot
    __rmatmul__ = dot

    FUNCTIONS: ClassVar[Mapping[str, str]] = methods(
        "sum mean dot flip:_flip sort:to_numpy diff:_diff"
    )

    def _flip(self) -> SortedArray:
        return replace(self, down=not self.down)

    def _diff(self) -> Gaps:
        return self._gaps(self[1:], self[:-1])

    def _gaps(self, one: SortedArray, other: SortedArray) -> Gaps:
        """Return the distances of all neighbors in order, read upwards."""
        many, array = self.array.length.ratio(), self.array
        ends = (one.start, one.stop, other.start, other.stop) == (ONE, many, ZERO, many - ONE)
        plain = one.array is other.array and one.weights == other.weights == ONE
        if not (ends and plain) or one.down or other.down:
            raise stop("of sorted records the differences of all neighbors are followed")
        array._at_least(2)
        return Gaps(array)


@dataclass(frozen=True, eq=False, repr=False)
class Gaps(Rows):
    """The distances of neighbors in rising order, none below 0, each to a power.

    They add up to the range of all numbers: none, and no sum of powers, is beyond its power, and
    the least is at most an equal share of it.
    """

    array: SymbolicArray
    power: int = 1
    what = "the gaps of sorted records"

    def __pow__(self, power: Any) -> Gaps:
        if type(power) is not int or power < 1:
            raise stop("gaps of sorted records are followed to a power of 1, 2, …")
        return replace(self, power=self.power * power)

    def __abs__(self) -> Gaps:
        return self

    def _anywhere(self, what: str, many: Any) -> SymbolicNumber:
        low, high = self.array.range_of()
        if low is None or high is None:
            raise stop("gaps of numbers without bounds")
        return _anywhere(self.array, (high - low) ** self.power, many, f"{what} {self.power}")

    def _size(self) -> SymbolicNumber:
        return self.array.size - 1  # type: ignore[no-any-return]

    def sum(self) -> SymbolicNumber:
        """Return the sum: of the gaps as they are, the range."""
        one = self.array._number(ONE)
        return self.array.ptp() if self.power == 1 else self._anywhere("gaps", one)

    def mean(self) -> SymbolicNumber:
        """Return the mean."""
        return self.sum() / self._size()  # type: ignore[no-any-return]

    def max(self) -> SymbolicNumber:
        """Return the largest."""
        return self._anywhere("largest gap", self.array._number(ONE))

    def min(self) -> SymbolicNumber:
        """Return the least."""
        return self._anywhere("least gap", 1 / self._size() ** self.power)

    FUNCTIONS: ClassVar[Mapping[str, str]] = methods(
        "sum mean max amax:max min amin:min abs:__abs__"
    )
    UFUNCS: ClassVar[Mapping[str, Any]] = methods("absolute:__abs__ power:__pow__")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if inputs[0] is not self:
            raise stop(f"{self.what} beside others")
        if ufunc is np.square:
            return self**2
        return getattr(self, self._rule(ufunc, method, options))(*inputs[1:])


def _anywhere(
    array: SymbolicArray, width: Fraction, many: Any, which: str, kind: str = "f"
) -> SymbolicNumber:
    """Return a number of which only the range is known: from 0 to ``width`` times ``many``."""
    each = Ratio.number(width) * Ratio.symbol(PublicSymbol("share", Fraction(0), Fraction(1)))
    mixture = Mixture(array.value, array.length, each, many.value, None, which=which)
    return SymbolicNumber(Ratio.symbol(mixture), array.following, kind)


def _mixed(array: SymbolicArray, which: str, *, each: bool = False, times: Ratio = ONE) -> Any:
    """Return a number that moves by a share, up to 1, of what the changed record moves by.

    each: whether it lies where the numbers do; else where their sums do. times: how many of it are
    added up.
    """
    share = Ratio.symbol(PublicSymbol("share", Fraction(0), Fraction(1)))
    value, many = (array.value, ONE) if each else (array.value * share, array.length.ratio())
    mixture = Mixture(array.value, array.length, value, many * times, times, which=which)
    return SymbolicNumber(Ratio.symbol(mixture), array.following)


@dataclass(frozen=True, eq=False, repr=False)
class Running(Rows):
    """The sums (or means, largest, least, products) of an array's numbers up to each of them.

    squared: their squares, of sums alone.
    """

    array: SymbolicArray
    of: Literal["sum", "mean", "largest", "least", "product"] = "sum"
    squared: bool = False
    absolute: bool = False

    @property
    def what(self) -> str:  # type: ignore[override]
        """What it is, in words."""
        return f"the {self.of} up to each record"

    def __getitem__(self, key: Any) -> Any:
        if type(key) is not int or key < -1 or self.absolute or self.squared:
            raise stop(f"of {self.what} the last is followed, and those from the start")
        part = self.array if key == -1 else self.array[: key + 1]
        of = {"sum": part.sum, "mean": part.mean, "largest": part.max, "least": part.min}
        return (of | {"product": part.prod})[self.of]()

    def __abs__(self) -> Running:
        return self if self.squared else replace(self, absolute=True)

    def __pow__(self, power: Any) -> Running:
        low, _ = self.array.range_of()
        if (
            type(power) is not int
            or (self.of, power, self.squared) != ("sum", 2, False)
            or low is None
            or low < 0
        ):
            raise stop(
                f"{self.what} to a power: squares of sums are followed, of numbers from 0 on"
            )
        return replace(self, squared=True, absolute=False)

    def _square(self) -> Running:
        return self**2

    def __truediv__(self, other: Any) -> Running:
        length = self.array.length
        if self.squared:
            raise stop("squares of sums that are divided: divide what is made of them")
        of_places = isinstance(other, SymbolicArray) and other.value == PLACE + ONE
        if of_places and self.of == "sum" and other.length == length:
            return replace(self, of="mean")
        number = self.array._pair(other)
        low = None if number is None else number.range_of()[0]
        if (
            low is None
            or low < 0
            or depends_on_place(number.value)
            or depends_on_data(number.value)
        ):
            raise stop(f"{self.what} divided by what is no public number above 0, or place + 1")
        return replace(self, array=self.array / number)

    def sum(self) -> SymbolicNumber:
        """Return their sum, in which each record counts as often as it is added."""
        many = self.array.length.ratio()
        if self.absolute or self.of == "mean":
            raise stop(f"the sum of {self.what} is not followed")
        if self.of != "sum":
            # Factors are at most 1, so that a product moves by no more than one of them.
            each = self.of != "product"
            return _mixed(self.array, self.of, each=each, times=many)  # type: ignore[no-any-return]
        left = SymbolicArray(many - PLACE, self.array.following, self.array.length, "i")
        if not self.squared:
            return (self.array * left).sum()  # type: ignore[no-any-return]
        # A square is that of each record, and twice the products of two: record k is in so many
        # sums with k records before it, and with those after it, n·(n − 1) with both at most.
        high = self.array.range_of()[1]
        if high is None:
            raise stop("squares of numbers without bounds")
        pairs = Ratio.number(max(high, Fraction(0))) * many * (many - ONE)
        number: SymbolicNumber = (self.array**2 * left).sum()
        return number + _mixed(self.array, "products up to a record", times=pairs)  # type: ignore[no-any-return]

    def mean(self) -> Any:
        """Return their mean."""
        return self.sum() / self.array.size

    def max(self) -> Any:
        """Return the largest: of sums the last where none is below 0, the first if none is above.

        As each moves by what the changed record moves by, or not at all, so does the largest.
        """
        low, high = self.array.range_of()
        if self.squared:
            return self.array.sum() ** 2
        if self.absolute:
            least = -replace(self, absolute=False).min()
            number: SymbolicNumber = replace(self, absolute=False).max()._maximum(least)
            return number
        if self.of in ("largest", "least", "product"):
            return self.array.max() if self.of == "largest" else self.array[0]
        if self.of == "sum" and low is not None and low >= 0:
            return self.array.sum()
        if self.of == "sum" and high is not None and high <= 0:
            return self.array[0]
        return _mixed(self.array, f"the largest {self.of}", each=self.of == "mean")

    def min(self) -> Any:
        """Return the least."""
        if self.absolute:
            raise stop(f"the least of absolute values of {self.what} is not followed")
        if self.squared:
            return self.array[0] ** 2
        if self.of == "product":
            return self.array.prod()
        if self.of in ("largest", "least"):
            return self.array[0] if self.of == "largest" else self.array.min()
        return -replace(self, array=-self.array).max()

    def ptp(self) -> SymbolicNumber:
        """Return the distance of the largest and the least."""
        return self.max() - self.min()  # type: ignore[no-any-return]

    FUNCTIONS: ClassVar[Mapping[str, str]] = methods(
        "sum mean max amax:max min amin:min ptp abs:__abs__"
    )
    UFUNCS: ClassVar[Mapping[str, Any]] = methods(
        "absolute:__abs__ divide:__truediv__ power:__pow__ square:_square"
    )

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        rule = self._rule(ufunc, method, options)
        if inputs[0] is not self:
            raise stop(f"a quotient by {self.what} is not followed")
        return getattr(self, rule)(*inputs[1:])


def _differs(symbol: Hashable) -> bool:
    return depends_on_place(Ratio.symbol(symbol))


def arange(*ends: Any, **options: Any) -> Any:
    """Return the places from the first on where the last is the length of an array."""
    if any(isinstance(item, Element) for item in ends) and len(ends) < 3:
        return places_of_pairs(*ends)
    last, first = ends[-1] if ends else None, ends[0] if len(ends) == 2 else 0
    if isinstance(last, SymbolicNumber) and type(first) is int and len(ends) < 3 and not options:
        sizes, more = _linear(last) or (0, 0)
        if sizes == 1 and more <= first:
            places = PLACE + Ratio.number(first)
            return SymbolicArray(places, last.following, Length(1, more - first), "i")
    return np.arange(*ends, **options)


def places_of_pairs(*ends: Any) -> SymbolicPairs:
    """Return the second places from one end to another, which depend on the first place."""
    element = next(end for end in ends if isinstance(end, Element))
    if not isinstance(element.rows, SymbolicPairs):
        raise stop("a range of places that depends on the data")
    second = Ratio.symbol(PlaceSymbol(inner=True))
    places = SymbolicPairs(second, element.rows.following, "i", element.rows.chosen)
    at, least = Element(places, element.loop), ends[0] if len(ends) == 2 else 0
    return places[(at >= least).rows][(at < ends[-1]).rows]
