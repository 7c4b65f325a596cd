"""Exponential polynomials Σ c·e^q·x^k·e^(a·x) on one interval, and their values Σ c·e^q."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb
from numbers import Rational
from typing import Any

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs import kernel


def exact(value: Any, name: str) -> Fraction:
    """Return a rational number as a ``Fraction``; raise ``UsageError`` for any other value.

    NumPy's integers are taken, too. A float is refused rather than read as the binary number that
    it holds: 0.1 is not 1/10.
    """
    if isinstance(value, bool) or not isinstance(value, Rational):
        raise UsageError(
            f"{name} is {value!r}: it must be an int or a Fraction; floats are inexact"
        )
    return Fraction(int(value.numerator), int(value.denominator))


def positive_exact(value: Any, name: str) -> Fraction:
    """Return ``value`` > 0 as a fraction; a float or a number not above 0 raises ``UsageError``."""
    number = exact(value, name)
    if number <= 0:
        raise UsageError(f"{name} is {value!r}: it must be above 0")
    return number


class ExpSum:
    """An exact real number Σ c·e^q. Equality and order are decided, never guessed.

    Distinct exponents are linearly independent over the rationals (Lindemann and Weierstrass), so
    that two sums are equal exactly if they have the same terms. Instances are immutable.
    """

    __slots__ = ("terms",)
    terms: Mapping[Fraction, Fraction]

    def __init__(self, pairs: Iterable[tuple[int | Fraction, int | Fraction]] = ()) -> None:
        """Add up the pairs (q, c)."""
        total: dict[Fraction, Fraction] = {}
        for q, c in pairs:
            key = exact(q, "exponent")
            total[key] = total.get(key, Fraction(0)) + exact(c, "coefficient")
        self.terms = {q: c for q, c in sorted(total.items()) if c}

    @classmethod
    def of(cls, value: ExpSum | int | Fraction) -> ExpSum:
        """Return a number as a sum."""
        return value if isinstance(value, ExpSum) else cls([(0, exact(value, "value"))])

    def as_data(self) -> kernel.Sum:
        """Return the pairs (q, c) in the form that the kernel takes."""
        return tuple(self.terms.items())

    def enclosure(self, bits: int = 64) -> tuple[Fraction, Fraction]:
        """Return rational bounds on the value, certified by the kernel's arithmetic."""
        return kernel.sum_enclosure(self.as_data(), bits)

    def sign(self) -> int:
        """Return −1, 0 or 1, decided exactly."""
        return kernel.sum_sign(self.as_data())

    def __add__(self, other: ExpSum | int | Fraction) -> ExpSum:
        if not isinstance(other, ExpSum | int | Fraction):
            return NotImplemented
        return ExpSum([*self.terms.items(), *ExpSum.of(other).terms.items()])

    __radd__ = __add__

    def __neg__(self) -> ExpSum:
        return ExpSum((q, -c) for q, c in self.terms.items())

    def __sub__(self, other: ExpSum | int | Fraction) -> ExpSum:
        return self + -other

    def __rsub__(self, other: ExpSum | int | Fraction) -> ExpSum:
        return -self + other

    def __mul__(self, other: ExpSum | int | Fraction) -> ExpSum:
        if not isinstance(other, ExpSum | int | Fraction):
            return NotImplemented
        right = ExpSum.of(other).terms.items()
        return ExpSum((q + r, c * d) for q, c in self.terms.items() for r, d in right)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExpSum | int | Fraction):
            return NotImplemented
        return self.terms == ExpSum.of(other).terms

    def __hash__(self) -> int:
        return hash(tuple(self.terms.items()))

    def __lt__(self, other: ExpSum | int | Fraction) -> bool:
        return (self - other).sign() < 0

    def __le__(self, other: ExpSum | int | Fraction) -> bool:
        return (self - other).sign() <= 0

    def __gt__(self, other: ExpSum | int | Fraction) -> bool:
        return (self - other).sign() > 0

    def __ge__(self, other: ExpSum | int | Fraction) -> bool:
        return (self - other).sign() >= 0

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __float__(self) -> float:
        low, high = self.enclosure(64)
        bits = 64
        # Cancellation between terms costs bits; a sum that is not 0 shows them in the end.
        while self.terms and high - low > abs(low) / 2**60:
            bits *= 2
            low, high = self.enclosure(bits)
        return float((low + high) / 2)

    def __repr__(self) -> str:
        parts = [f"{c}·e^({q})" if q else str(c) for q, c in self.terms.items()]
        return " + ".join(parts) or "0"


def exp(q: int | Fraction) -> ExpSum:
    """Return e^q."""
    return ExpSum([(q, 1)])


# Exponential polynomials Σ c·e^q·x^k·e^(a·x): one expression, valid on one interval.

Key = tuple[int, Fraction, Fraction]
"""(k, a, q) of a term c·e^q·x^k·e^(a·x)."""

Scalar = ExpSum | int | Fraction


