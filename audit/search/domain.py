"""What one record may be: declared by the caller, or inferred from the data and shown."""

import datetime
import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from provado.mechanisms import UsageError
from provado.mechanisms.definitions.relation import record_key, short
from provado.mechanisms.deterministic_hypothesis import without_local_constants

from .dataset_format import LARGE, Form, Records

FAR = 1e6
"""So many times the size of what was seen lies a number far outside."""

FEW_CODES = 2
"""Whole numbers of at most so many values are codes, which other numbers are not."""

REPEATED = 100
"""So many times is the longest text, or list, repeated in one of many words or entries."""

DATES = ("1900-01-01", "2100-12-31")
"""Dates that are early and late, and within the range of nanoseconds."""

DRAWN = 60
"""Records that are drawn from a strategy of Hypothesis to choose from."""


@dataclass(frozen=True)
class Numbers:
    """Finite numbers from ``low`` to ``high``, either of which may be infinite.

    whole: integers only. middle: a value that is nothing special. size: how large numbers are that
    were seen. inferred: the range is only what was seen.
    """

    low: float
    high: float
    whole: bool
    middle: float
    size: float = 1.0
    missing: tuple[Any, ...] = ()
    inferred: bool = False

    def offered(self) -> tuple[Any, ...]:
        """Return the ends (or numbers far out), the middle, 0 and 1."""
        far = FAR * self.size
        low = self.low if math.isfinite(self.low) else min(-far, self.high)
        high = self.high if math.isfinite(self.high) else max(far, self.low)
        wanted = [high, low, self.middle, 0.0, 1.0]
        if not math.isfinite(self.high):
            wanted.append(max(10 * self.size, self.low))
        return (*self._told(x for x in wanted if self.low <= x <= self.high), *self.missing)

    def outside(self) -> tuple[Any, ...]:
        """Return numbers around and far beyond the range that was seen."""
        if not self.inferred:
            return ()
        far, span = FAR * self.size, max(self.high - self.low, self.size)
        wanted = [far, -far, self.high + span, self.low - span, 0.0]
        return self._told(x for x in wanted if not self.low <= x <= self.high)

    def strategy(self) -> Any:
        """Return floats or integers of the range."""
        from hypothesis import strategies as st

        low = self.low if math.isfinite(self.low) else None
        high = self.high if math.isfinite(self.high) else None
        if self.whole:
            numbers: Any = st.integers(
                None if low is None else math.ceil(low), None if high is None else math.floor(high)
            )
        else:
            numbers = st.floats(low, high, allow_nan=False, allow_infinity=False)
        return st.one_of(numbers, st.sampled_from(self.missing)) if self.missing else numbers

    def holds(self, value: Any) -> bool:
        """Return whether it is a number of the range."""
        if _missing(value):
            return bool(self.missing)
        if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.number):
            return False
        is_whole = not self.whole or float(value).is_integer()
        return bool(is_whole and self.low <= value <= self.high)

    def words(self) -> str:
        """Return the range."""
        more = " or missing" if self.missing else ""
        kind = ("whole numbers" if self.whole else "numbers") + more
        if math.isinf(self.low) and math.isinf(self.high):
            return f"any finite {kind}"
        if math.isinf(self.high):
            return f"{kind} ≥ {self.low:g}"
        if math.isinf(self.low):
            return f"{kind} ≤ {self.high:g}"
        return f"{kind} from {self.low:g} to {self.high:g}"

    def _told(self, wanted: Any) -> tuple[Any, ...]:
        numbers = [int(x) if self.whole else float(x) for x in wanted]
        return tuple(dict.fromkeys(numbers))


@dataclass(frozen=True)
class Choices:
    """One of some values. inferred: others may occur, since these are only those that were seen."""

    values: tuple[Any, ...]
    inferred: bool = False

    def offered(self) -> tuple[Any, ...]:
        """Return all of them."""
        return self.values

    def outside(self) -> tuple[Any, ...]:
        """Return a text that was not seen, where these are texts; of texts, one of many words.

        Of dates, early and late ones; of lists, one with many entries.
        """
        if not self.inferred:
            return ()
        texts = [value for value in self.values if isinstance(value, str)]
        lists = [value for value in self.values if isinstance(value, list | tuple) and value]
        result: list[Any] = [max(lists, key=len) * REPEATED] if lists else []
        if texts and all(map(_dated, texts)):
            result += DATES
        elif texts:
            longest = max(texts, key=lambda text: (len(text.split()), len(text)))
            many = [" ".join([longest] * REPEATED), ""] if len(longest.split()) > 1 else []
            result += [text for text in ("not seen before", *many) if text not in texts]
        return tuple(result)

    def strategy(self) -> Any:
        """Return one of them."""
        from hypothesis import strategies as st

        return st.sampled_from(self.values)

    def holds(self, value: Any) -> bool:
        """Return whether it is one of them; others may occur where they were only seen."""
        if self.inferred:
            return True
        if _missing(value):
            return any(map(_missing, self.values))
        return record_key(value) in self._keys

    @cached_property
    def _keys(self) -> set[Any]:
        return set(map(record_key, self.values))

    def words(self) -> str:
        """List them."""
        shown = ", ".join(short(value, 40) for value in self.values[:6])
        more = f" or {len(self.values) - 6} more" if len(self.values) > 6 else ""
        return f"{shown}{more}"


