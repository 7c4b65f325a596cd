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
from provado.proofs.causal.finite_mechanism import FiniteMechanism, replaced
from provado.proofs.causal.model import Factor, Population, Value, Values, ratio


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
