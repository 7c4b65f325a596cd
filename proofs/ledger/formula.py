"""A printed formula as data: the text that is shown is the text that is computed with.

``Formula`` has one variable; polynomials in several variables are made by ``variables``, to compute
with, and their sign is a ``Polynomial`` fact.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from provado.mechanisms import UsageError
from provado.proofs.algebra import ExpPoly
from provado.proofs.kernel import Number

from .fact import POWERS, AtLeastZero, Equal, Polynomial

POWERS_READ = str.maketrans(POWERS, "0123456789")
_TOKEN = re.compile(rf"\s*(\d+|[{POWERS}]+|[^\W\d_]|[-+−·/^()])")
_CONSTANT = (0, Fraction(0), Fraction(0))


@dataclass(frozen=True)
class Formula:
    """A quotient of exponential polynomials in one variable, as text: ``(x + 2)/4·e^(−x)``.

    text: sums, products (``·``, or nothing between factors), quotients from left to right, whole
        powers (``x²``, ``x^2``) and ``e^(…)`` of something linear. variable: one letter, not e.

    Raises ``UsageError`` where the text cannot be read.
    """

    text: str
    variable: str = "x"

    def __post_init__(self) -> None:
        self.ratio()

    def tokens(self) -> list[str]:
        """Return its numbers, letters, signs and raised powers, a minus sign as ``-``."""
        text, at, result = self.text.strip(), 0, []
        while at < len(text):
            token = _TOKEN.match(text, at)
            if token is None:
                raise self.refusal(f"{text[at]!r} cannot be read")
            result.append("-" if token[1] == "−" else token[1])
            at = token.end()
        return result

    def ratio(self) -> tuple[ExpPoly, ExpPoly]:
        """Return numerator and denominator as functions of x."""
        reader = _Reader(self)
        result = reader.sum()
        if reader.tokens or not result[1]:
            raise self.refusal("it does not end well" if result[1] else "it divides by 0")
        top, bottom = result
        if set(bottom.terms) == {_CONSTANT}:
            return top * (1 / bottom.terms[_CONSTANT]), ExpPoly.of(1)
        return top, bottom

    def value(self) -> ExpPoly:
        """Return the formula, whose denominator is a number, as one expression."""
        top, bottom = self.ratio()
        if bottom != 1:
            raise self.refusal("its denominator is not a number")
        return top

    def at(self, value: int | Fraction) -> Fraction:
        """Return the value at a rational point; it must be rational."""
        top, bottom = (part.at(value).terms for part in self.ratio())
        if set(top) - {0} or set(bottom) != {0}:
            raise self.refusal(f"it is no rational number at {value}")
        return top.get(Fraction(0), Fraction(0)) / bottom[Fraction(0)]

    def refusal(self, reason: str) -> UsageError:
        """Return the error that names this formula."""
        return UsageError(f"formula {self.text!r} in {self.variable}: {reason}")

    def __str__(self) -> str:
        return self.text


def at_least_zero(
    text: str,
    lower: Number,
    upper: Number | None = None,
    *,
    variable: str = "x",
    strict: bool = False,
    integers: bool = False,
) -> AtLeastZero:
    """Return the fact that a formula is ≥ 0 (> 0 if strict) for x, or integers, in the range."""
    top, bottom = Formula(text, variable).ratio()
    return AtLeastZero(top.as_data(), lower, upper, strict, integers, bottom.as_data())


def equal(left: str, right: str, variable: str = "x") -> Equal:
    """Return the fact that two formulas without denominators are the same function."""
    one, other = (Formula(text, variable).value().as_data() for text in (left, right))
    return Equal(one, other)


_Ratio = tuple[ExpPoly, ExpPoly]


class _Reader:
    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.tokens = formula.tokens()[::-1]

    def sum(self) -> _Ratio:
        negative = self._take("-")
        total = self._product()
        if negative:
            total = -total[0], total[1]
        while self._next() in ("+", "-"):
            sign = 1 if self.tokens.pop() == "+" else -1
            (a, b), (c, d) = total, self._product()
            total = (a + sign * c, b) if b == d else (a * d + sign * c * b, b * d)
        return total

    def _product(self) -> _Ratio:
        total = self._power()
        while (token := self._next()) not in ("", "+", "-", ")"):
            if token in ("·", "/"):
                self.tokens.pop()
            (a, b), (c, d) = total, self._power()
            total = (a * d, b * c) if token == "/" else (a * c, b * d)
        return total

    def _power(self) -> _Ratio:
        token = self.tokens.pop() if self.tokens else ""
        if token == "e" and self._take("^"):
            return self._exponential(), ExpPoly.of(1)
        if token == "(":
            base = self.sum()
            if not self._take(")"):
                raise self.formula.refusal("a bracket is not closed")
        elif token.isdecimal():
            base = ExpPoly.of(int(token)), ExpPoly.of(1)
        elif token == self.formula.variable:
            base = ExpPoly.term(power=1), ExpPoly.of(1)
        else:
            raise self.formula.refusal(f"{token!r} is out of place")
        if self._take("^"):
            power = self.tokens.pop() if self.tokens else ""
        elif self._next() and self._next()[0] in POWERS:
            power = self.tokens.pop().translate(POWERS_READ)
        else:
            return base
        if not power.isdecimal():
            raise self.formula.refusal(f"the power {power!r} is not a whole number")
        return base[0] ** int(power), base[1] ** int(power)

    def _exponential(self) -> ExpPoly:
        if not self._take("("):
            raise self.formula.refusal("e^ wants a bracket")
        top, bottom = self.sum()
        line = (1, Fraction(0), Fraction(0))
        flat = set(bottom.terms) == {_CONSTANT} and set(top.terms) <= {_CONSTANT, line}
        if not self._take(")") or not flat:
            raise self.formula.refusal("an exponent is not linear")
        parts = (top.terms.get(key, Fraction(0)) for key in (line, _CONSTANT))
        rate, exponent = (part / bottom.terms[_CONSTANT] for part in parts)
        return ExpPoly.term(rate=rate, exponent=exponent)

    def _next(self) -> str:
        return self.tokens[-1] if self.tokens else ""

    def _take(self, token: str) -> bool:
        if self._next() != token:
            return False
        self.tokens.pop()
        return True


@dataclass(frozen=True)
class Multivariate:
    """A sum of monomials (coefficient, powers of the variables); like terms are not collected."""

    terms: tuple[tuple[Number, tuple[int, ...]], ...]

    def __add__(self, other: Multivariate) -> Multivariate:
        return Multivariate(self.terms + other.terms)

    def __sub__(self, other: Multivariate) -> Multivariate:
        return self + -1 * other

    def __mul__(self, other: Multivariate) -> Multivariate:
        return Multivariate(
            tuple(
                (c * d, tuple(i + j for i, j in zip(p, q, strict=True)))
                for c, p in self.terms
                for d, q in other.terms
            )
        )

    def __rmul__(self, factor: Number) -> Multivariate:
        return Multivariate(tuple((factor * c, p) for c, p in self.terms))

    def nonnegative(self, *lower: int) -> Polynomial:
        """Return the fact that it is ≥ 0 wherever each variable is at least its bound, here 0."""
        return Polynomial(self.terms, lower or (0,) * len(self.terms[0][1]))


def variables(count: int) -> tuple[Multivariate, ...]:
    """Return the ``count`` variables as polynomials."""
    return tuple(
        Multivariate(((1, tuple(int(i == j) for j in range(count))),)) for i in range(count)
    )
