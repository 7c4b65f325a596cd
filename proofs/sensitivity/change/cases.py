"""What a query computes before and after one record is replaced, in every case that there is.

Record k is a, then b; all others stay. Of a sum, the terms that hold record k change, at most one
for each way in which its elements find a record; the others are one unknown rest, the same before
and after. Whether such a term is there, and whether another record of it is record k as well,
depends on k: each is a case of its own.
"""

import itertools
import math
import operator
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal, TypeGuard

from .arrays import Following
from .enclosure import Ends, power_of, range_of
from .expression import (
    KINKED,
    Function,
    Length,
    Mixture,
    PlaceSymbol,
    PublicSymbol,
    RecordSymbol,
    Size,
    Total,
    Variable,
    function,
    placed,
    symbols_within,
    variables,
)
from .ratio import Ratio, text_of, total
from .sign import put, rises

Side = Literal["before", "after"]

Position = tuple[Fraction, Fraction, Fraction]
"""The place of a record: c·k + d·n + e."""

CHANGED: Position = (Fraction(1), Fraction(0), Fraction(0))

Parts = dict[Total | Mixture, tuple[Ratio, Ratio]]
"""Numbers of an array in their order, from one place to another, that are added up."""

MOST_CONDITIONS = 9
"""Questions on whether a term is there, or a record the changed one; each doubles the cases."""


MOST_MOMENTS = 3
"""Of sums of higher powers too little is shown for the time that it takes."""


class NotFollowedError(ValueError):
    """The form of a query goes beyond what is followed."""


@dataclass(frozen=True)
class Condition:
    """A question on k: whether a position is that of the changed record, or within an array.

    length: the position lies from 0 to below it; ``None``: it is that of the changed record.
    """

    position: Position
    length: Length | None = None


Way = tuple[int, int, int, bool]
"""How an element finds a record: step, sizes, offset, and whether it is turned."""


@dataclass(frozen=True)
class RecordCase:
    """One way in which all questions are answered. slopes: kinks are followed by their slopes.

    quotients: rests of sums over the same records are multiples of each other. cut: where
    conditions change, the box is cut at once, and kinks are followed as they are. whole: what the
    other records add up to is n times a number of its own, of which a mean is seen to be. lengths:
    records of several columns are known by their lengths alone. apart: records that stand in
    differences only are known by these. moments: the other records are known by their moments, and
    by the numbers among them that quantiles may be; zones: between which of these the changed one
    lies, before and after.
    """

    answers: Mapping[Condition, bool] = field(hash=False)
    slopes: bool
    quotients: bool = False
    cut: bool = False
    whole: bool = False
    lengths: bool = False
    apart: bool = False
    moments: bool = False
    zones: tuple[int, int] = (0, 0)


def changed_place(way: Way) -> Position:
    """Return the i at which an element finds the changed record."""
    step, sizes, offset, _ = way
    return Fraction(1, step), Fraction(-sizes, step), Fraction(-offset, step)


def found_at(way: Way, place: Position) -> Position:
    """Return which record an element finds at a place."""
    step, sizes, offset, _ = way
    return step * place[0], step * place[1] + sizes, step * place[2] + offset


def _never(position: Position) -> bool:
    """Tell whether a position is never that of the changed record: a fixed distance away."""
    return position[0] == 1 and position[1] == 0 and position[2] != 0


def _always_there(way: Way, length: Length) -> bool:
    if length.moves:
        # What is known of places holds where the others keep theirs.
        return way == (1, 0, 0, False)
    return length == Length(1, 0) and (way[3] or way[:3] in ((1, 0, 0), (-1, 1, -1)))


def ways_of(element: Ratio) -> list[Way]:
    """Return how an element finds records, each once."""
    result = {
        (s.step, s.sizes, s.offset, s.turned)
        for s in _leaves(element)
        if isinstance(s, RecordSymbol) and s.step != 0
    }
    return sorted(result)


def _symbols_in(values: Sequence[Ratio]) -> Iterator[object]:
    """Yield the symbols of expressions, those within functions and totals too."""
    return itertools.chain.from_iterable(map(symbols_within, values))


def _leaves(expression: Ratio) -> Iterator[object]:
    """Yield the symbols of an element, those within functions too but not those within totals."""
    for s in expression.symbols:
        yield s
        if isinstance(s, Function):
            yield from _leaves(s.argument)


