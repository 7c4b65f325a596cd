"""Effect sizes: relative probability, its maximum, Definition 9, and effects of groups and paths.

Source: Tschantz, Sen and Datta (2022), section 6. A set of variables may stand for X or Y; it is
given as a sequence of names. Ratios of the form 0/0 ask nothing and are left out of maxima.

Over all populations, point masses on the background variables that can matter are enough: both
probabilities are linear in the population, and Σ P(r)·a_r ≤ t·Σ P(r)·b_r for all P if and only if
a_r ≤ t·b_r for all r.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product

from provado.mechanisms.statement.errors import UsageError

from .bound import Comparison, Smallest, smallest
from .exact import Factor, Value, Values, ratio
from .model import Model
from .population import Population, point_mass
from .probability import distribution, probability

_Distribution = dict[Values, Fraction]


def relative_probability(
    model: Model,
    people: Population | None,
    event: Mapping[str, Value],
    do: Mapping[str, Value],
    do_prime: Mapping[str, Value],
) -> Factor:
    """Return RP(ρ, φ, ψ) = Pr[ρ | do(φ)] / Pr[ρ | do(ψ)], equation (26); ``math.inf`` for p/0.

    Raises ``UsageError`` for 0/0, which (26) leaves without a value.
    """
    left = probability(model, people, event, do=do)
    right = probability(model, people, event, do=do_prime)
    value = ratio(left, right)
    if value is None:
        raise UsageError(f"relative probability of {dict(event)!r}: both probabilities are 0")
    return value


def maximum_relative_probability(
    model: Model, people: Population | None, y: Sequence[str], x: Sequence[str]
) -> Smallest:
    """Return the maximum of RP over values of Y and two values of X, equation (27)."""
    return smallest(_effect(model, people, y, x))


def definition_9(model: Model, x: Sequence[str], y: Sequence[str]) -> Smallest:
    """Return the smallest e^ε with which X has ε-bounded relative probability to Y.

    The text of Definition 9 prints the bound as e^{-1}, which no model meets, as X = x₁ = x₂ gives
    1; it is read as e^ε. With several names in ``x`` all of them are set at once: the joint effect.
    Decided on point masses, as the module says.
    """
    if not x:
        raise UsageError("x is empty: an effect needs a cause")
    anywhere = model.do({name: model.range_of(name)[0] for name in x})
    return smallest(
        each for people in _extreme(anywhere, y) for each in _effect(model, people, y, x)
    )


def joint_effect(model: Model, group: Sequence[str], y: Sequence[str]) -> Smallest:
    """Return the smallest e^ε of setting all of the group at once (section 6.3, group privacy)."""
    return definition_9(model, group, y)


def total_effect(model: Model, group: Sequence[str], y: Sequence[str]) -> Factor:
    """Return the product of the group's single effects: their ε added (section 6.3).

    The text says to "add the relative probabilities"; its example adds their logarithms.
    """
    factors = [definition_9(model, [name], y).factor for name in group]
    if math.inf in factors:
        return math.inf
    return math.prod(
        (factor for factor in factors if isinstance(factor, Fraction)), start=Fraction(1)
    )


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
                one = model.feed(held | {(x, child): value for child in children})
                two = model.feed(held | {(x, child): other for child in children})
                for people in _extreme(one, y):
                    left = distribution(one, people, y)
                    right = distribution(two, people, y)
                    where = f"{x} → {', '.join(children)}"
                    yield from _compare(where, value, other, left, right, people)

    return smallest(comparisons())


def _effect(
    model: Model, people: Population | None, y: Sequence[str], x: Sequence[str]
) -> Iterator[Comparison]:
    distributions = {
        values: distribution(model, people, y, do=dict(zip(x, values, strict=True)))
        for values in product(*(model.range_of(name) for name in x))
    }
    where = f"do({', '.join(x)})"
    for values, other in permutations(distributions, 2):
        yield from _compare(
            where, values, other, distributions[values], distributions[other], people
        )


def _compare(
    where: str,
    d: Value,
    d_prime: Value,
    left: _Distribution,
    right: _Distribution,
    people: Population | None,
) -> Iterator[Comparison]:
    for o in dict.fromkeys((*left, *right)):
        p, q = left.get(o, Fraction(0)), right.get(o, Fraction(0))
        yield Comparison(where, d, d_prime, o, p, q, people)


def _extreme(model: Model, y: Sequence[str]) -> Iterator[Population | None]:
    """Yield the point masses on the background variables that can affect Y in this model."""
    relevant = model.ancestors(y)
    names = [name for name in model.background if name in relevant]
    for values in product(*(model.ranges[name] for name in names)):
        yield point_mass(values, names) if names else None
