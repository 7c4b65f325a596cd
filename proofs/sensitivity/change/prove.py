"""Follow a query with symbols, and show that one record changes it by at most a claim.

Cuts a box where conditions on single records change, so that they are constants on each cell.

A histogram's changes are such: one record leaves one bin, and another enters one.
"""

from __future__ import annotations

import builtins
import itertools
import math
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partialmethod
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from provado.mechanisms.definitions.parameters import as_written
from provado.proofs import kernel
from provado.proofs.sensitivity.trace.bound import RecordColumns
from provado.proofs.sensitivity.trace.interval import End
from provado.proofs.sensitivity.trace.python import Zipped
from provado.proofs.sensitivity.trace.rows import column
from provado.proofs.sensitivity.trace.run import in_place_of, released_by
from provado.proofs.sensitivity.trace.untraceable import Blocked, QueryTrace, methods, stop

from .arrays import Following, SymbolicArray, SymbolicNumber, SymbolicPairs
from .cases import (
    CaseReader,
    NotFollowedError,
    RecordCase,
    all_cases,
    variants_of,
    without_means,
    zones_of,
)
from .enclosure import Box, Ends, range_of
from .expression import (
    Function,
    Length,
    PublicSymbol,
    RecordSymbol,
    Variable,
    function,
    placed,
    replaced,
    symbols_within,
    variables,
)
from .frames import Frame, by_numbers
from .functions import in_place_of_ours
from .ratio import Ratio, SymbolPolynomial, TooLargeError, split_by, text_of, total
from .sign import (
    SignSearch,
    Tree,
    above_zero,
    check,
    least_at,
    numerator_of_slope,
    put,
    without_powers,
)
from .vectors import SymbolicVector, numbers_in

MOST_TOGETHER = 8
"""Numbers whose changes are added up: each doubles the signs that they may have."""


Question = tuple[Ratio, Box]
"""What must be ≥ 0, and where."""


@dataclass(frozen=True)
class Followed:
    """A query as expressions of the records. values: what it returns, one for each number."""

    values: tuple[Ratio, ...]
    following: Following


@dataclass(frozen=True)
class ProvedCase:
    """One case of a changed record, and why the claim holds in it."""

    case: RecordCase
    number: int
    question: Ratio
    box: Box
    tree: Tree


@dataclass(frozen=True)
class ProvedBound:
    """A claim that holds for every pair of neighbors, case by case. numbers: what is released."""

    claim: Ratio
    norm: str
    numbers: int
    cases: tuple[ProvedCase, ...]
    findings: tuple[kernel.Checked, ...]


def follow(
    query: Callable[..., Any],
    domain: Sequence[tuple[Fraction, Fraction]],
    kinds: Sequence[str],
    least: int,
    most: int | None = None,
    *,
    one_more: bool = False,
    records: RecordColumns | None = None,
    parameters: Mapping[str, Any] = MappingProxyType({}),
) -> Followed | str:
    """Return a query as expressions, or why it cannot be followed.

    domain, kinds: the ends of each column, and the kind of its type (``b``, ``i`` or ``f``). least,
    most: the numbers of records; of the larger one of two neighbors where one has a record more
    (``one_more``). records: whether the query takes an array with columns, or a data frame.
    parameters: its further arguments; (low, high) stands for any number from one to the other.
    """
    following = following_of(domain, kinds, least, most, one_more=one_more)
    given = standing(following, kinds, records)
    trace = QueryTrace(one_more, least, most)
    further = {
        name: SymbolicNumber(Ratio.symbol(PublicSymbol(name, *value)), following)
        if isinstance(value, tuple)
        else value
        for name, value in parameters.items()
    }
    released, reason = released_by(query, given, trace, in_place_of(in_place_of_ours()), **further)
    if reason:
        return reason
    result = numbers_in(released)
    if result is None:
        return f"it returns {type(released).__name__}, no numbers"
    return Followed(tuple(result), following)