def conditions_of(values: Sequence[Ratio]) -> list[Condition]:
    """Return all questions on which the change of these expressions depends."""
    result: dict[Condition, None] = {}
    for symbol in _symbols_in(values):
        if isinstance(symbol, RecordSymbol) and symbol.step == 0:
            result[_same((Fraction(0), Fraction(symbol.sizes), Fraction(symbol.offset)))] = None
        if isinstance(symbol, Total) and symbol.kind in ("sum", "product"):
            ways = ways_of(symbol.element)
            for way in ways:
                place = changed_place(way)
                if not _always_there(way, symbol.length):
                    result[Condition(place, symbol.length)] = None
                for other in ways:
                    position = found_at(other, place)
                    if other != way and not _never(position):
                        result[_same(position)] = None
    return list(result)


def _same(position: Position) -> Condition:
    """Return the question whether a position is the changed record's, in one form.

    c·k + d·n + e = k is the same question for all multiples of it.
    """
    c, d, e = position[0] - 1, position[1], position[2]
    lead = next((x for x in (c, d, e) if x), Fraction(1))
    return Condition((c / lead + 1, d / lead, e / lead))


def all_cases(values: Sequence[Ratio], following: Following) -> Iterator[RecordCase]:
    """Yield every case that may be: all answers to all questions that do not exclude each other."""
    questions = conditions_of(values)
    if len(questions) > MOST_CONDITIONS:
        raise NotFollowedError("records are found in too many ways beside each other")
    for answers in itertools.product((False, True), repeat=len(questions)):
        known = dict(zip(questions, answers, strict=True))
        if any(_satisfiable(rows, following) for rows in _rows(known)):
            yield RecordCase(known, slopes=False)


def _rows(answers: Mapping[Condition, bool]) -> Iterator[list[Position]]:
    """Yield what the answers say of k and n: forms c·k + d·n + e that are ≥ 0, one way each.

    That a place is not in an array says that it is below 0 or beyond the end. That a position is
    not the changed one says nothing here.
    """
    choices: list[list[list[Position]]] = []
    for condition, answer in answers.items():
        c, d, e = condition.position
        if condition.length is None:
            if answer:
                choices.append([[(c - 1, d, e), (1 - c, -d, -e)]])
            continue
        sizes, more = condition.length.sizes, condition.length.more
        # Places are whole numbers where the array is read record by record.
        inside: list[Position] = [(c, d, e), (-c, sizes - d, more - 1 - e)]
        outside: list[list[Position]] = [[(-c, -d, -1 - e)], [(c, d - sizes, e - more)]]
        choices.append([inside] if answer else outside)
    for chosen in itertools.product(*choices):
        yield list(itertools.chain.from_iterable(chosen))


def _satisfiable(rows: Sequence[Position], following: Following) -> bool:
    """Tell whether some real k from 0 to n − 1 and n fit, k eliminated by pairs of rows."""
    zero, one = Fraction(0), Fraction(1)
    rows = [*rows, (one, zero, zero), (-one, one, -one)]
    below = [row for row in rows if row[0] > 0]
    above = [row for row in rows if row[0] < 0]
    forms = [(d, e) for c, d, e in rows if c == 0]
    for c, d, e in below:
        for f, g, h in above:
            forms.append((d * -f + g * c, e * -f + h * c))
    low = Fraction(following.least)
    high = math.inf if following.most is None else Fraction(following.most)
    for slope, constant in forms:
        if slope > 0:
            low = max(low, -constant / slope)
        elif slope < 0:
            high = min(high, constant / -slope)
        elif constant < 0:
            return False
    return low <= high