class ExpPoly:
    """Σ c·e^q·x^k·e^(a·x) with rational c, q and a, in normal form: equal functions, equal terms.

    Coefficients are sums in e^q, so that shifts by rational numbers stay exact. Immutable.
    """

    __slots__ = ("terms",)
    terms: Mapping[Key, Fraction]

    def __init__(self, items: Iterable[tuple[Key, Fraction]] = ()) -> None:
        """Add up the pairs ((k, a, q), c); meant for code that has exact fractions already."""
        total: dict[Key, Fraction] = {}
        for key, c in items:
            total[key] = total[key] + c if key in total else c
        self.terms = {key: c for key, c in total.items() if c}

    @classmethod
    def of(cls, value: ExpPoly | Scalar) -> ExpPoly:
        """Return a constant as an expression."""
        if isinstance(value, ExpPoly):
            return value
        return cls(((0, Fraction(0), q), c) for q, c in ExpSum.of(value).terms.items())

    @classmethod
    def term(
        cls,
        c: int | Fraction = 1,
        *,
        power: int = 0,
        rate: int | Fraction = 0,
        exponent: int | Fraction = 0,
    ) -> ExpPoly:
        """Return c·e^exponent·x^power·e^(rate·x)."""
        if power < 0 or power != int(power):
            raise UsageError(f"power is {power!r}: it must be a whole number from 0 on")
        key = (int(power), exact(rate, "rate"), exact(exponent, "exponent"))
        return cls([(key, exact(c, "c"))])

    def as_data(self) -> kernel.Expression:
        """Return the terms (c, q, k, a) in the form that the kernel takes."""
        return tuple((c, q, k, a) for (k, a, q), c in sorted(self.terms.items()))

    def __add__(self, other: ExpPoly | Scalar) -> ExpPoly:
        if not isinstance(other, ExpPoly | ExpSum | int | Fraction):
            return NotImplemented
        return ExpPoly([*self.terms.items(), *ExpPoly.of(other).terms.items()])

    __radd__ = __add__

    def __neg__(self) -> ExpPoly:
        return ExpPoly((key, -c) for key, c in self.terms.items())

    def __sub__(self, other: ExpPoly | Scalar) -> ExpPoly:
        return self + -other

    def __rsub__(self, other: ExpPoly | Scalar) -> ExpPoly:
        return -self + other

    def __mul__(self, other: ExpPoly | Scalar) -> ExpPoly:
        if not isinstance(other, ExpPoly | ExpSum | int | Fraction):
            return NotImplemented
        right = ExpPoly.of(other).terms.items()
        return ExpPoly(
            ((k + j, a + b, q + r), c * d)
            for (k, a, q), c in self.terms.items()
            for (j, b, r), d in right
        )

    __rmul__ = __mul__

    def __pow__(self, n: int) -> ExpPoly:
        result = ExpPoly.of(1)
        for _ in range(n):
            result = result * self
        return result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExpPoly | ExpSum | int | Fraction):
            return NotImplemented
        return self.terms == ExpPoly.of(other).terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __repr__(self) -> str:
        return " + ".join(f"{c}·e^({q})·x^{k}·e^({a}·x)" for c, q, k, a in self.as_data()) or "0"

    def derivative(self) -> ExpPoly:
        """Return the derivative."""
        rate = [((k, a, q), c * a) for (k, a, q), c in self.terms.items()]
        power = [((k - 1, a, q), c * k) for (k, a, q), c in self.terms.items() if k]
        return ExpPoly(rate + power)

    def antiderivative(self) -> ExpPoly:
        """Return the antiderivative whose constant is 0 in every term's own recursion."""
        items: list[tuple[Key, Fraction]] = []
        for (k, a, q), c in self.terms.items():
            if a == 0:
                items.append(((k + 1, a, q), c / (k + 1)))
                continue
            # ∫ x^k·e^(ax) = x^k·e^(ax)/a − (k/a)·∫ x^(k−1)·e^(ax)
            for j in range(k, -1, -1):
                c = c / a
                items.append(((j, a, q), c))
                c = -c * j
        return ExpPoly(items)

    def compose(self, slope: int | Fraction, offset: int | Fraction) -> ExpPoly:
        """Return x ↦ f(slope·x + offset)."""
        s, o = exact(slope, "slope"), exact(offset, "offset")
        return ExpPoly(
            ((j, a * s, q + a * o), c * comb(k, j) * s**j * o ** (k - j))
            for (k, a, q), c in self.terms.items()
            for j in range(k + 1)
        )

    def at(self, x: int | Fraction) -> ExpSum:
        """Return f(x), exactly."""
        point = exact(x, "x")
        return ExpSum((q + a * point, c * point**k) for (k, a, q), c in self.terms.items())

    def limit(self, side: int) -> ExpSum:
        """Return the limit at side·∞ (side ±1); raise ``UsageError`` where it is not finite."""
        if any(a * side > 0 or (a == 0 and k) for k, a, _ in self.terms):
            raise UsageError(f"expression is {self!r}: it has no finite limit at {side:+d}·∞")
        return ExpSum((q, c) for (_, a, q), c in self.terms.items() if a == 0)

    def integral(self, lower: Fraction | None, upper: Fraction | None) -> ExpSum:
        """Return the integral from ``lower`` to ``upper``; ``None`` is the infinite end."""
        poly = self.antiderivative()
        high = poly.limit(1) if upper is None else poly.at(upper)
        low = poly.limit(-1) if lower is None else poly.at(lower)
        return high - low