@dataclass(frozen=True)
class Strategy:
    """What a strategy of Hypothesis yields."""

    drawn_from: Any

    def offered(self) -> tuple[Any, ...]:
        """Return some that it yields, extremes first."""
        return _spread(examples_of(self.drawn_from, DRAWN))

    def outside(self) -> tuple[Any, ...]:
        """Return nothing: what the strategy does not yield is outside of the domain."""
        return ()

    def strategy(self) -> Any:
        """Return the strategy."""
        return self.drawn_from

    def holds(self, value: Any) -> bool:  # noqa: ARG002
        """Return true: a strategy cannot be asked."""
        return True

    def words(self) -> str:
        """Return its text."""
        return short(self.drawn_from)


Field = Numbers | Choices | Strategy
"""What one value of a record may be.

``offered``: values worth trying, those first that most likely move an output furthest. ``outside``:
values that a domain which was only inferred may miss.
"""


@dataclass(frozen=True)
class Domain:
    """What a record may be: one value, or one for each field.

    fields: one for each field of a record; a single one where a record is one value (``scalar``)
    or is drawn as a whole. names: of the fields in sentences. inferred: of the data alone.
    """

    fields: tuple[Field, ...]
    names: tuple[str, ...]
    scalar: bool
    inferred: bool

    def words(self) -> str:
        """Return in words which records are allowed."""
        if self.scalar:
            return self.fields[0].words()
        return "; ".join(
            f"{name}: {field.words()}" for name, field in zip(self.names, self.fields, strict=True)
        )

    def holds(self, record: Any) -> bool:
        """Return whether a record lies in the domain."""
        if self.scalar:
            return self.fields[0].holds(record)
        if not isinstance(record, tuple | list) or len(record) != len(self.fields):
            return False
        return all(f.holds(value) for f, value in zip(self.fields, record, strict=True))

    def strategy(self) -> Any:
        """Return a strategy of Hypothesis for records."""
        from hypothesis import strategies as st

        if self.scalar:
            return self.fields[0].strategy()
        return st.tuples(*(field.strategy() for field in self.fields))

    def records(self, *, outside: bool = False) -> tuple[Any, ...]:
        """Return records worth trying, the most informative first.

        All fields at their first, second, … offer; then each field alone, the others at a middle.
        outside: those with a field outside of what was only inferred, instead.
        """
        if self.scalar:
            return self.fields[0].outside() if outside else self.fields[0].offered()
        offers = [field.outside() if outside else field.offered() for field in self.fields]
        inside = [field.offered() for field in self.fields]
        middle = tuple(item[min(2, len(item) - 1)] for item in inside)
        result: list[Any] = []
        if all(offers):
            for k in range(2):
                result.append(tuple(offer[min(k, len(offer) - 1)] for offer in offers))
            result.append(
                tuple(offer[min(j % 2, len(offer) - 1)] for j, offer in enumerate(offers))
            )
        if not outside:
            result.append(middle)
        for j, element in enumerate(offers):
            wanted = _distinct([*element[:3], *filter(_missing, element)])
            result += [(*middle[:j], value, *middle[j + 1 :]) for value in wanted]
        return _distinct(result)

    def unseen(self, records: Records, form: Form) -> tuple[tuple[Any, bool], ...]:
        """Return records with a category, or a missing value, that no record of the data has.

        There is one for each field at most. With each: whether it lies outside of what was only
        inferred.
        """
        base: Any = records[0] if records else next(iter(self.records()), None)
        result = list[tuple[Any, bool]]()
        for j, field in enumerate(self.fields):
            values = getattr(field, "values", getattr(field, "missing", ()))
            if not values:
                continue
            seen = set(map(record_key, form.seen() if self.scalar else form.values[j]))
            more = field.outside() if isinstance(field, Choices) else ()
            offers = (*((v, False) for v in values), *((v, True) for v in more))
            new = next((offer for offer in offers if record_key(offer[0]) not in seen), None)
            if new is not None and (self.scalar or base is not None):
                record = new[0] if self.scalar else (*base[:j], new[0], *base[j + 1 :])
                result.append((record, new[1]))
        return tuple(result)


