"""Populations: exact joint distributions over attributes, correlated or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from provado.mechanisms.statement.errors import UsageError

from .exact import Number, Value, Values, distribution, exact


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
        object.__setattr__(self, "weights", distribution(self.weights, "population"))

    def shares(self, names: Sequence[str]) -> dict[Values, Fraction]:
        """Return the probability of each tuple of values of the named variables, in that order."""
        missing = [name for name in names if name not in self.names]
        if missing:
            raise UsageError(f"population over {self.names!r}: there is no variable {missing[0]!r}")
        at = [self.names.index(name) for name in names]
        found: dict[Values, Fraction] = {}
        for values, weight in self.weights.items():
            key = tuple(values[i] for i in at)
            found[key] = found[key] + weight if key in found else weight
        return found

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


def independent(
    marginals: Sequence[Mapping[Value, Number]], names: Sequence[str] | None = None
) -> Population:
    """Return the population in which variables with these marginals are mutually independent."""
    distributions = [
        distribution(marginal, f"marginal {i + 1}") for i, marginal in enumerate(marginals)
    ]
    weights = {
        tuple(value for value, _ in combination): prod(
            (w for _, w in combination), start=Fraction(1)
        )
        for combination in product(*(each.items() for each in distributions))
    }
    return population(weights, names)


def from_records(records: Iterable[Values], names: Sequence[str] | None = None) -> Population:
    """Return the empirical distribution of records, each a tuple of values, in exact shares."""
    counts = Counter(tuple(record) for record in records)
    if not counts:
        raise UsageError("population: there are no records to count")
    return population({values: Fraction(c, counts.total()) for values, c in counts.items()}, names)
