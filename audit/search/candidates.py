"""Pairs of neighbors worth trying, made of a dataset, a domain and a relation; and their ranking.

They are ranked by forecasts of the privacy loss from few draws, good enough for that.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import Any

import numpy as np

from provado.audit.events.features.feature import (
    Aggregate,
    Column,
    Difference,
    Exact,
    Feature,
    Floats,
)
from provado.audit.events.features.screen import ZeroSign
from provado.audit.events.features.text import with_numbers
from provado.audit.events.learners.piecewise import log_ratio
from provado.audit.events.learners.table import look_up
from provado.audit.events.threshold import NO_CUT, Goal, best_cut, distance
from provado.audit.target.output_encoding import Encoded
from provado.mechanisms import (
    AddOrRemoveOne,
    BoundedAnswers,
    NeighboringRelation,
    ReplaceOne,
    UsageError,
)
from provado.mechanisms.definitions.parameters import answers, vector
from provado.mechanisms.definitions.relation import short

from .dataset_format import LARGE, Form, Records
from .domain import Domain, Numbers

MOST_CANDIDATES, MOST_RECORDS, MOST_COPIES, MOST_ANSWERS = 400, 12, 20, 2**24
"""Candidates at most; records that are put in; records of a small pattern; answers in all datasets
of answers together."""

MOST_SIZE, MOST_VALUES = 4096, 2**20
"""Records of data up to which all patterns have their size, too; values up to which some have."""


@dataclass(frozen=True)
class Candidate:
    """Two datasets as records, and how they were made.

    outside: of an inferred domain. mandatory: tried however short the time is. edit: where
    the first record of D is that D′ has others for, and how many of D there are.
    """

    d: Records
    d_prime: Records
    made: str
    outside: bool = False
    mandatory: bool = False
    edit: tuple[int, int] = (0, 0)

    def pair(self, form: Form) -> tuple[Any, Any]:
        """Return the two datasets."""
        return form.pair(self.d, self.d_prime)

    def key(self) -> Hashable:
        """Return what no other pair shares."""
        return self.d.key(), self.d_prime.key()

    @property
    def changed(self) -> tuple[Records, Records]:
        """The records of both that the other does not have there."""
        (index, gone), more = self.edit, len(self.d_prime) - len(self.d)
        return self.d[index : index + gone], self.d_prime[index : index + gone + more]

    @property
    def differs(self) -> bool:
        """Whether the two datasets are not the same."""
        return self.changed[0].key() != self.changed[1].key()

    def without(self, start: int, stop: int) -> Candidate:
        """Return it without some of the records that both share."""
        index, gone = self.edit
        before, after = self.d[:index], self.d[index + gone :]
        before = before[:start] + before[stop:]
        start, stop = max(start - index, 0), max(stop - index, 0)
        after = after[:start] + after[stop:]
        d, d_prime = (before + records + after for records in self.changed)
        return replace(self, d=d, d_prime=d_prime, edit=(len(before), gone))

    def on(self, source: Form | None, other: Form | None) -> Candidate:
        """Return it with other data in the place of some; of ``None``, to be sent or kept."""
        d, d_prime = (
            replace(records, source=other) if records.source is source else records
            for records in (self.d, self.d_prime)
        )
        return replace(self, d=d, d_prime=d_prime)


def edited(
    base: Records, index: int, gone: int, *put: Any, made: str, outside: bool = False
) -> Candidate:
    """Return records and the same with others in the place of so many from ``index`` on."""
    other = base[:index] + base.of(*put) + base[index + gone :]
    return Candidate(base, other, made, outside, edit=(index, gone))


def candidates(
    records: Records,
    form: Form,
    domain: Domain,
    relation: NeighboringRelation,
    *,
    fixed_size: bool = False,
) -> tuple[Candidate, ...]:
    """Return distinct candidates, those first that find most of what is known to go wrong.

    fixed_size: whether only those with as many records as there are.

    Raises ``UsageError`` where the relation is none of the three that neighbors can be made of, or
    where there is no candidate.
    """
    if isinstance(relation, BoundedAnswers):
        given = vector(np.atleast_1d(answers(form.sample, "data")), "data")
        made = _moved(given, records, domain, relation)
        first = list[Candidate]()
    elif isinstance(relation, ReplaceOne | AddOrRemoveOne):
        adding = isinstance(relation, AddOrRemoveOne)
        made = _changed(records, domain, adding=adding)
        first = [*_indispensable(records, form, domain, adding=adding)]
    else:
        raise UsageError(
            f"relation is {relation!r}: from data, neighbors are made under ReplaceOne(), "
            "AddOrRemoveOne() and BoundedAnswers(); for any other, give pair, two datasets"
        )
    result: dict[Hashable, Candidate] = {}
    size = len(records) if fixed_size else None
    for candidate in made:
        if _differ(candidate, form, size):
            result.setdefault(candidate.key(), candidate)
        if len(result) >= MOST_CANDIDATES:
            break
    if isinstance(relation, BoundedAnswers):
        kinds = dict.fromkeys(item.made for item in result.values())
        alike = ([item for item in result.values() if item.made == kind] for kind in kinds)
        first = [item for ones in alike for item in ones[:2]]
    for candidate in first:
        if _differ(candidate, form, size):
            key = candidate.key()
            result[key] = replace(result.get(key, candidate), mandatory=True)
    if not result:
        raise UsageError(
            f"data and domain ({domain.words()}) give no two neighbors under {relation.words()}: "
            "give domain with more that a record may be"
        )
    return tuple(result.values())


def _differ(candidate: Candidate, form: Form, size: int | None) -> bool:
    """Return whether the two are datasets of the form, of this size if any, and not the same."""
    if size not in (None, len(candidate.d)):
        return False
    single = form.kind != "number" or len(candidate.d) == len(candidate.d_prime) == 1
    return single and candidate.differs


def _indispensable(
    records: Records, form: Form, domain: Domain, *, adding: bool
) -> Iterator[Candidate]:
    """Yield the pairs without which no search is one.

    No record against one, one against two, equal records and another one, and, in the data, a
    corner of the domain, an outlier, a new category, and a record less.
    """
    corners = domain.records()[:2] or tuple(records[:1])
    if not corners:
        return
    one, other = corners[0], corners[-1]
    beside = [(value, False) for value in corners]
    beside += [(value, True) for value in domain.records(outside=True)[:2]]
    beside += domain.unseen(records, form)
    n, ends = len(records), _ends(records)
    crowds = [records.of(one, times=size) for size in _sizes(records)]
    if adding:
        for value in corners:
            yield edited(records[:0], 0, 0, value, made="no record, one added")
            yield edited(records.of(one), 1, 0, value, made="one record, one added")
        for equal in crowds:
            yield edited(equal, len(equal), 0, other, made="equal records, one added")
        for value, outside in beside:
            yield edited(records, n, 0, value, made="the data, one added", outside=outside)
        for i in dict.fromkeys(ends):
            yield edited(records, i, 1, made="the data, one removed")
        return
    yield edited(records.of(one), 0, 1, other, made="one record, one replaced")
    for equal in crowds:
        for base, value in ((equal, other), (records.of(other, times=len(equal)), one)):
            yield edited(base, 0, 1, value, made="equal records, one replaced")
    for number, (value, outside) in enumerate(beside if ends else ()):
        i = ends[-(number % 2)]
        yield edited(records, i, 1, value, made="the data, one replaced", outside=outside)


def _sizes(records: Records) -> list[int]:
    """Return of how many records patterns are made up: of few, and of as many as the data are."""
    n, width = max(len(records), 2), max(records.source.width, 1)
    few = min(n, MOST_COPIES)
    return list(dict.fromkeys([few, n if n * width <= MOST_VALUES else few]))


def of_count(records: Records, value: Any, other: Any, number: int, *, adding: bool) -> Candidate:
    """Return so many records of a value against one more; where the size stays, among others."""
    equal, made = records.of(value, times=number), "a count of equal records, one more"
    if adding:
        return edited(equal, number, 0, value, made=made)
    rest = records.of(other, times=len(records) - number)
    return edited(equal + rest, number, 1, value, made=made)


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
    crowds = list(_bases(records[:0], outside, adding=adding))
    rows += [act(base, (*outside, *inside[:2]), made, outside=True) for made, base in crowds]
    # Two inside the domain for one outside: where runs are few, only the first are tried.
    yield from _in_turn([plain, plain, _diagonal(rows)])


def _bases(
    records: Records, offered: Sequence[Any], *, adding: bool
) -> Iterator[tuple[str, Records]]:
    if records:
        yield "the data", records
    of = records.of
    first, *others = [*offered[:4]] or [None]
    for one in offered[:4]:
        yield "one record", of(one)
    for copies in _sizes(records)[: 2 if len(records) <= MOST_SIZE else 1]:
        few = 3 if copies <= MOST_COPIES else 2
        for one in offered[:few]:
            yield "equal records", of(one, times=copies)
        for other in others[: few - 1]:
            half = copies // 2
            yield "half and half", of(first, times=half) + of(other, times=copies - half)
            yield "all but one equal", of(first) + of(other, times=copies - 1)
            yield "all but one equal", of(other) + of(first, times=copies - 1)
    if len(records) > 3:
        yield "the first records", records[:3]
    if records and offered:
        yield "the data with an outlier", records + of(first)
    if adding:
        yield "no record", records[:0]


def _replaced(
    base: Records, offered: Sequence[Any], made: str, *, outside: bool
) -> Iterator[Candidate]:
    places = _places(base)
    for value in offered:
        for index in places:
            yield edited(base, index, 1, value, made=f"{made}, one replaced", outside=outside)


def _one_more_or_less(
    base: Records, offered: Sequence[Any], made: str, *, outside: bool
) -> Iterator[Candidate]:
    removed = (
        edited(base, i, 1, made=f"{made}, one removed")
        for i in _places(base)
        if len(base) and not outside
    )
    more, n = f"{made}, one added", len(base)
    last = (edited(base, n, 0, v, made=more, outside=outside) for v in offered)
    front = (edited(base, 0, 0, v, made=more, outside=outside) for v in offered[:2])
    yield from _in_turn([last, removed])
    if base:
        yield from front


def _places(base: Records) -> tuple[int, ...]:
    """Return positions that may be special: first, last, the ends of a sort, the middle."""
    n = len(base)
    return tuple(dict.fromkeys([0, n - 1, *_ends(base), n // 2])) if n else ()


def _ends(base: Records) -> tuple[int, ...]:
    """Return the positions of the first of the smallest and of the last of the largest records."""
    places, start = list[int](), 0
    for piece in base.pieces:
        n = piece[1] if isinstance(piece, tuple) else len(piece)
        few: Sequence[int] = (0, n - 1) if isinstance(piece, tuple) else range(n)
        places += [start + i for i in (few if len(few) <= LARGE else base.source.extremes)]
        start += n
    order = sorted(places, key=lambda i: _order(base[i]))
    return (order[0], order[-1]) if order else ()


def _order(record: Any) -> tuple[int, float, str]:
    values = record if isinstance(record, tuple | list) else [record]
    numbers = [x for x in values if isinstance(x, int | float) and x == x and abs(x) < 1e300]
    return (0, float(sum(numbers)), "") if numbers else (1, 0.0, short(record))


def _moved(
    data: Any, records: Records, domain: Domain, relation: BoundedAnswers
) -> Iterator[Candidate]:
    """Yield vectors of answers and the same ones moved, in the patterns of StatDP and more."""
    field = domain.fields[0]
    low, high = (field.low, field.high) if isinstance(field, Numbers) else (-np.inf, np.inf)
    is_whole = isinstance(field, Numbers) and field.whole
    inferred = isinstance(field, Numbers) and field.inferred
    ends = (-np.inf, np.inf) if inferred else (low, high)
    rows = [
        _moves(base, records, relation, made, ends, whole=is_whole)
        for made, base in _vectors(data, domain, relation.sensitivity)
    ]
    yield from islice(_diagonal(rows), MOST_ANSWERS // len(data) + 1)


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
    records: Records,
    relation: BoundedAnswers,
    made: str,
    ends: tuple[float, float],
    *,
    whole: bool,
) -> Iterator[Candidate]:
    n, step, d = len(base), relation.sensitivity, _answers(base, records, whole=whole)
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
        moved = np.flatnonzero(other != base)
        if len(moved):
            edit = int(moved[0]), int(moved[-1] - moved[0]) + 1
            d_prime = _answers(other, records, whole=whole)
            yield Candidate(d, d_prime, f"{made}, moved", edit=edit)


def _answers(values: np.ndarray[Any, Any], records: Records, *, whole: bool) -> Records:
    values = values.astype(int if whole else float)
    if len(values) <= LARGE:
        return records.of(*values.tolist())
    return Records(Form("array", (), 0, values), (range(len(values)),))


def _diagonal(rows: Sequence[Iterator[Candidate]]) -> Iterator[Candidate]:
    """Yield the first of the first row, then its second and the first of the second row, and so on.

    Where only some can be tried, these are several of several rows.
    """
    waiting, active = list(rows), list[Iterator[Candidate]]()
    while waiting or active:
        active += [waiting.pop(0)] if waiting else []
        for row in list(active):
            candidate = next(row, None)
            if candidate is None:
                active.remove(row)
            else:
                yield candidate


def _in_turn(rows: Sequence[Iterator[Candidate]]) -> Iterator[Candidate]:
    """Yield from each in turn."""
    for turn in islice(zip_longest(*rows), MOST_CANDIDATES):
        yield from filter(None, turn)


MOST_COLUMNS, MOST_STEPS, MOST_TRIED = 64, 16, 4
"""Coordinates that are examined, by themselves; in steps and in a sum of ratios; the most
informative ones, of which thresholds are tried."""

POINTS = 64
"""Where the samples of a coordinate are compared, to order coordinates."""

CELLS = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98)
"""Quantiles between which the ratio of a coordinate is taken as constant in that sum."""


def rank(a: Encoded, b: Encoded, goal: Goal, *, ideal: bool = False) -> tuple[float, float]:
    """Return a forecast of the ε that a pair certifies, from outputs under D and under D′.

    The second number is by how many standard errors outputs of one dataset alone exceed δ > 0.
    ideal: whether 0.0 and −0.0 are the same.

    These are examined: structure and repeated values (a table that one half of the outputs teaches)
    and thresholds of the most informative coordinates, their sum, largest and smallest; of words,
    their numbers and the rest. Bits of numbers but the sign of 0 are not: outputs that never repeat
    say something by their order of size alone.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        cuts = [NO_CUT]
        half = len(a) // 2
        given, (a, b) = (a, b), with_numbers((a, b))
        width = a.values.shape[1]
        columns = range(min(width, MOST_COLUMNS))
        keys = [(Exact(()), given), (Exact((), coarse=True), given), (Exact((*columns,)), (a, b))]
        keys += [(Exact(()), (a, b))] if a is not given[0] else []
        for key, sides in keys:
            keys_a, keys_b = map(key.read, sides)
            seen = np.concatenate([keys_a[:half], keys_b[:half]])
            known, count = np.unique(seen, return_counts=True)
            if len(known) < 2 or len(known) * 2 > count.sum():
                continue
            in_a, in_b = (
                np.bincount(np.searchsorted(known, array[:half]), minlength=len(known))
                for array in (keys_a, keys_b)
            )
            ratios = log_ratio(in_a, in_b)
            score_a, score_b = (look_up(array[half:], known, ratios) for array in (keys_a, keys_b))
            cuts.append(best_cut(score_a, score_b, goal))
        features: list[Feature] = [Column(j, width) for j in columns]
        both = np.vstack([encoded.values[:, : len(columns)] for encoded in (a, b)])
        if not ideal and both.dtype.kind == "f":
            signed = np.flatnonzero(((both == 0) & np.signbit(both)).any(axis=0)).tolist()
            features += [ZeroSign(j, width) for j in signed]
        if width > 1:
            features += [Aggregate(name) for name in ("sum", "max", "min")]
            features += [Difference(j) for j in range(min(width, MOST_STEPS) - 1)]
        read = [(feature.read(a), feature.read(b)) for feature in features]
        told = sorted(range(len(read)), key=lambda i: -distance(*read[i], POINTS))[:MOST_TRIED]
        if len(read) > 1:
            cuts.append(best_cut(*_together(read[:MOST_STEPS], half), goal))
        cuts += [best_cut(*read[i], goal, both_ways=True) for i in told]
    return max(cut.value for cut in cuts), max(cut.beyond for cut in cuts)


def _together(read: Sequence[tuple[Floats, Floats]], half: int) -> tuple[Floats, Floats]:
    """Return the sum of the log-likelihood ratios of some numbers, each known in few cells.

    The first ``half`` of the outputs of each side teaches the ratios, the rest is scored.
    """
    total_a, total_b = np.zeros(len(read[0][0]) - half), np.zeros(len(read[0][1]) - half)
    for x, y in read:
        taught = np.concatenate([x[:half], y[:half]])
        known = taught[~np.isnan(taught)]
        edges = np.unique(np.quantile(known, CELLS, method="lower")) if known.size else known
        # NaN, which sorts last, has a cell of its own.
        cells = [np.searchsorted(edges, z, side="right") + np.isnan(z) for z in (x, y)]
        counts = [np.bincount(z[:half], minlength=len(edges) + 2) for z in cells]
        ratios = log_ratio(*counts)
        total_a += ratios[cells[0][half:]]
        total_b += ratios[cells[1][half:]]
    return total_a, total_b