def read_domain(stated: Any, form: Form, records: Records) -> Domain:
    """Return the domain as stated, or as the records suggest where it is ``None``.

    stated: a strategy of Hypothesis for one record; ``(low, high)`` for numbers; a list of the
    values or records that may stand; ``float``, ``int``, ``bool``; or a mapping of columns (names,
    or positions) to any of these. Columns left out are inferred. With None, a value may be missing:
    ``(low, high, None)``, ``(float, None)``, None in a list.

    Raises ``UsageError`` for what is none of these, for columns that are not there, and where a
    record of the data lies outside.
    """
    names = tuple(form.field(j) for j in range(form.width))
    if isinstance(stated, Mapping):
        domain = Domain(_fields(stated, form), names, not form.width, False)
    elif stated is None:
        domain = Domain(tuple(map(_inferred, form.values)), names, not form.width, True)
    elif form.width and not (is_strategy(stated) or isinstance(stated, list)):
        fields = tuple(_stated(stated, column, "domain") for column in form.values)
        domain = Domain(fields, names, False, False)
    else:
        seen = () if is_strategy(stated) else form.seen()
        domain = Domain((_stated(stated, seen, "domain"),), (), True, False)
    known = _holds_all(domain, form)
    place = None if known else next((k for k, x in enumerate(records) if not domain.holds(x)), None)
    if place is not None:
        record = records[place]
        gap = any(map(_missing, record if form.width else [record]))
        hint = ": admit what is missing by None, as in (0, 120, None), or by 0:120,missing" * gap
        values = record if form.width and not domain.scalar else ()
        each = zip(names, domain.fields, values, strict=False)
        column = next((f"{name} of " for name, field, x in each if not field.holds(x)), "")
        raise UsageError(
            f"data holds {short(record)}, which the domain ({domain.words()}) does not{hint}; "
            f"see {column}record {place}"
        )
    return domain


