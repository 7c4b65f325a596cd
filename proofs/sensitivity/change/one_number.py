"""Bound a function of one number that depends on the data, such as e^−v of the variance v.

Where neighbors move the number by at most δ, they move the function g by at most the largest
|g(t + h) − g(t)| with h from 0 to δ: a question on t, h and n alone. By the mean value theorem that
is at most δ times the largest |g′|.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TypeGuard

import numpy as np

from .arrays import Following
from .cases import RecordCase
from .enclosure import Box, Ends, range_of
from .expression import (
    Function,
    Mixture,
    PublicSymbol,
    Size,
    Total,
    Variable,
    depends_on_data,
    symbols_within,
    variables,
)
from .formula import at_size
from .points import climb, float_value
from .prove import Followed, ProvedBound, ProvedCase, certified
from .ratio import Ratio, text_of
from .sign import check, numerator_of_slope, put

T, STEP, MORE, SHARE = (Variable(name) for name in ("number", "step", "more", "1/n"))

ONE, PLACE = Ratio.number(1), Ratio.symbol(T)


LONG = 10**6
"""An end with such a divisor is an enclosure, which makes no closed form: a number near it does."""

MANY = 10
"""Number of records for which the place of the largest value is searched."""

CUTS = (Fraction(1), Fraction(4))
"""Where a range without an upper end is cut, beyond its lower one."""


def function_of_one(
    value: Ratio, powers: Mapping[Ratio, tuple[Ratio, int]]
) -> Iterator[tuple[Ratio, Ratio]]:
    """Yield numbers that depend on the data, each with what the value is as a function of it."""
    t = Ratio.symbol(T)
    for power, (base, exponent) in powers.items():
        if not depends_on_data(value - power):
            yield base, value - power + t.power(exponent)
        for curve in value.symbols:
            if isinstance(curve, Function) and not depends_on_data(curve.argument - power):
                of_t = put(value, curve, curve.of(curve.argument - power + t.power(exponent)))
                if not depends_on_data(of_t):
                    yield base, of_t
    functions = sorted(set(filter(_is_curve, symbols_within(value))), key=text_of)
    totals = {s for s in symbols_within(value) if isinstance(s, Total | Mixture)}
    for curve in functions:
        inside = curve.argument
        # Of roots themselves more is known where the cases are followed.
        pairs = [(inside, put(value, curve, curve.of(t)))] if curve.name != "sqrt" else []
        for total in totals if len(totals) == 1 and pairs else ():
            # Of a multiple of a total, more or less, the total is known where it is.
            parts = inside.top.coefficients(total)
            if inside.bottom.degree(total) == 0 and max(parts) == 1:
                apart = t * Ratio.of(inside.bottom) - Ratio.of(parts.get(0, _ZERO))
                pairs.append((inside, put(value, total, apart / Ratio.of(parts[1]))))
        for number, of_t in [*pairs, (Ratio.symbol(curve), put(value, curve, t))]:
            # Of what is linear in a number nothing is gained.
            slope = None if depends_on_data(of_t) else numerator_of_slope(of_t, T)
            if slope is not None and T in variables(slope):
                yield number, of_t
    exponentials = [s for s in functions if s.name == "exp"]
    if len(exponentials) == 2:
        # e^(u − v) is kept as a quotient.
        one, other = exponentials
        both = Ratio.symbol(Variable("both"))
        of_t = put(put(value, one, both), other, both * Function("exp", t).of(t))
        if not depends_on_data(of_t) and Variable("both") not in of_t.symbols:
            yield other.argument - one.argument, of_t


_ZERO = Ratio.number(0).top


def _is_curve(symbol: object) -> TypeGuard[Function]:
    curves = ("exp", "ln", "sqrt", "sin", "cos", "arctan")
    smooth = isinstance(symbol, Function) and symbol.name in curves
    return smooth and depends_on_data(Ratio.symbol(symbol))


def bound_of_one(
    followed: Followed,
    find_bound: Callable[..., ProvedBound | None],
    claim: Ratio | None,
    seconds: float,
) -> ProvedBound | None:
    """Return a proof that neighbors move a function of one number by at most a claim.

    The range of the number may be wider than it is, and beyond it the function is taken as well.
    Without a claim the least that is shown is found: what it moves by at an end of the range of the
    number. find_bound: finds the least bound of the number itself, within so many ``seconds``.
    ``None`` where nothing is shown.
    """
    public = any(isinstance(s, PublicSymbol) for v in followed.values for s in symbols_within(v))
    if len(followed.values) > 1 or followed.following.one_more or public:
        return None
    until = time.thread_time() + seconds
    ways = function_of_one(followed.values[0], followed.following.powers)
    for number, of_t in itertools.islice(ways, 3):
        with suppress(ValueError, ArithmeticError):
            left = until - time.thread_time()
            inner = find_bound(Followed((number,), followed.following), seconds=left / 2)
            if inner is None or depends_on_data(inner.claim):
                continue
            for unit, ends in _ranges_of(followed, number):
                turning = any(getattr(s, "name", "") in ("sin", "cos") for s in of_t.symbols)
                if turning and None in ends:
                    continue
                moves = OneNumber(of_t, unit, ends, inner.claim, followed.following)
                if claim is not None:
                    claims = [(claim, None), (claim, claim / inner.claim)]
                else:
                    claims = list(moves.claims())
                now = time.thread_time()
                moves, signs, before = moves.in_one_way(now + (until - now) / 8)
                for limit, slope in claims:
                    now = time.thread_time()
                    shown = moves.within(limit, slope, signs, now + (until - now) / 3)
                    if shown:
                        shown = [*before, *shown]
                        findings = tuple(f for c in shown for f in check(c.tree, c.question, c.box))
                        cases, norm = (*inner.cases, *shown), inner.norm
                        return ProvedBound(limit, norm, 1, cases, (*inner.findings, *findings))
    return None


def _ranges_of(followed: Followed, number: Ratio) -> Iterator[tuple[Ratio, Ends]]:
    """Yield powers of n with ends between which a number divided by them lies.

    As far as the number or its opposite is known to be a square, one of them is 0.
    """
    known, zero, n = followed.following, Fraction(0), Ratio.symbol(Size())
    for unit in (ONE, n, n * n):
        ends = known.range_of if unit == ONE else partial(_for_all_sizes, known)
        (low, high), back = (ends(item / unit) for item in (number, -number))
        lows = [x for x in (low, zero if number in known.squares else None) if x is not None]
        highs = [x for x in (high, zero if -number in known.squares else None) if x is not None]
        lows += [-x for x in back[1:] if x is not None]
        highs += [-x for x in back[:1] if x is not None]
        found = _short(max(lows, default=None), -1), _short(min(highs, default=None), 1)
        if None not in found or (unit == ONE and found != (None, None)):
            yield unit, found
        if None not in found:
            return
    yield ONE, (None, None)


def _short(end: Fraction | None, sign: int) -> Fraction | None:
    """Return an end, farther out where it is a long fraction: an enclosure, or one of its ends."""
    if end is None or end.denominator < LONG:
        return end
    return Fraction(sign * math.ceil(sign * end * LONG), LONG)


def _for_all_sizes(known: Following, value: Ratio) -> Ends:
    """Return the range of an expression, which may have one for all n only as one of 1/n."""
    value, box = known.generic(value)
    size = Variable(f"v{known.numbers.get(Size())}")
    if size in box:
        value = put(value, size, Ratio.number(1) / Ratio.symbol(SHARE))
        box[SHARE] = Fraction(0), Fraction(1, max(known.least, 1))
    return range_of(value, box)


def _signs() -> tuple[int, ...]:
    """Return the signs of a change: the two datasets are in order of the number."""
    return 1, -1


@dataclass(frozen=True)
class OneNumber:
    """A function of a number that lies between ``ends`` times ``unit`` and moves by ``step``."""

    of_t: Ratio
    unit: Ratio
    ends: Ends
    step: Ratio
    following: Following
    steps: Ends = (Fraction(0), Fraction(1))

    @cached_property
    def middle(self) -> tuple[Ratio, Fraction] | None:
        """The largest move by half a step to both sides within the range, and where.

        ``None`` where that is farther at an end. Seen from there, powers of e are powers of what is
        1 there.
        """
        (low, high), step = self.ends, float(float_value(at_size(self.step / self.unit, MANY), {}))
        largest = self._largest(self.moved(Fraction(1, 2)))
        if largest is None:
            return None
        _, exact, place = largest
        above = low is None or float(place - low) >= step / 2
        below = high is None or float(high - place) >= step / 2
        return (exact, place) if above and below else None

    def in_one_way(self, until: float) -> tuple[OneNumber, tuple[int, ...], list[ProvedCase]]:
        """Return it with the whole step alone where it only rises, or falls; with its signs."""
        slope = self.slope(self.unit * PLACE + Ratio.symbol(STEP) * self.step)
        around = replace(self, steps=(Fraction(-1), Fraction(1)))
        whole = replace(self, steps=(Fraction(1), Fraction(1)))
        if slope is None:
            return self, _signs(), []
        for sign in (1, -1):
            for question in around._at_sizes(Ratio.number(sign) * slope, self.ends):
                if (found := _in_parts(*question, 0, until)) is not None:
                    return whole, (sign,), found
        return self, _signs(), []

    def moved(self, back: Fraction, place: Ratio = PLACE, share: Ratio = ONE) -> Ratio:
        """Return what it moves by with a share of the step, ``back`` of which is below a place."""
        step = share * self.step
        low, high = (self.unit * place + Ratio.number(x) * step for x in (-back, 1 - back))
        return put(self.of_t, T, high) - put(self.of_t, T, low)

    def slope(self, at: Ratio) -> Ratio | None:
        """Return the derivative at a number."""
        top = numerator_of_slope(self.of_t, T)
        return None if top is None else put(top / Ratio.of(self.of_t.bottom).power(2), T, at)

    def claims(self) -> Iterator[tuple[Ratio, Ratio | None]]:
        """Yield what it may move by at most: at an end of the range or within, the larger first.

        Then its largest slope times the step, with that slope.
        """
        result = []
        for back, end in zip((Fraction(0), Fraction(1)), self.ends, strict=True):
            if end is not None:
                result.append(self.moved(back, Ratio.number(end)))
        result += [self.middle[0]] if self.middle is not None else []
        slope = self.slope(self.unit * PLACE)
        sizes = [(float(float_value(at_size(apart, MANY), {})), apart) for apart in result]
        for size, apart in sorted(sizes, key=lambda item: -abs(item[0])):
            yield apart if size >= 0 else -apart, None
        largest = None if slope is None else self._largest(slope)
        if largest is not None:
            size, exact, _ = largest
            steepest = exact if size >= 0 else -exact
            near = Fraction(abs(size)).limit_denominator(100)
            short = Ratio.number(near if near >= abs(size) else near + Fraction(1, 10**6))
            for limit in (steepest, short):
                yield limit * self.step, limit

    def _largest(self, value: Ratio) -> tuple[float, Ratio, Fraction] | None:
        """Return the largest size of a function of the place, as an expression of n, and where."""
        result = []
        for sign in (1, -1):
            signed = at_size(Ratio.number(sign) * value, MANY)
            top = climb(signed, [T], [self.ends], {}, np.random.default_rng(0))
            if top is not None:
                at = top[1][0]
                result.append((sign * top[0], put(value, T, Ratio.number(at)), at))
        return max(result, key=lambda item: abs(item[0]), default=None)

    def within(
        self, limit: Ratio, slope: Ratio | None, signs: Sequence[int], until: float
    ) -> list[ProvedCase] | None:
        """Return the questions by which it moves by at most a limit, with their certificates.

        slope: at most so large is that of the function, and ``limit`` is ``step`` times that.
        ``None`` where they are not certified.
        """
        shown: list[ProvedCase] = []
        for sign in signs:
            for question, box, ends in self._questions(limit, slope, sign):
                if (found := _in_parts(question, box, ends, len(shown), until)) is not None:
                    shown += found
                    break
            else:
                return None
        return shown

    def _questions(
        self, limit: Ratio, slope: Ratio | None, sign: int
    ) -> Iterator[tuple[Ratio, Box, Ends]]:
        """Yield the questions on one sign of the change, of which one is enough."""
        factor = Ratio.number(sign)
        if slope is not None:
            for unit, ends in ((ONE, (None, None)), (self.unit, self.ends)):
                if (at := self.slope(unit * PLACE)) is not None:
                    yield from self._at_sizes(slope - factor * at, ends)
            return
        # Of two numbers the lower one is in a part, or the upper one, or the middle between them.
        backs = Fraction(0), Fraction(1), Fraction(1, 2)
        for back in backs if self.middle is None else backs[::-1]:
            moved = self.moved(back, PLACE, Ratio.symbol(STEP))
            yield from self._at_sizes(limit - factor * moved, self.ends)

    def _at_sizes(self, question: Ratio, ends: Ends) -> Iterator[tuple[Ratio, Box, Ends]]:
        """Yield a question for all numbers of records, by 1/n, and by how many more there are."""
        least, most = self.following.least, self.following.most
        more = None if most is None else Fraction(most - least)
        step: Box = {STEP: self.steps}
        if ends == self.ends:
            centre = self.middle[1] if self.middle is not None else Fraction(0)
            question = put(question, T, PLACE + Ratio.number(centre))
            low, high = ends
            ends = None if low is None else low - centre, None if high is None else high - centre
        if Size() not in symbols_within(question):
            yield question, step, ends
            return
        share = Fraction(0), Fraction(1, max(least, 1))
        yield put(question, Size(), ONE / Ratio.symbol(SHARE)), {**step, SHARE: share}, ends
        size = Ratio.number(least) + Ratio.symbol(MORE)
        yield put(question, Size(), size), {**step, MORE: (Fraction(0), more)}, ends


def _in_parts(
    question: Ratio, box: Box, ends: Ends, number: int, until: float
) -> list[ProvedCase] | None:
    """Return a question, cut where its range has no end, with certificates of all parts."""
    low, high = ends
    cuts: list[Fraction | None] = []
    if low is not None and high is not None:
        cuts = [Fraction(0)] if low < 0 < high else []
    elif high is None:
        cuts = [(low or Fraction(0)) + x for x in CUTS]
        cuts = cuts if low is not None else [*(-x for x in CUTS[::-1]), Fraction(0), *cuts]
    found: list[ProvedCase] = []
    for part in itertools.pairwise([low, *cuts, high]):
        limit = min(until, time.thread_time() + 0.25)
        parts = certified(question, {T: part, **box}, limit)
        if parts is None:
            return None
        case = RecordCase({}, slopes=False)
        found += [ProvedCase(case, number + len(found), *item) for item in parts]
    return found
