"""How the entries of this paper write expressions, and ask the kernel about them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from provado.mechanisms import Source
from provado.proofs import kernel
from provado.proofs.exppoly import ExpPoly
from provado.proofs.exppoly.certificates import same
from provado.proofs.exppoly.sign_search import prove_sign

WORK = "Kusner, Sun, Sridharan and Weinberger, Private Causal Inference (2016)"

X = ExpPoly.term(power=1)
"""The variable x, so that formulas can be written down as printed."""


def source(place: str) -> Source:
    """Return the paper with a place in it."""
    return Source(WORK, place)


def grow(rate: int | Fraction) -> ExpPoly:
    """Return x ↦ e^(rate·x)."""
    return ExpPoly.term(rate=rate)


def constant(numerator: int, denominator: int = 1) -> ExpPoly:
    """Return a rational constant."""
    return ExpPoly.of(Fraction(numerator, denominator))


def at_least_zero(
    f: ExpPoly,
    lower: int | Fraction,
    upper: int | Fraction | None = None,
    *,
    strict: bool = False,
    cuts: Sequence[int | Fraction] = (),
) -> kernel.Checked:
    """Return the kernel's finding that f ≥ 0 (> 0 if strict) on [lower, upper].

    cuts: points where f touches 0. Raises ``KernelRefusal`` where no argument is found.
    """
    found = prove_sign(f, lower, upper, strict=strict, cuts=cuts)
    if found is None:
        # The kernel says why in its own words.
        plain = kernel.ExpressionSign(f.as_data(), lower, kernel.Coefficients(), upper, strict)
        found = kernel.check(plain)
    return found


def fails_at(
    f: ExpPoly,
    point: int | Fraction,
    lower: int | Fraction | None = None,
    upper: int | Fraction | None = None,
    *,
    integers: bool = False,
) -> kernel.Checked:
    """Return the kernel's refutation of "f ≥ 0 for all x in [lower, upper]", by one point."""
    evidence = kernel.PointCounterexample(f.as_data(), "≥ 0", point, lower, upper, integers)
    return kernel.check(evidence)


__all__ = ["WORK", "X", "at_least_zero", "constant", "fails_at", "grow", "same", "source"]
