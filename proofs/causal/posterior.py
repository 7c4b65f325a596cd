"""What an adversary learns: posterior with a person's data against posterior without.

Source: Tschantz, Sen and Datta (2022), section 7, equation (29) and the display after it. The
adversary has a prior over whole datasets. With the data it sees A(d); without, person i hands in
d_i′ (a null value, or a made-up one) and it sees A(d_{-i}d_i′), while it still asks about d.

How far the two posteriors can be apart. Fix i, d_i′ and the output o. The first posterior is the
second one, reweighted by w(d) = Pr[A(d) = o]/Pr[A(d_{-i}d_i′) = o] and normalised. By choice of the
prior the second posterior can be any distribution over the datasets where the denominator of w is
positive. So with s = max w/min w:
 * no dataset's probability changes by more than the factor s; s is approached as nearly all of the
   second posterior stands at min w, and reached only if s = 1;
 * no event's probability changes by more than (√s − 1)/(√s + 1), which is reached where the second
   posterior has 1/(1 + √s) at max w and the rest at min w. (An event of mass m that holds max w
   becomes ms/(ms + 1 − m); the difference is concave in m and largest there.)
Under ε-differential privacy w lies in [e^-ε, e^ε], so s ≤ e^{2ε}, and the change of an event is at
most (e^ε − 1)/(e^ε + 1). If w is infinite somewhere, an impossible dataset can become certain.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs.algebra.exp_poly import exact
from provado.proofs.causal.finite_mechanism import FiniteMechanism, replaced
from provado.proofs.causal.model import Factor, Number, Population, Value, Values, ratio


def posterior(mechanism: FiniteMechanism, prior: Population, output: Value) -> Population:
    """Return Cr[D = d | O = o, B], equation (29).

    Raises ``UsageError`` if the prior gives the output probability 0.
    """
    return _update(mechanism, prior, output, {d: d for d in prior.weights})


@dataclass(frozen=True)
class BeliefChange:
    """The largest posterior-to-posterior change for some i, d_i′ and o.

    factor: s as in the module, a bound on the ratio of the two posteriors in either direction.
    index, instead, output: i (from 0), d_i′ and o. high, low: datasets of largest and smallest w.
    """

    factor: Factor
    index: int
    instead: Value
    output: Value
    high: Values
    low: Values


def largest_change(mechanism: FiniteMechanism) -> BeliefChange:
    """Return the largest posterior-to-posterior change over all priors, people and outputs.

    An exact supremum, decided by the formula in the module's docstring; no prior is sampled.
    """
    return max(_changes(mechanism), key=lambda change: change.factor)


def _changes(mechanism: FiniteMechanism) -> Iterator[BeliefChange]:
    for index, domain in enumerate(mechanism.domains):
        for instead in domain:
            for o in mechanism.outputs:
                weighted = []
                for d in mechanism.datasets:
                    shown = replaced(d, index, instead)
                    w = ratio(mechanism.chance(d, o), mechanism.chance(shown, o))
                    if w is not None:
                        weighted.append((w, d))
                # All infinite: nobody who sees this output believes in d_i′, nothing to compare.
                if any(w != math.inf for w, _ in weighted):
                    yield _spread(weighted, index, instead, o)


def _spread(
    weighted: list[tuple[Factor, Values]], index: int, instead: Value, o: Value
) -> BeliefChange:
    most, high = max(weighted, key=lambda pair: pair[0])
    least, low = min(weighted, key=lambda pair: pair[0])
    factor: Factor
    if isinstance(most, Fraction) and isinstance(least, Fraction):
        factor = most / least if least else (math.inf if most else Fraction(1))
    else:
        factor = math.inf
    return BeliefChange(factor, index, instead, o, high, low)


def _update(
    mechanism: FiniteMechanism, prior: Population, output: Value, shown: dict[Values, Values]
) -> Population:
    if output not in mechanism.outputs:
        raise UsageError(f"output: {output!r} is not among {mechanism.outputs!r}")
    for d in prior.weights:
        if d not in mechanism.table:
            raise UsageError(f"prior: {d!r} is not a dataset of this mechanism")
    weights = {d: prior.weights[d] * mechanism.chance(shown[d], output) for d in prior.weights}
    total = sum(weights.values(), Fraction(0))
    if not total:
        raise UsageError(f"output: {output!r} has probability 0 under this prior")
    return Population(prior.names, {d: weight / total for d, weight in weights.items()})


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
