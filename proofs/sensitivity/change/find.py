"""Find the least bound that can be shown: try what the change is at its largest, then more."""

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from .cases import RecordCase, all_cases, variants_of
from .enclosure import Box
from .expression import (
    Function,
    Mixture,
    RecordSymbol,
    Size,
    Total,
    Variable,
    depends_on_data,
    function,
    symbols_within,
    variables,
)
from .formula import at_size, formula_words, limit_of
from .one_number import bound_of_one
from .points import climb, float_value
from .prove import Followed, ProvedBound, prove_by_cases, questions_of
from .ratio import Ratio, SymbolPolynomial, text_of
from .sign import put, without_kinks, without_powers

MANY = 1000
"""Records at which two bounds are compared."""

SIZES = (0, 7, MANY)
"""Records beyond the fewest at which it is looked for."""

MORE = Variable("more")
"""How many records there are beyond the fewest."""

LONGEST_CLAIM = 100
"""Expressions of more characters are no bound that a person reads."""

WIDER = (
    Fraction(1, 2**30),
    Fraction(1, 2**10),
    Fraction(1, 16),
    Fraction(1, 2),
    Fraction(1),
    Fraction(3),
)
"""By how much more than the largest change found is tried, relatively, where that is not shown."""


def prove_bound(
    followed: Followed, claim: Ratio, norm: str = "l1", seconds: float = 5.0
) -> ProvedBound | None:
    """Return a proof that neighbors move a query by at most ``claim`` in a norm; ``None`` if not.

    claim: an expression in the number of records and constants.
    """
    until = time.thread_time() + seconds
    proved = bound_of_one(followed, find_bound, claim, seconds / 3)
    return proved or prove_by_cases(followed, claim, norm, until - time.thread_time())


def find_bound(followed: Followed, norm: str = "l1", seconds: float = 4.0) -> ProvedBound | None:
    """Return the least bound that could be shown for all numbers of records; ``None`` if none.

    The largest changes that were found are tried first, in closed form. Where nothing is shown, a
    sum of numbers that have nothing in common is bounded by the sum of their bounds.
    """
    parts = list(_summands(followed.values[0])) if len(followed.values) == 1 else []
    several = len(parts) > 1
    found = _found_together(followed, norm, seconds * 2 / 3 if several else seconds)
    if found is not None or not several:
        return found
    share = seconds / 3 / len(parts)
    for part in parts:
        bound = find_bound(Followed((part,), followed.following), norm, share)
        if bound is None:
            return None
        found = bound if found is None else _sum_of(found, bound)
    return found


def _sum_of(one: ProvedBound, other: ProvedBound) -> ProvedBound:
    cases, findings = (*one.cases, *other.cases), (*one.findings, *other.findings)
    return replace(one, claim=one.claim + other.claim, cases=cases, findings=findings)


def _summands(value: Ratio) -> Iterator[Ratio]:
    """Yield the numbers, without sums or records in common, of which an expression is the sum.

    Quantiles of one array have their order in common.
    """
    groups: list[tuple[set[object], dict[Any, Fraction]]] = []
    for monomial, factor in value.top.terms:
        terms = {monomial: factor}
        own = set(_data_in(Ratio.of(SymbolPolynomial.of(terms))))
        for group in [group for group in groups if not own.isdisjoint(group[0])]:
            groups.remove(group)
            own, terms = own | group[0], group[1] | terms
        groups.append((own, terms))
    if depends_on_data(Ratio.of(value.bottom)):
        yield value
        return
    for own, terms in groups:
        if own:
            yield Ratio.of(SymbolPolynomial.of(terms), value.bottom)


def _data_in(value: Ratio) -> Iterator[object]:
    for symbol in value.symbols:
        if isinstance(symbol, Function):
            yield from _data_in(symbol.argument)
        elif isinstance(symbol, Total) and symbol.kind == "quantile":
            yield symbol.element, symbol.length
        elif isinstance(symbol, Total | Mixture | RecordSymbol):
            yield symbol


def _found_together(followed: Followed, norm: str, seconds: float) -> ProvedBound | None:
    rng, until = np.random.default_rng(0), time.thread_time() + seconds
    result = []
    # Rests that are multiples of each other say more, but for what each alone can be.
    for way in variants_of(followed.values):
        if way[5:] == (True,):
            continue  # Differences alone may be larger than those of records.
        soon = time.thread_time() + (until - seconds * 2 / 3 - time.thread_time()) / 2
        with suppress(ValueError, ArithmeticError):
            result.append(list(_largest(followed, norm, rng, soon, way)))
            if way[4:] == (True,) or {change.known for change in result[-1]} == {True}:
                break  # What lengths show is near to what all numbers do, and is found at once.
    # Of equal ones, that which is less at other numbers of records.
    result.sort(key=lambda changes: sorted((c.number for c in changes), reverse=True))
    of_one = bound_of_one(followed, find_bound, None, (until - time.thread_time()) / 2)
    if not result or not result[0]:
        return of_one
    sizes = [followed.following.least + followed.following.one_more, MANY]
    limits = [math.inf if of_one is None else _number(at_size(of_one.claim, n)) for n in sizes]
    top = max(change.number for change in result[0])
    seen = [top, max(_number(at_size(change.expression, MANY)) for change in result[0])]
    if all(limit <= most * (1 + 1e-9) for limit, most in zip(limits, seen, strict=True)):
        return of_one  # No bound is less.
    # Some time is left for numbers that are larger than what was found.
    forms_until = time.thread_time() + (until - time.thread_time()) * 2 / 3
    for claim in _candidates(followed, result):
        if len(formula_words(claim)) > LONGEST_CLAIM:
            continue
        numbers = [_number(at_size(claim, n)) for n in sizes]
        if numbers[0] > limits[0] * (1 + 1e-9) or numbers[1] >= limits[1] * (1 - 1e-9):
            continue  # A function of one number was shown to move by no more.
        proved = prove_by_cases(followed, claim, norm, (forms_until - time.thread_time()) / 2)
        if proved is not None:
            return proved
    if not math.isfinite(top):
        return of_one
    wider = [Ratio.number(_short(Fraction(top) * (1 + more))) for more in WIDER]
    wider = [claim for claim in wider if _number(claim) < min(limits)]

    def proved_in_time(claim: Ratio) -> ProvedBound | None:
        return prove_by_cases(followed, claim, norm, (until - time.thread_time()) / 2)

    # Where the widest is not shown, nothing closer is.
    widest = proved_in_time(wider[-1]) if wider else None
    if widest is None:
        return of_one
    return next(filter(None, map(proved_in_time, wider[:-1])), widest)


