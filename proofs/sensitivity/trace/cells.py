"""Many numbers at once: the cells of a histogram, the groups of a table."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from provado.mechanisms.definitions.relation import counted

from .interval import TRUTH, End, Interval, end, nearest, plain, point
from .number import Number, TracedSum, bounded, far, number
from .untraceable import Blocked, current, said, stop


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

    def __getitem__(self, at: Any) -> Number:
        """Return one of them: moves by what one of them moves."""
        if type(at) in (int, np.int64) and -self.length <= at < self.length:
            return self.one
        raise stop("cells are taken in another way than one at a time")

    __add__ = __sub__ = __mul__ = __truediv__ = __pow__ = __neg__ = __abs__ = Blocked._value
    __lt__ = __le__ = __gt__ = __ge__ = Blocked._value


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
