"""Exact probabilities in a structural equation model: joint, marginal, conditional, under do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from provado.mechanisms.statement.errors import UsageError

from .exact import Value, Values
from .model import Model
from .population import Population

_States = dict[Values, Fraction]


def distribution(
    model: Model,
    people: Population | None,
    variables: Sequence[str],
    *,
    do: Mapping[str, Value] | None = None,
    given: Mapping[str, Value] | None = None,
) -> dict[Values, Fraction]:
    """Return Pr[variables | given, do(…)], a probability for each tuple of positive probability.

    people: the distribution of the background variables; ``None`` if none of them matters.
    Conditioning is on what is seen in the sub-model after the intervention. Conditioning on an
    event of probability zero, or a background variable that ``people`` lacks, raises
    ``UsageError``. Source: Tschantz, Sen and Datta (2022), section 4 and equation (43).
    """
    conditions = dict(given or {})
    wanted = [*variables, *conditions]
    names, states = _propagate(model.do(do or {}), people, wanted)
    at = [names.index(name) for name in variables]
    checks = [(names.index(name), value) for name, value in conditions.items()]
    found: _States = {}
    for values, weight in states.items():
        if all(values[i] == value for i, value in checks):
            key = tuple(values[i] for i in at)
            found[key] = found[key] + weight if key in found else weight
    if not conditions:
        return found
    total = sum(found.values(), Fraction(0))
    if not total:
        raise UsageError(f"given {conditions!r}: this has probability 0 in the model")
    return {values: weight / total for values, weight in found.items()}


def probability(
    model: Model,
    people: Population | None,
    event: Mapping[str, Value],
    *,
    do: Mapping[str, Value] | None = None,
    given: Mapping[str, Value] | None = None,
) -> Fraction:
    """Return Pr[event | given, do(…)] for an event ``{variable: value}``, as ``distribution``."""
    chances = distribution(model, people, tuple(event), do=do, given=given)
    return chances.get(tuple(event.values()), Fraction(0))


def _propagate(
    model: Model, people: Population | None, wanted: Sequence[str]
) -> tuple[list[str], _States]:
    """Run the equations in order over all values that can occur, forgetting what none needs."""
    relevant = model.ancestors(wanted)
    names = [name for name in model.background if name in relevant]
    states: _States = {(): Fraction(1)}
    if names:
        if people is None:
            raise UsageError(f"population: one over {tuple(names)!r} is needed, and there is none")
        states = people.shares(names)
        for i, name in enumerate(names):
            for values in states:
                if values[i] not in model.ranges[name]:
                    raise UsageError(
                        f"population: {values[i]!r} is outside the range of {name} in the model"
                    )
    order = [name for name in model.nodes if name in relevant]
    for step, name in enumerate(order):
        node = model.nodes[name]
        at = [names.index(parent) for parent in node.parents]
        needed = {*wanted, *(p for later in order[step + 1 :] for p in model.nodes[later].parents)}
        keep = [i for i, old in enumerate(names) if old in needed]
        following: _States = {}
        for values, weight in states.items():
            kept = tuple(values[i] for i in keep)
            chances = node.table[tuple(values[i] for i in at)]
            for value, chance in chances:
                key = (*kept, value)
                share = weight * chance if len(chances) > 1 else weight
                following[key] = following[key] + share if key in following else share
        names, states = [*(names[i] for i in keep), name], following
    return names, states
