"""Recursive structural equation models with randomised equations over finite domains."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from provado.mechanisms.statement.errors import UsageError

from .exact import Number, Value, Values, distribution

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

    def feed(self, settings: Mapping[tuple[str, str], Value]) -> Model:
        """Return the model in which edges carry set values: ``settings[parent, child]``.

        Only the named child reads the value; all others read the parent itself. This is how a
        cause is changed along some of its paths only.
        """
        nodes = dict(self.nodes)
        for (parent, child), value in settings.items():
            if child not in nodes or parent not in nodes[child].parents:
                raise UsageError(f"feed: {parent} is no parent of {child} in this model")
            if value not in self.ranges[parent]:
                raise UsageError(
                    f"feed: {value!r} is not in the range {self.ranges[parent]!r} of {parent}"
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
        return replace(self, nodes=nodes)

    def range_of(self, name: str) -> tuple[Value, ...]:
        """Return the values of a variable; an unknown name raises ``UsageError``."""
        if name not in self.ranges:
            raise UsageError(f"model: there is no variable {name!r} among {tuple(self.ranges)!r}")
        return self.ranges[name]

    def ancestors(self, names: Sequence[str]) -> frozenset[str]:
        """Return the variables that can affect the named ones, these included."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            self.range_of(name)
            if name not in found:
                found.add(name)
                waiting += self.nodes[name].parents if name in self.nodes else ()
        return frozenset(found)

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
            distribution(
                equation.distribution(*values), f"equation of {name} at {values!r}"
            ).items()
        )
    reached = tuple(dict.fromkeys(value for chances in table.values() for value, _ in chances))
    allowed = reached if equation.values is None else equation.values
    beyond = [value for value in reached if value not in allowed]
    if beyond:
        raise UsageError(f"equation of {name}: {beyond[0]!r} is outside its range {allowed!r}")
    return allowed, Node(equation.parents, table)
