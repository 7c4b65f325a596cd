"""A number of each record, as a NumPy array or a pandas series has it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from .cells import Keyed, TracedCells, cells, counts
from .interval import EVERYTHING, MOST, TRUTH, Interval, around, end, plain, point, shown
from .number import Number, TracedSum, bounded, far, kind_of, mean, number
from .python import EachRecord, listed
from .untraceable import Blocked, IntegersMayWrap, current, methods, said, stop


@dataclass(frozen=True, eq=False, repr=False)
class TracedRows(Blocked):
    """A number of each record: any function of that record alone with values in an interval.

    each: where the numbers lie. kind: of their dtype: truths, what may be integers, floats, or text
    (``b``, ``i``, ``f``, ``U``). missing: whether they may be NaN or None. chosen: what stands for
    the condition on a record by which only some of the records are there; ``None`` where all are.
    series: whether it is pandas', which leaves out what is missing.
    """

    each: Interval
    kind: str = "f"
    missing: bool = False
    chosen: object = None
    series: bool = False
    what = "the records"
    role = "rows"

    # What there is of all of them.

    @property
    def truth(self) -> bool:
        """Whether they are True and False."""
        return self.kind == "b"

    @property
    def shape(self) -> tuple[Any]:
        """The number of records, in a tuple."""
        return (self.size,)

    @property
    def size(self) -> Number:
        """The number of records: moves by 1 where one comes or goes, or is chosen."""
        return Number.of(TracedSum(point(0), point(1) if self.chosen is None else TRUTH), "i")

    def _size(self) -> Number:
        """Return the number of records: moves by 1 where one comes or goes, or is chosen."""
        return self.size

    def _length(self) -> Number:
        return self.size

    def _filled(self, value: Any) -> TracedRows:
        """Return one value for each record."""
        return self._other(value)

    @property
    def ndim(self) -> int:
        """One."""
        return 1

    def sum(self, *, dtype: Any = None) -> Number:
        """Return the sum: moves by what one record adds, or by the width of their interval."""
        if dtype is not None:
            return self.astype(dtype).sum()
        self._present("the sum")
        if math.isinf(self.each.size):
            raise stop("the sum of numbers without bounds: clip them first")
        far(self._contribution)
        kind = "f" if self.kind == "f" else "i"
        result = Number.of(TracedSum(point(0), self._contribution), kind)
        if self.kind == "i" and not self._contribution.width:
            result = replace(
                result, total=None
            )  # Of integers or floats: so it is not known exactly.
        return self._noted("sum", replace(result, whole=self.truth))

    def mean(self, *, dtype: Any = float) -> Number:
        """Return the mean: moves by the width over the fewest records."""
        if np.dtype(dtype) != np.float64:
            raise stop(f"the mean with dtype={np.dtype(dtype)} is not traced: float is")
        self._present("the mean")
        if self.chosen is not None or self.missing:
            raise stop("the mean of what was chosen: where nothing is, it is NaN")
        if math.isinf(self.each.size):
            raise stop("the mean of numbers without bounds: clip them first")
        return self._noted("mean", mean(self.each))

    def count(self) -> Number:
        """Return how many there are, in pandas without what is missing: moves by 1 at most."""
        each = TRUTH if self.chosen is not None or self.missing else point(1)
        return self._noted("count", Number.of(TracedSum(point(0), each), "i"))

    def quantile(self, q: Any = 0.5) -> Number:
        """Return one quantile: it may move from end to end."""
        return self._ranked(q, "f")

    def _ranked(self, q: Any, kind: str) -> Number:
        self._present("a quantile")
        trace = current()
        if self.chosen is not None or self.missing or trace.least < 1 + trace.one_more:
            raise stop("a quantile of what may be no records")
        if math.isinf(self.each.size):
            raise stop("a quantile of numbers without bounds: clip them first")
        if number(q) is None:
            raise stop("several quantiles at once are not traced")
        if self.each.size > MOST[self.kind] / 2:
            raise stop("a quantile between two numbers so large may leave their type")
        return self._noted("quantile", bounded(self.each, self.each.width, kind))

    def median(self) -> Number:
        """Return the median: it may move from end to end."""
        return self._ranked(0.5, "f")

    def min(self) -> Number:
        """Return the least: it may move from end to end."""
        return self._ranked(0, self.kind)

    def max(self) -> Number:
        """Return the largest: it may move from end to end."""
        return self._ranked(1, self.kind)

    # What becomes of each of them.

    def clip(
        self, lower: Any = None, upper: Any = None, *, min: Any = None, max: Any = None
    ) -> TracedRows:
        """Return each, moved to the nearest end where it lies outside; what is missing stays."""
        if self.truth:
            raise stop("a clip of a condition: write astype(int), or + 0, first")
        lower, upper = min if lower is None else lower, max if upper is None else upper
        ends = {up: self._end(item) for up, item in enumerate((lower, upper)) if item is not None}
        within = self.each
        for up, rows in ends.items():
            within = within.least_of(rows.each) if up else within.most_of(rows.each)
        if len(ends) == 2 and ends[0].each.low > ends[1].each.high:
            raise stop("the lower end of a clip is above the upper one")  # pandas swaps them.
        if len(ends) == 2 and ends[0].each.high > ends[1].each.low:
            # Where they cross in a record, pandas takes the lower one and NumPy the upper one.
            within = within.hull(ends[0].each).hull(ends[1].each)
        return self._like(within, *ends.values(), kind="f" if self.kind == "f" else "i")

    def fillna(self, value: Any) -> TracedRows:
        """Return each, with a value where it is missing."""
        second = self._other(value)
        filled = self._like(self.each.hull(second.each))
        return replace(filled, missing=second.missing)

    def isna(self) -> TracedRows:
        """Return whether each is missing."""
        return self._told()

    isnull = isna

    def notna(self) -> TracedRows:
        """Return whether each is there."""
        return self.isna()

    def dropna(self) -> TracedRows:
        """Return those that are not missing: how many they are depends on the data."""
        return replace(self, missing=False, chosen=object())

    def between(self, left: Any, right: Any) -> TracedRows:
        """Return whether each lies between two numbers."""
        self._other(left), self._other(right)
        return self._told()  # The ends do not depend on other records.

    def isin(self, values: Any) -> TracedRows:
        """Return whether each is one of some values."""
        wanted = list(values)
        if not all(isinstance(item, str) or item is None or plain(item) for item in wanted):
            raise stop("isin of anything but text and numbers that are the same for all data")
        return self._told()

    def abs(self) -> TracedRows:
        """Return the absolute value of each."""
        return abs(self)

    def astype(self, dtype: Any, *, copy: Any = True) -> TracedRows:  # noqa: ARG002
        """Return each as a float or an integer of 64 bits; what is cut off moves it toward 0."""
        wanted = np.dtype(dtype)
        kind, bits = wanted.kind, wanted.itemsize * 8
        if self.kind == "U" or kind not in "fi" or bits != 64:
            raise stop(f"astype({wanted}) of {self.what} is not traced: int and float are")
        if kind == "f":
            return replace(self, each=self.each.held(), kind="f")
        if self.missing or self.each.held().size > MOST["i"]:
            raise stop("astype(int) of what may be missing, or too large for 64 bits")
        each = Interval(Fraction(int(self.each.low)), Fraction(int(self.each.high)))
        return replace(self, each=each, kind="i")

    def to_numpy(self) -> TracedRows:
        """Return them as an array."""
        return replace(self, series=False)

    @property
    def values(self) -> TracedRows:
        """As an array."""
        return self.to_numpy()

    def tolist(self) -> EachRecord:
        """Return them as a list."""
        return listed(self)

    def value_counts(self) -> Any:
        """Return how often which value comes; only what is asked for by name can be released."""
        return Keyed(point(1), kind="i", text=self.kind == "U")

    def __getitem__(self, key: Any) -> TracedRows:
        """Return the records for which a condition holds: the others add nothing to a sum."""
        if isinstance(key, TracedRows) and key.truth and key.chosen is self.chosen:
            return replace(self, chosen=key)
        raise stop("what is taken of the records depends on their order")

    # Arithmetic, record by record.

    def _other(self, value: Any) -> TracedRows:
        if isinstance(value, TracedRows):
            if value.chosen is not self.chosen:
                raise stop("records meet others that were chosen in another way")
            return value
        if isinstance(value, bool | np.bool_):
            return self._told()
        if isinstance(value, Number):
            # It is the same for all records, but not a function of each record alone.
            if value.moves:
                raise stop("a number that depends on all records changes each of them")
            return replace(self, each=value.within, kind=value.kind, missing=False)
        if not plain(value):
            raise stop(f"{type(value).__name__} beside the records is not traced")
        kind = "i" if isinstance(value, int | np.integer) else "f"
        return replace(self, each=point(value), kind=kind, missing=False)

    def _end(self, value: Any) -> TracedRows:
        """Return an end to clip at, which must be there: NaN clips nothing."""
        rows = self._other(value)
        if rows.missing or rows.truth:
            raise stop("an end of a clip may be missing, or is a condition: write 0 or 1")
        return rows

    def _like(self, each: Interval, *others: TracedRows, kind: str = "") -> TracedRows:
        """Return what arithmetic makes of each, as floats round it; integers must not wrap."""
        kinds = (self.kind, *(other.kind for other in others))
        if "U" in kinds:
            raise stop("arithmetic on names is not traced: only == and != are")
        kind = kind_of(self, *others) if not kind or set(kinds) == {"b"} else kind
        if kind == "i" and each.size > MOST["i"]:
            raise stop(
                "integers of 64 bits may wrap around: clip them, or use astype(float)",
                IntegersMayWrap,
            )
        missing = any(rows.missing for rows in (self, *others))
        return replace(self, each=each.held(), kind=kind, missing=missing)

    def _computed(self, each: Interval, other: TracedRows, kind: str = "") -> TracedRows:
        """Return the same of what may be NaN where an operand is infinite."""
        rows = self._like(each, other, kind=kind)
        infinite = math.isinf(self.each.size) or math.isinf(other.each.size)
        return replace(rows, missing=True) if infinite else rows

    def _told(self) -> TracedRows:
        return replace(self, each=TRUTH, kind="b", missing=False)

    def __add__(self, other: Any) -> TracedRows:
        """Return the sums, record by record."""
        second = self._other(other)
        return self._computed(self.each + second.each, second)

    def __sub__(self, other: Any) -> TracedRows:
        """Return the differences, record by record."""
        second = self._other(other)
        return self._computed(self.each - second.each, second)

    def __mul__(self, other: Any) -> TracedRows:
        """Return the products, record by record."""
        second = self._other(other)
        if self.truth and second.truth:
            return self._told()
        return self._computed(self.each * second.each, second)

    def __truediv__(self, other: Any) -> TracedRows:
        """Return the quotients, record by record; any number where the divisor may be 0."""
        second = self._other(other)
        rows = self._computed(self.each / second.each, second, "f")
        # 0/0 is no number.
        return rows if second.each.least else replace(rows, missing=True)

    def __pow__(self, other: Any) -> TracedRows:
        """Return a whole power of each, up to 1000."""
        if type(other) is not int or not 0 <= other <= 1000:
            raise stop(f"records to the power of {said(other)}: only whole powers are traced")
        return self._like(self.each.power(other))

    def __neg__(self) -> TracedRows:
        """Return minus each."""
        return self._like(-self.each)

    def __abs__(self) -> TracedRows:
        """Return the absolute value of each."""
        return self._like(abs(self.each))

    def __rtruediv__(self, other: Any) -> TracedRows:
        return self._other(other) / self

    def _comparison(self, other: Any) -> TracedRows:
        """Return whether each is larger, or smaller: text has no order here."""
        if "U" in (self.kind, self._other(other).kind):
            raise stop("names are compared by == and != only")
        return self._told()

    def _equality(self, other: Any) -> TracedRows:
        """Return whether each is equal, or not equal; text to text, too."""
        if not isinstance(other, str):
            self._other(other)
        return self._told()

    __lt__ = __le__ = __gt__ = __ge__ = _comparison
    __eq__ = __ne__ = _equality

    def __and__(self, other: Any) -> TracedRows:
        """Return both, either or only one of two conditions on a record."""
        if not (self.truth and self._other(other).truth):
            raise stop("& of numbers is not traced: only of conditions")
        return self._told()

    __or__ = __xor__ = __rand__ = __ror__ = __rxor__ = __and__

    def __invert__(self) -> TracedRows:
        """Return whether a condition on a record does not hold."""
        if not self.truth:
            raise stop("~ of numbers is not traced: only of conditions")
        return self._told()

    UFUNCS: ClassVar[Mapping[str, str]] = methods(
        "add:__add__ subtract:__sub__ multiply:__mul__ divide:__truediv__ power:__pow__ "
        "minimum:_least_of maximum:_most_of square:_square negative:__neg__ absolute:__abs__ "
        "fabs:__abs__ invert:__invert__ logical_not:__invert__ bitwise_and:__and__ "
        "bitwise_or:__and__ bitwise_xor:__and__ logical_and:__and__ logical_or:__and__ "
        "logical_xor:__and__ less:_comparison less_equal:_comparison greater:_comparison "
        "greater_equal:_comparison equal:_equality not_equal:_equality isnan:_finite "
        "isfinite:_finite isinf:_finite floor:_rounded ceil:_rounded rint:_rounded "
        "trunc:_rounded sign:_sign exp:_exponential log:_logarithm log1p:_logarithm_of_more "
        "sqrt:_root"
    )
    FUNCTIONS: ClassVar[Mapping[str, str]] = methods(
        "sum mean median quantile min amin:min max amax:max size:_size "
        "count_nonzero:_count_nonzero clip nan_to_num:_nan_to_num where:_where "
        "histogram:_histogram bincount:_bincount"
    )

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        rule, (first, *rest) = self._rule(ufunc, method, options), inputs
        return getattr(first if isinstance(first, TracedRows) else self._other(first), rule)(*rest)

    def _least_of(self, other: Any) -> TracedRows:
        """Return the smaller one of each and another."""
        second = self._other(other)
        return self._like(self.each.least_of(second.each), second)

    def _most_of(self, other: Any) -> TracedRows:
        """Return the larger one of each and another."""
        second = self._other(other)
        return self._like(self.each.most_of(second.each), second)

    def _square(self) -> TracedRows:
        """Return the square of each."""
        return self**2

    def _finite(self) -> TracedRows:
        """Return whether each is a number, a finite one or an infinite one."""
        self._like(TRUTH, replace(self, kind="i"))
        return self._told()

    def _rounded(self) -> TracedRows:
        """Return each as a whole number, less than 1 away."""
        return self._like(self.each + Interval(Fraction(-1), Fraction(1)))

    def _sign(self) -> TracedRows:
        """Return the sign of each: -1, 0 or 1."""
        return self._like(Interval(Fraction(-1), Fraction(1)))

    def _exponential(self) -> TracedRows:
        """Return the exponential of each."""
        return self._like(self.each.rising(math.exp), kind="f")

    def _logarithm(self) -> TracedRows:
        """Return the logarithm of each; any number, or NaN, where it may not be above 0."""
        return self._curved(math.log, self.each.held().low > 0)

    def _logarithm_of_more(self) -> TracedRows:
        """Return the logarithm of 1 + each; any number, or NaN, where that may not be above 0."""
        return self._curved(math.log1p, self.each.held().low > -1)

    def _root(self) -> TracedRows:
        """Return the root of each; any number, or NaN, where it may be below 0."""
        return self._curved(math.sqrt, self.each.low >= 0)

    def _curved(self, function: Callable[[float], float], defined: bool) -> TracedRows:
        if defined:
            return self._like(self.each.rising(function), kind="f")
        return replace(self._like(EVERYTHING, kind="f"), missing=True)

    def _count_nonzero(self) -> Number:
        """Return how many are not 0: moves by 1 at most."""
        return self._told().sum()

    def _nan_to_num(self, *, nan: Any = 0.0) -> TracedRows:
        """Return each, a number where it is NaN, and the largest float where it is infinite."""
        second, limit = self._other(nan), point(MOST["f"])
        inside = self.each.most_of(-limit).least_of(limit).hull(second.each)
        kind = self.kind if self.truth else self._like(inside, second).kind
        return replace(self, each=inside, kind=kind, missing=False, series=False)

    def _where(self, one: Any, other: Any) -> TracedRows:
        """Return one or another of each, by a condition on it."""
        first, second = self._other(one), self._other(other)
        if first.truth and second.truth:
            return replace(self._told(), series=False)
        rows = first._like(first.each.hull(second.each), second)
        return replace(rows, chosen=self.chosen, series=False)

    def _histogram(self, bins: Any = 10, range: Any = None) -> Any:
        """Return how many fall between given edges: a record moves one count, replaced two."""
        self._like(TRUTH, replace(self, kind="i"))
        return counts(bins, range)

    def _bincount(self, *, minlength: Any = 0) -> TracedCells:
        """Return how often each of 0, 1, … comes, for a length that is the same for all data."""
        is_whole = self.kind not in "fU" and not self.missing
        if not (is_whole and 0 <= self.each.low <= self.each.high < minlength):
            raise stop("np.bincount of anything but integers from 0 to below minlength: clip them")
        return cells(minlength)

    # What a number of each means for the whole.

    @property
    def _contribution(self) -> Interval:
        """What a record adds to a sum: 0 where it is not chosen, or missing in a series."""
        nothing = self.chosen is not None or self.missing
        return self.each.hull(point(0)) if nothing else self.each

    def _present(self, what: str) -> None:
        if self.missing and not self.series:
            raise stop(f"{what} is NaN where a record is; a comparison or a clip lets NaN through")

    def _noted(self, what: str, result: Number) -> Number:
        current().note(
            f"{what} of numbers in {words(self.each)} moves by at most {shown(result.moves)}"
        )
        return result


def words(each: Interval) -> str:
    """Return an interval as it is written."""
    return f"[{shown(each.low, up=False)}, {shown(each.high)}]"


def column(domain: Any, *, series: bool) -> TracedRows:
    """Return the records' numbers in one column; values that are no numbers are their names."""
    if domain is bool:
        return TracedRows(TRUTH, "b", series=series)
    if domain is float:
        return TracedRows(EVERYTHING, missing=True, series=series)
    if isinstance(domain, tuple):
        kind = "i" if any(isinstance(item, int) for item in domain) else "f"
        each = Interval(*map(end, domain[:2]))
        return TracedRows(each, kind, missing=len(domain) > 2, series=series)
    values = [item for item in domain if item is not None and item == item]
    missing = len(values) < len(domain)
    if not values or not all(map(plain, values)):
        return TracedRows(EVERYTHING, "U" if values else "f", missing=True, series=series)
    whole, truths = ([isinstance(value, kind) for value in values] for kind in (int, bool))
    kind = "b" if all(truths) else "i" if any(whole) else "f"
    return TracedRows(around(values), kind, missing=missing, series=series)
