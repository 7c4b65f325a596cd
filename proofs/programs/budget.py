"""That the shifts' cost stays within ε, as certificates about polynomials. Trusted."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs import kernel

from .alignment import (
    draws_of,
)
from .claim import Claim
from .ir import LENGTH
from .linear import Linear
from .polynomial import Polynomial, Ratio, ratio
from .ways import UndecidedProgramError


def above_zero(claim: Claim) -> tuple[kernel.MultivariateSign, ...]:
    """Return certificates that scales and units are above 0 for all parameters of the claim."""
    found = []
    for draw in draws_of(claim.ways).values():
        scale = ratio(draw.scale)
        found += [_sign(claim, part, strict=True) for part in (scale.top, scale.bottom)]
    for one in (*claim.accounts.units, claim.epsilon):
        found.append(_sign(claim, one.bottom, strict=True))
    return tuple(found)


def budget(claim: Claim, bounds: tuple[Linear, ...]) -> kernel.MultivariateSign:
    """Return the certificate that Σ bound·unit ≤ ε for all parameters of the claim.

    Both sides are multiplied by all denominators, which are above 0.
    """
    ratios = [
        Ratio(Polynomial.linear(bound) * unit.top, unit.bottom)
        for bound, unit in zip(bounds, claim.accounts.units, strict=True)
    ]
    total = claim.epsilon.top
    for one in ratios:
        total = total * one.bottom
    for k, one in enumerate(ratios):
        part = one.top * claim.epsilon.bottom
        for j, other in enumerate(ratios):
            part = part * other.bottom if j != k else part
        total = total + part.times(Fraction(-1))
    return _sign(claim, total, strict=False)


def _sign(claim: Claim, polynomial: Polynomial, *, strict: bool) -> kernel.MultivariateSign:
    """Return the certificate that a polynomial is ≥ 0 for all parameters of the claim.

    For > 0 each term must be above 0 as it stands: no coefficient below 0, every parameter above.
    Then Σ c·(monomial) is at least its part on one term, which the kernel sees at a corner above 0.
    """
    names = tuple(sorted(polynomial.parameters())) or ("no parameter",)
    if not set(names) <= {*claim.positive, "no parameter", LENGTH}:
        raise UndecidedProgramError("the sign of a scale is open: its parameters are not all > 0")
    if strict:
        if not polynomial.terms or any(c <= 0 for _, c in polynomial.terms):
            raise UndecidedProgramError(f"{polynomial.words()} is not seen to be above 0")
        # Each monomial is above 0; so is the sum. The kernel is shown the coefficients' signs.
        signs = tuple((c, (0,)) for _, c in polynomial.terms)
        return kernel.MultivariateSign(signs, (0,), strict=True)
    lower = tuple(least(claim, name) for name in names)
    terms = tuple((c, tuple(dict(m).get(name, 0) for name in names)) for m, c in polynomial.terms)
    return kernel.MultivariateSign(terms, lower)


def least(claim: Claim, name: str) -> Fraction:
    """Return a number that a parameter of the claim is never below."""
    bounds = [Fraction(0)]
    for atom in claim.assumed:
        if [s for s, _ in atom.form.terms] == [name] and atom.form.coefficient(name) > 0:
            bounds.append(-atom.form.constant / atom.form.coefficient(name))
    return max(bounds)
