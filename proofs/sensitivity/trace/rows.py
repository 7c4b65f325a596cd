"""A number of each record, as a NumPy array or a pandas series has it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from .blocked import Blocked, said
from .cells import Keyed, counts
from .interval import EVERYTHING, TRUTH, Interval, around, end, point
from .number import Number, Total, bounded, mean, number
from .tracing import current, stop


@dataclass(frozen=True, eq=False, repr=False)
class Rows(Blocked):
    """A number of each record: any function of that record alone with values in an interval.

    each: where the numbers lie. truth: whether they are True and False. missing: whether they may
    be NaN or None. chosen: what stands for the condition on a record by which only some of the
    records are there; ``None`` where all are. series: whether it is pandas', which leaves out what
    is missing.
    """

    each: Interval
    truth: bool = False
    missing: bool = False
    chosen: object = None
    series: bool = False
    what = "the records"

    # What there is of all of them.

    @property
    def shape(self) -> tuple[Any]:
        """The number of records, in a tuple."""
        return (self.size,)

    @property
    def size(self) -> Number:
        """The number of records."""
        return Number.of(Total(point(0), point(1) if self.chosen is None else TRUTH))

    @property
    def ndim(self) -> int:
        """One."""
        return 1

    def sum(self) -> Number:
        """Return the sum."""
        self._present("the sum")
        if math.isinf(self.each.size):
            raise stop("the sum of numbers without bounds: clip them first")
        return self._noted("sum", Number.of(Total(point(0), self._contribution)))

    def mean(self) -> Number:
        """Return the mean."""
        self._present("the mean")
        if self.chosen is not None or self.missing:
            raise stop("the mean of what was chosen: where nothing is, it is NaN")
        if math.isinf(self.each.size):
            raise stop("the mean of numbers without bounds: clip them first")
        return self._noted("mean", mean(self.each))

    def count(self) -> Number:
        """Return how many there are, in pandas without what is missing."""
        left_out = self.chosen is not None or self.missing
        return self._noted("count", Number.of(Total(point(0), TRUTH if left_out else point(1))))

    def quantile(self, q: Any = 0.5) -> Number:
        """Return a quantile, the least or the largest: it may move from end to end."""
        self._present("a quantile")
        trace = current()
        if self.chosen is not None or self.missing or trace.least < 1 + trace.one_more:
            raise stop("a quantile of what may be no records")
        if math.isinf(self.each.size):
            raise stop("a quantile of numbers without bounds: clip them first")
        if number(q) is None:
            raise stop("several quantiles at once are not traced")
        return self._noted("quantile", bounded(self.each, self.each.width))

    def median(self) -> Number:
        """Return the median."""
        return self.quantile()

    def min(self) -> Number:
        """Return the least."""
        return self.quantile()

    def max(self) -> Number:
        """Return the largest."""
        return self.quantile()

    # What becomes of each of them.

    def clip(self, lower: Any = None, upper: Any = None, **other: Any) -> Rows:
        """Return each, moved to the nearest end where it lies outside; what is missing stays."""
        if other:
            lower, upper = other.pop("min", lower), other.pop("max", upper)
        if other:
            raise stop(f"clip with {', '.join(other)} is not traced")
        within = self.each
        if lower is not None:
            within = within.most_of(self._end(lower).each)
        if upper is not None:
            within = within.least_of(self._end(upper).each)
        return self._like(within)

    def fillna(self, value: Any) -> Rows:
        """Return each, with a value where it is missing."""
        second = self._other(value)
        return replace(self, each=self.each.hull(second.each), missing=second.missing)

    def isna(self) -> Rows:
        """Return whether each is missing."""
        return replace(self, each=TRUTH, truth=True, missing=False)

    isnull = isna

    def notna(self) -> Rows:
        """Return whether each is there."""
        return self.isna()

    def dropna(self) -> Rows:
        """Return those that are not missing."""
        return replace(self, missing=False, chosen=object())

    def between(self, left: Any, right: Any) -> Rows:
        """Return whether each lies between two numbers."""
        self._other(left), self._other(right)
        return self._told()

    def isin(self, values: Any) -> Rows:
        """Return whether each is one of some values."""
        list(values)
        return self._told()

    def abs(self) -> Rows:
        """Return the absolute value of each."""
        return abs(self)

    def astype(self, kind: Any) -> Rows:
        """Return each as another type; a fraction that is cut off moves it toward 0."""
        if np.dtype(kind).kind == "f":
            return replace(self, truth=False)
        if np.dtype(kind).kind in "iu" and not self.missing:
            # What is cut off moves it toward 0, by less than 1.
            one = Interval(Fraction(-1), Fraction(1))
            kept = self.each if self._whole else self.each + one
            return replace(self, each=kept, truth=False)
        raise stop(f"astype({kind!r}) of the records is not traced")

    @property
    def _whole(self) -> bool:
        """Whether both ends are whole, so that cutting off leads to no number outside."""
        ends = (self.each.low, self.each.high)
        return all(math.isfinite(one) and one == int(one) for one in ends)

    def to_numpy(self) -> Rows:
        """Return them as an array."""
        return replace(self, series=False)

    @property
    def values(self) -> Rows:
        """As an array."""
        return self.to_numpy()

    def value_counts(self) -> Any:
        """Return how often which value comes; only what is asked for by name can be released."""
        return Keyed(point(1))

    def __getitem__(self, key: Any) -> Rows:
        if isinstance(key, Rows) and key.truth and key.chosen is self.chosen:
            return replace(self, chosen=key)
        raise stop("what is taken of the records depends on their order")

    # Arithmetic, record by record.

    def _other(self, value: Any) -> Rows:
        if isinstance(value, Rows):
            if value.chosen is not self.chosen:
                raise stop("records meet others that were chosen in another way")
            return value
        if isinstance(value, Number):
            # It is the same for all records, but not a function of each record alone.
            if value.moves:
                raise stop("a number that depends on all records changes each of them")
            return replace(self, each=value.within, truth=False, missing=False)
        found = number(value)
        if found is None:
            raise stop(f"{type(value).__name__} beside the records is not traced")
        return replace(self, each=found.within, truth=False, missing=False)

    def _end(self, value: Any) -> Rows:
        """Return an end to clip at, which must be there: NaN clips nothing."""
        found = self._other(value)
        if found.missing:
            raise stop("an end of a clip may be missing")
        return found

    def _like(self, each: Interval, other: Rows | None = None) -> Rows:
        missing = self.missing or (other is not None and other.missing)
        return replace(self, each=each, truth=False, missing=missing)

    def _computed(self, each: Interval, other: Rows) -> Rows:
        """Return the same of what may be NaN where an operand is infinite."""
        found = self._like(each, other)
        infinite = math.isinf(self.each.size) or math.isinf(other.each.size)
        return replace(found, missing=True) if infinite else found

    def _told(self) -> Rows:
        return replace(self, each=TRUTH, truth=True, missing=False)

    def __add__(self, other: Any) -> Rows:
        second = self._other(other)
        return self._computed(self.each + second.each, second)

    def __sub__(self, other: Any) -> Rows:
        second = self._other(other)
        return self._computed(self.each - second.each, second)

    def __mul__(self, other: Any) -> Rows:
        second = self._other(other)
        return self._computed(self.each * second.each, second)

    def __truediv__(self, other: Any) -> Rows:
        second = self._other(other)
        found = self._computed(self.each / second.each, second)
        # 0/0 is no number.
        return found if second.each.least else replace(found, missing=True)

    def __pow__(self, other: Any) -> Rows:
        if type(other) is not int or other < 0:
            raise stop(f"records to the power of {said(other)}: only whole powers are traced")
        return self._like(self.each.power(other))

    def __neg__(self) -> Rows:
        return self._like(-self.each)

    def __abs__(self) -> Rows:
        return self._like(abs(self.each))

    def __radd__(self, other: Any) -> Any:
        return self + other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __rtruediv__(self, other: Any) -> Rows:
        return self._other(other) / self

    def _comparison(self, other: Any) -> Rows:
        if not isinstance(other, str):
            self._other(other)
        return self._told()

    __lt__ = __le__ = __gt__ = __ge__ = _comparison
    __eq__ = __ne__ = _comparison

    def __and__(self, other: Any) -> Rows:
        told = self._other(other).truth or isinstance(other, bool | np.bool_)
        if not (self.truth and told):
            raise stop("& of numbers is not traced: only of conditions")
        return self._told()

    __or__ = __xor__ = __rand__ = __ror__ = __rxor__ = __and__

    def __invert__(self) -> Rows:
        if not self.truth:
            raise stop("~ of numbers is not traced: only of conditions")
        return self._told()

    def __array__(self, *_: Any, **__: Any) -> Any:
        self._value()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        name = ufunc.__name__
        if method != "__call__" or options:
            raise stop(f"np.{name} with options, or its {method}, is not traced")
        if name in _BINARY:
            first, second = inputs
            left = first if isinstance(first, Rows) else self._other(first)
            return getattr(left, _BINARY[name])(second)
        if name in ("isnan", "isfinite", "isinf"):
            return self._told()
        if name in _UNARY:
            return getattr(self, _UNARY[name])()
        if name == "square":
            return self**2
        if name in ("sqrt", "exp", "log", "log1p"):
            return self._curved(name)
        if name in ("floor", "ceil", "rint", "trunc"):
            return self._like(self.each + Interval(Fraction(-1), Fraction(1)))
        if name == "sign":
            return self._like(Interval(Fraction(-1), Fraction(1)))
        raise stop(f"np.{name} of the records is not traced")

    def least_of(self, other: Any) -> Rows:
        """Return the smaller one of each and another."""
        second = self._other(other)
        return self._like(self.each.least_of(second.each), second)

    def most_of(self, other: Any) -> Rows:
        """Return the larger one of each and another."""
        second = self._other(other)
        return self._like(self.each.most_of(second.each), second)

    def _curved(self, name: str) -> Rows:
        if name == "exp":
            return self._like(self.each.rising(math.exp))
        above = self.each + point(1) if name == "log1p" else self.each
        if above.low < 0 or (above.low == 0 and name != "sqrt"):
            return replace(self._like(EVERYTHING), missing=True)
        return self._like(above.rising(math.sqrt if name == "sqrt" else math.log))

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        name = function.__name__
        plain = len(args) == 1 and not options
        if name in ("sum", "mean", "median", "min", "max", "amin", "amax") and plain:
            return getattr(self, name.removeprefix("a"))()
        if name == "quantile" and len(args) == 2 and not options:
            return self.quantile(args[1])
        if name == "size" and len(args) == 1:
            return self.size
        if name == "count_nonzero" and len(args) == 1 and not options:
            told = self if self.truth else self._told()
            return told.sum()
        if name == "clip":
            first, *ends = args
            if not isinstance(first, Rows):
                raise stop("np.clip to ends that depend on the data is not traced")
            return first.clip(*ends, **options)
        if name == "nan_to_num":
            if len(args) > 1 or set(options) - {"nan"}:
                raise stop("np.nan_to_num with copy, posinf or neginf is not traced")
            limit = Fraction(float(np.finfo(float).max))
            inside = self.each.most_of(point(-limit)).least_of(point(limit))
            filled = inside.hull(point(options.get("nan", 0.0)))
            return replace(self, each=filled, missing=False, series=False)
        if name == "where" and len(args) == 3 and isinstance(args[0], Rows):
            return _where(*args)
        if name in ("histogram", "bincount"):
            if self.missing and name == "bincount":
                raise stop("np.bincount of what may be missing")
            return counts(self.each, name, args[1:], dict(options))
        raise stop(f"np.{name} of the records is not traced")

    # What a number of each means for the whole.

    @property
    def _contribution(self) -> Interval:
        """What a record adds to a sum: 0 where it is not chosen, or missing in a series."""
        nothing = self.chosen is not None or self.missing
        return self.each.hull(point(0)) if nothing else self.each

    def _present(self, what: str) -> None:
        if self.missing and not self.series:
            raise stop(f"{what} is NaN where a record is; a comparison or a clip lets NaN through")

    def _noted(self, what: str, found: Number) -> Number:
        current().note(f"{what} of numbers in {words(self.each)} moves by at most {found.moves}")
        return found


_UNARY = {
    "negative": "__neg__",
    "absolute": "__abs__",
    "fabs": "__abs__",
    "invert": "__invert__",
    "logical_not": "__invert__",
}
_BINARY = {
    "add": "__add__",
    "subtract": "__sub__",
    "multiply": "__mul__",
    "divide": "__truediv__",
    "minimum": "least_of",
    "maximum": "most_of",
    "power": "__pow__",
    "bitwise_and": "__and__",
    "bitwise_or": "__or__",
    "bitwise_xor": "__xor__",
    "logical_and": "__and__",
    "logical_or": "__or__",
    **dict.fromkeys(
        ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"), "_comparison"
    ),
}


def words(each: Interval) -> str:
    """Return an interval as it is written."""
    return f"[{each.low}, {each.high}]"


def _where(condition: Rows, one: Any, other: Any) -> Rows:
    first, second = condition._other(one), condition._other(other)
    missing = first.missing or second.missing
    each = first.each.hull(second.each)
    return replace(condition, each=each, truth=False, missing=missing, series=False)


def column(domain: Any, *, series: bool) -> Rows:
    """Return the records' numbers in one column; values that are no numbers are their names."""
    if domain is bool:
        return Rows(TRUTH, truth=True, series=series)
    if isinstance(domain, tuple):
        return Rows(Interval(*map(end, domain)), series=series)
    if domain is float:
        return Rows(EVERYTHING, missing=True, series=series)
    values = [one for one in domain if one is not None]
    numeric = bool(values) and all(number(one) is not None for one in values)
    each = around(values) if numeric else EVERYTHING
    return Rows(each, missing=len(values) < len(domain) or not numeric, series=series)