def following_of(
    domain: Sequence[tuple[Fraction, Fraction]],
    kinds: Sequence[str],
    least: int,
    most: int | None,
    *,
    one_more: bool = False,
) -> Following:
    """Return what is known of records of these columns while a query is followed."""
    truths = frozenset(j for j, kind in enumerate(kinds) if kind == "b")
    least = max(least - one_more, 0)
    return Following(tuple(domain), least, most, one_more, truths=truths)


def standing(following: Following, kinds: Sequence[str], records: RecordColumns | None) -> Any:
    """Return what stands for the records: an array, an array with columns, or a data frame."""
    columns = [
        SymbolicArray(
            Ratio.symbol(RecordSymbol(j)), following, Length(1, 0, following.one_more), kind
        )
        for j, kind in enumerate(kinds)
    ]
    if records is not None and records.names is not None:
        return Frame.of(columns, records)
    several = len(kinds) > 1 if records is None else records.several
    return Columns(columns) if several else columns[0]


def ends_of(records: RecordColumns) -> tuple[list[tuple[Fraction, Fraction]], list[str]] | None:
    """Return the ends and kinds of columns; ``None`` where they are no numbers between ends."""
    records = by_numbers(records)
    columns = [column(item, series=False) for item in records.columns]
    plain = all(c.kind != "U" and not c.missing and not math.isinf(c.each.size) for c in columns)
    if not plain:
        return None
    ends = [(_written(c.each.low), _written(c.each.high)) for c in columns]
    return ends, [c.kind for c in columns]


def _written(end: End) -> Fraction:
    """Return an end as it is written where it is held as a float."""
    return as_written(float(end)) if Fraction(float(end)) == end else Fraction(end)


class Columns(NDArrayOperatorsMixin, Blocked):
    """What stands for an array with columns."""

    what = "an array with columns"

    def __init__(self, columns: Sequence[SymbolicArray]) -> None:
        self._columns = tuple(columns)

    def _length(self) -> SymbolicNumber:
        return self._columns[0].size

    @property
    def shape(self) -> tuple[Any, int]:
        """The number of records, and of columns."""
        return self._columns[0].size, len(self._columns)

    def _side_by_side(self) -> Zipped:
        return Zipped(*self._columns)

    @property
    def T(self) -> SymbolicVector:  # noqa: N802 - as NumPy calls it
        """The columns, one after the other."""
        return SymbolicVector(self._columns)

    def _reduced(
        self, name: str, axis: Any = None, *, keepdims: Any = False, **options: Any
    ) -> Any:
        """Return what is made of each column (axis 0), of each record (axis 1), or of all."""
        if axis in (1, -1):
            each = getattr(SymbolicVector(self._columns), name)(**options)
            return Columns([each]) if keepdims else each
        if keepdims or axis not in (None, 0, -2):
            raise stop(f"{name} of an array with columns is followed with axis=0 and axis=1")
        of_columns = SymbolicVector(tuple(getattr(item, name)(**options) for item in self._columns))
        if axis is None and name == "median":
            raise stop("the median of all columns together is not followed: take axis=0")
        return of_columns if axis is not None else getattr(of_columns, name)()

    sum, mean = partialmethod(_reduced, "sum"), partialmethod(_reduced, "mean")
    max, min = partialmethod(_reduced, "max"), partialmethod(_reduced, "min")
    median = partialmethod(_reduced, "median")

    def norm(self, ord: Any = None, axis: Any = None, *, keepdims: Any = False) -> Any:
        """Return the length of each record (axis 1), in ℓ2, ℓ1 or ℓ∞."""
        sizes = abs(self)
        if ord == 1 or ord == math.inf:
            return getattr(sizes, "sum" if ord == 1 else "max")(axis=axis, keepdims=keepdims)
        if ord not in (None, 2) or axis is None:
            raise stop("norm of an array with columns is followed with axis, and ord 1, 2 or inf")
        return np.sqrt((self * self).sum(axis=axis, keepdims=keepdims))

    def dot(self, other: Any) -> Any:
        """Return the sum of each record's numbers, in which each counts as its weight says."""
        return SymbolicVector(self._columns).dot(other)

    __matmul__ = dot

    def __rmatmul__(self, other: Any) -> SymbolicVector:
        """Return the products of an array, or of each of several, with every column."""
        if isinstance(other, SymbolicVector):
            return SymbolicVector(tuple(self.__rmatmul__(item) for item in other))
        return SymbolicVector(tuple(other.dot(array) for array in self._columns))

    def copy(self) -> Columns:
        """Return the same."""
        return self

    def clip(self, lower: Any = None, upper: Any = None) -> Columns:
        """Return each number, moved to the nearest end where it lies outside."""
        return Columns(SymbolicVector(self._columns).clip(lower, upper).cells)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options:
            raise stop(f"np.{ufunc.__name__} of an array with columns in this form is not followed")
        if ufunc is np.matmul:
            return self.dot(inputs[1]) if inputs[0] is self else self.__rmatmul__(inputs[0])
        many = builtins.max(len(item._columns) for item in inputs if isinstance(item, Columns))
        several = [_beside_columns(input_, many) for input_ in inputs]
        return Columns(ufunc(*several).cells)

    FUNCTIONS: ClassVar[Mapping[str, str]] = methods(
        "sum mean max amax:max min amin:min median norm dot clip asarray:copy copy abs:__abs__"
    )

    def __getitem__(self, key: Any) -> SymbolicArray:
        if isinstance(key, tuple) and len(key) == 2 and key[0] == slice(None):
            place = key[1]
            place = place.__index__() if isinstance(place, SymbolicNumber) else place
            if type(place) is int and -len(self._columns) <= place < len(self._columns):
                return self._columns[place]
        raise stop("only whole columns of an array are followed, such as x[:, 0]")