def _holds_all(domain: Domain, form: Form) -> bool:
    """Return whether all records lie in a domain, by their values."""
    if all(isinstance(field, Strategy) for field in domain.fields):
        return True
    columns = [form.seen()] if domain.scalar else form.values
    each = [*zip(domain.fields, columns, strict=True)]
    # Of a column with more different values than that, some may not stand for all.
    stated = (field for field, _ in each if isinstance(field, Choices) and not field.inferred)
    known = form.size <= LARGE or not any(len(field.values) >= LARGE // 2 for field in stated)
    return known and all(field.holds(value) for field, column in each for value in column)


def is_strategy(value: Any) -> bool:
    """Return whether it is a strategy of Hypothesis, without importing that for anything else."""
    loaded = sys.modules.get("hypothesis.strategies")
    return loaded is not None and isinstance(value, loaded.SearchStrategy)


def examples_of(strategy: Any, number: int) -> list[Any]:
    """Return distinct values that a strategy yields, the same ones at every call.

    Raises ``UsageError`` where it yields none.
    """
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis.errors import HypothesisException

    result: dict[Any, Any] = {}

    @settings(
        max_examples=number,
        database=None,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def note(value: Any) -> None:
        result.setdefault(record_key(value), value)

    try:
        with without_local_constants():
            note()
    except HypothesisException as error:
        words = " ".join(str(error).split())
        raise UsageError(f"domain is {short(strategy)}: it yields no record ({words})") from error
    return list(result.values())


def _fields(stated: Mapping[Any, Any], form: Form) -> tuple[Field, ...]:
    known = form.columns or tuple(range(form.width))
    for name in stated:
        if name not in known:
            raise UsageError(
                f"domain: the data have no column {name!r}; they have {', '.join(map(repr, known))}"
                if known
                else f"domain names the column {name!r}; records of the data have no columns"
            )
    fields: list[Field] = []
    for j, name in enumerate(known):
        column = form.values[j]
        if name in stated:
            fields.append(_stated(stated[name], column, f"domain[{name!r}]"))
        else:
            fields.append(_inferred(column))
    return tuple(fields)


def _stated(stated: Any, seen: Sequence[Any], where: str) -> Field:
    if is_strategy(stated):
        return Strategy(stated)
    if isinstance(stated, tuple) and len(stated) in (2, 3) and _missing(stated[-1]):
        present = [value for value in seen if not _missing(value)]
        field = _stated(stated[:-1] if len(stated) > 2 else stated[0], present, where)
        if isinstance(field, Numbers):
            return replace(field, missing=(_absent(seen, ()),))
        if isinstance(field, Strategy):
            from hypothesis import strategies as st

            return Strategy(field.drawn_from | st.just(_absent(seen, [""])))
        stated = [*field.offered(), None]
    if isinstance(stated, tuple) and len(stated) == 2 and all(map(_end, stated)):
        low, high = map(float, stated)
        if not low <= high:
            raise UsageError(f"{where} is {stated!r}: its first number is above its second")
        ends = [x for x in stated if math.isfinite(x)]
        is_whole = bool(len(seen)) and all(isinstance(x, int | np.integer) for x in (*ends, *seen))
        return Numbers(low, high, is_whole, _middle(seen, low, high, whole=is_whole), _size(seen))
    if isinstance(stated, list | set | frozenset | range | np.ndarray) and len(stated):
        values = list(stated.tolist() if isinstance(stated, np.ndarray) else stated)
        return Choices(tuple(_absent(seen, values) if value is None else value for value in values))
    if stated is bool:
        return Choices((False, True))
    if stated in (int, float):
        is_whole = stated is int
        middle = _middle(seen, -math.inf, math.inf, whole=is_whole)
        return Numbers(-math.inf, math.inf, is_whole, middle, _size(seen))
    raise UsageError(
        f"{where} is {short(stated)}: it must be a strategy of Hypothesis, (low, high), "
        "(low, high, None) where one may be missing, a list of values, float, int or bool, or a "
        "mapping of columns to these"
    )


def _inferred(seen: Sequence[Any]) -> Field:
    missing = _distinct([value for value in seen if _missing(value)])
    values = [value for value in _distinct(seen) if not _missing(value)]
    if not (values or missing):
        raise UsageError("data has no record to infer a domain from: give domain")
    is_whole = all(isinstance(v, int | np.integer) and not isinstance(v, bool) for v in values)
    if values and all(map(_number, values)) and not (is_whole and len(values) <= FEW_CODES):
        low, high = float(min(values)), float(max(values))
        middle = _middle(seen, low, high, whole=is_whole)
        return Numbers(low, high, is_whole, middle, _size(seen), missing, inferred=True)
    common = Counter(map(record_key, seen))
    order = sorted([*values, *missing], key=lambda v: -common[record_key(v)])
    # The commonest and the rarest first.
    return Choices(tuple(_distinct([order[0], order[-1], *order])), inferred=True)


def _number(value: Any) -> bool:
    plain = isinstance(value, int | float | np.number) and not isinstance(value, bool | np.bool_)
    try:
        return bool(plain and math.isfinite(value))
    except OverflowError:
        return False  # A whole number that no double holds.


def _missing(value: Any) -> bool:
    """Return whether a value is None, NaN, or what pandas has for these."""
    absent = value is None or type(value).__name__ in ("NAType", "NaTType")
    return absent or (isinstance(value, float) and math.isnan(value))


def _absent(seen: Sequence[Any], beside: Sequence[Any]) -> Any:
    """Return a missing value as the data have it; else NaN beside numbers, None beside others."""
    numbers = all(_number(value) or _missing(value) for value in beside)
    return next(filter(_missing, seen), math.nan if numbers else None)


def _end(value: Any) -> bool:
    """Return whether a value can be the end of a range."""
    return _number(value) or (isinstance(value, float) and math.isinf(value))


def _middle(seen: Sequence[Any], low: float, high: float, *, whole: bool) -> float:
    inside = [float(x) for x in seen if _number(x) and low <= x <= high]
    if inside:
        return sorted(inside)[len(inside) // 2]
    if math.isfinite(low) and math.isfinite(high):
        return float(math.floor((low + high) / 2)) if whole else (low + high) / 2
    return min(max(0.0, low), high)


def _size(seen: Sequence[Any]) -> float:
    return max([abs(float(x)) for x in seen if _number(x)] + [1.0])


def _dated(text: str) -> bool:
    """Return whether a text is a date as ISO 8601 writes it."""
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _distinct(values: Sequence[Any]) -> tuple[Any, ...]:
    result: dict[Any, Any] = {}
    for value in values:
        result.setdefault(record_key(value), value)
    return tuple(result.values())


def _spread(values: Sequence[Any]) -> tuple[Any, ...]:
    """Return values, the largest and smallest numbers first, and the longest and shortest texts."""
    numbers = sorted(value for value in values if _number(value))
    texts = sorted((value for value in values if isinstance(value, str)), key=len)
    kinds: list[list[Any]] = [numbers, texts]
    ends = [item for of in kinds if of for item in (of[-1], of[0], of[len(of) // 2])]
    strange = [value for value in values if isinstance(value, float) and not math.isfinite(value)]
    return _distinct([*ends, *strange, *values])
