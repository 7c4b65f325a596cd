"""Follow a query with symbols, and show that one record changes it by at most a claim."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np

from provado.proofs import kernel
from provado.proofs.sensitivity.trace.run import in_place_of, released_by
from provado.proofs.sensitivity.trace.untraceable import Blocked, QueryTrace, stop

from .arrays import REPLACED, Following, SymbolicArray, SymbolicNumber, constant_of
from .cases import CaseReader, NotFollowedError, RecordCase, all_cases, sums_in, without_means
from .enclosure import Ends
from .expression import Function, Length, PublicSymbol, RecordSymbol, Variable
from .ratio import Ratio, TooLargeError, total
from .sign import SignSearch, Tree, check

MOST_TOGETHER = 8
"""Numbers whose changes are added up: each doubles the signs that they may have."""


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
    box: Mapping[Variable, Ends]
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
    several: bool = False,
    parameters: Mapping[str, Any] = MappingProxyType({}),
) -> Followed | str:
    """Return a query as expressions, or why it cannot be followed.

    domain, kinds: the ends of each column, and the kind of its type (``b``, ``i`` or ``f``). least,
    most: the numbers of records. several: whether the query takes an array with columns.
    parameters: its further arguments; (low, high) stands for any number from one to the other.
    """
    truths = frozenset(j for j, kind in enumerate(kinds) if kind == "b")
    following = Following(tuple(domain), least, most, truths=truths)
    columns = [
        SymbolicArray(Ratio.symbol(RecordSymbol(j)), following, Length(1, 0), kind)
        for j, kind in enumerate(kinds)
    ]
    given = Columns(columns) if several else columns[0]
    trace = QueryTrace(False, least, most)
    further = {
        name: SymbolicNumber(Ratio.symbol(PublicSymbol(name, *value)), following)
        if isinstance(value, tuple)
        else value
        for name, value in parameters.items()
    }
    released, reason = released_by(query, given, trace, in_place_of(REPLACED), **further)
    if reason:
        return reason
    values = _values(released)
    if values is None:
        return f"it returns {type(released).__name__}, no numbers"
    return Followed(tuple(values), following)


class Columns(Blocked):
    """What stands for an array with columns."""

    what = "an array with columns"

    def __init__(self, columns: Sequence[SymbolicArray]) -> None:
        self._columns = tuple(columns)

    def __getitem__(self, key: Any) -> SymbolicArray:
        if isinstance(key, tuple) and len(key) == 2 and key[0] == slice(None):
            place = key[1]
            if type(place) is int and -len(self._columns) <= place < len(self._columns):
                return self._columns[place]
        raise stop("only whole columns of an array are followed, such as x[:, 0]")


def _values(released: Any) -> list[Ratio] | None:
    if isinstance(released, SymbolicNumber):
        return [released.value]
    if isinstance(released, Mapping):
        released = list(released.values())
    if isinstance(released, np.ndarray):
        released = released.ravel().tolist()
    if isinstance(released, list | tuple):
        parts = [_values(one) for one in released]
        return None if None in parts else list(itertools.chain.from_iterable(parts))  # type: ignore[arg-type]
    exact = None if isinstance(released, str | bytes) else constant_of(released)
    return None if exact is None else [exact[0]]


def prove_bound(
    followed: Followed, claim: Ratio, norm: str = "l1", seconds: float = 5.0
) -> ProvedBound | None:
    """Return a proof that neighbors move a query by at most ``claim`` in a norm; ``None`` if not.

    claim: an expression in the number of records and constants.
    """
    until = time.monotonic() + seconds
    several = len(sums_in(followed.values)) > 1
    ways = list(itertools.product((True, False) if several else (False,), (False, True)))
    proved: list[ProvedCase] = []
    findings: list[kernel.Checked] = []
    try:
        for case in all_cases(followed.values, followed.following):
            shown = None
            for left, (quotients, slopes) in zip(range(len(ways), 0, -1), ways, strict=True):
                if shown is None:
                    now = time.monotonic()
                    variant = RecordCase(case.answers, slopes, quotients)
                    shown = _case(followed, variant, claim, norm, now + (until - now) / left)
            if shown is None:
                return None
            for one in shown:
                findings += check(one.tree, one.question, one.box)
            proved += shown
    except (NotFollowedError, TooLargeError, ZeroDivisionError, ValueError):
        return None
    return ProvedBound(claim, norm, len(followed.values), tuple(proved), tuple(findings))


def questions_of(
    followed: Followed, case: RecordCase, claim: Ratio, norm: str
) -> list[tuple[Ratio, Mapping[Variable, Ends]]] | None:
    """Return what must be ≥ 0 in a case, with the box; ``None`` where the case cannot be."""
    reader = CaseReader(followed.following, case)
    change = reader.change(followed.values)
    if change is None:
        return None
    box, pairs = reader.box, list(zip(*change, strict=True))
    limit = reader.read(claim, "before")
    moved = [without_means(reader, after - before) for before, after in pairs]
    if len(moved) == 1 and (root := _roots(*pairs[0])) is not None:
        # |√u − √v| is at most √|u − v|.
        factor, before, after = root
        apart = without_means(reader, after - before)
        square = _square(limit) - Ratio.number(factor * factor) * apart
        return [(square, box), (limit, box)]
    if norm == "l2" and len(moved) > 1:
        squares = _square(limit)
        for one in moved:
            squares = squares - one * one
        return [(squares, box), (limit, box)]
    if norm == "linf" or len(moved) == 1:
        return [(limit - one, box) for one in moved]
    if len(moved) > MOST_TOGETHER:
        raise NotFollowedError(f"more than {MOST_TOGETHER} numbers together")
    # One sign is enough of the first: the two datasets change places.
    choices = itertools.product((1, -1), repeat=len(moved) - 1)
    together = [
        total(Ratio.number(sign) * one for sign, one in zip((1, *signs), moved, strict=True))
        for signs in choices
    ]
    return [(limit - one, box) for one in together]


def _case(
    followed: Followed, case: RecordCase, claim: Ratio, norm: str, until: float
) -> list[ProvedCase] | None:
    questions = questions_of(followed, case, claim, norm)
    if questions is None:
        return []
    multiples = any(v.name.startswith("factor") for _, box in questions for v in box)
    if case.quotients and not multiples:
        return None
    shown = []
    for number, (question, box) in enumerate(questions):
        tree = SignSearch(until=until).find(question, box)
        if tree is None:
            return None
        shown.append(ProvedCase(case, number, question, box, tree))
    return shown


def _square(value: Ratio) -> Ratio:
    """Return the square, of a root what is under it."""
    found = _roots(value, value)
    return value * value if found is None else Ratio.number(found[0] ** 2) * found[1]


def _roots(before: Ratio, after: Ratio) -> tuple[Fraction, Ratio, Ratio] | None:
    """Return c, u and v where the numbers are c·√u and c·√v; else ``None``."""
    parts = []
    for one in (before, after):
        terms = one.top.terms
        if len(terms) != 1 or len(terms[0][0]) != 1 or one.bottom.constant is None:
            return None
        (symbol, power), factor = terms[0][0][0], terms[0][1] / one.bottom.constant
        if power != 1 or not isinstance(symbol, Function) or symbol.name != "sqrt":
            return None
        parts.append((factor, symbol.argument))
    (c, u), (d, v) = parts
    return (c, u, v) if c == d else None