def _beside_columns(value: Any, many: int) -> Any:
    """Return the other operand of each column: the same for all, or one for each."""
    if isinstance(value, SymbolicPairs) and value.chosen is None:
        # What is the same for all second places is y[:, None]: a column.
        symbolic_array = SymbolicArray(
            placed(value.value, lambda _: False), value.following, Length(1, 0), value.kind
        )
        if symbolic_array._in_pairs(inner=True).value == value.value:
            value = Columns([symbolic_array])
    if isinstance(value, Columns):
        alone = len(value._columns) == 1
        return SymbolicVector(value._columns * many if alone else value._columns)
    return value


def prove_by_cases(
    followed: Followed, claim: Ratio, norm: str = "l1", seconds: float = 5.0
) -> ProvedBound | None:
    """Return a proof, case by case, that neighbors move a query by at most ``claim`` in a norm.

    ``None`` if there is none. claim: an expression in the number of records and constants.
    """
    until = time.thread_time() + seconds
    ways = variants_of(followed.values)
    proved: list[ProvedCase] = []
    findings: list[kernel.Checked] = []
    try:
        for case in all_cases(followed.values, followed.following):
            shown = None
            for left, way in zip(range(len(ways), 0, -1), ways, strict=True):
                if shown is None and (now := time.thread_time()) < until:
                    limit = now + (until - now) / min(left, 2)
                    variant = RecordCase(case.answers, *way)
                    with suppress(NotFollowedError):
                        shown = _case(followed, variant, claim, norm, limit)
            if shown is None:
                return None
            for proved_case in shown:
                findings += check(proved_case.tree, proved_case.question, proved_case.box)
            proved += shown
    except (TooLargeError, ZeroDivisionError, ValueError):
        return None
    return ProvedBound(claim, norm, len(followed.values), tuple(proved), tuple(findings))


def questions_of(
    followed: Followed,
    case: RecordCase,
    claim: Ratio,
    norm: str,
    *,
    proving: bool = True,
    until: float = math.inf,
) -> list[Question] | None:
    """Return what must be ≥ 0 in a case, with the box; ``None`` where the case cannot be.

    proving: whether it is to be shown; else the change itself is wanted, and neither
    differences of roots nor logarithms are followed by rules of their own. until: when to give up,
    by ``time.thread_time``.
    """
    result: list[Question] = []
    known = followed.following.changes  # They are the same for every claim.
    for zone in zones_of(followed.values, case):
        if (followed.values, zone) not in known:
            reader = CaseReader(followed.following, zone, until=until)
            known[followed.values, zone] = reader, reader.change(followed.values)
        reader, change = known[followed.values, zone]
        if change is None:
            return None
        reader = replace(reader, box=dict(reader.box), reads={}, until=until)
        result += _questions(reader, change, claim, norm, roots=proving)
        if followed.following.one_more:
            # Else the two datasets change places, so that one sign is enough.
            result += _questions(reader, (change[1], change[0]), claim, norm, roots=proving)
    result = [_kinks_alone(*item) for item in result]
    if proving:
        result = [_by_logarithms(*item) for item in result]
    return [_by_differences(*item) for item in result] if case.apart else result


