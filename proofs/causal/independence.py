"""The condition of Definition 4, as printed and as mutual independence.

The printed condition asks that D_i be independent of D_j given *all other* data points, for each
pair. For two data points that is independence. From three on it is weaker than it looks: if the
others determine D_i, nothing is asked of it. So ⟨D, D, D⟩, one person's status three times, meets
the printed condition.

What it does allow. Let S be the support. The printed condition says that the part of S in each
plane (all but two coordinates fixed) is a rectangle on which the weights have rank one.

Claim. The printed condition holds if and only if S is a disjoint union of boxes A_1 × … × A_n, any
two of which are at Hamming distance at least 3, with the population a product within each box.

Proof. Join points of S at distance 1. A rectangle is connected, so each plane meets one component
at most, and two components are at distance ≥ 3. Let C be a component, x in C, and a = y_i for some
y in C. Of two neighbouring moves on the path from x to y, one changing coordinate j ≠ i and the
next coordinate i, the order can be turned round: start, middle and end lie in one plane, and its
rectangle holds the fourth corner. Moving all changes of coordinate i to the front shows that x
with x_i := a is in C. So C is a box. On it the logarithm of the weights has no interaction between
any two coordinates, hence is a sum of functions of single coordinates. The converse is read off:
a plane meets one box at most, in a rectangle of rank one. ∎
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import prod

from .exact import Values
from .population import Population


def mutually_independent(people: Population) -> bool:
    """Return whether the variables are mutually independent: what Definition 4 needs."""
    marginals = [people.marginal([name]).weights for name in people.names]
    if len(people.weights) != prod(len(marginal) for marginal in marginals):
        return False
    return all(
        weight
        == prod(
            (marginal[(value,)] for marginal, value in zip(marginals, values, strict=True)),
            start=Fraction(1),
        )
        for values, weight in people.weights.items()
    )


def pairwise_independent_given_the_rest(people: Population) -> bool:
    """Return whether D_i ⊥ D_j given all other data points, for all i ≠ j: Definition 4 as printed.

    Given other values of positive probability; there is nothing to check for the rest.
    """
    for i, j in combinations(range(len(people.names)), 2):
        planes: dict[Values, dict[Values, Fraction]] = {}
        for values, weight in people.weights.items():
            rest = tuple(value for k, value in enumerate(values) if k not in (i, j))
            planes.setdefault(rest, {})[values[i], values[j]] = weight
        if not all(map(_rank_one, planes.values())):
            return False
    return True


def _rank_one(plane: dict[Values, Fraction]) -> bool:
    """Return whether the weights of pairs (a, b) are those of two independent variables."""
    if len(plane) == 1:
        return True
    rows: dict[object, Fraction] = {}
    columns: dict[object, Fraction] = {}
    for (a, b), weight in plane.items():
        rows[a] = rows.get(a, Fraction(0)) + weight
        columns[b] = columns.get(b, Fraction(0)) + weight
    total = sum(rows.values(), Fraction(0))
    return all(
        plane.get((a, b), Fraction(0)) * total == rows[a] * columns[b]
        for a, b in product(rows, columns)
    )


def mixture_of_distant_products(people: Population) -> bool:
    """Return whether the population is a product on each of some boxes at mutual distance ≥ 3.

    The right side of the module's claim, decided on its own: components of the support under
    changes of one coordinate, each tested for being a box with a product on it.
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
