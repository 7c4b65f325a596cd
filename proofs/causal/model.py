"""Finite structural equation models in exact numbers: populations, equations and probabilities."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs.algebra.exp_poly import exact

Value = Hashable
"""A value of a variable."""

Values = tuple[Value, ...]
"""One value for each of several variables."""

Number = Fraction | int

Factor = Fraction | float
"""A rational number, or ``math.inf``; no other float."""


def exact_distribution(weights: Mapping[Any, Any], name: str) -> dict[Any, Fraction]:
    """Return a finite distribution without its zeros; ``UsageError`` unless it is one, exactly."""
    total, kept = Fraction(0), {}
    for value, weight in weights.items():
        number = exact(weight, f"{name}: the probability of {value!r}")
        if number < 0:
            raise UsageError(f"{name}: the probability of {value!r} is {number}, below 0")
        total += number
        if number:
            kept[value] = number
    if total != 1:
        raise UsageError(f"{name}: the probabilities add up to {total}, not to 1")
    return kept


def ratio(p: Fraction, q: Fraction) -> Factor | None:
    """Return the smallest t with p ≤ t·q: p/q, ``math.inf`` for p > 0 = q, ``None`` for 0 and 0.

    With both 0 the comparison asks nothing, whatever t is.
    """
    if q:
        return p / q
    return math.inf if p else None


# Populations: exact joint distributions over attributes, correlated or not.


@dataclass(frozen=True)
class Population:
    """A joint distribution over the named variables.

    names: the variables, in the order in which tuples list their values.
    weights: the probability of each tuple; only the support is kept. Anything that is not exactly
        a distribution over tuples of that length raises ``UsageError``.
    """

    names: tuple[str, ...]
    weights: Mapping[Values, Fraction]

    def __post_init__(self) -> None:
        if len(set(self.names)) != len(self.names):
            raise UsageError(f"population: the names {self.names!r} are not distinct")
        for values in self.weights:
            if not isinstance(values, tuple) or len(values) != len(self.names):
                raise UsageError(
                    f"population: {values!r} is not a tuple of {len(self.names)} values"
                )
        object.__setattr__(self, "weights", exact_distribution(self.weights, "population"))

    def shares(self, names: Sequence[str]) -> dict[Values, Fraction]:
        """Return the probability of each tuple of values of the named variables, in that order."""
        missing = [name for name in names if name not in self.names]
        if missing:
            raise UsageError(f"population over {self.names!r}: there is no variable {missing[0]!r}")
        at = [self.names.index(name) for name in names]
        result: dict[Values, Fraction] = {}
        for values, weight in self.weights.items():
            key = tuple(values[i] for i in at)
            result[key] = result[key] + weight if key in result else weight
        return result

    def marginal(self, names: Sequence[str]) -> Population:
        """Return the joint distribution of the named variables alone, in that order."""
        return Population(tuple(names), self.shares(names))

    def given(self, conditions: Mapping[str, Value]) -> Population:
        """Return the distribution conditioned on values; probability zero raises ``UsageError``."""
        wanted = [(self.names.index(name), value) for name, value in conditions.items()]
        kept = {
            values: weight
            for values, weight in self.weights.items()
            if all(values[i] == value for i, value in wanted)
        }
        total = sum(kept.values(), Fraction(0))
        if not total:
            raise UsageError(f"population: {dict(conditions)!r} has probability 0")
        return Population(self.names, {values: weight / total for values, weight in kept.items()})


def attribute_names(n: int) -> tuple[str, ...]:
    """Return ``R1`` to ``Rn``, the paper's names of the attributes of n people."""
    return tuple(f"R{i + 1}" for i in range(n))


def population(weights: Mapping[Values, Number], names: Sequence[str] | None = None) -> Population:
    """Return a population from probabilities of tuples, named ``R1``, ``R2``, … by default."""
    first: Values = next(iter(weights), ())
    chosen = attribute_names(len(first)) if names is None else tuple(names)
    shares = {
        values: exact(w, f"population: the weight of {values!r}") for values, w in weights.items()
    }
    return Population(chosen, shares)


def point_mass(values: Values, names: Sequence[str] | None = None) -> Population:
    """Return the population in which the variables always have these values."""
    return population({values: 1}, names)


def uniform(support: Iterable[Values], names: Sequence[str] | None = None) -> Population:
    """Return the population that gives each tuple of the support the same probability."""
    tuples = list(dict.fromkeys(support))
    return population({values: Fraction(1, len(tuples)) for values in tuples}, names)


# Recursive structural equation models with randomised equations over finite domains.

Distribution = tuple[tuple[Value, Fraction], ...]


@dataclass(frozen=True)
class Equation:
    """X := F_X(parents), randomised: ``distribution(*values)`` has the probability of each value.

    values: the range of X; ``None`` for all values that the equation can give.
    """

    parents: tuple[str, ...]
    distribution: Callable[..., Mapping[Any, Number]]
    values: tuple[Value, ...] | None = None


def assigned(
    parents: Sequence[str], function: Callable[..., Any], values: Sequence[Value] | None = None
) -> Equation:
    """Return the equation X := function(parents), without randomness."""
    return Equation(
        tuple(parents),
        lambda *given: {function(*given): 1},
        None if values is None else tuple(values),
    )