def _questions(
    reader: CaseReader,
    change: tuple[Sequence[Ratio], Sequence[Ratio]],
    claim: Ratio,
    norm: str,
    *,
    roots: bool,
) -> list[Question]:
    case = reader.case
    box, pairs = reader.box, list(zip(*change, strict=True))
    limit = reader.read(claim, "after")
    moved = [without_means(reader, after - before) for before, after in pairs]
    root = _roots(*pairs[0], box) if roots and len(moved) == 1 else None
    if root is not None:
        factor, before, after = root
        order, inside, within_after = *_under(before), _under(after)[1]
        apart = without_means(reader, within_after - inside)
        if order.denominator > 1:
            # |u^p − v^p| is at most |u − v|^p.
            most = _under(_only_symbol(limit / Ratio.number(abs(factor))))
            if most[0] in (order, 0):
                sign = Ratio.number(1 if factor > 0 else -1)
                return [(most[1] - apart * sign, box), (limit, box)]
            return [(limit - moved[0], box), (limit, box)]
        apart, whole = apart * Ratio.number(factor), int(order)
        if not case.slopes and (inner := _roots(inside, within_after)) is not None:
            # |√p − √q| is at most √|p − q|; so again where p and q are roots.
            together = abs(factor**whole * inner[0])
            within, first = _under(inner[1])
            if within.denominator == 1:
                apart = without_means(reader, _under(inner[2])[1] - first)
                apart = apart * Ratio.number(together ** int(within))
                return [(limit.power(whole * int(within)) - apart, box), (limit, box)]
        if case.slopes and whole == 2:
            # √u − √v is (u − v)/(√u + √v).
            both = Ratio.symbol(before) + Ratio.symbol(after)
            return [(limit * both - apart, box), (limit, box)]
        # |√u − √v| is at most √|u − v|, and so with cube roots.
        rooted = (_power(limit, whole) - apart * Ratio.number(factor).power(whole - 1), box)
        return [rooted, (limit, box)] if whole == 2 else [rooted]
    if norm == "l2" and case.lengths:
        return [*_by_lengths(limit, moved, box), (limit, box)]
    if norm == "l2" and len(moved) > 1:
        squares = _power(limit, 2)
        for ratio in moved:
            squares = squares - ratio * ratio
        return [(squares, box), (limit, box)]
    stepped = sum(isinstance(s, Function) and s.name == "above" for s in moved[0].symbols)
    # A few conditions count as variables first, and are cut where they change after that.
    plain = len(moved) == 1 and stepped <= MOST_TOGETHER and not (case.slopes or case.cut)
    if norm == "linf" or plain:
        return [(limit - item, box) for item in moved]
    parts = cells(moved, box) or [(moved, box)]
    # Of changes that are known, only the largest sum is asked about.
    known = [_sizes(item) for item, _ in parts if all(v.constant is not None for v in item)]
    open_parts = [part for part in parts if any(v.constant is None for v in part[0])]
    questions = [(limit - Ratio.number(max(known)), box)] if known else []
    return questions + [item for part in open_parts for item in _added(limit, *part)]