@dataclass
class CaseReader:
    """Writes expressions before and after the change, in one case, over variables of a box."""

    following: Following
    case: RecordCase
    box: dict[Variable, Ends] = field(default_factory=dict)
    means: dict[Variable, Ratio] = field(default_factory=dict)
    least: int = 0
    shares: dict[tuple[Ratio, Length], list[Fraction]] = field(default_factory=dict)
    parts: dict[tuple[Ratio, Length], Parts] = field(default_factory=dict)
    numbers: dict[object, int] = field(default_factory=dict)
    sums: list[Total] = field(default_factory=list)
    known_means: dict[Total, Ratio] = field(default_factory=dict)
    ordered: Sequence[Total] = ()
    marks: list[Ratio] = field(default_factory=list)
    reads: dict[object, Ratio] = field(default_factory=dict)
    until: float = math.inf

    def _number_of(self, symbol: object) -> int:
        """Return a short name of a symbol: how many there were before it."""
        return self.numbers.setdefault(symbol, len(self.numbers))

    def change(self, values: Sequence[Ratio]) -> tuple[list[Ratio], list[Ratio]] | None:
        """Return numbers before and after the change; ``None`` where the case cannot be."""
        self.least = max(self.following.least, self._fewest(values))
        if self.following.most is not None and self.least > self.following.most:
            return None
        self.shares, self.parts = _shares(values), _parts(values)
        if self.case.quotients:
            self.sums = sums_in(values)
        if self.case.moments:
            self._set_marks(values)
        after = [self.read(value, "after") for value in values]
        return [self.read(value, "before") for value in values], after

    def _fewest(self, values: Sequence[Ratio]) -> int:
        """Return how many records there are at least, since so many terms of sums are there."""
        least = self.following.least
        for symbol in _symbols_in(values):
            if isinstance(symbol, Total) and symbol.kind in ("sum", "product"):
                if symbol.length.moves and PlaceSymbol() in set(_leaves(symbol.element)):
                    raise NotFollowedError("places of records, of which one may be missing")
                many = len(self._terms(symbol)) - symbol.length.moves
                if symbol.length.sizes:
                    least = max(least, -(-(many - symbol.length.more) // symbol.length.sizes))
        return least

    def variable(self, name: str, low: Fraction | None, high: Fraction | None) -> Ratio:
        """Return a variable of the box."""
        variable = Variable(name)
        self.box[variable] = low, high
        return Ratio.symbol(variable)

    @property
    def size(self) -> Ratio:
        """The number of records; where neighbors differ by one, of those with one more."""
        if self.following.most == self.following.least:
            return Ratio.number(self.following.least)
        most, least = self.following.most, self.least + self.following.one_more
        more = None if most is None else Fraction(max(most - least, 0))
        return Ratio.number(least) + self.variable("more", Fraction(0), more)

    def read(
        self, value: Ratio, side: Side, place: Position | None = None, generic: str = ""
    ) -> Ratio:
        """Return an expression at one side; of an array, at a place or at a generic one."""

        def by(symbol: object) -> Ratio | None:
            match symbol:
                case Size(moves=moves):
                    # Before the change a record is missing.
                    missing = moves and side == "before"
                    return self.size - Ratio.number(1) if missing else self.size
                case PlaceSymbol():
                    return self._place(place, generic)
                case PublicSymbol(name=name, low=low, high=high):
                    return self.variable(f"{name} ({self._number_of(symbol)})", low, high)
                case RecordSymbol():
                    return self._record(symbol, side, place, generic)
                case Total():
                    return self._total(symbol, side)
                case Mixture():
                    return self._mixture(symbol, side)
                case Function():
                    return self._function(symbol, side, place, generic)
                case _:
                    return None

        key = value, side, place, generic
        if key not in self.reads:
            if time.thread_time() > self.until:
                raise NotFollowedError("what changes was not worked out in time")
            self.reads[key] = value.replace(by)
        return self.reads[key]

    def _place(self, place: Position | None, generic: str) -> Ratio:
        last = self.size - Ratio.number(1)
        if place is None:
            return self.variable(f"place {generic}", Fraction(0), Fraction(1)) * last
        k = self.variable("k", Fraction(0), Fraction(1)) * last
        if place[0] < 0:
            # Where records are found from the last one on, their places are counted so.
            k = last - k
        c, d, e = map(Ratio.number, place)
        return c * k + d * self.size + e

    def _record(
        self, record: RecordSymbol, side: Side, place: Position | None, generic: str
    ) -> Ratio:
        low, high = self.following.domain[record.column]
        if record.inner:
            return self.variable(f"x{record.column} beside {generic}", low, high)
        if record.step == 0:
            position: Position = Fraction(0), Fraction(record.sizes), Fraction(record.offset)
        elif place is None:
            name = f"x{record.column} {generic} {record.step} {record.sizes} {record.offset}"
            return self.variable(name, low, high)
        else:
            way = (record.step, record.sizes, record.offset, record.turned)
            position = found_at(way, place)
        if self._is_changed(position):
            if self.ordered and self.ordered[0].element == Ratio.symbol(
                RecordSymbol(record.column)
            ):
                zone = self.case.zones[side == "after"]
                share = self.variable(f"share of {side}", Fraction(0), Fraction(1))
                return self.marks[zone] + (self.marks[zone + 1] - self.marks[zone]) * share
            return self.variable(f"{'a' if side == 'before' else 'b'}{record.column}", low, high)
        name = f"x{record.column} at {' '.join(map(str, position))}"
        return self.variable(name, low, high)

    def _is_changed(self, position: Position) -> bool:
        if position == CHANGED:
            return True
        return not _never(position) and self.case.answers[_same(position)]

    def _terms(self, symbol: Total) -> list[Position]:
        """Return the places of the terms that hold the changed record, each once."""
        result: list[Position] = []
        met: set[Way] = set()
        ways = ways_of(symbol.element)
        if any(way[3] for way in ways):
            # Modulo n, records at different offsets are others only where n is beyond them.
            offsets = [way[2] for way in ways]
            plain = {way[:2] for way in ways} == {(1, 0)}
            places = PlaceSymbol() in set(_leaves(symbol.element))
            if not plain or places or max(offsets) - min(offsets) >= self.following.least:
                raise NotFollowedError("records that were turned, beside others or their places")
        for way in ways:
            if way in met:
                continue
            place = changed_place(way)
            # Ways that find the changed record at the same place are one term.
            met |= {other for other in ways if self._is_changed(found_at(other, place))}
            if (
                _always_there(way, symbol.length)
                or self.case.answers[Condition(place, symbol.length)]
            ):
                result.append(place)
        return result

    def _total(self, symbol: Total, side: Side) -> Ratio:
        if symbol.kind == "quantile":
            return self._quantile(symbol, side)
        if symbol.kind == "pairs":
            return self._pairs(symbol, side)
        places = self._terms(symbol)
        there = () if symbol.length.moves and side == "before" else places
        terms = [self.read(symbol.element, side, place) for place in there]
        others = symbol.length.ratio().replace(
            lambda s: self.size if isinstance(s, Size) else None
        ) - Ratio.number(len(places))
        low, high = self.following.range_of(symbol.element)
        if symbol.kind == "product":
            if self._moves_inside(symbol.element):
                raise NotFollowedError("a product of elements that all move")
            ratio = self._rest_of_product(symbol, (low, high), others)
            for term in terms:
                ratio = ratio * term
            return ratio
        rest = self._whole(symbol, places) or others * self._mean(symbol, places)
        if side == "after" and self._moves_inside(symbol.element):
            rest = rest + others * self._difference(symbol)
        return total(terms) + rest

    def _whole(self, symbol: Total, places: Sequence[Position]) -> Ratio | None:
        """Return what the other terms add up to as a multiple of n, if that is asked for."""
        if not self.case.whole or symbol.length != Length(1, 0):
            return None
        low, high = self.following.range_of(symbol.element)
        # They are fewer than n, by a share of at most this.
        share = 1 - Fraction(len(places), max(self.least, 1))
        low = low if low is None or low <= 0 else low * share
        high = high if high is None or high >= 0 else high * share
        return self.size * self.variable(f"whole {self._number_of(symbol)}", low, high)

    def _mean(self, symbol: Total, places: Sequence[Position]) -> Ratio:
        """Return the mean of the terms of a sum that do not hold the changed record.

        Where each is r times that of another sum over the same records, which is never below 0, it
        is a number in the range of r times the mean of that one: Σ r·e is between the ends of r
        times Σ e.
        """
        if symbol in self.known_means:
            return self.known_means[symbol]
        if self.case.moments and (known := self._by_moments(symbol, places)) is not None:
            return known
        name = f"mean {self._number_of(symbol)}"
        # Until it is known, what is a multiple of it is not asked for again.
        self.known_means[symbol] = self._between(name, symbol.element)
        for other in self.sums:
            alike = other != symbol and other.length == symbol.length
            if not alike or self._moves_inside(symbol.element) or self._moves_inside(other.element):
                continue
            least, _ = self.following.range_of(other.element)
            if least is None or least < 0 or self._terms(other) != places:
                continue
            times = self.following.range_of(symbol.element / other.element)
            back = self.following.range_of(other.element / symbol.element)
            first = None in back or text_of(other) < text_of(symbol)
            if None not in times and first:
                factor = self.variable(f"factor {self._number_of((symbol, other))}", *times)
                self.known_means[symbol] = factor * self._mean(other, places)
                break
        return self.known_means[symbol]

    def _by_moments(self, symbol: Total, places: Sequence[Position]) -> Ratio | None:
        """Return the mean of a polynomial of each of the other records, by their moments.

        Those of numbers from 0 to 1 are what their canonical moments make of them, each of which
        may be anything from 0 to 1 (Skibinsky 1969; Dette and Studden 1997).
        """
        record = next(iter(symbol.element.symbols), None)
        if symbol.length != Length(1, 0) or list(places) != [CHANGED]:
            return None  # Other moments: of a part of the others.
        plain = isinstance(record, RecordSymbol) and record == RecordSymbol(record.column)
        degree = symbol.element.top.degree(record)
        alone = len(symbol.element.symbols) == 1 and symbol.element.bottom.constant == 1
        if not (plain and alone and degree <= MOST_MOMENTS):
            return None
        low, high = map(Ratio.number, self.following.domain[record.column])  # type: ignore[attr-defined]
        if self.ordered and self.ordered[0].element == Ratio.symbol(record):
            low = self.marks[1] if self.ordered[0].share == 0 else low
            high = self.marks[-2] if self.ordered[-1].share == 1 else high
        column = record.column  # type: ignore[attr-defined]
        shares = [
            self.variable(f"moment {k} of {column}", Fraction(0), Fraction(1))
            for k in range(1, degree + 1)
        ]
        moments, result = moments_of(shares), Ratio.number(0)
        for k, factor in symbol.element.top.coefficients(record).items():
            for j in range(k + 1):
                part = low.power(k - j) * (high - low).power(j) * moments[j]
                result = result + Ratio.of(factor) * Ratio.number(math.comb(k, j)) * part
        return result

    def _set_marks(self, values: Sequence[Ratio]) -> None:
        """Set the least and the largest of the other records, as far as the query uses them.

        The largest of all is the changed record, or the largest of the others.
        """
        self.ordered = ordered_in(values)
        together = len(self.ordered) > 1 and self.least < 2
        columns = {symbol.element for symbol in self.ordered}
        if self.following.one_more or together or len(columns) > 1:
            raise NotFollowedError("numbers among the others whose order is not known")
        if not self.ordered:
            return
        (record,) = self.ordered[0].element.symbols
        low, high = map(Ratio.number, self.following.domain[record.column])  # type: ignore[attr-defined]
        self.marks = [low]
        for k in range(len(self.ordered)):
            share = self.variable(f"mark {k}", Fraction(0), Fraction(1))
            self.marks.append(self.marks[-1] + (high - self.marks[-1]) * share)
        self.marks.append(high)

    def _by_marks(self, symbol: Total, side: Side) -> Ratio:
        own = 0 if symbol.share == 0 else len(self.ordered)
        if self.case.zones[side == "after"] != own:
            return self.marks[1 if symbol.share == 0 else own]
        (record,) = symbol.element.symbols
        return self._record(record, side, CHANGED, "")  # type: ignore[arg-type]

    def _between(self, name: str, element: Ratio) -> Ratio:
        """Return a number in the range of an element; where that rises or falls, by exact ends."""
        value, box = self.following.generic(element)
        if len(box) == 1 and variables(value) == box.keys():
            ((variable, (low, high)),) = box.items()
            ends = [put(value, variable, Ratio.number(x)) for x in (low, high) if x is not None]
            plain = all(end.constant is not None for end in ends)
            if not plain and len(ends) == 2 and not any(end.bottom.symbols for end in ends):
                for down in (False, True):
                    if rises(value, variable, box, down=down) is not None:
                        share = self.variable(name, Fraction(0), Fraction(1))
                        return ends[down] + (ends[not down] - ends[down]) * share
        return self.variable(name, *self.following.range_of(element))

    def _rest_of_product(self, symbol: Total, ends: Ends, others: Ratio) -> Ratio:
        low, high = ends
        many = others.constant
        name = f"rest {self._number_of(symbol)}"
        if low is not None and high is not None and many is not None and many >= 0:
            low, high = power_of(ends, int(many)) if many else (Fraction(1), Fraction(1))
            if many and ends[0] is not None and ends[0] < 0 and many > 1:
                # Factors of two signs: their product may have either.
                size = max(abs(ends[0]), abs(ends[1] or ends[0])) ** int(many)
                low, high = -size, size
        elif low is not None and high is not None and low >= -1 and high <= 1:
            low, high = (Fraction(0) if low >= 0 else Fraction(-1)), Fraction(1)
        elif low is not None and high is not None:
            # A share of the largest factor to their number, or of its opposite.
            largest = function("exp", others * function("ln", Ratio.number(max(high, -low))))
            return self.variable(name, Fraction(-1 if low < 0 else 0), Fraction(1)) * largest
        else:
            raise NotFollowedError("a product of numbers without bounds")
        return self.variable(name, low, high)

    def _quantile(self, symbol: Total, side: Side) -> Ratio:
        if symbol in self.ordered:
            return self._by_marks(symbol, side)
        low, high = self.following.range_of(symbol.element)
        if low is None or high is None:
            raise NotFollowedError("a quantile of numbers without bounds")
        if side == "after" and self.case.slopes and (step := self._step_of(symbol)) is not None:
            return self._quantile(symbol, "before") + step
        # One after the other, each between the one before it and the upper end.
        ratio, name = Ratio.number(low), self._number_of((symbol.element, symbol.length))
        for share in self.shares[symbol.element, symbol.length]:
            part = self.variable(f"{side} {share} of array {name}", Fraction(0), Fraction(1))
            ratio = ratio + (Ratio.number(high) - ratio) * part
            if share == symbol.share:
                break
        return ratio

    def _mixture(self, symbol: Mixture, side: Side) -> Ratio:
        ways, low_high = ways_of(symbol.element), self.following.range_of(symbol.each)
        known = len(ways) == 1 and _always_there(ways[0], symbol.length)
        known = known and not symbol.length.moves
        if side == "after" and self.case.slopes and known and symbol.slope is not None:
            if self._moves_inside(symbol.element):
                raise NotFollowedError("an order of numbers that all move")
            place = changed_place(ways[0])
            sides: tuple[Side, Side] = ("before", "after")
            first, second = (self.read(symbol.element, literal, place) for literal in sides)
            slope = self.read(symbol.slope, "before", None, f"order {self._number_of(symbol)}")
            if symbol.start is not None or symbol.which:
                slope = slope * self._share(symbol)
            return self._mixture(symbol, "before") + slope * (second - first)
        value = self.variable(f"{side} {self._number_of(symbol)}", *low_high)
        return self.read(symbol.many, side) * value

    def _share(self, symbol: Total | Mixture) -> Ratio:
        """Return the share of the change that a part of the sorted numbers takes.

        Parts that have no number in common take up to 1 together: one after the other takes a share
        of what is left.
        """
        parts = self.parts.get((symbol.element, symbol.length), {})
        pairs = itertools.combinations(parts.values(), 2)
        alone = symbol not in parts or not all(itertools.starmap(self._are_apart, pairs))
        ratio = Ratio.number(1)
        for item in [symbol] if alone else sorted(parts, key=text_of):
            share = self.variable(f"share {self._number_of(item)}", Fraction(0), Fraction(1))
            if item == symbol:
                return ratio * share
            ratio = ratio * (Ratio.number(1) - share)
        return ratio

    def _are_apart(self, one: tuple[Ratio, Ratio], other: tuple[Ratio, Ratio]) -> bool:
        gaps = (first[0] - second[1] for first, second in ((one, other), (other, one)))
        lows = [self.following.range_of(gap)[0] for gap in gaps]
        return any(low is not None and low >= 0 for low in lows)

    def _step_of(self, symbol: Total) -> Ratio | None:
        """Return how far a quantile of records moves with the one that does.

        Each number in order rises with it, by shares of its change that add up to 1: the largest
        takes one share, and the least one of what is left.
        """
        element, ways = symbol.element, ways_of(symbol.element)
        alone = len(ways) == 1 and _always_there(ways[0], symbol.length)
        # Other ways that find other records: each moves its own number, if it is there.
        apart = symbol.share in (0, 1) and all(way[:2] == (1, 0) and not way[3] for way in ways)
        one_more = symbol.length.moves
        if not (alone or apart) or self._moves_inside(element) or self.least < 2 or one_more:
            return None
        key = self._number_of((element, symbol.length))

        def share_of(share: Fraction, number: int = 0) -> Ratio:
            name = f"part {share} of array {key}" + f" by {number}" * (number > 0)
            return self.variable(name, Fraction(0), Fraction(1))

        moved = []
        for way in ways:
            place = changed_place(way)
            after = self.read(element, "after", place)
            moved.append(after - self.read(element, "before", place))
        if alone:
            return self._share(symbol) * moved[0]
        # It moves by a mixture of what they move by, and 0.
        step, left = Ratio.number(0), Ratio.number(1)
        for number, ratio in enumerate(moved):
            share = left * share_of(symbol.share, number)
            step, left = step + share * ratio, left - share
        return step

    def _moves_inside(self, element: Ratio) -> bool:
        return any(
            isinstance(s, Total | Mixture) or (isinstance(s, RecordSymbol) and s.step == 0)
            for s in _leaves(element)
        )

    def _difference(self, symbol: Total) -> Ratio:
        """Return by how much an element elsewhere moves with the numbers in it, on average.

        As a variable of its own: a mean of what it may be at one element. Where the change depends
        on it linearly, it is enough to try all single elements.
        """
        generic = f"element {self._number_of(symbol)}"
        change = self.read(symbol.element, "after", None, generic) - self.read(
            symbol.element, "before", None, generic
        )
        return self._mean_of(change, str(self._number_of(symbol)))

    def _pairs(self, symbol: Total, side: Side) -> Ratio:
        """Return the sum over all pairs: those move that hold the changed record, one a record."""
        element, others = symbol.element, self.size - Ratio.number(1)
        if self._moves_inside(element):
            raise NotFollowedError("pairs of records beside a number that depends on all of them")
        name = self._number_of(symbol)
        mean = self.variable(f"mean {name}", *self.following.range_of(element))
        rest = mean * self.size * others / Ratio.number(2)
        if side == "before":
            return rest
        moved = [
            self.read(ratio, "after", CHANGED, f"pair {name}")
            - self.read(ratio, "before", CHANGED, f"pair {name}")
            for ratio in (element, placed(element, operator.not_))
        ]
        # The changed record is the first of its pair, or the second.
        first = self.variable(f"first {name}", Fraction(0), Fraction(1))
        change = moved[1] + first * (moved[0] - moved[1])
        return rest + others * self._mean_of(change, f"pair {name}")

    def _mean_of(self, change: Ratio, name: str) -> Ratio:
        """Return a mean of changes, as a variable of its own."""
        variable = Variable(f"difference {name}")
        self.box[variable] = range_of(change, self.box)
        self.means[variable] = change
        return Ratio.symbol(variable)

    def _function(
        self, symbol: Function, side: Side, place: Position | None, generic: str
    ) -> Ratio:
        def at(side: Side) -> Ratio:
            return self.read(symbol.argument, side, place, generic)

        value = symbol.of(at(side))
        if symbol.name == "within":
            return self.variable(f"value {self._number_of(value)}", symbol.low, symbol.high)
        # Of numbers, sines and arctangents too: elements keep their own curve.
        smooth = place is None and not generic and symbol.name in ("sin", "cos", "arctan")
        kinked = symbol.name in ("abs", "clip") or smooth
        if side == "before" or not kinked or not self.case.slopes:
            return value
        before = at("before")
        if before == at("after"):
            return value
        # It moves by a slope that it has somewhere in between, times what its argument does.
        least = Fraction(-1 if symbol.name in ("abs", "sin", "cos") else 0)
        key = f"slope {self._number_of((symbol, place, generic))}"
        slope = self.variable(key, least, Fraction(1))
        start, apart = symbol.of(before), at("after") - before
        if symbol.name in ("sin", "cos"):
            # sin v − sin u is 2·sin((v − u)/2)·cos((v + u)/2); so with cosines, but for the sign.
            apart = Ratio.number(2) * function("sin", apart / Ratio.number(2))
        return start + slope * apart


def variants_of(values: Sequence[Ratio]) -> list[tuple[Any, ...]]:
    """Return the ways to follow a case: with slopes or not, quotients or not, cut, whole sums."""
    functions = [s for value in values for s in _functions(value)]
    names = {s.name for s in functions}
    result: list[tuple[Any, ...]] = [
        (slopes, quotients)
        for quotients in ((True, False) if len(sums_in(values)) > 1 else (False,))
        for slopes in (False, True)
    ]
    if any(sums_in([s.argument]) for s in functions if s.name not in KINKED):
        result.append((False, False, False, True))
    if len(values) > 1 and "sqrt" in names:
        result.insert(0, (False, False, False, False, True))
    totals = (s for value in values for s in symbols_within(value) if isinstance(s, Total))
    if any(
        sum(isinstance(s, RecordSymbol) for s in {*_leaves(item.element)}) > 1 for item in totals
    ):
        result.append((False, False, False, False, False, True))
    kinked = "above" in names and not names.isdisjoint(("abs", "clip"))
    if len(values) == 1 and _need_moments(values[0], bool(functions)):
        result.insert(0, (False,) * 6 + (True,))
    return [*result, (False, False, True)] if kinked else result


def _need_moments(value: Ratio, functions: bool) -> bool:
    """Tell whether sums of powers, or an extreme and other numbers, are in one expression."""
    numbers = {s for s in symbols_within(value) if isinstance(s, Total | Mixture)}
    if any(s.kind == "quantile" and not _is_ordered(s) for s in numbers if isinstance(s, Total)):
        return False
    degrees = [s.element.top.degree(RecordSymbol(0)) for s in sums_in([value])]
    degree = max(max((k for _, k in m), default=0) for m, _ in value.top.terms or (((), 0),))
    curved = len(numbers) > 1 or functions or degree > 1
    powers = len([k for k in degrees if k]) > 1
    return max(degrees, default=0) <= MOST_MOMENTS and (
        powers or (curved and bool(ordered_in([value])))
    )


def zones_of(values: Sequence[Ratio], case: RecordCase) -> list[RecordCase]:
    """Return a case, once for all zones in which the changed record may lie before and after."""
    many = len(ordered_in(values)) + 1 if case.moments else 1
    return [replace(case, zones=(a, b)) for a in range(many) for b in range(many)]


def ordered_in(values: Sequence[Ratio]) -> list[Total]:
    """Return the least and the largest of records as they are, where the query uses them."""
    return sorted(set(filter(_is_ordered, _symbols_in(values))), key=lambda symbol: symbol.share)


def _is_ordered(symbol: object) -> TypeGuard[Total]:
    if not isinstance(symbol, Total) or symbol.kind != "quantile" or symbol.share not in (0, 1):
        return False
    record = next(iter(symbol.element.symbols), None)
    if symbol.length != Length(1, 0):
        return False
    return isinstance(record, RecordSymbol) and symbol.element == Ratio.symbol(
        RecordSymbol(record.column)
    )


def moments_of(shares: Sequence[Ratio]) -> list[Ratio]:
    """Return the moments of numbers from 0 to 1, from the 0th on, by their canonical moments."""
    one = Ratio.number(1)
    steps = [
        share * (one - before)
        for before, share in zip([Ratio.number(0), *shares], shares, strict=False)
    ]
    row, result = [one] * (len(shares) + 1), [one]
    for i in range(1, len(shares) + 1):
        last, row = row, [Ratio.number(0)] * (len(shares) + 1)
        for j in range(i, len(shares) + 1):
            row[j] = row[j - 1] + steps[j - i] * last[j]
        result.append(row[i])
    return result


def _functions(value: Ratio) -> Iterator[Function]:
    return (item for item in symbols_within(value) if isinstance(item, Function))


def sums_in(values: Sequence[Ratio]) -> list[Total]:
    """Return the sums in expressions, each once."""
    sums = {s for s in _symbols_in(values) if isinstance(s, Total) and s.kind == "sum"}
    return sorted(sums, key=text_of)


def _shares(values: Sequence[Ratio]) -> dict[tuple[Ratio, Length], list[Fraction]]:
    """Return which quantiles are taken of each array, in their order."""
    result: dict[tuple[Ratio, Length], set[Fraction]] = {}
    for symbol in _symbols_in(values):
        if isinstance(symbol, Total) and symbol.kind == "quantile":
            result.setdefault((symbol.element, symbol.length), set()).add(symbol.share)
    return {array: sorted(shares) for array, shares in result.items()}


def _parts(values: Sequence[Ratio]) -> dict[tuple[Ratio, Length], Parts]:
    """Return which parts of the sorted numbers of each array are taken, from place to place."""
    result: dict[tuple[Ratio, Length], Parts] = {}
    one = Ratio.number(1)
    for symbol in _symbols_in(values):
        part = None
        if isinstance(symbol, Total) and symbol.kind == "quantile":
            # Between two numbers in order it moves by shares of both.
            first = Ratio.number(symbol.share) * (symbol.length.ratio() - one)
            part = first, first + one
        elif isinstance(symbol, Mixture) and symbol.start is not None and symbol.stop is not None:
            part = symbol.start, symbol.stop
        if part is not None and isinstance(symbol, Total | Mixture):
            result.setdefault((symbol.element, symbol.length), {})[symbol] = part
    return result


def without_means(reader: CaseReader, value: Ratio) -> Ratio:
    """Return an expression in which single elements stand for means of them, where it is linear."""
    for variable, change in reader.means.items():
        used = variable in variables(value)
        inside = used and any(
            isinstance(s, Function) and variable in variables(s.argument) for s in value.symbols
        )
        linear = value.top.degree(variable) <= 1 and not value.bottom.degree(variable)
        if used and linear and not inside:
            value = put(value, variable, change)
    return value