def _short(value: Fraction) -> Fraction:
    """Return a short fraction that is not below a number, and hardly above it."""
    near = value.limit_denominator(10**6)
    return near if near >= value else near + Fraction(1, 10**6)


@dataclass(frozen=True)
class LargestChange:
    """The largest change found in a case: at some number of records, and as an expression of it.

    known: whether it is a number, for which nothing was searched.
    """

    number: float
    expression: Ratio
    known: bool = False


def _largest(
    followed: Followed, norm: str, rng: np.random.Generator, until: float, way: tuple[Any, ...]
) -> Iterator[LargestChange]:
    zero = Ratio.number(0)
    for plain in all_cases(followed.values, followed.following):
        case = RecordCase(plain.answers, *way)
        questions = questions_of(followed, case, zero, norm, proving=False, until=until)
        if not questions:
            continue
        squared = norm == "l2" and len(followed.values) > 1
        for question, box in questions[:1] if squared else questions:
            least = followed.following.least + followed.following.one_more
            yield from _maxima(-question, box, rng, until, least, squared=squared)


def _maxima(
    value: Ratio, box: Box, rng: np.random.Generator, until: float, least: int, *, squared: bool
) -> Iterator[LargestChange]:
    free = sorted(variables(value) - {MORE}, key=text_of)
    ends = [box[v] for v in free]
    for more in SIZES if MORE in variables(value) else SIZES[:1]:
        result = climb(value, free, ends, {MORE: float(more)}, rng, until)
        if result is None:
            continue
        number, at = result
        number = math.sqrt(max(number, 0.0)) if squared else number
        expression = value
        for variable, x in zip(free, at, strict=True):
            logarithm = Function("ln", Ratio.symbol(variable))
            exponent = Fraction(math.log(x) if 0 < x < 1 else 0).limit_denominator(24)
            near = exponent < 0 and abs(math.exp(exponent) - x) < 1e-4
            if near and logarithm in set(symbols_within(expression)):
                # Of what has a logarithm the best value may be a power of e.
                expression = put(expression, logarithm, Ratio.number(exponent))
                expression = put(expression, variable, function("exp", Ratio.number(exponent)))
            expression = put(expression, variable, Ratio.number(x))
        if MORE in box:
            expression, _ = without_kinks(expression, {MORE: box[MORE]})
        expression = without_powers(expression)
        grown = put(expression, MORE, Ratio.symbol(Size()) - Ratio.number(least))
        known = value.constant is not None
        yield LargestChange(number, _root(grown) if squared else grown, known)


def _root(square: Ratio) -> Ratio:
    """Return the root; of c·n², with any even power of n, without a root of n."""
    ratio, outside = square, Ratio.number(1)
    for polynomial, sign in ((square.top, 1), (square.bottom, -1)):
        power = polynomial.degree(Size())
        if len(polynomial.terms) == 1 and power % 2 == 0:
            ratio = ratio / Ratio.symbol(Size()).power(sign * power)
            outside = outside * Ratio.symbol(Size()).power(sign * power // 2)
    return outside * function("sqrt", ratio)


def _candidates(followed: Followed, found: Sequence[Sequence[LargestChange]]) -> Iterator[Ratio]:
    """Yield closed forms: the one that is largest for many records, and for few; each once."""
    least = followed.following.least + followed.following.one_more
    met: list[Ratio] = []
    tops = [max(change.number for change in changes) for changes in found]
    near = Fraction(tops[0]).limit_denominator(100) if math.isfinite(tops[0]) else None
    # Ways that give more come last: a number for all sizes may be less than what they show.
    for last in (False, True):
        for top, largest in zip(tops, found, strict=True):
            if (top > tops[0] * (1 + 1e-3)) is last:
                largest = sorted(largest, key=lambda change: -change.number)
                forms = list(dict.fromkeys(change.expression for change in largest))[:4]
                met += (new := [form for form in forms if form not in met])
                yield from new
        if near is not None and tops[0] <= near <= tops[0] * (1 + 1e-3):
            met.append(Ratio.number(near))
            yield met[-1]
            near = None
        # A number for all sizes, where what grows or falls with n comes to it at an end.
        for form in list(met):
            for fixed in (at_size(form, least), limit_of(form)):
                if (
                    fixed is not None
                    and fixed not in met
                    and abs(_number(fixed) - tops[0]) <= 1e-2 * abs(tops[0])
                ):
                    met.append(fixed)
                    yield fixed


def _number(value: Ratio) -> float:
    try:
        return float(float_value(value, {}))
    except (ArithmeticError, ValueError, TypeError, KeyError):
        return math.inf