def _by_lengths(limit: Ratio, moved: Sequence[Ratio], box: Box) -> Iterator[Question]:
    """Yield the question whether changes B − A stay within a limit in ℓ2, by |A| and |B| alone.

    A is made of the record before, B of that after: |B − A|² is at most 2·|A|² + 2·|B|². Either is
    a function of the length of its record, if the record stands nowhere else in it.
    """
    sides = [[v for v in box if v.name[:1] == side and v.name[1:].isdigit()] for side in "ab"]
    lengths = dict(box)
    squares: list[Ratio] = []
    for own, other in (sides, sides[::-1]):
        parts = list(moved)
        for variable in other:
            parts = [put(part, variable, Ratio.number(0)) for part in parts]
        moved = [ratio - part for ratio, part in zip(moved, parts, strict=True)]
        square = total(part * part for part in parts)
        if not square.top.terms:
            squares.append(square)  # A record more or less: there is none on this side.
            continue
        groups = dict(split_by(square.top, lambda s, own=own: s in own))  # type: ignore[misc]
        whole = total(Ratio.symbol(v).power(2) for v in own)
        if {Ratio.of(group) for group in groups} != {Ratio.symbol(v).power(2) for v in own}:
            raise NotFollowedError("a change that is no multiple of a record")
        factor, *others = groups.values()
        length = Variable(f"length {len(squares)}")
        lengths[length] = Fraction(0), range_of(function("sqrt", whole), box)[1]
        known = put(Ratio.of(factor, square.bottom), Function("sqrt", whole), Ratio.symbol(length))
        squares.append(Ratio.symbol(length).power(2) * known)
        alike = all(polynomial == factor for polynomial in others)
        if not alike or not variables(known).isdisjoint(own + other):
            raise NotFollowedError("a length of records beside the records")
    if any(ratio.top.terms for ratio in moved):
        raise NotFollowedError("a change that is no difference of two records")
    both = Ratio.number(2 if all(ratio.top.terms for ratio in squares) else 1)
    yield _power(limit, 2) - both * total(squares), lengths


def _sizes(moved: Sequence[Ratio]) -> Fraction:
    """Return what known changes add up to, whatever their signs."""
    return sum((abs(ratio.constant) for ratio in moved if ratio.constant is not None), Fraction(0))


def _added(limit: Ratio, moved: Sequence[Ratio], box: Box) -> Iterator[Question]:
    """Yield what must be ≥ 0 so that changes add up to at most a limit, whatever their signs."""
    free = [ratio for ratio in moved if ratio.constant is None]
    if len(free) > MOST_TOGETHER:
        raise NotFollowedError(f"more than {MOST_TOGETHER} numbers together")
    # One sign is enough of the first: the two datasets change places.
    for signs in itertools.product((1, -1), repeat=len(free) - 1):
        signed = zip((1, *signs), free, strict=True)
        together = total(Ratio.number(sign) * ratio for sign, ratio in signed)
        yield limit - Ratio.number(_sizes(moved)) - together, box


def _case(
    followed: Followed, case: RecordCase, claim: Ratio, norm: str, until: float
) -> list[ProvedCase] | None:
    questions = questions_of(followed, case, claim, norm, until=until)
    if questions is None:
        return []
    multiples = any(v.name.startswith("factor") for _, box in questions for v in box)
    if case.quotients and not multiples:
        return None
    shown = []
    for number, whole in enumerate(questions):
        parts = certified(*whole, until)
        if parts is None:
            return None
        shown += [ProvedCase(case, number, *part) for part in parts]
    return shown


def certified(question: Ratio, box: Box, until: float) -> list[tuple[Ratio, Box, Tree]] | None:
    """Return a question, or those of which it follows, with their certificates; ``None`` if not."""
    attempts = [[(question, box)]]
    attempts += [make(question, box) for make in (_separated, _without_divisor, _without_root)]
    if (farther := _by_logarithms(question, box, Fraction(1, 2)))[1] != box:
        attempts.append([farther])
    for closely, parts in enumerate(attempts):
        result, now = [], time.thread_time()
        # Some time is left for the others.
        soon = now + (until - now) / (2 if any(attempts[closely + 1 :]) else 1)
        for part, within in parts:
            # The sign of a number takes no time.
            limit = soon if part.symbols else math.inf
            tree = SignSearch(until=limit, closely=closely == 1).find(part, within)
            if tree is None:
                break
            result.append((part, within, tree))
        if result and len(result) == len(parts):
            return result
    return None


