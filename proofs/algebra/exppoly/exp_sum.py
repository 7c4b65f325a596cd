"""Exact real constants Σ c·e^q with rational c and q: the values of the algebra."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from provado.mechanisms.statement.errors import UsageError
from provado.proofs import kernel


def exact(value: Any, name: str) -> Fraction:
    """Return ``value`` as a ``Fraction``; raise ``UsageError`` for a float or anything inexact.

    A float is refused rather than read as the binary number that it holds: 0.1 is not 1/10.
    """
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise UsageError(f"{name} is {value!r}: it must be an int or a Fraction, not a float")
    return Fraction(value)


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
        if not isinstance(other, ExpSum | int | Fraction):
            return NotImplemented
        return self + -ExpSum.of(other)

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
