"""Exact values and functions as SymPy expressions, for printing and for checks by other means."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from provado.proofs.algebra.exp_poly import ExpPoly, ExpSum
from provado.proofs.algebra.piecewise import Piecewise


def to_sympy(value: ExpSum | ExpPoly | Piecewise, variable: str = "x") -> Any:
    """Return ``value`` as a SymPy expression in a real symbol named ``variable``.

    Expressions are grouped by their exponential in x; a piecewise function becomes
    ``sympy.Piecewise``, with the value from the right at breakpoints.
    """
    import sympy

    def number(c: Fraction) -> Any:
        return sympy.Rational(c.numerator, c.denominator)

    x = sympy.Symbol(variable, real=True)
    if isinstance(value, ExpSum):
        return sympy.Add(*(number(c) * sympy.exp(number(q)) for q, c in value.terms.items()))
    if isinstance(value, ExpPoly):
        groups: dict[Fraction, list[Any]] = {}
        for c, q, k, a in value.as_data():
            rate = Fraction(a)
            part = number(Fraction(c)) * sympy.exp(number(Fraction(q))) * x**k
            groups.setdefault(rate, []).append(part)
        return sympy.Add(
            *(sympy.Add(*parts) * sympy.exp(number(a) * x) for a, parts in groups.items())
        )
    if not value.breaks:
        return to_sympy(value.parts[0], variable)
    cases = [
        (to_sympy(part, variable), x < number(upper) if upper is not None else True)
        for _, upper, part in value.pieces()
    ]
    return sympy.Piecewise(*cases)