def _without_root(question: Ratio, box: Box) -> list[Question]:
    """Return the questions by which r + s·√u is at least 0: s ≥ 0, and s²·u is at least r²."""
    roots = [s for s in question.top.symbols if isinstance(s, Function) and s.name == "sqrt"]
    if len(roots) != 1 or above_zero(question.bottom, box) is None:
        return []
    parts = without_powers(Ratio.of(question.top)).top.coefficients(roots[0])
    if max(parts) != 1:
        return []
    rest, factor = Ratio.of(parts[0]) if 0 in parts else Ratio.number(0), Ratio.of(parts[1])
    apart = without_powers(factor * factor * roots[0].argument - rest * rest)
    return [(factor, box), (apart, box), (Ratio.of(question.bottom), box)]


def _without_divisor(question: Ratio, box: Box) -> list[Question]:
    """Return the questions on numerator and divisor of a quotient; none where they are not asked.

    Where it is cut for the numerator alone does not depend on the unit of the query.
    """
    if not question.bottom.symbols or above_zero(question.bottom, box) is None:
        return []
    return [(Ratio.of(question.top), box), (Ratio.of(question.bottom), box)]


def _separated(question: Ratio, box: Box) -> list[Question]:
    """Return questions of one variable each that add up to a question; none if there are not any.

    A sum of numbers that depend on different variables is least where each of them is.
    """
    parts: dict[Variable, list[tuple[Any, Fraction]]] = {}
    if question.bottom.constant != 1:
        return []
    for term in question.top.terms:
        free = {v for s, _ in term[0] for v in variables(Ratio.symbol(s))}
        if len(free) > 1:
            return []
        for variable in free:
            parts.setdefault(variable, []).append(term)
    if len(parts) < 2 or any(None in box[variable] for variable in parts):
        return []
    pieces = {v: Ratio.of(SymbolPolynomial.of(dict(terms))) for v, terms in parts.items()}
    least = {v: put(piece, v, Ratio.number(least_at(piece, v, box))) for v, piece in pieces.items()}
    left = question - total(pieces.values()) + total(least.values())
    share = left / Ratio.number(len(pieces))
    return [(piece - least[v] + share, {v: box[v]}) for v, piece in pieces.items()]


def _by_logarithms(question: Ratio, box: Box, turn: Fraction = Fraction(0)) -> Question:
    """Return a question in which e^−t stands for what goes from 1 down to 0 and has a logarithm.

    turn: what goes down to a number of at most that may go down to 0. At 0 itself it holds as well:
    there a query has the logarithm of 0 times 0 only.
    """
    symbols = set(symbols_within(question))
    for variable, ends in list(box.items()):
        logarithm = Function("ln", Ratio.symbol(variable))
        low, high = ends
        logs = (s for s in symbols if isinstance(s, Function) and s.name == "ln")
        own = {s for s in logs if variable in variables(s.argument)} == {logarithm}
        if own and low is not None and high == 1 and 0 <= low <= turn:
            t = Variable(f"-log {variable.name}")
            question = put(question, logarithm, -Ratio.symbol(t))
            question = put(question, variable, function("exp", -Ratio.symbol(t)))
            box = {v: e for v, e in box.items() if v != variable} | {t: (Fraction(0), None)}
    return question, box


_CHANGED = frozenset(f"{side}{column}" for side in "ab" for column in range(9))


def _by_differences(question: Ratio, box: Box) -> Question:
    """Return a question with one variable less for each that stands in differences only.

    Where it is the same when some variables move together, one of them is put to 0, and each other
    one stands for its distance from that.
    """
    # Neighbors of the changed record first: both its values are seen from there.
    free = sorted(variables(question), key=lambda v: (v.name in _CHANGED, text_of(v)))
    slopes = {v: numerator_of_slope(question, v) for v in free}
    moving = [v for v in slopes if slopes[v] is not None and None not in box[v]]
    if len(moving) > MOST_TOGETHER:
        return question, box
    for many in (2, 3, 4):
        for some in itertools.combinations(moving, many):
            if not total(slopes[v] or Ratio.number(0) for v in some).top.terms:
                first, *others = some
                low, high = box[first]
                apart = {v: (box[v][0] - high, box[v][1] - low) for v in others}  # type: ignore[operator]
                rest = {v: ends for v, ends in box.items() if v not in some}
                put_0 = put(question, first, Ratio.number(0))
                return _by_differences(put_0, {**rest, **apart})
    return question, box


