"""Polynomial inequalities in one variable or more, handed to the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from provado.proofs.kernel import Checked, Coefficients, ExpressionSign, MultivariateSign, check

Polynomial = tuple[int | Fraction, ...]
"""Coefficients from the constant upward."""


def times(*factors: Sequence[int | Fraction]) -> Polynomial:
    """Return the product of polynomials."""
    product: list[int | Fraction] = [1]
    for factor in factors:
        new: list[int | Fraction] = [0] * (len(product) + len(factor) - 1)
        for i, c in enumerate(product):
            for j, d in enumerate(factor):
                new[i + j] += c * d
        product = new
    return tuple(product)


def minus(left: Sequence[int | Fraction], right: Sequence[int | Fraction]) -> Polynomial:
    """Return the difference of two polynomials."""
    width = max(len(left), len(right))
    first, second = (list(p) + [0] * (width - len(p)) for p in (left, right))
    return tuple(a - b for a, b in zip(first, second, strict=True))


def nonnegative(
    polynomial: Sequence[int | Fraction],
    lower: int,
    *,
    over: Sequence[int | Fraction] = (1,),
    tried_to: int | None = None,
) -> Checked:
    """Return the kernel's finding that polynomial/over ≥ 0, over > 0, for all x ≥ ``lower``.

    tried_to: then for whole x only: those below it are tried one by one. Raises ``KernelRefusal``
    where the kernel cannot see it.
    """

    def expression(p: Sequence[int | Fraction]) -> tuple[tuple[int | Fraction, int, int, int], ...]:
        return tuple((c, 0, k, 0) for k, c in enumerate(p))

    return check(
        ExpressionSign(
            expression(polynomial),
            lower,
            Coefficients(),
            integers_to=tried_to,
            denominator=expression(over),
        )
    )


def ratio_at_most(
    small: tuple[Sequence[int | Fraction], Sequence[int | Fraction]],
    large: tuple[Sequence[int | Fraction], Sequence[int | Fraction]],
    lower: int,
    *,
    tried_to: int | None = None,
) -> Checked:
    """Return the finding that small ≤ large for all whole x ≥ lower; each is (numerator, over)."""
    top = minus(times(large[0], small[1]), times(small[0], large[1]))
    return nonnegative(top, lower, over=times(small[1], large[1]), tried_to=tried_to)


Multivariate = dict[tuple[int, ...], Fraction]
"""Coefficients by the powers of the variables."""


def variable(place: int, of: int) -> Multivariate:
    """Return the variable at ``place`` of ``of`` variables."""
    return {tuple(int(i == place) for i in range(of)): Fraction(1)}


def combine(*parts: tuple[int | Fraction, Sequence[Multivariate]]) -> Multivariate:
    """Return Σ factor·(product of the polynomials) over the parts (factor, polynomials)."""
    total: Multivariate = {}
    for factor, polynomials in parts:
        product: Multivariate = {}
        for polynomial in polynomials:
            product = (
                {
                    powers: sum(
                        (
                            c * d
                            for p, c in product.items()
                            for q, d in polynomial.items()
                            if tuple(map(sum, zip(p, q, strict=True))) == powers
                        ),
                        Fraction(0),
                    )
                    for powers in {
                        tuple(map(sum, zip(p, q, strict=True))) for p in product for q in polynomial
                    }
                }
                if product
                else polynomial
            )
        for powers, c in product.items():
            total[powers] = total.get(powers, Fraction(0)) + factor * c
    return total


def nonnegative_from(polynomial: Multivariate, lower: tuple[int, ...]) -> Checked:
    """Return the kernel's finding that a polynomial is ≥ 0 wherever x_i ≥ lower[i] for all i."""
    return check(MultivariateSign(tuple((c, p) for p, c in polynomial.items()), lower))
