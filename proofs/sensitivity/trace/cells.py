"""Many numbers at once: the cells of a histogram, the groups of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from .blocked import Blocked
from .interval import End, Interval, point, times
from .number import Number, Total, number
from .tracing import current, stop


@dataclass(frozen=True, eq=False, repr=False)
class Cells(Blocked):
    """Numbers that depend on the records, so many as do not.

    within: where each lies. moves: by how much a neighbor moves all of them together, in ℓ1. most:
    by how much it moves one of them. length: how many there are.
    """

    within: Interval
    moves: End
    most: End
    length: int
    what = "numbers that depend on the data"

    @property
    def size(self) -> int:
        """How many there are."""
        return self.length

    @property
    def shape(self) -> tuple[int]:
        """The same in a tuple."""
        return (self.length,)

    @property
    def values(self) -> Cells:
        """As an array."""
        return self

    def to_numpy(self) -> Cells:
        """Return them as an array."""
        return self

    tolist = to_numpy

    def astype(self, kind: Any) -> Cells:
        """Return them as floats."""
        if np.dtype(kind).kind != "f":
            raise stop(f"astype({kind!r}) of {self.what} is not traced")
        return self

    def sum(self) -> Number:
        """Return their sum."""
        many = Fraction(self.length)
        each = Interval(times(many, self.within.low), times(many, self.within.high))
        return Number(each, min(self.moves, each.width))

    def cumsum(self) -> Cells:
        """Return the sums of the first, the first two, … of them."""
        many = Interval(Fraction(1), Fraction(self.length))
        return Cells(self.within * many, times(self.moves, many.high), self.moves, self.length)

    def __getitem__(self, at: Any) -> Number:
        if isinstance(at, int | np.integer) and -self.length <= at < self.length:
            return Number(self.within, min(self.most, self.moves))
        raise stop("cells are taken in another way than one at a time")

    def _with(self, other: Any, sign: int = 1) -> Cells:
        if isinstance(other, Cells) and other.length == self.length:
            second = other.within if sign > 0 else -other.within
            moves, most = self.moves + other.moves, self.most + other.most
            return Cells(self.within + second, moves, most, self.length)
        within, _ = self._fixed(other)
        return replace(self, within=self.within + (within if sign > 0 else -within))

    def _fixed(self, other: Any) -> tuple[Interval, End]:
        """Return where numbers that do not depend on the data lie, and the largest's size."""
        if isinstance(other, Number):
            if other.moves:
                raise stop("a number that depends on the data meets cells that do: not traced")
            return other.within, other.within.size
        ends = np.atleast_1d(np.asarray(other, dtype=object))
        plain = ends.ndim == 1 and all(number(one) is not None for one in ends)
        if not plain or ends.size not in (1, self.length):
            raise stop(f"{type(other).__name__} beside {self.what} is not traced")
        within = point(ends[0])
        for one in ends[1:]:
            within = within.hull(point(one))
        return within, within.size

    def __add__(self, other: Any) -> Cells:
        return self._with(other)

    __radd__ = __add__

    def __neg__(self) -> Cells:
        return replace(self, within=-self.within)

    def __sub__(self, other: Any) -> Cells:
        return self._with(other, -1)

    def __rsub__(self, other: Any) -> Cells:
        return (-self)._with(other)

    def __mul__(self, other: Any) -> Cells:
        within, factor = self._fixed(other)
        moves, most = times(self.moves, factor), times(self.most, factor)
        return Cells(self.within * within, moves, most, self.length)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Cells:
        within, _ = self._fixed(other)
        if not within.least:
            raise stop("cells are divided by a number that may be 0")
        inverse = point(1) / within
        moves, most = times(self.moves, inverse.size), times(self.most, inverse.size)
        return Cells(self.within * inverse, moves, most, self.length)

    def __abs__(self) -> Cells:
        return replace(self, within=abs(self.within))

    def clip(self, low: Any = None, high: Any = None) -> Cells:
        """Return each, moved to the nearest end where it lies outside."""
        within = self.within
        within = within if low is None else within.most_of(self._fixed(low)[0])
        within = within if high is None else within.least_of(self._fixed(high)[0])
        return replace(self, within=within)

    def __array__(self, *_: Any, **__: Any) -> Any:
        self._value()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        name = ufunc.__name__
        if method == "__call__" and not options and name in _KNOWN:
            first, *rest = inputs
            if isinstance(first, Cells):
                return getattr(first, _KNOWN[name][0])(*rest)
            if _KNOWN[name][1]:
                return getattr(self, _KNOWN[name][1])(first)
        raise stop(f"np.{name} of {self.what} is not traced")

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        name = function.__name__
        if name in ("sum", "cumsum", "clip") and not options and isinstance(args[0], Cells):
            return getattr(args[0], name)(*args[1:])
        raise stop(f"np.{name} of {self.what} is not traced")


_KNOWN = {
    "add": ("__add__", "__radd__"),
    "subtract": ("__sub__", "__rsub__"),
    "multiply": ("__mul__", "__rmul__"),
    "divide": ("__truediv__", ""),
    "negative": ("__neg__", ""),
    "absolute": ("__abs__", ""),
}


@dataclass(frozen=True, eq=False, repr=False)
class Keyed(Blocked):
    """A number for each key that comes in the data; which keys do depends on the data.

    each: what a record adds to its key's number. means: whether they are means, not sums.
    """

    each: Interval
    means: bool = False
    what = "numbers whose keys depend on the data"

    def reindex(self, keys: Any, fill_value: Any = None) -> Cells:
        """Return the numbers of these keys, ``fill_value`` where one does not come."""
        wanted, filled = list(keys), number(fill_value)
        if filled is None:
            raise stop("reindex without fill_value leaves NaN where a key does not come")
        if len(set(map(repr, wanted))) < len(wanted):
            raise stop("reindex names a key twice")
        groups = 1 if current().one_more else 2
        if self.means:
            within = self.each.hull(filled.within)
            return Cells(within, groups * within.width, within.width, len(wanted))
        if filled.within != point(0):
            raise stop("reindex of sums or counts with another fill_value than 0")
        most = self.each.hull(point(0))
        within = Number.of(Total(point(0), most)).within
        return Cells(within, groups * most.size, max(most.size, most.width), len(wanted))

    def get(self, key: Any, default: Any = None) -> Number:
        """Return the number of one key."""
        return self.reindex([key], fill_value=default)[0]


def counts(each: Interval, name: str, args: Sequence[Any], options: dict[str, Any]) -> Any:
    """Return the cells of ``np.histogram`` or ``np.bincount``, which each record falls in once."""
    groups = 1 if current().one_more else 2
    within = Number.of(Total(point(0), Interval(Fraction(0), Fraction(1)))).within
    if name == "bincount":
        least = options.pop("minlength", 0)
        if args or options or not (each.low >= 0 and each.high < least):
            raise stop("the length of np.bincount depends on the data: clip, and give minlength")
        return Cells(within, Fraction(groups), Fraction(1), int(least))
    bins = options.pop("bins", args[0] if args else 10)
    reach = options.pop("range", args[1] if len(args) > 1 else None)
    if options or len(args) > 2:
        raise stop("np.histogram with weights or a density is not traced")
    if isinstance(bins, str) or (np.ndim(bins) == 0 and reach is None):
        raise stop("the edges of np.histogram depend on the data: give edges, or a range")
    edges = np.histogram_bin_edges(np.empty(0), bins, reach)
    many = len(edges) - 1
    current().note(f"each record falls in one of {many} cells at most")
    return Cells(within, Fraction(groups), Fraction(1), many), edges
