"""Pairs of neighbors worth trying, made of a dataset, a domain and a relation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import Any

import numpy as np

from provado.mechanisms import (
    AddOrRemoveOne,
    BoundedAnswers,
    NeighboringRelation,
    ReplaceOne,
    UsageError,
)
from provado.mechanisms.statement.intervention import record_key, short
from provado.mechanisms.statement.parameters import answers

from .domain import Domain, Numbers
from .form import Form, Records

MOST, MOST_RECORDS, MOST_COPIES = 400, 12, 20
"""Candidates at most; records that are put in; records of a dataset made up of equal ones."""


@dataclass(frozen=True)
class Candidate:
    """Two datasets as records, and how they were made.

    outside: of an inferred domain. indispensable: tried however short the time is.
    """

    d: Records
    d_prime: Records
    made: str
    outside: bool = False
    indispensable: bool = False

    def pair(self, form: Form) -> tuple[Any, Any]:
        """Return the two datasets."""
        return form.pair(self.d, self.d_prime)


def candidates(
    records: Records, form: Form, domain: Domain, relation: NeighboringRelation
) -> tuple[Candidate, ...]:
    """Return distinct candidates, those first that find most of what is known to go wrong.

    Raises ``UsageError`` where the relation is none of the three that neighbors can be made of, or
    where there is no candidate.
    """
    if isinstance(relation, BoundedAnswers):
        made = _moved(np.atleast_1d(answers(form.sample, "data")), domain, relation)
        first = list[Candidate]()
    elif isinstance(relation, ReplaceOne | AddOrRemoveOne):
        adding = isinstance(relation, AddOrRemoveOne)
        made = _changed(records, domain, adding=adding)
        first = [*_indispensable(records, domain, adding=adding)]
    else:
        raise UsageError(
            f"relation is {relation!r}: from data, neighbors are made under ReplaceOne(), "
            "AddOrRemoveOne() and BoundedAnswers(); for any other, give pair=(d0, d1)"
        )
    found: dict[Any, Candidate] = {}
    for one in made:
        if _differ(one, form):
            found.setdefault(record_key((one.d, one.d_prime)), one)
        if len(found) >= MOST:
            break
    if isinstance(relation, BoundedAnswers):
        kinds = dict.fromkeys(one.made for one in found.values())
        first = [one for kind in kinds for one in _first(found.values(), kind)]
    for one in first:
        if _differ(one, form):
            key = record_key((one.d, one.d_prime))
            found[key] = replace(found.get(key, one), indispensable=True)
    if not found:
        raise UsageError(
            f"data and domain ({domain.words()}) give no two neighbors under {relation.words()}: "
            "give domain=… with more that a record may be"
        )
    return tuple(found.values())


def _differ(one: Candidate, form: Form) -> bool:
    """Tell whether the two are datasets of the form and not the same."""
    single = form.kind != "number" or len(one.d) == len(one.d_prime) == 1
    return single and record_key(one.d) != record_key(one.d_prime)


def _first(offered: Iterable[Candidate], made: str) -> Iterator[Candidate]:
    """Return the first two that were made in this way."""
    return islice((one for one in offered if one.made == made), 2)


def _indispensable(records: Records, domain: Domain, *, adding: bool) -> Iterator[Candidate]:
    """Yield the pairs without which no search is one.

    No record against one, one against two, equal records and another one, and, in the data, a
    corner of the domain, an outlier, a new category, and a record less.
    """
    corners = domain.records()[:2] or records[:1]
    if not corners:
        return
    one, other = corners[0], corners[-1]
    beside = [(value, False) for value in corners]
    beside += [(value, True) for value in domain.records(outside=True)[:2]]
    beside += domain.unseen(records)
    equal = (one,) * _copies(records)
    if adding:
        for value in corners:
            yield Candidate((), (value,), "no record, one added")
            yield Candidate((one,), (one, value), "one record, one added")
        yield Candidate(equal, (*equal, other), "equal records, one added")
        for value, outside in beside:
            yield Candidate(records, (*records, value), "the data, one added", outside)
        for i in _places(records)[-2:]:
            fewer = (*records[:i], *records[i + 1 :])
            yield Candidate(records, fewer, "the data, one removed")
        return
    yield Candidate((one,), (other,), "one record, one replaced")
    for base in (equal, (other,) * len(equal)):
        value = other if base is equal else one
        yield Candidate(base, (value, *base[1:]), "equal records, one replaced")
    order = sorted(range(len(records)), key=lambda i: _order(records[i]))
    for number, (value, outside) in enumerate(beside):
        for i in {order[-(number % 2)]} if order else ():
            other_data = (*records[:i], value, *records[i + 1 :])
            yield Candidate(records, other_data, "the data, one replaced", outside)


def _copies(records: Records) -> int:
    return min(max(len(records), 2), MOST_COPIES)


def _changed(records: Records, domain: Domain, *, adding: bool) -> Iterator[Candidate]:
    """Yield bases with one record changed."""
    inside = domain.records()[:MOST_RECORDS]
    outside = domain.records(outside=True)[:MOST_RECORDS]
    act = _one_more_or_less if adding else _replaced
    bases = list(_bases(records, inside, adding=adding))
    plain = _diagonal([act(base, inside, made, outside=False) for made, base in bases])
    if not outside:
        yield from plain
        return
    rows = [act(base, outside, made, outside=True) for made, base in bases]
    crowds = list(_bases((), outside, adding=adding))
    rows += [act(base, (*outside, *inside[:2]), made, outside=True) for made, base in crowds]
    # Two inside the domain for one outside: where runs are few, only the first are tried.
    yield from _in_turn([plain, plain, _diagonal(rows)])


def _bases(
    records: Records, offered: Sequence[Any], *, adding: bool
) -> Iterator[tuple[str, Records]]:
    if records:
        yield "the data", records
    copies = _copies(records)
    first, *others = [*offered[:4]] or [None]
    if offered:
        for one in offered[:4]:
            yield "one record", (one,)
        for one in offered[:3]:
            yield "equal records", (one,) * copies
    for other in others[:2]:
        half = copies // 2
        yield "half and half", (first,) * half + (other,) * (copies - half)
        yield "all but one equal", (first,) + (other,) * (copies - 1)
        yield "all but one equal", (other,) + (first,) * (copies - 1)
    if len(records) > 3:
        yield "the first records", records[:3]
    if records and offered:
        yield "the data with an outlier", (*records, first)
    if adding:
        yield "no record", ()


def _replaced(
    base: Records, offered: Sequence[Any], made: str, *, outside: bool
) -> Iterator[Candidate]:
    for value in offered:
        for index in _places(base):
            other = (*base[:index], value, *base[index + 1 :])
            yield Candidate(base, other, f"{made}, one replaced", outside)


def _one_more_or_less(
    base: Records, offered: Sequence[Any], made: str, *, outside: bool
) -> Iterator[Candidate]:
    removed = (
        Candidate(base, (*base[:i], *base[i + 1 :]), f"{made}, one removed", outside)
        for i in _places(base)
        if len(base) and not outside
    )
    added = (Candidate(base, (*base, v), f"{made}, one added", outside) for v in offered)
    front = (Candidate(base, (v, *base), f"{made}, one added", outside) for v in offered[:2])
    yield from _in_turn([added, removed])
    if base:
        yield from front


def _places(base: Records) -> tuple[int, ...]:
    """Return positions that may be special: first, last, the ends of a sort, the middle."""
    n = len(base)
    if n == 0:
        return ()
    order = sorted(range(n), key=lambda i: _order(base[i]))
    return tuple(dict.fromkeys([0, n - 1, order[0], order[-1], n // 2]))


def _order(record: Any) -> tuple[int, float, str]:
    values = record if isinstance(record, tuple | list) else [record]
    numbers = [x for x in values if isinstance(x, int | float) and x == x and abs(x) < 1e300]
    return (0, float(sum(numbers)), "") if numbers else (1, 0.0, short(record))


def _moved(data: Any, domain: Domain, relation: BoundedAnswers) -> Iterator[Candidate]:
    """Yield vectors of answers and the same ones moved, in the patterns of StatDP and more."""
    field = domain.fields[0]
    low, high = (field.low, field.high) if isinstance(field, Numbers) else (-np.inf, np.inf)
    whole = isinstance(field, Numbers) and field.whole
    inferred = isinstance(field, Numbers) and field.inferred
    rows = [
        _moves(base, relation, made, (-np.inf, np.inf) if inferred else (low, high), whole=whole)
        for made, base in _vectors(np.asarray(data, dtype=float), domain, relation.sensitivity)
    ]
    yield from _diagonal(rows)


def _vectors(
    data: np.ndarray[Any, Any], domain: Domain, step: float
) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    n = len(data)
    yield "the data", data
    offers = [float(x) for x in domain.records() if isinstance(x, int | float)]
    levels = list(dict.fromkeys([*offers[2:4], *offers[:2]]))
    for level in levels:
        yield "equal answers", np.full(n, level)
    for one, other in [(a, b) for a in levels for b in levels if a != b]:
        for k in dict.fromkeys([n // 2, 1, n - 1]):
            if 0 < k < n:
                yield "two levels", np.where(np.arange(n) < k, one, other)
    yield "rising answers", data + step * np.arange(n)


def _moves(
    base: np.ndarray[Any, Any],
    relation: BoundedAnswers,
    made: str,
    ends: tuple[float, float],
    *,
    whole: bool,
) -> Iterator[Candidate]:
    n, step = len(base), relation.sensitivity
    place = np.arange(n)
    signs = [
        np.ones(n),
        -np.ones(n),
        np.where(place < n / 2, 1.0, -1.0),
        np.where(place < n / 2, -1.0, 1.0),
        np.where(place == 0, -1.0, 1.0),
        np.where(place == 0, 1.0, -1.0),
        np.where(place == n - 1, 1.0, -1.0),
        np.where(place == n - 1, -1.0, 1.0),
        np.where(place == 0, 1.0, 0.0),
        np.where(place == 0, -1.0, 0.0),
        np.where(place == n - 1, 1.0, 0.0),
        np.where(place == n - 1, -1.0, 0.0),
        np.where(place < n / 2, 1.0, 0.0),
        np.where(place >= n / 2, 1.0, 0.0),
    ]
    for sign in signs:
        if relation.at_most is not None and np.count_nonzero(sign) > relation.at_most:
            continue
        if relation.monotone and (sign > 0).any() and (sign < 0).any():
            continue
        other = base + sign * step
        # A sum rounded upward may move by more than the sensitivity.
        beyond = np.abs(other - base) > step
        other[beyond] = np.nextafter(other, base)[beyond]
        if whole:
            other = np.trunc(other - base) + base
        if ((other < ends[0]) | (other > ends[1])).any():
            continue
        kind = int if whole else float
        yield Candidate(
            tuple(map(kind, base.tolist())), tuple(map(kind, other.tolist())), f"{made}, moved"
        )


def _diagonal(rows: Sequence[Iterator[Candidate]]) -> Iterator[Candidate]:
    """Yield the first of the first row, then its second and the first of the second row, and so on.

    Where only some can be tried, these are several of several rows.
    """
    waiting, active = list(rows), list[Iterator[Candidate]]()
    while waiting or active:
        active += [waiting.pop(0)] if waiting else []
        for row in list(active):
            one = next(row, None)
            if one is None:
                active.remove(row)
            else:
                yield one


def _in_turn(rows: Sequence[Iterator[Candidate]]) -> Iterator[Candidate]:
    """Yield from each in turn."""
    missing = object()
    for turn in islice(zip_longest(*rows, fillvalue=missing), MOST):
        yield from (one for one in turn if isinstance(one, Candidate))
