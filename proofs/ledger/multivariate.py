"""Polynomials in several variables, to compute with; their sign is a ``Polynomial`` fact."""

from __future__ import annotations

from dataclasses import dataclass

from provado.proofs.kernel import Number

from .fact import Polynomial


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
