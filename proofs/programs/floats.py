"""Where real numbers differ from floating point: constants, and what no noise hides.

A proof speaks of real numbers. Noise hides the last bits of a number, in which floating point
differs; a comparison or an output without noise shows them. So constants are folded as the
interpreter folds them, and nothing is proved of a program in which a value that was rounded is
compared or told without noise, or in which noise may be lost beside numbers of another size.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from decimal import Context, Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from .ir import Binary, Expression, Name, Number
from .linear import Linear
from .ways import UndecidedProgramError, Way

LARGEST, WHOLE = 10**6, 2**53
"""Numbers beside noise, and whole numbers, are no larger: there, floating point is near enough."""


def read_number(value: int | float) -> Fraction:
    """Return a number as it is written: 0.1 is one tenth. No two floats give the same."""
    if not math.isfinite(value) or (isinstance(value, int) and abs(value) >= WHOLE):
        raise UndecidedProgramError(f"{value} is beyond what floating point tells apart")
    simple = Fraction(value).limit_denominator(10**6)
    return simple if float(simple) == value else Fraction(repr(value))


def combined(op: str, a: Any, b: Any) -> Any:
    """Return ``a op b``, in the arithmetic of the two."""
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            return a / b
        case "%":
            return a % b
        case "//":
            return a // b
        case "exp":
            return a.exp() if isinstance(a, Decimal) else math.exp(a)
    return a**b


def folded(op: str, a: Fraction, b: Fraction) -> Fraction:
    """Return ``a op b`` as the interpreter computes it; raise ``UndecidedProgramError``."""
    if op == "**" and (b.denominator != 1 or abs(b) > 64):
        raise UndecidedProgramError("a power is a small whole number")
    try:
        return read_number(combined(op, _as_run(a), _as_run(b)))
    except (ZeroDivisionError, OverflowError) as error:
        raise UndecidedProgramError(f"{a} {op} {b}: {error}") from None


def _as_run(value: Fraction) -> int | float:
    whole = value.denominator == 1 and abs(value) < WHOLE
    return int(value) if whole else float(value)


def is_faithful(part: Expression) -> bool:
    """Return whether a scale, or a probability, is the same in floating point as in reals."""
    exact = Context(prec=80)
    for sample in map(Fraction, ("1", "1/7", "22/7", "31", "1/1000")):
        try:
            run = _sampled(part, sample, float)
            real = _sampled(part, sample, lambda v: exact.divide(v.numerator, v.denominator))
            if abs(Decimal(run) - real) > abs(real) / 10**9:
                return False
        except (ZeroDivisionError, OverflowError, InvalidOperation):
            continue
    return True


def _sampled(part: Expression, sample: Fraction, number: Any) -> Any:
    match part:
        case Number(value):
            return number(value)
        case Name(name):
            # Parameters differ from each other.
            return number(sample * (1 + Fraction(sum(map(ord, name)), 997)))
        case Binary(op, left, right):
            return combined(op, _sampled(left, sample, number), _sampled(right, sample, number))
    raise UndecidedProgramError("a scale, or a probability, is a formula")


# What no noise hides. -------------------------------------------------------------------------


def is_large(*forms: Linear) -> bool:
    """Return whether noise may be lost: beside such numbers, or where it is made so small."""
    numbers = [c for form in forms for _, c in form.terms]
    small = any(abs(c) * LARGEST < 1 for c in numbers)
    return small or any(abs(c) > LARGEST for c in (*numbers, *(f.constant for f in forms)))


class Hidden:
    """Which variables at cuts hold ``smooth`` noise, and which were rounded without it.

    A least fixed point over all assignments of all ways.
    """

    def __init__(self, ways: Iterable[Way], smooth: Collection[str]) -> None:
        self.smooth = smooth
        self.given: dict[str, list[Linear]] = {}
        self.ways = list(ways)
        for way in self.ways:
            for name, form in way.after:
                self.given.setdefault(name, []).append(form)
        self.rounded: set[str] = set()
        self.noisy = set(self.given)
        self.places: dict[str, set[str]] = {name: set() for name in self.given}
        before = None
        while before != (before := (len(self.rounded), len(self.noisy), str(self.places))):
            for name, forms in self.given.items():
                self.places[name] |= {p for form in forms for p in self._places(form)}
                if not all(self.is_noisy(form) or form == Linear.symbol(name) for form in forms):
                    self.noisy.discard(name)
                if any(self.is_bare(form) for form in forms):
                    self.rounded.add(name)

    def _places(self, form: Linear) -> set[str]:
        found = {s for s in form.symbols() if s in self.smooth}
        return found.union(*(self.places.get(s, ()) for s in form.symbols()))

    def is_noisy(self, form: Linear) -> bool:
        """Return whether a form holds noise that the rest of it cannot take away.

        Noise of whole numbers hides no last bits.
        """
        symbols = list(form.symbols())
        if any(s in self.smooth for s in symbols):
            return True
        return any(
            s in self.noisy
            and not any(self.places[s] & self.places.get(t, set()) for t in symbols if t != s)
            for s in symbols
        )

    def is_bare(self, form: Linear) -> bool:
        """Return whether a form was rounded and holds no noise."""
        rounded = form.rounded or any(s in self.rounded for s in form.symbols())
        return rounded and not self.is_noisy(form)

    def is_sum(self, form: Linear) -> bool:
        """Return whether a form is one of variables with noise of their own, or constants so far.

        No two of them ever come from the same variable or draw.
        """
        symbols = set(form.symbols())
        plain = all(
            self.is_noisy(one) or one == Linear.symbol(s) or not (one.terms or one.rounded)
            for s in symbols
            for one in self.given.get(s, [form])
        )
        return plain and not any(
            {s, *one.symbols()} & {t, *other.symbols()}
            for way in self.ways
            for s, one in way.after
            for t, other in way.after
            if s != t and {s, t} <= symbols
        )

    def growing(self) -> str | None:
        """Return a variable that loops may multiply, or sums of variables that double."""
        terms = {v: {s for f in forms for s in f.symbols()} for v, forms in self.given.items()}
        reach = {v: set(symbols) for v, symbols in terms.items()}
        for _ in reach:
            for v in reach:
                reach[v] |= {s for t in reach[v] for s in reach.get(t, ())}
        for v, forms in self.given.items():
            for form in forms:
                if sum(abs(c) for s, c in form.terms if v in reach.get(s, ())) > 1:
                    return v
        return None
