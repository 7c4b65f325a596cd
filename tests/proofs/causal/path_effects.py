"""Effects along some of a cause's arrows only: section 6.3 of Tschantz, Sen and Datta (2022).

Ada's effect passes along two arrows, to her own data point (direct) and to her son (indirect):

>>> family = ada_and_byron(2)
>>> [str(effect_through(family, "R1", [child], ["O"]).factor) for child in ("D1", "R2")]
['2', '2']
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

from provado.mechanisms import UsageError
from provado.proofs.causal.definitions import (
    Comparison,
    Smallest,
    extreme_populations,
    smallest,
)
from provado.proofs.causal.examples import ada_and_byron
from provado.proofs.causal.model import Model, Node, Value, distribution

__all__ = ["ada_and_byron", "effect_through", "feed"]


def feed(model: Model, settings: Mapping[tuple[str, str], Value]) -> Model:
    """Return the model in which edges carry set values: ``settings[parent, child]``.

    Only the named child reads the value; all others read the parent itself. This is how a
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
                for people in extreme_populations(one, y):
                    left = distribution(one, people, y)
                    right = distribution(two, people, y)
                    where = f"{x} → {', '.join(children)}"
                    for o in dict.fromkeys((*left, *right)):
                        p, q = left.get(o, Fraction(0)), right.get(o, Fraction(0))
                        yield Comparison(where, value, other, o, p, q, people)

    return smallest(comparisons())
