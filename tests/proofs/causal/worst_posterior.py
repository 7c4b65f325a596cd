"""Posteriors without a person's data, and the priors and masses at which they change most."""

import math
from fractions import Fraction

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs.algebra.exp_poly import exact
from provado.proofs.causal.finite_mechanism import FiniteMechanism, replaced
from provado.proofs.causal.model import Number, Population, Value
from provado.proofs.causal.posterior import BeliefChange, _update


def _checked(mechanism: FiniteMechanism, index: int, instead: Value) -> None:
    if not 0 <= index < mechanism.n:
        raise UsageError(f"index is {index!r}: there are {mechanism.n} data points, counted from 0")
    if instead not in mechanism.domains[index]:
        raise UsageError(f"instead: {instead!r} is not a value of data point {index + 1}")


def posterior_without(
    mechanism: FiniteMechanism, prior: Population, output: Value, index: int, instead: Value
) -> Population:
    """Return Cr[D = d | O = o, do(D_i = d_i′), B]: data point ``index`` (from 0) is ``instead``.

    The display after equation (29) writes the sum's summand with d where it means d′, the variable
    that is summed over. Raises ``UsageError`` if the prior gives the output probability 0.
    """
    _checked(mechanism, index, instead)
    shown = {d: replaced(d, index, instead) for d in prior.weights}
    return _update(mechanism, prior, output, shown)


def worst_prior(mechanism: FiniteMechanism, change: BeliefChange, mass: Number) -> Population:
    """Return the prior with which the posterior without the data has ``high`` at ``mass``.

    The rest is at ``low``. For an infinite factor ``mass`` is instead the prior's own.
    """
    m = exact(mass, "mass")
    if not 0 < m < 1 or change.high == change.low:
        raise UsageError(f"mass is {mass!r}: it must lie in (0, 1), and high differ from low")
    names = tuple(f"D{i + 1}" for i in range(mechanism.n))
    seen = [
        mechanism.chance(replaced(d, change.index, change.instead), change.output)
        for d in (change.high, change.low)
    ]
    if change.factor == math.inf:
        return Population(names, {change.high: m, change.low: 1 - m})
    weights = m / seen[0], (1 - m) / seen[1]
    total = sum(weights, Fraction(0))
    return Population(names, {change.high: weights[0] / total, change.low: weights[1] / total})


def event_change(change: BeliefChange, mass: Number) -> Fraction:
    """Return what ``high`` gains if the second posterior has it at ``mass``, else low."""
    m = exact(mass, "mass")
    if not 0 < m < 1:
        raise UsageError(f"mass is {mass!r}: it must lie strictly between 0 and 1")
    if not isinstance(change.factor, Fraction):
        raise UsageError("factor is infinite: the change can come as near to 1 as one likes")
    return m * change.factor / (m * change.factor + 1 - m) - m


def worst_mass(change: BeliefChange, digits: int = 12) -> Fraction:
    """Return 1/(1 + √s), exact if √s is rational and else rounded in √s to so many digits."""
    if not isinstance(change.factor, Fraction):
        raise UsageError("factor is infinite: the change approaches 1 as the mass goes to 0")
    p, q = change.factor.numerator, change.factor.denominator
    root = Fraction(math.isqrt(p * q), q)
    if root * root != change.factor:
        scale = 10**digits
        root = Fraction(math.isqrt(p * q * scale**2), q * scale)
    return 1 / (1 + root)