def tabulated(parents: Sequence[str], table: Mapping[Values, Mapping[Any, Number]]) -> Equation:
    """Return the equation with the distribution ``table[values of the parents]``."""

    def look_up(*given: Value) -> Mapping[Any, Number]:
        if given not in table:
            raise UsageError(f"equation over {tuple(parents)!r}: the table has no row {given!r}")
        return table[given]

    return Equation(tuple(parents), look_up)


@dataclass(frozen=True)
class Node:
    """An endogenous variable: its parents, and its distribution given each of their values."""

    parents: tuple[str, ...]
    table: Mapping[Values, Distribution]


@dataclass(frozen=True)
class Model:
    """A structural equation model ⟨V_en, V_ex, E⟩; build one with ``structural_model``.

    ranges: the values of every variable. background: the exogenous variables. nodes: the
    endogenous ones, each after its parents.

    Source: Tschantz, Sen and Datta (2022), section 4, with randomised equations (their footnote
    1). Their text asks that "no variable has a parent that comes before it in the ordering"; with
    background variables first that leaves no equation a parent, so it is read as "after it".
    """

    ranges: Mapping[str, tuple[Value, ...]]
    background: tuple[str, ...]
    nodes: Mapping[str, Node]

    def do(self, settings: Mapping[str, Value]) -> Model:
        """Return the sub-model M[Z := z] for all settings at once.

        A background variable may be set too, which the paper does in its examples (section 4,
        "artificially setting the attribute itself R_1") and not in its definition: its place in
        the population is then ignored. A value outside the range raises ``UsageError``.
        """
        for name, value in settings.items():
            if value not in self.range_of(name):
                raise UsageError(
                    f"do({name}={value!r}): the range of {name} is {self.ranges[name]!r}"
                )
        fixed = {name: Node((), {(): ((value, Fraction(1)),)}) for name, value in settings.items()}
        # What is set has no parents any more, so it may stand first.
        kept = {name: fixed.get(name, node) for name, node in self.nodes.items()}
        background = tuple(name for name in self.background if name not in settings)
        return replace(self, background=background, nodes={**fixed, **kept})

    def range_of(self, name: str) -> tuple[Value, ...]:
        """Return the values of a variable; an unknown name raises ``UsageError``."""
        if name not in self.ranges:
            raise UsageError(f"model: there is no variable {name!r} among {tuple(self.ranges)!r}")
        return self.ranges[name]

    def ancestors(self, names: Sequence[str]) -> frozenset[str]:
        """Return the variables that can affect the named ones, these included."""
        result: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            self.range_of(name)
            if name not in result:
                result.add(name)
                waiting += self.nodes[name].parents if name in self.nodes else ()
        return frozenset(result)

    def edges(self) -> tuple[tuple[str, str], ...]:
        """Return the arrows (parent, child) of the graph."""
        return tuple((parent, name) for name, node in self.nodes.items() for parent in node.parents)


def structural_model(
    background: Mapping[str, Sequence[Value]], equations: Mapping[str, Equation]
) -> Model:
    """Return the model with these background variables and their ranges, and these equations.

    Equations may come in any order. A variable without a range, an unknown parent, a cycle, or a
    distribution that is not exactly a distribution raises ``UsageError``.
    """
    ranges = {name: tuple(dict.fromkeys(values)) for name, values in background.items()}
    for name in equations:
        if name in ranges:
            raise UsageError(f"model: {name!r} is a background variable and has an equation")
    nodes: dict[str, Node] = {}
    waiting = dict(equations)
    while waiting:
        ready = [n for n, e in waiting.items() if all(parent in ranges for parent in e.parents)]
        if not ready:
            names = tuple(waiting)
            raise UsageError(f"model: the equations of {names!r} have unknown parents or a cycle")
        for name in ready:
            ranges[name], nodes[name] = _node(name, waiting.pop(name), ranges)
    for name, values in ranges.items():
        if not values:
            raise UsageError(f"model: the range of {name!r} is empty")
    return Model(ranges, tuple(background), nodes)


def _node(
    name: str, equation: Equation, ranges: Mapping[str, tuple[Value, ...]]
) -> tuple[tuple[Value, ...], Node]:
    table: dict[Values, Distribution] = {}
    for values in product(*(ranges[parent] for parent in equation.parents)):
        table[values] = tuple(
            exact_distribution(
                equation.distribution(*values), f"equation of {name} at {values!r}"
            ).items()
        )
    reached = tuple(dict.fromkeys(value for chances in table.values() for value, _ in chances))
    allowed = reached if equation.values is None else equation.values
    beyond = [value for value in reached if value not in allowed]
    if beyond:
        raise UsageError(f"equation of {name}: {beyond[0]!r} is outside its range {allowed!r}")
    return allowed, Node(equation.parents, table)


# Exact probabilities in a structural equation model: joint, marginal, conditional, under do.

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
    result: _States = {}
    for values, weight in states.items():
        if all(values[i] == value for i, value in checks):
            key = tuple(values[i] for i in at)
            result[key] = result[key] + weight if key in result else weight
    if not conditions:
        return result
    total = sum(result.values(), Fraction(0))
    if not total:
        raise UsageError(f"given {conditions!r}: this has probability 0 in the model")
    return {values: weight / total for values, weight in result.items()}


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
