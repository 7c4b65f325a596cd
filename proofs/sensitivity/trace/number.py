"""A number that a query computed from all records: where it lies, and how far neighbors move it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from provado.mechanisms import UsageError

from .interval import MOST, TRUTH, End, Interval, at, outward, point, times, widened
from .untraceable import Blocked, IntegersMayWrap, current, methods, said, stop

RECORDS = Fraction(2**36)
"""No dataset in memory has more records, where it is not said how many there may be."""

COARSE = Fraction(1, 2**52)
"""Rounding moves a number by so much of its size."""

BITS = Fraction(1, 2**30)
"""What rounding adds to a bound is named where it is a larger part of it."""


@dataclass(frozen=True)
class TracedSum:
    """A constant and a sum over all records of numbers in an interval, 0 for what is left out.

    Sums of the same records add up record by record: so a count less half the number of records
    moves by half.
    """

    constant: Interval
    each: Interval

    def __add__(self, other: TracedSum) -> TracedSum:
        return TracedSum(self.constant + other.constant, self.each + other.each)

    @property
    def moves(self) -> End:
        """How far a neighbor moves it."""
        return self.each.size if current().one_more else self.each.width

    @property
    def within(self) -> Interval:
        """Where it lies, for the numbers of records that there may be."""
        trace = current()
        most = math.inf if trace.most is None else Fraction(trace.most)
        least = Fraction(max(trace.least - trace.one_more, 0))
        low = min(times(least, self.each.low), times(most, self.each.low))
        high = max(times(least, self.each.high), times(most, self.each.high))
        return self.constant + Interval(low, high)

    @property
    def peak(self) -> End:
        """How large it may become."""
        many = RECORDS if current().most is None else Fraction(current().most or 0)
        return self.constant.size + times(many, self.each.size)


@dataclass(frozen=True, eq=False, repr=False)
class Number(Blocked):
    """A number that depends on the records.

    within: where it lies. moves: by how much a neighbor moves it at most. total: where it is a sum
    over the records. kind: of the dtype that it may have: a truth, an integer or a float. peak: how
    large it may become, where ``within`` has no end because the number of records has none. whole:
    whether it is a whole number for certain.
    """

    within: Interval
    moves: End
    total: TracedSum | None = field(default=None)
    kind: str = "f"
    peak: End = Fraction(0)
    whole: bool = False
    what = "a number that depends on the data"
    role = "number"

    def __post_init__(self) -> None:
        if self.largest > MOST[self.kind]:
            raise stop(
                f"a number as large as {float(outward(self.largest, up=True)):.3g} may leave its "
                "type, of 64 bits: say by size how many records there are at most, or use floats",
                IntegersMayWrap,
            )
        if 0 < self.moves < 1 / MOST["f"]:
            raise stop("a number moves by less than floats close to 0 are apart")

    @property
    def largest(self) -> End:
        """How large it may become."""
        size = self.within.size
        return self.peak if math.isinf(size) else size

    @property
    def constant(self) -> bool:
        """Whether it is the same for all data, its type too."""
        return self.total is not None and self.total.each == point(0)

    @classmethod
    def of(cls, total: TracedSum, kind: str = "f") -> Number:
        """Return a sum as a number."""
        return cls(total.within, total.moves, total, kind, total.peak)

    def __add__(self, other: Any) -> Any:
        """Return the sum: moves by the sum of both, and by the rounding beside a large constant."""
        if (second := number(other)) is None:
            return NotImplemented
        kind, moves = kind_of(self, second), self.moves + second.moves
        within = self.within + second.within
        exact = not rounding(within, moves, self, second, added=True)
        if self.total and second.total and exact:
            return Number.of(self.total + second.total, kind)
        peak = self.largest + second.largest
        return rounded(within, moves, self, second, kind=kind, peak=peak, added=True)

    def __neg__(self) -> Number:
        """Return minus it: moves by as much."""
        if self.total is not None:
            return Number.of(TracedSum(-self.total.constant, -self.total.each), kind_of(self))
        return replace(self, within=-self.within, kind=kind_of(self))

    def __sub__(self, other: Any) -> Any:
        """Return the difference: as the sum with minus the other."""
        second = number(other)
        return NotImplemented if second is None else self + -second

    def __mul__(self, other: Any) -> Any:
        """Return the product: moves by the size of each times what the other moves."""
        if (second := number(other)) is None:
            return NotImplemented
        kind = kind_of(self, second)
        for one, factor in ((self, second), (second, self)):
            by = factor.within
            if one.total is not None and factor.constant and by != point(0) and not by.width:
                return Number.of(TracedSum(one.total.constant * by, one.total.each * by), kind)
        mine, its = times(self.within.size, second.moves), times(second.within.size, self.moves)
        peak = times(self.largest, second.largest)
        within = self.within * second.within
        return rounded(within, mine + its, self, second, kind=kind, peak=peak)

    def __truediv__(self, other: Any) -> Any:
        """Return the quotient: by a number that is never 0; a sum by the number of records."""
        if (second := number(other)) is None:
            return NotImplemented
        if second.constant and not second.within.width and second.within.low:
            inverse = point(1) / second.within
            return self * Number(inverse, Fraction(0), TracedSum(inverse, point(0)))
        is_size = second.total == TracedSum(point(0), point(1))
        if self.total is not None and is_size and self.total.constant == point(0):
            return mean(self.total.each)
        least = second.within.least
        if not least:
            raise stop("a number is divided by one that may be 0")
        moves = _over(self.moves, least)
        if second.moves:
            moves += times(self.within.size, _over(_over(second.moves, least), least))
        peak = _over(self.largest, least)
        return rounded(self.within / second.within, moves, self, second, peak=peak)

    def __pow__(self, other: Any) -> Any:
        """Return a whole power up to 1000: moves by its largest slope times what it moves."""
        if type(other) is not int or not 0 <= other <= 1000:
            raise stop(f"a number to the power of {said(other)}: only whole powers are traced")
        kind = kind_of(self)
        if other == 0:
            return Number(point(1), Fraction(0))
        slope = times(Fraction(other), self.within.size ** (other - 1))
        moves = times(slope, self.moves)
        peak = self.largest**other
        return rounded(self.within.power(other), moves, self, kind=kind, peak=peak)

    def __abs__(self) -> Number:
        """Return the absolute value: moves by no more."""
        return bounded(abs(self.within), self.moves, kind_of(self), self.largest)

    def __rtruediv__(self, other: Any) -> Any:
        first = number(other)
        return NotImplemented if first is None else first / self

    __iadd__, __isub__, __imul__, __itruediv__ = __add__, __sub__, __mul__, __truediv__

    def _to_the(self, other: Number) -> Number:
        """Return a power by a whole number that does not depend on the data, as ``**`` does."""
        exponent = other.within.low
        if other.moves or other.within.width or exponent != int(exponent):
            raise stop("np.power is traced for whole powers only")
        return self ** int(exponent)  # type: ignore[no-any-return]

    def _compared(self, other: Any) -> Any:
        """Return whether one is larger: from 0 to 1, or the other way."""
        second = number(other)
        if second is None:
            return NotImplemented
        return bounded(TRUTH, math.inf if self.moves or second.moves else Fraction(0), "b")

    __lt__ = __le__ = __gt__ = __ge__ = _compared

    def __round__(self, digits: int | None = None) -> Number:
        """Return it rounded: moves by less than a step of the last digit more, in whole steps."""
        if digits is not None and (type(digits) is not int or abs(digits) > 300):
            raise stop(f"round to {said(digits)} digits is not traced")
        step = Fraction(10) ** -(digits or 0)
        # Without digits it is Python's integer, which NumPy takes up to 64 bits only.
        return self._stepped(step, "i" if digits is None else kind_of(self))

    def _whole(self) -> Number:
        """Return it as a whole number, less than 1 away: moves by less than 1 more, in whole steps.

        So a change of c becomes at most ⌈c⌉, and c + 1 where c is whole: rounding may then put a
        number to the other side of a step.
        """
        return self._stepped(Fraction(1), "i")

    def _stepped(self, step: Fraction, kind: str) -> Number:
        moves = self.moves
        if self.whole and step <= 1:
            return replace(self, kind=kind)
        if moves and not math.isinf(moves):
            moves = (moves // step + 1) * step
        result = bounded(self.within + Interval(-step, step), moves, kind, self.largest)
        return replace(result, whole=step == 1)

    def _as_float(self) -> Number:
        return self

    def _clip(self, min: Any = None, max: Any = None) -> Number:
        """Return it, moved to the nearest end where it lies outside: moves by no more than all."""
        result = self if min is None else self._largest(min)
        return result if max is None else result._smallest(max)

    def _smallest(self, other: Any) -> Number:
        """Return the smaller of two numbers: moves by no more than one of them."""
        return self._either(other, Interval.least_of)

    def _largest(self, other: Any) -> Number:
        """Return the larger of two numbers: moves by no more than one of them."""
        return self._either(other, Interval.most_of)

    def _either(self, other: Any, one_of: Callable[[Interval, Interval], Interval]) -> Number:
        second = required(other)
        kinds, moves = {kind_of(self), kind_of(second)}, max(self.moves, second.moves)
        peak = max(self.largest, second.largest)
        return bounded(one_of(self.within, second.within), moves, min(kinds, key="if".find), peak)

    def _exponential(self) -> Number:
        """Return the exponential: moves by its largest value times what the number moves."""
        over, most = self._curved(math.exp), outward(self.largest, up=True)
        return rounded(over, times(over.high, self.moves), self, peak=at(math.exp, most))

    def _logarithm(self) -> Number:
        """Return the logarithm of a number above 0: moves by its part of the least value."""
        if self.within.held().low <= 0:
            raise stop("np.log of a number that may be 0")
        over = self._curved(math.log)
        peak = max(self.largest, -over.low)
        return rounded(over, _over(self.moves, self.within.low), self, peak=peak)

    def _root(self) -> Number:
        """Return the root of a number from 0 on: moves by the root of what the number moves."""
        if self.within.low < 0:
            raise stop("np.sqrt of a number that may be below 0")
        over = self._curved(math.sqrt)
        # |√a − √b| is at most √|a − b|, and at most |a − b| / (2√low).
        moves = widened(math.sqrt(outward(self.moves, up=True)), up=True)
        moves = moves if self.moves else Fraction(0)
        if over.low > 0:
            moves = min(moves, _over(self.moves, 2 * Fraction(over.low)))
        return rounded(over, moves, self, peak=self.largest + 1)

    def _gentle(self) -> Number:
        """Return a number from −1 to 1 whose slope is so: moves by no more than the number."""
        return bounded(Interval(Fraction(-1), Fraction(1)), self.moves)

    def _curved(self, function: Callable[[float], float]) -> Interval:
        kind_of(self)
        return self.within.rising(function)

    def _square(self) -> Number:
        """Return the square, as ``**`` does."""
        return self.__pow__(2)  # type: ignore[no-any-return]

    UFUNCS: ClassVar[Mapping[str, str]] = methods(
        "add:__add__ subtract:__sub__ multiply:__mul__ divide:__truediv__ power:_to_the "
        "minimum:_smallest maximum:_largest fmin:_smallest fmax:_largest less:_compared "
        "less_equal:_compared greater:_compared greater_equal:_compared negative:__neg__ "
        "absolute:__abs__ fabs:__abs__ square:_square exp:_exponential log:_logarithm "
        "sqrt:_root floor:_whole ceil:_whole trunc:_whole rint:_whole tanh:_gentle sin:_gentle "
        "cos:_gentle"
    )
    FUNCTIONS: ClassVar[Mapping[str, str]] = methods("clip:_clip round:__round__")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        rule = self._rule(ufunc, method, options)
        if any(isinstance(input_, np.ndarray) and input_.ndim for input_ in inputs):
            return _over_arrays(rule, inputs)
        first, *rest = map(required, inputs)
        return getattr(first, rule)(*rest)


def number(value: Any) -> Number | None:
    """Return a number, one that does not depend on the data among them; ``None`` for all else."""
    if isinstance(value, Blocked):
        return value if isinstance(value, Number) else None
    if isinstance(value, bool | np.bool_):
        return Number(TRUTH, Fraction(0), None, "b")
    try:
        only = point(value)
    except UsageError:
        return None
    kind = "i" if isinstance(value, int | np.integer) else "f"
    return (
        None if math.isinf(only.low) else Number(only, Fraction(0), TracedSum(only, point(0)), kind)
    )


def required(value: Any) -> Number:
    """Return a number; what is none ends the trace."""
    result = number(value)
    if result is None:
        raise stop(f"{type(value).__name__} where a finite number is needed")
    return result


def bounded(within: Interval, moves: End, kind: str = "f", peak: End = Fraction(0)) -> Number:
    """Return a number that moves no farther than it can."""
    return Number(within, min(moves, within.width), None, kind, peak)


def rounding(within: Interval, moves: End, *operands: Number, added: bool = False) -> End:
    """Return how far rounding the result of an operation moves it, 0 where that is a small part.

    What is computed from the records rounds by its smallest size, and a sum by that of a constant
    in it. It does where it hardly moves, too: it may be an integer for some data and a float for
    others.
    """
    constants = [operand.within.size for operand in operands if operand.constant]
    computed = any(operand.total is None for operand in operands)
    varies = len(constants) < len(operands) and (moves or computed or current().one_more)
    size = max(within.least, *constants * added, Fraction(0))
    coarse = times(size, COARSE) if varies else Fraction(0)
    return coarse if coarse > times(moves, BITS) else Fraction(0)


def rounded(
    within: Interval,
    moves: End,
    *operands: Number,
    kind: str = "f",
    peak: End = Fraction(0),
    added: bool = False,
) -> Number:
    """Return what an operation gives, as ``bounded`` does, with what rounding adds to it."""
    more = rounding(within, moves, *operands, added=added)
    return bounded(within + Interval(-more, more), moves + more, kind, peak)


def kind_of(*operands: Any) -> str:
    """Return the kind of dtype that arithmetic gives: of two truths it would be none of numbers."""
    kinds = {operand.kind for operand in operands}
    if kinds == {"b"}:
        raise stop("arithmetic on conditions alone: write astype(int), or + 0, first")
    return "f" if "f" in kinds else "i"


def far(each: Interval) -> None:
    """End the trace where rounding the sum of such numbers moves it more than a neighbor does."""
    if not current().one_more and 0 < each.width < each.size / 2**22:
        raise stop(f"numbers up to {float(each.size):.3g} that differ by little: subtract first")


def mean(each: Interval) -> Number:
    """Return the mean of a number of each record."""
    trace = current()
    if trace.least < 1 + trace.one_more:
        raise stop("the mean of no records is NaN: say by size that there are some")
    far(each)
    Number.of(TracedSum(point(0), each))
    # With one record more, the mean of n moves by (new − mean of the others) / n.
    return bounded(each, _over(each.width, Fraction(trace.least)))


def _over(x: End, y: End) -> End:
    if math.isinf(x):
        return x
    return Fraction(0) if math.isinf(y) else Fraction(x) / Fraction(y)


def _over_arrays(rule: str, inputs: tuple[Any, ...]) -> Any:
    """Apply a function of two numbers entry by entry, as an array of objects does."""
    of_two = np.frompyfunc(lambda x, y: getattr(required(x), rule)(required(y)), 2, 1)
    return of_two(*map(_boxed, inputs))


def _boxed(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        if value.dtype.kind != "O" and number(value.dtype.type()) is None:
            raise stop(f"an array of {value.dtype} beside a number: use 64 bits")
        return value
    box = np.empty((), dtype=object)
    box[()] = value
    return box
