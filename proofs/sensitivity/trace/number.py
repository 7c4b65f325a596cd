"""A number that a query computed from all records: where it lies, and how far neighbors move it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from provado.mechanisms import UsageError

from .blocked import Blocked, said
from .interval import TRUTH, End, Interval, point, times, widened
from .tracing import current, stop


@dataclass(frozen=True, eq=False)
class Total:
    """A constant and a sum over all records of numbers in an interval, 0 for what is left out.

    Sums of the same records add up record by record: so a count less half the number of records
    moves by half.
    """

    constant: Interval
    each: Interval

    @property
    def moves(self) -> End:
        """How far a neighbor moves it."""
        return self.each.size if current().one_more else self.each.width

    @property
    def within(self) -> Interval:
        """Where it lies, for the numbers of records that there may be."""
        trace = current()
        most = math.inf if trace.most is None else Fraction(trace.most)
        least = Fraction(trace.least - trace.one_more)
        low = min(times(least, self.each.low), times(most, self.each.low))
        high = max(times(least, self.each.high), times(most, self.each.high))
        return self.constant + Interval(low, high)


@dataclass(frozen=True, eq=False, repr=False)
class Number(Blocked):
    """A number that depends on the records.

    within: where it lies. moves: by how much a neighbor moves it at most. total: where it is a sum
    over the records.
    """

    within: Interval
    moves: End
    total: Total | None = field(default=None)
    what = "a number that depends on the data"

    @classmethod
    def of(cls, total: Total) -> Number:
        """Return a sum as a number."""
        return cls(total.within, total.moves, total)

    def __add__(self, other: Any) -> Any:
        if (second := number(other)) is None:
            return NotImplemented
        total = _added(self.total, second.total)
        if total is not None:
            return Number.of(total)
        return bounded(self.within + second.within, self.moves + second.moves)

    def __neg__(self) -> Number:
        if self.total is not None:
            return Number.of(Total(-self.total.constant, -self.total.each))
        return Number(-self.within, self.moves)

    def __sub__(self, other: Any) -> Any:
        second = number(other)
        return NotImplemented if second is None else self + -second

    def __mul__(self, other: Any) -> Any:
        if (second := number(other)) is None:
            return NotImplemented
        for one, factor in ((self, second), (second, self)):
            if one.total is not None and not factor.moves and not factor.within.width:
                by = factor.within
                return Number.of(Total(one.total.constant * by, one.total.each * by))
        mine, its = times(self.within.size, second.moves), times(second.within.size, self.moves)
        return bounded(self.within * second.within, mine + its)

    def __truediv__(self, other: Any) -> Any:
        if (second := number(other)) is None:
            return NotImplemented
        if not second.moves and not second.within.width and second.within.low:
            return self * Number(point(1) / second.within, Fraction(0))
        if self.total is not None and _is_size(second) and self.total.constant == point(0):
            return mean(self.total.each)
        least = second.within.least
        if not least:
            raise stop("a number is divided by one that may be 0")
        moves = _over(self.moves, least)
        if second.moves:
            moves += times(self.within.size, _over(_over(second.moves, least), least))
        return bounded(self.within / second.within, moves)

    def __pow__(self, other: Any) -> Any:
        if type(other) is not int or other < 0:
            raise stop(f"a number to the power of {said(other)}: only whole powers are traced")
        if other == 0:
            return Number(point(1), Fraction(0))
        slope = times(Fraction(other), self.within.size ** (other - 1))
        return bounded(self.within.power(other), times(slope, self.moves))

    def __abs__(self) -> Number:
        return bounded(abs(self.within), self.moves)

    def __radd__(self, other: Any) -> Any:
        return self + other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __rtruediv__(self, other: Any) -> Any:
        first = number(other)
        return NotImplemented if first is None else first / self

    __iadd__, __isub__, __imul__, __itruediv__ = __add__, __sub__, __mul__, __truediv__

    def to_the(self, other: Number) -> Number:
        """Return a power by a whole number that does not depend on the data."""
        exponent = other.within.low
        if other.moves or other.within.width or exponent != int(exponent):
            raise stop("np.power is traced for whole powers only")
        return self ** int(exponent)  # type: ignore[no-any-return]

    def _compared(self, other: Any) -> Any:
        second = number(other)
        if second is None:
            return NotImplemented
        return bounded(TRUTH, math.inf if self.moves or second.moves else Fraction(0))

    __lt__ = __le__ = __gt__ = __ge__ = _compared

    def __round__(self, digits: int | None = None) -> Number:
        step = Fraction(10) ** -(digits or 0)
        half = Interval(-step, step)
        return bounded(self.within + half, self.moves + step if self.moves else self.moves)

    def clip(self, low: Any = None, high: Any = None) -> Number:
        """Return it, moved to the nearest end where it lies outside."""
        found: Number = self
        if low is not None:
            found = found.largest(low)
        return found if high is None else found.smallest(high)

    def smallest(self, other: Any) -> Number:
        """Return the smaller one of two numbers."""
        second = required(other)
        return bounded(self.within.least_of(second.within), max(self.moves, second.moves))

    def largest(self, other: Any) -> Number:
        """Return the larger one of two numbers."""
        second = required(other)
        return bounded(self.within.most_of(second.within), max(self.moves, second.moves))

    def curved(self, name: str) -> Number:
        """Return a function of it: the exponential, a logarithm, the square root."""
        within = self.within
        if name == "exp":
            over = within.rising(math.exp)
            return bounded(over, times(over.high, self.moves))
        if within.low < 0 or (within.low == 0 and name == "log"):
            raise stop(f"np.{name} of a number that may be {'below ' * (name == 'sqrt')}0")
        if name == "sqrt":
            over = within.rising(math.sqrt)
            # |√a − √b| is at most √|a − b|, and at most |a − b| / (2√low).
            moves = widened(math.sqrt(self.moves), up=True) if self.moves else Fraction(0)
            if over.low > 0:
                moves = min(moves, _over(self.moves, 2 * Fraction(over.low)))
            return bounded(over, moves)
        return bounded(within.rising(math.log), _over(self.moves, within.low))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options:
            raise stop(f"np.{ufunc.__name__}{f'.{method}' * (method != '__call__')} with options")
        name = ufunc.__name__
        if name in _BINARY:
            if any(isinstance(one, np.ndarray) and one.ndim for one in inputs):
                return _over_arrays(ufunc, inputs)
            first, second = map(required, inputs)
            return getattr(first, _BINARY[name])(second)
        if name in ("negative", "absolute", "fabs"):
            return -self if name == "negative" else abs(self)
        if name == "square":
            return self**2
        if name in ("exp", "log", "sqrt"):
            return self.curved(name)
        raise stop(f"np.{name} of {self.what} is not traced")

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        if function is np.clip and not options:
            return required(args[0]).clip(*args[1:])
        if function is np.round and len(args) <= 2 and not options:
            return round(required(args[0]), *args[1:])
        raise stop(f"np.{function.__name__} of {self.what} is not traced")


_BINARY = {
    "add": "__add__",
    "subtract": "__sub__",
    "multiply": "__mul__",
    "divide": "__truediv__",
    "minimum": "smallest",
    "maximum": "largest",
    "fmin": "smallest",
    "fmax": "largest",
    "less": "_compared",
    "less_equal": "_compared",
    "greater": "_compared",
    "greater_equal": "_compared",
    "power": "to_the",
}


def number(value: Any) -> Number | None:
    """Return a number, one that does not depend on the data among them; ``None`` for all else."""
    if isinstance(value, Blocked):
        return value if isinstance(value, Number) else None
    try:
        at = point(value)
    except UsageError:
        return None
    return Number(at, Fraction(0), Total(at, point(0)))


def required(value: Any) -> Number:
    """Return a number; what is none ends the trace."""
    found = number(value)
    if found is None:
        raise stop(f"{type(value).__name__} where a number is needed")
    return found


def bounded(within: Interval, moves: End) -> Number:
    """Return a number that moves no farther than it can."""
    return Number(within, min(moves, within.width))


def mean(each: Interval) -> Number:
    """Return the mean of a number of each record."""
    trace = current()
    if trace.least < 1 + trace.one_more:
        raise stop("the mean of no records is NaN: say by size that there are some")
    # With one record more, the mean of n moves by (new − mean of the others) / n.
    return bounded(each, _over(each.width, Fraction(trace.least)))


def _added(x: Total | None, y: Total | None) -> Total | None:
    if x is None or y is None:
        return None
    return Total(x.constant + y.constant, x.each + y.each)


def _is_size(value: Number) -> bool:
    total = value.total
    one, nothing = point(1), point(0)
    return total is not None and total.each == one and total.constant == nothing


def _over(x: End, y: End) -> End:
    if math.isinf(x):
        return x
    return Fraction(0) if math.isinf(y) else Fraction(x) / Fraction(y)


def _over_arrays(ufunc: Any, inputs: tuple[Any, ...]) -> Any:
    """Apply a function of two numbers entry by entry, as an array of objects does."""
    first, second = (np.asarray(one, dtype=object) for one in map(_boxed, inputs))
    out = np.empty(np.broadcast_shapes(first.shape, second.shape), dtype=object)
    for at, (x, y) in enumerate(np.broadcast(first, second)):
        out.flat[at] = getattr(required(x), _BINARY[ufunc.__name__])(required(y))
    return out


def _boxed(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value
    box = np.empty((), dtype=object)
    box[()] = value
    return box
