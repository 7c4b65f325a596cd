"""Where real numbers differ from floating point: constants, and what no noise hides.

A proof speaks of real numbers. Noise hides the last bits of a number, in which floating point
differs; a comparison or an output without noise shows them. So constants are folded as the
interpreter folds them, and nothing is proved of a program in which a value that was rounded is
compared or told without noise, or in which noise may be lost beside numbers of another size.
"""

import itertools
import math
import operator
from collections.abc import Callable, Mapping
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from provado.mechanisms.definitions.parameters import as_written

from .ir import LENGTH, Binary, Constant, Expression, Name, UndecidedProgramError, variables_in
from .path import Path
from .polynomial import LinearForm

LARGEST, WHOLE = 10**6, 2**53
"""Numbers beside noise, and whole numbers, are no larger: there, floating point is near enough."""

_OPERATORS = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "%": "mod", "//": "floordiv"}


def read_number(value: int | float) -> Fraction:
    """Return a number as it is written: 0.1 is one tenth. No two floats give the same."""
    if not math.isfinite(value) or (isinstance(value, int) and abs(value) >= WHOLE):
        raise UndecidedProgramError(f"{value} is finer than floating point can represent")
    return as_written(value)


def combined(op: str, a: Any, b: Any) -> Any:
    """Return ``a op b``, in the arithmetic of the two."""
    if op == "exp":
        return a.exp() if isinstance(a, Decimal) else math.exp(a)
    return getattr(operator, _OPERATORS.get(op, "pow"))(a, b)


def folded(op: str, a: Fraction, b: Fraction) -> Fraction:
    """Return ``a op b`` as the interpreter computes it; raise ``UndecidedProgramError``."""
    if op == "**" and (b.denominator != 1 or abs(b) > 64):
        raise UndecidedProgramError("a power is a small whole number")
    try:
        return read_number(combined(op, _as_run(a), _as_run(b)))
    except (ZeroDivisionError, OverflowError) as error:
        rule = "nothing is divided by 0, and numbers stay finite"
        raise UndecidedProgramError(f"{a} {op} {b}: {rule}") from error


def _as_run(value: Fraction) -> int | float:
    is_whole = value.denominator == 1 and abs(value) < WHOLE
    return int(value) if is_whole else float(value)


def evaluated(
    part: Expression,
    names: Mapping[str, Any],
    number: Callable[[Any], Any],
    combine: Callable[[str, Any, Any], Any] = combined,
) -> Any:
    """Return a formula's value; ``number``: what its numbers, and those of its names, become."""
    match part:
        case Constant(value):
            return number(value)
        case Name(name):
            return number(names[name])
        case Binary(op, left, right):
            sides = (evaluated(constant, names, number, combine) for constant in (left, right))
            return combine(op, *sides)
    raise UndecidedProgramError("noise, or a choice, stands in a formula")


def is_faithful(part: Expression) -> bool:
    """Return whether a scale, or a probability, is the same in floating point as in reals."""
    exact = Context(prec=80)
    for sample in map(Fraction, ("1", "1/7", "22/7", "31", "1/1000")):
        # Parameters differ from each other.
        names = {
            name: sample * (1 + Fraction(sum(map(ord, name)), 997))
            for name in (LENGTH, *variables_in(part, ()))
        }
        try:
            run = evaluated(part, names, float)
            real = evaluated(part, names, lambda v: exact.divide(v.numerator, v.denominator))
            if abs(Decimal(run) - real) > abs(real) / 10**9:
                return False
        except ArithmeticError:
            continue
        except UndecidedProgramError:
            return False
    return True


# What no noise hides. -------------------------------------------------------------------------


def is_large(*forms: LinearForm) -> bool:
    """Return whether noise may be lost: beside such numbers, or where it is made so small."""
    numbers = [c for form in forms for _, c in form.terms]
    small = any(abs(c) * LARGEST < 1 for c in numbers)
    return small or any(abs(c) > LARGEST for c in (*numbers, *(f.constant for f in forms)))


class Hidden:
    """Which variables at cuts hold noise, and which were rounded without it, on any way.

    smooth: the draws that hide last bits; those of whole numbers do not.
    """

    def __init__(self, ways: list[Path], smooth: set[str]) -> None:
        self.ways, self.smooth = ways, smooth
        self.given = [after for way in ways for after in way.after]
        self.drawn, self.rounded = set(smooth), set[str]()
        while (
            more := {n for n, f in self.given if self.drawn.intersection(f.symbols())} - self.drawn
        ):
            self.drawn |= more
        while more := {n for n, f in self.given if self.is_bare(f)} - self.rounded:
            self.rounded |= more

    def is_noisy(self, form: LinearForm) -> bool:
        """Return whether a form holds noise that the rest of it cannot take away.

        A draw of the same way is in nothing else. Of variables, each must hold a draw that comes to
        no other one of them on the same way: the last one is then in one of them alone. Where the
        form is multiples of these, they may still be 0, too, and so is it.
        """
        symbols = set(form.symbols())
        held = symbols & self.drawn
        if held & self.smooth:
            return True
        for way in self.ways:
            forms = [
                item for name, item in way.after if name in held and item != LinearForm.symbol(name)
            ]
            drawn = [self.smooth.intersection(linear_form.symbols()) for linear_form in forms]
            if sum(map(len, drawn)) > len(set[str]().union(*drawn)):
                return False
            bare = [item for item, draws in zip(forms, drawn, strict=True) if not draws]
            if any(item != LinearForm() or form.constant or held != symbols for item in bare):
                return False
        return bool(held)

    def is_bare(self, form: LinearForm, *parts: LinearForm) -> bool:
        """Return whether a form, or a part of it, was rounded, and has no noise."""
        rounded = any(
            item.rounded or not self.rounded.isdisjoint(item.symbols()) for item in (form, *parts)
        )
        return rounded and not self.is_noisy(form)

    def growing(self) -> str | None:
        """Return a variable that a loop may multiply: made of several that are made of it.

        One that others are added to, which do not depend on it, grows as a power of the loop's
        length only, as a sum does.
        """
        made_of = {name: set[str]() for name, _ in self.given if not name.startswith("iteration ")}
        for name, form in self.given:
            if name in made_of:
                made_of[name] |= made_of.keys() & set(form.symbols())
        for through, name in itertools.product(made_of, made_of):
            made_of[name] |= made_of[through] if through in made_of[name] else set()
        for name, form in self.given:
            again = (abs(c) for s, c in form.terms if s == name or name in made_of.get(s, ()))
            if name in made_of and sum(again) > 1:
                return name
        return None
