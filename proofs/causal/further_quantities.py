"""Largest relative probabilities, mixtures of distant products."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product

from provado.proofs.causal.definitions import (
    Smallest,
    _effect,
    mutually_independent,
    smallest,
)
from provado.proofs.causal.examples import BITS, _same, noisy_count
from provado.proofs.causal.model import (
    Model,
    Number,
    Population,
    Values,
    assigned,
    structural_model,
)


def mixture_of_distant_products(people: Population) -> bool:
    """Return whether the population is a product on each of some boxes at mutual distance ≥ 3.

    The right side of the claim in ``causal.definitions``, decided on its own: components of the
    support under changes of one coordinate, each tested for being a box with a product on it.
    """
    components = _components(set(people.weights))
    for component in components:
        total = sum((people.weights[values] for values in component), Fraction(0))
        part = Population(people.names, {v: people.weights[v] / total for v in component})
        if not mutually_independent(part):
            return False
    return all(
        _distance(a, b) >= 3
        for one, other in combinations(components, 2)
        for a, b in product(one, other)
    )


def _components(points: set[Values]) -> list[set[Values]]:
    found = []
    while points:
        component, border = set(), {points.pop()}
        while border:
            component |= border
            border = {p for p in points if any(_distance(p, b) == 1 for b in border)}
            points -= border
        found.append(component)
    return found


def _distance(a: Values, b: Values) -> int:
    return sum(x != y for x, y in zip(a, b, strict=True))


def maximum_relative_probability(
    model: Model, people: Population | None, y: Sequence[str], x: Sequence[str]
) -> Smallest:
    """Return the maximum of RP over values of Y and two values of X, equation (27)."""
    return smallest(_effect(model, people, y, x))


def social_network(r: Number) -> Model:
    """Return Bob's joining a network (B), his own edge, and the one he brings about.

    ``own`` := B; ``between`` (Alice and Charlie) := B; O is the noisy number of edges. Source:
    section 6.3, after Kifer and Machanavajjhala. Arrow B → own is Bob's direct contribution, and
    B → between the evidence of his participation that edge privacy leaves out.
    """
    return structural_model(
        {"B": BITS},
        {
            "own": assigned(["B"], _same, BITS),
            "between": assigned(["B"], _same, BITS),
            "O": noisy_count(2, r).equation("own", "between"),
        },
    )
