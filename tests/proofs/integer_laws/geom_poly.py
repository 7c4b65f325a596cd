"""Σ c·k^j·r^k with rational c and r ≠ 0, as a function of an integer k."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb
from typing import Any

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs.algebra import exact

Key = tuple[int, Fraction]
"""(j, r) of a term c·k^j·r^k."""


class GeomPoly:
    """One expression Σ c·k^j·r^k in normal form: equal functions of k, equal terms. Immutable.

    The functions k^j·r^k are linearly independent on any infinite set of consecutive integers; on a
    finite range two different expressions may still agree.
    """

    __slots__ = ("terms",)
    terms: Mapping[Key, Fraction]

    def __init__(self, items: Iterable[tuple[Key, Fraction]] = ()) -> None:
        """Add up the pairs ((j, r), c)."""
        total: dict[Key, Fraction] = {}
        for key, c in items:
            total[key] = total.get(key, Fraction(0)) + c
        self.terms = {key: c for key, c in total.items() if c}

    @classmethod
    def term(cls, c: int | Fraction, *, power: int = 0, ratio: int | Fraction = 1) -> GeomPoly:
        """Return c·k^power·ratio^k; a ratio of 0 raises ``UsageError``."""
        if not exact(ratio, "ratio"):
            raise UsageError("ratio is 0: it must not be")
        return cls([((power, Fraction(ratio)), exact(c, "c"))])

    def __add__(self, other: GeomPoly) -> GeomPoly:
        return GeomPoly([*self.terms.items(), *other.terms.items()])

    def __sub__(self, other: GeomPoly) -> GeomPoly:
        return self + other.times(-1)

    def __mul__(self, other: GeomPoly) -> GeomPoly:
        return GeomPoly(
            ((j + i, r * s), c * d)
            for (j, r), c in self.terms.items()
            for (i, s), d in other.terms.items()
        )

    def times(self, factor: int | Fraction) -> GeomPoly:
        """Return the function multiplied by a number."""
        return GeomPoly((key, c * factor) for key, c in self.terms.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GeomPoly) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __repr__(self) -> str:
        return " + ".join(f"{c}·k^{j}·({r})^k" for (j, r), c in self.terms.items()) or "0"

    def at(self, k: int) -> Fraction:
        """Return the value at k."""
        return sum((c * k**j * r**k for (j, r), c in self.terms.items()), Fraction(0))

    def compose(self, sign: int, offset: int) -> GeomPoly:
        """Return k ↦ f(sign·k + offset) for a sign of ±1."""
        return GeomPoly(
            ((i, r**sign), c * r**offset * comb(j, i) * sign**i * offset ** (j - i))
            for (j, r), c in self.terms.items()
            for i in range(j + 1)
        )

    def indefinite_sum(self) -> GeomPoly:
        """Return S with S(k + 1) − S(k) = f(k), so that Σ f from m to n is S(n + 1) − S(m)."""
        return GeomPoly(
            ((i, r), c * p)
            for (j, r), c in self.terms.items()
            for i, p in enumerate(_summed_power(j, r))
        )

    def limit(self, side: int) -> Fraction:
        """Return the limit at side·∞; raise ``UsageError`` where it is not finite."""
        constant = Fraction(0)
        for (j, r), c in self.terms.items():
            if j == 0 and r == 1:
                constant = c
            elif not (abs(r) < 1 if side > 0 else abs(r) > 1):
                raise UsageError(f"expression is {self!r}: it has no finite limit at {side:+d}·∞")
        return constant

    def to_sympy(self, variable: str = "k") -> Any:
        """Return a SymPy expression in an integer symbol named ``variable``."""
        import sympy

        k = sympy.Symbol(variable, integer=True)
        rational = [
            (
                sympy.Rational(c.numerator, c.denominator),
                j,
                sympy.Rational(r.numerator, r.denominator),
            )
            for (j, r), c in self.terms.items()
        ]
        return sympy.Add(*(c * k**j * r**k for c, j, r in rational))


def _summed_power(j: int, r: Fraction) -> list[Fraction]:
    """Return the coefficients of P with r·P(k + 1) − P(k) = k^j, from the constant up."""
    top = j + (r == 1)
    p = [Fraction(0)] * (top + 1)
    for i in range(j, -1, -1):
        here = i + (r == 1)
        # The coefficient of k^i on the left, without the unknown that it determines.
        rest = sum((r * comb(m, i) * p[m] for m in range(here + 1, top + 1)), Fraction(0))
        p[here] = (Fraction(i == j) - rest) / ((i + 1) if r == 1 else (r - 1))
    return p
