"""Many numbers at once: the cells of a histogram, the groups of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from provado.mechanisms.definitions.relation import counted

from .interval import TRUTH, End, Interval, end, nearest, plain, point, times
from .number import BITS, Number, TracedSum, bounded, far, kind_of, number, rounding
from .untraceable import Blocked, current, methods, said, stop


@dataclass(frozen=True, eq=False, repr=False)
class TracedCells(Blocked):
    """Numbers that depend on the records, so many as do not.

    one: any one of them. moves: by how much a neighbor moves all of them together, in ℓ1. length:
    how many there are.
    """

    one: Number
    moves: End
    length: int
    what = "numbers that depend on the data"

    def _length(self) -> int:
        return self.length

    @property
    def most(self) -> End:
        """By how much a neighbor moves one of them."""
        return min(self.one.moves, self.moves)

    @property
    def size(self) -> int:
        """How many there are: the same for all data."""
        return self.length

    @property
    def shape(self) -> tuple[int]:
        """How many there are, in a tuple."""
        return (self.length,)

    @property
    def values(self) -> TracedCells:
        """As an array."""
        return self

    def to_numpy(self) -> TracedCells:
        """Return them as an array."""
        return self

    def tolist(self) -> Listed:
        """Return them as a list, which can be released."""
        return Listed(self)

    def astype(self, dtype: Any) -> TracedCells:
        """Return them as floats of 64 bits."""
        if np.dtype(dtype) != np.float64:
            raise stop(f"astype({np.dtype(dtype)}) of {self.what} is not traced: float is")
        return replace(self, one=replace(self.one, kind="f"))

    def sum(self) -> Number:
        """Return their sum: moves by no more than all of them."""
        return self._added(point(self.length), self.moves)

    def max(self) -> Number:
        """Return the largest, or the least: moves by no more than one of them."""
        return replace(self.one, moves=self.most, total=None)

    min = max

    def cumsum(self) -> TracedCells:
        """Return sums of the first, the first two, … of them: all move by as many times as much."""
        many = Interval(Fraction(1), Fraction(self.length))
        return TracedCells(self._added(many, self.moves), times(self.moves, many.high), self.length)

    def _added(self, many: Interval, moves: End) -> Number:
        peak = times(self.one.largest, many.high)
        return bounded(self.one.within * many, moves, self.one.kind, peak)

    def __getitem__(self, at: Any) -> Number:
        """Return one of them: moves by what one of them moves."""
        if type(at) in (int, np.int64) and -self.length <= at < self.length:
            return self.one
        raise stop("cells are taken in another way than one at a time")

    def _fixed(self, other: Any) -> Number:
        """Return what stands for numbers that do not depend on the data: one, or one for each."""
        many = isinstance(other, list | tuple) or (isinstance(other, np.ndarray) and other.ndim)
        given = list(other) if many else [other]
        result = [item for item in map(number, given) if item is not None]
        ends = [item for item in result if item.total is not None and not item.moves]
        if len(ends) < len(given) or len(ends) not in (1, self.length):
            name = type(other).__name__
            raise stop(f"{name} beside {self.what} is not traced, or depends on the data")
        all_of = ends[0]
        for one in ends[1:]:
            within, kind = all_of.within.hull(one.within), kind_of(all_of, one, self.one)
            all_of = Number(within, Fraction(0), TracedSum(within, point(0)), kind)
        return all_of

    def __add__(self, other: Any) -> TracedCells:
        """Return the sums: of cells move by both, of a constant by no more, but for rounding."""
        if isinstance(other, TracedCells) and other.length == self.length:
            return TracedCells(self.one + other.one, self.moves + other.moves, self.length)
        return self._moved(self.one + (by := self._fixed(other)), self.moves, by, added=True)

    def __neg__(self) -> TracedCells:
        """Return minus each: they move by as much."""
        return replace(self, one=-self.one)

    def __sub__(self, other: Any) -> TracedCells:
        """Return the differences: as the sums with minus the other."""
        return self + (-other if isinstance(other, TracedCells) else -self._fixed(other))

    def __mul__(self, other: Any) -> TracedCells:
        """Return the products with constants: they move by the largest of these times as much."""
        by = self._fixed(other)
        return self._moved(self.one * by, times(self.moves, by.within.size), by)

    def __truediv__(self, other: Any) -> TracedCells:
        """Return the quotients by constants other than 0: as the products with their inverses."""
        by = self._fixed(other)
        return self._moved(self.one / by, times(self.moves, (point(1) / by.within).size), by)

    def _moved(self, value: Number, moves: End, by: Number, *, added: bool = False) -> TracedCells:
        """Return what one of them became, and all of them, each of which is rounded."""
        more = rounding(value.within, Fraction(0), self.one, by, added=added)
        more = more if more > times(min(value.moves, moves), BITS) else Fraction(0)
        return TracedCells(value, moves + times(Fraction(self.length), more), self.length)

    def __abs__(self) -> TracedCells:
        """Return the absolute values: they move by no more."""
        return replace(self, one=abs(self.one))

    def clip(self, lower: Any = None, upper: Any = None) -> TracedCells:
        """Return each, moved to the nearest end where it lies outside: they move by no more."""
        low, high = (None if item is None else self._fixed(item) for item in (lower, upper))
        if low is not None and high is not None and low.within.low > high.within.high:
            raise stop("the lower end of a clip is above the upper one")  # pandas swaps them.
        return replace(self, one=self.one._clip(low, high))

    UFUNCS: ClassVar[Mapping[str, str]] = methods(
        "add:__add__ subtract:__sub__ multiply:__mul__ divide:__truediv__ negative:__neg__ "
        "absolute:__abs__"
    )
    FUNCTIONS: ClassVar[Mapping[str, str]] = methods("sum cumsum clip")

    def __array__(self, *_: Any, **__: Any) -> Any:
        self._value()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        rule, (first, *rest) = self._rule(ufunc, method, options), inputs
        if isinstance(first, TracedCells):
            return getattr(first, rule)(*rest)
        swapped = {"add": self.__radd__, "multiply": self.__mul__, "subtract": self.__rsub__}
        if ufunc.__name__ not in swapped:
            raise stop(f"np.{ufunc.__name__} by {self.what} is not traced")
        return swapped[ufunc.__name__](first)


@dataclass(frozen=True, eq=False, repr=False)
class Listed(Blocked):
    """Cells in a list, whose sum with another list would be longer."""

    cells: TracedCells
    what = "a list of numbers that depend on the data"


@dataclass(frozen=True, eq=False, repr=False)
class Keyed(Blocked):
    """A number for each key that comes in the data; which keys do depends on the data.

    each: what a record adds to its key's number. means: whether they are means, not sums. kind: of
    the dtype of these. text: whether keys are text.
    """

    each: Interval
    means: bool = False
    kind: str = "f"
    text: bool = False
    what = "numbers whose keys depend on the data: .reindex(keys, fill_value=0) fixes them"

    def reindex(self, index: Any, *, fill_value: Any = None) -> TracedCells:
        """Return the numbers of given keys: one moves by what a record adds, replaced two do.

        Means move by their width, the fill value within it. Keys are text and numbers, each once,
        and neither these nor the fill value depend on the data.
        """
        wanted, filled = list(index), number(fill_value)
        if filled is None:
            raise stop("reindex without a number for fill_value leaves NaN where no key comes")
        if filled.moves:
            raise stop("a fill_value that depends on the data")
        if not all(isinstance(key, str) or plain(key) for key in wanted):
            raise stop("reindex with keys other than text and numbers that are not data")
        # Keys of several types may be compared as floats: 777 and 777.0 are one.
        keys = {key if isinstance(key, str) else nearest(end(key)) for key in wanted}
        if len(keys) < len(wanted):
            raise stop("reindex names a key twice")
        groups = 1 if current().one_more else 2
        if self.means:
            far(within := self.each.hull(filled.within))
            one = bounded(within, within.width, self.kind)
            return TracedCells(one, groups * within.width, len(wanted))
        if filled.within != point(0):
            raise stop("reindex of sums or counts with another fill_value than 0")
        one = Number.of(TracedSum(point(0), self.each.hull(point(0))), self.kind)
        return TracedCells(one, max(groups * self.each.size, one.moves), len(wanted))

    def get(self, key: Any, default: Any = None) -> Number:
        """Return the number of one key: moves as by ``reindex``."""
        if self.text and not isinstance(key, str):
            raise stop(f"get({said(key)}) of names may mean a position")
        return self.reindex([key], fill_value=default)[0]


def cells(many: Any) -> TracedCells:
    """Return so many counts, in one of which each record is at most."""
    groups = 1 if current().one_more else 2
    return TracedCells(Number.of(TracedSum(point(0), TRUTH), "i"), Fraction(groups), int(many))


def counts(bins: Any, reach: Any) -> tuple[TracedCells, Any]:
    """Return the cells of ``np.histogram`` and its edges, which must not depend on the data."""
    if isinstance(bins, str) or (np.ndim(bins) == 0 and reach is None):
        raise stop("the edges of np.histogram depend on the data: give edges, or a range")
    edges = np.histogram_bin_edges(np.empty(0), bins, reach)
    many = len(edges) - 1
    current().note(f"each record falls in one of {counted(many, 'cell')} at most")
    return cells(many), edges
