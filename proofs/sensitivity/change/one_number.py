"""Bound a function of one number that depends on the data, such as e^−v of the variance v.

Where neighbors move the number by at most δ, they move the function g by at most the largest
|g(t + h) − g(t)| with h from 0 to δ: a question on t, h and n alone.
"""

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from typing import TypeGuard

from .cases import RecordCase
from .enclosure import Box, Ends
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
from .points import float_value
from .prove import Followed, ProvedBound, ProvedCase
from .ratio import Ratio, text_of
from .sign import SignSearch, check, numerator_of_slope, put

T, STEP, MORE, SHARE = (Variable(name) for name in ("number", "step", "more", "1/n"))


LONG = 10**6
"""An end with such a divisor is an enclosure, which makes no closed form."""

CUTS = (1, 4)
"""Where a range without an upper end is cut, beyond its lower one."""


def function_of_one(value: Ratio) -> Iterator[tuple[Ratio, Ratio]]:
    """Yield numbers that depend on the data, each with what the value is as a function of it."""
    t = Ratio.symbol(T)
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
    for number, of_t in itertools.islice(function_of_one(followed.values[0]), 3):
        with suppress(ValueError, ArithmeticError):
            inner = find_bound(Followed((number,), followed.following), seconds=seconds / 3)
            ends = _range_of(followed, number)
            turning = any(getattr(s, "name", "") in ("sin", "cos") for s in of_t.symbols)
            if (turning and None in ends) or inner is None or depends_on_data(inner.claim):
                continue
            claims = [claim] if claim is not None else list(_claims(of_t, ends, inner.claim))
            for limit in claims:
                shown = _shown(followed, limit, of_t, ends, inner.claim, until)
                if shown:
                    findings = tuple(f for c in shown for f in check(c.tree, c.question, c.box))
                    cases, norm = (*inner.cases, *shown), inner.norm
                    return ProvedBound(limit, norm, 1, cases, (*inner.findings, *findings))
    return None


def _range_of(followed: Followed, number: Ratio) -> Ends:
    """Return where a number lies, as far as it or its opposite is known to be a square."""
    low, high = followed.following.range_of(number)
    back = followed.following.range_of(-number)
    zero, squares = Fraction(0), followed.following.squares
    lows = [x for x in (low, zero if number in squares else None) if x is not None]
    highs = [x for x in (high, zero if -number in squares else None) if x is not None]
    lows += [-x for x in back[1:] if x is not None]
    highs += [-x for x in back[:1] if x is not None]
    return max(lows, default=None), min(highs, default=None)


def _claims(of_t: Ratio, ends: Ends, step: Ratio) -> Iterator[Ratio]:
    """Yield by how much the function moves with a step from either end, the larger first."""
    result = []
    for end, sign in zip(ends, (1, -1), strict=True):
        if end is not None and end.denominator < LONG:
            start = Ratio.number(end)
            apart = put(of_t, T, start + Ratio.number(sign) * step) - put(of_t, T, start)
            size = float(float_value(at_size(apart, 10), {}))
            result.append((abs(size), apart if size >= 0 else -apart))
    yield from (apart for _, apart in sorted(result, key=lambda item: -item[0]))


def _signs() -> tuple[int, ...]:
    """Return the signs of a change: the two datasets are in order of the number."""
    return 1, -1


def _shown(
    followed: Followed, limit: Ratio, of_t: Ratio, ends: Ends, step: Ratio, until: float
) -> list[ProvedCase]:
    """Return the questions on both signs of the change with their certificates; none if not."""
    least, most = followed.following.least, followed.following.most
    sizes: list[tuple[Ratio, Box]] = [
        (Ratio.number(1) / Ratio.symbol(SHARE), {SHARE: (Fraction(0), Fraction(1, max(least, 1)))}),
        (
            Ratio.number(least) + Ratio.symbol(MORE),
            {MORE: (Fraction(0), None if most is None else Fraction(most - least))},
        ),
    ]
    low, high = ends
    marks = [low, *(low + x for x in CUTS), None] if low is not None and high is None else [*ends]
    shown: list[ProvedCase] = []
    for sign in _signs():
        # One way for all parts: of two numbers the lower one is in a part, or else the upper one.
        for (size, known), backwards in itertools.product(sizes, (False, True)):
            way = Ratio.number(-1 if backwards else 1) * Ratio.symbol(STEP) * step
            moved = put(of_t, T, Ratio.symbol(T) + way) - of_t
            moved = Ratio.number(-sign if backwards else sign) * moved
            question = put(limit - moved, Size(), size)
            found: list[ProvedCase] = []
            for part in itertools.pairwise(marks):
                box = {T: part, STEP: (Fraction(0), Fraction(1)), **known}
                tree = SignSearch(until=min(until, time.thread_time() + 0.25)).find(question, box)
                if tree is None:
                    break
                case = RecordCase({}, slopes=False)
                found.append(ProvedCase(case, len(shown) + len(found), question, box, tree))
            if len(found) == len(marks) - 1:
                shown += found
                break
        else:
            return []
    return shown
