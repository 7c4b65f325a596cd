"""Effects along some arrows only, largest relative probabilities, mixtures of distant products."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations, product

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs.causal.definitions import (
    Comparison,
    Smallest,
    _compare,
    _effect,
    _extreme,
    mutually_independent,
    smallest,
)
from provado.proofs.causal.examples import BITS, _same, noisy_count
from provado.proofs.causal.model import (
    Model,
    Node,
    Number,
    Population,
    Value,
    Values,
    assigned,
    distribution,
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


def feed(model: Model, settings: Mapping[tuple[str, str], Value]) -> Model:
    """Return the model in which edges carry set values: ``settings[parent, child]``.

    Only the named child reads the value; all others read the parent itmodel. This is how a
    cause is changed along some of its paths only.
    """
    nodes = dict(model.nodes)
    for (parent, child), value in settings.items():
        if child not in nodes or parent not in nodes[child].parents:
            raise UsageError(f"feed: {parent} is no parent of {child} in this model")
        if value not in model.ranges[parent]:
            raise UsageError(
                f"feed: {value!r} is not in the range {model.ranges[parent]!r} of {parent}"
            )
        at = nodes[child].parents.index(parent)
        nodes[child] = Node(
            nodes[child].parents[:at] + nodes[child].parents[at + 1 :],
            {
                values[:at] + values[at + 1 :]: chances
                for values, chances in nodes[child].table.items()
                if values[at] == value
            },
        )
    return replace(model, nodes=nodes)


def effect_through(
    model: Model,
    x: str,
    children: Sequence[str],
    y: Sequence[str],
    *,
    others_at_reference: bool = True,
) -> Smallest:
    """Return the smallest e^ε of the effect of X on Y along its arrows to ``children`` only.

    Pr[y] is compared between X = x and X = x′ as read by these children, for all populations. All
    other children read x′ in both worlds; with ``others_at_reference=False`` they may read any one
    value. Y's own parent X counts as the child Y. With the children a direct arrow this is a
    direct effect, otherwise one of the indirect effects (Pearl, Direct and indirect effects, 2001,
    to which section 6.3 points).
    """
    every = [name for name, node in model.nodes.items() if x in node.parents]
    for child in children:
        if child not in every:
            raise UsageError(f"children: {x} has no arrow to {child}; it has arrows to {every!r}")
    rest = [child for child in every if child not in children]

    def comparisons() -> Iterator[Comparison]:
        for value, other in permutations(model.range_of(x), 2):
            for base in (other,) if others_at_reference else model.range_of(x):
                held = {(x, child): base for child in rest}
                one = feed(model, held | {(x, child): value for child in children})
                two = feed(model, held | {(x, child): other for child in children})
                for people in _extreme(one, y):
                    left = distribution(one, people, y)
                    right = distribution(two, people, y)
                    where = f"{x} → {', '.join(children)}"
                    yield from _compare(where, value, other, left, right, people)

    return smallest(comparisons())


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
