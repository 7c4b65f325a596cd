"""Populations by their form: products, and mixtures of products on boxes at distance 3 or more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import prod

from provado.proofs.causal.definitions import mutually_independent
from provado.proofs.causal.model import (
    Number,
    Population,
    Value,
    Values,
    exact_distribution,
    population,
)


def mixture_of_distant_products(people: Population) -> bool:
    """Return whether the population is a product on each of some boxes at mutual distance ≥ 3.

    The right side of the claim in this module's text, decided on its own: components of the
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


def independent(
    marginals: Sequence[Mapping[Value, Number]], names: Sequence[str] | None = None
) -> Population:
    """Return the population in which variables with these marginals are mutually independent."""
    distributions = [
        exact_distribution(marginal, f"marginal {i + 1}") for i, marginal in enumerate(marginals)
    ]
    weights = {
        tuple(value for value, _ in combination): prod(
            (w for _, w in combination), start=Fraction(1)
        )
        for combination in product(*(each.items() for each in distributions))
    }
    return population(weights, names)
