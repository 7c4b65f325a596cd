"""Definition 9: bounded relative probability, as printed and repaired."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from provado.proofs.causal.definitions import Smallest, relative_probability, smallest
from provado.proofs.causal.finite_mechanism import FiniteMechanism, data_point_names
from provado.proofs.causal.model import Factor, uniform
from provado.proofs.causal.search import SCOPE, Case, all_mechanisms
from tests.proofs.causal.factors import factor_at_most_exp, maximum_relative_probability

from ._arrows import same
from ._finding import Counterexample, Finding

CLAIM = "some mechanism has ε-BRP for its data points, with the bound printed as e^{-1}"


def printed() -> Finding:
    """PublicFacts for a mechanism that keeps the maximum of RP within e^{-1}."""
    tried, least = 0, None
    for mechanism in all_mechanisms():
        if mechanism.n > 1:
            continue
        tried += 1
        largest = max(_ratios(mechanism))
        least = largest if least is None else min(least, largest)
        # largest ≤ e^{-1} says that 1/largest exceeds e, which is irrational.
        if isinstance(largest, Fraction) and not factor_at_most_exp(1 / largest, 1):
            return Finding(CLAIM, "printed", tried, f"of one data point: {SCOPE}")
    if least is None:
        return Finding(CLAIM, "printed", 0, SCOPE)
    words = f"the least maximum of RP, with x₁ = x₂ allowed, is {least}, and e^{{-1}} is below 1"
    example = Counterexample(words, (("least maximum", least),))
    return Finding(CLAIM, "printed", tried, f"of one data point: {SCOPE}", (example,))


def _ratios(mechanism: FiniteMechanism) -> Iterator[Factor]:
    """Yield all values of equation (26) for O and the one data point that are defined."""
    (domain,), model = mechanism.domains, mechanism.model
    for value, other, o in product(domain, domain, mechanism.outputs):
        if mechanism.chance((value,), o) or mechanism.chance((other,), o):
            yield relative_probability(model, None, {"O": o}, {"D1": value}, {"D1": other})


def evidence() -> tuple[Finding, ...]:
    """Check the printed bound, and with e^ε the equivalence to differential privacy."""
    return printed(), same("1", "9", role="repaired")


def broken() -> Finding:
    """Take the maximum of RP under the uniform population instead of all of them."""

    def twin(case: Case) -> Smallest:
        m = case.mechanism
        answers = [
            maximum_relative_probability(m.model, uniform(m.datasets), ["O"], [name]).at
            for name in data_point_names(m.n)
        ]
        return smallest(at for at in answers if at is not None)

    return same("1", ("BRP for the uniform population only", twin))