def _kinks_alone(question: Ratio, box: Box) -> Question:
    """Return a question with a variable for each kink whose own variables stand nowhere else."""
    kinks: dict[Function, None] = {}
    beside: set[Variable] = set()

    def walk(value: Ratio) -> None:
        for symbol in value.symbols:
            if isinstance(symbol, Variable):
                beside.add(symbol)
            elif isinstance(symbol, Function) and symbol.name in ("abs", "clip"):
                kinks[symbol] = None
            elif isinstance(symbol, Function):
                walk(symbol.argument)

    walk(question)
    own = {kink: variables(kink.argument) for kink in kinks}
    for number, kink in enumerate(kinks):
        others = beside.union(*(own[item] for item in kinks if item != kink))
        if own[kink] and not own[kink] & others:
            variable = Variable(f"{kink.name} {number}")
            question = put(question, kink, Ratio.symbol(variable))
            box = {**box, variable: range_of(Ratio.symbol(kink), box)}
    return question, box


def _power(value: Ratio, order: int) -> Ratio:
    """Return the square, or the third power; of such a root what is under it."""
    result = _roots(value, value)
    if result is None or _under(result[1])[0] != order:
        return without_powers(value.power(order))
    return Ratio.number(result[0] ** order) * _under(result[1])[1]


def _under(symbol: object) -> tuple[Fraction, Ratio]:
    """Return p and u of what is u^(1/p), p above 1; 0 and 1 of 1, and 1 of anything else."""
    nothing = Fraction(symbol != 1), Ratio.number(1)
    if not isinstance(symbol, Function):
        return nothing
    if symbol.name in ("sqrt", "cbrt"):
        return Fraction(2 if symbol.name == "sqrt" else 3), symbol.argument
    inside = next(iter(symbol.argument.symbols), None)
    if symbol.name != "exp" or not isinstance(inside, Function) or inside.name != "ln":
        return nothing
    share = (symbol.argument / Ratio.symbol(inside)).constant
    return nothing if share is None or not 0 < share < 1 else (1 / share, inside.argument)


def _only_symbol(value: Ratio) -> object:
    """Return the symbol that an expression is; 1 of 1."""
    result = next(iter(value.symbols), 1)
    return result if value == (Ratio.number(1) if result == 1 else Ratio.symbol(result)) else None


def _as_one_root(value: Ratio, box: Box | None) -> Ratio:
    """Return √u·√v as √(u·v), and so with quotients and r·√u; another expression as it is.

    r is known to be nowhere below 0 on the box.
    """
    inside, ratio = Ratio.number(1), value
    for symbol in value.symbols:
        if isinstance(symbol, Function) and symbol.name == "sqrt":
            for part, sign in ((value.top, 1), (value.bottom, -1)):
                power = sign * part.degree(symbol)
                ratio = ratio / Ratio.symbol(symbol).power(power)
                inside = inside * symbol.argument.power(power)
    alone = ratio.constant is not None and inside.symbols
    # A root of n alone is the same on both sides.
    moves = box is not None and variables(inside) - {Variable("more")}
    low = range_of(ratio, box)[0] if moves and box is not None and not alone else None
    if low is not None and low >= 0:
        return Ratio.symbol(Function("sqrt", inside * ratio * ratio))
    return ratio * Ratio.symbol(Function("sqrt", inside)) if alone else value


def _roots(
    before: Ratio, after: Ratio, box: Box | None = None
) -> tuple[Fraction, Function, Function] | None:
    """Return c and both roots where the numbers are c·√u and c·√v, or so; else ``None``."""
    parts = []
    for ratio in (before, after):
        ratio = _as_one_root(ratio, box)
        terms = ratio.top.terms
        if len(terms) != 1 or len(terms[0][0]) != 1 or ratio.bottom.constant is None:
            return None
        (symbol, power), factor = terms[0][0][0], terms[0][1] / ratio.bottom.constant
        if power != 1 or not isinstance(symbol, Function) or _under(symbol)[0] == 1:
            return None
        parts.append((factor, symbol))
    (c, u), (d, v) = parts
    return (c, u, v) if c == d and _under(u)[0] == _under(v)[0] else None


# Cuts a box where conditions on single records change, so that they are constants on each cell.

MOST_CELLS = 8_000

Cell = tuple[Fraction, Ends]
"""A point of a cell, and its closure."""


def cells(values: Sequence[Ratio], box: Box) -> list[tuple[list[Ratio], Box]] | None:
    """Return expressions on every cell, with its closure; ``None`` where there is nothing to cut.

    A condition on one variable, linear in it, is true on all of an open cell or on none of it, and
    each end between two cells is a cell of its own. What holds for the closure holds for the cell.
    """
    changes = {item: _threshold(item, box) for value in values for item in _conditions(value)}
    known = {item: change for item, change in changes.items() if change is not None}
    parts = {
        variable: list(_cells(box[variable], {at for v, at, _ in known.values() if v == variable}))
        for variable, *_ in known.values()
    }
    if not parts or math.prod(map(len, parts.values())) > MOST_CELLS:
        return None
    order, no, yes = list(parts), Ratio.number(0), Ratio.number(1)
    answers: dict[Function, tuple[int, list[Ratio]]] = {}
    for element, (variable, at, slope) in known.items():
        beyond = [(point - at) * slope for point, _ in parts[variable]]
        held = [x > 0 or (x == 0 and element.low is not None) for x in beyond]
        answers[element] = order.index(variable), [yes if holds else no for holds in held]
    own = [
        [item for item in dict.fromkeys(_conditions(value)) if item in known] for value in values
    ]
    # Few answers of the conditions in one value occur, on many cells.
    decided: dict[tuple[int, ...], Ratio] = {}

    def on_cell(k: int, places: Sequence[int]) -> Ratio:
        ratios = [answers[item][1][places[answers[item][0]]] for item in own[k]]
        key = (k, *map(id, ratios))
        if key not in decided:
            known_here: dict[Hashable, Ratio] = dict(zip(own[k], ratios, strict=True))
            decided[key] = replaced(values[k], known_here.get)
        return decided[key]

    found_cells: list[tuple[list[Ratio], Box]] = []
    for places in itertools.product(*(range(len(parts[variable])) for variable in order)):
        closure = {v: parts[v][place][1] for v, place in zip(order, places, strict=True)}
        on_it = [on_cell(k, places) for k in range(len(values))]
        found_cells.append((on_it, {**box, **closure}))
    return found_cells


def _conditions(value: Ratio) -> Iterator[Function]:
    for symbol in value.symbols:
        if isinstance(symbol, Function):
            if symbol.name == "above":
                yield symbol
            yield from _conditions(symbol.argument)


def _threshold(condition: Function, box: Box) -> tuple[Variable, Fraction, Fraction] | None:
    """Return the variable of a condition, where it changes, and the slope of what is above 0.

    ``None`` if it has another form.
    """
    argument, symbols = condition.argument, list(condition.argument.symbols)
    if len(symbols) != 1 or not isinstance(symbols[0], Variable):
        return None
    variable = symbols[0]
    parts = argument.top.coefficients(variable)
    plain = argument.bottom.constant is not None and max(parts) == 1
    if not plain or None in box[variable]:
        return None
    slope = parts[1].constant
    start = parts[0].constant if 0 in parts else Fraction(0)
    return None if slope is None or start is None else (variable, -start / slope, slope)


def _cells(ends: Ends, thresholds: set[Fraction]) -> Iterator[Cell]:
    low, high = ends
    assert low is not None
    assert high is not None
    cuts = [low, *sorted(x for x in thresholds if low < x < high), high]
    for at in dict.fromkeys(cuts):
        yield at, (at, at)
    for first, last in itertools.pairwise(dict.fromkeys(cuts)):
        yield (first + last) / 2, (first, last)
