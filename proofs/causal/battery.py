"""The cases over which the statements about definitions are checked.

Exhaustive on small grids, where a relation between definitions could hide in no corner, and random
up to three data points, three values and three outputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from .exact import Values
from .finite_mechanism import FiniteMechanism
from .population import Population, attribute_names, uniform
from .search import Case, mechanisms, populations

SCOPE = (
    "all mechanisms with two outputs and probabilities in multiples of 1/3 on one data point of "
    "two or three values, or in multiples of 1/4 on two data points of two values, or on three "
    "whose order is ignored; and 60 random ones on up to three data points, values and outputs"
)
"""What ``all_mechanisms`` runs through."""

PEOPLE_SCOPE = (
    f"{SCOPE}; each with two random correlated populations, one of them of full support, and one "
    "of copies of one status; on two data points of two values also with two of the ten "
    "populations with weights in multiples of 1/2, in turn"
)
"""What ``all_cases`` runs through."""


@cache
def all_mechanisms() -> tuple[FiniteMechanism, ...]:
    """Return the mechanisms of the battery, always the same ones."""
    small = (
        *mechanisms(1, 2, 2, 3),
        *mechanisms(1, 3, 2, 3),
        *mechanisms(2, 2, 2, 4),
        *mechanisms(3, 2, 2, 4, symmetric=True),
    )
    rng = np.random.default_rng(2022)
    return small + tuple(random_mechanism(rng) for _ in range(60))


@cache
def all_cases() -> tuple[Case, ...]:
    """Return the battery's mechanisms with populations, always the same ones."""
    return tuple(_cases())


def _cases() -> Iterator[Case]:
    rng = np.random.default_rng(1935)
    for i, mechanism in enumerate(all_mechanisms()):
        values = len(mechanism.domains[0])
        if (mechanism.n, values) == (2, 2):
            # In turn, as the grid of mechanisms times that of populations is large.
            yield from (Case(mechanism, p) for p in list(populations(2, 2, 2))[i % 5 :: 5])
        for sparse in (False, True):
            yield Case(mechanism, random_population(mechanism, rng, sparse=sparse))
        yield Case(mechanism, uniform([(value,) * mechanism.n for value in mechanism.domains[0]]))


def random_mechanism(rng: np.random.Generator) -> FiniteMechanism:
    """Return a random mechanism on up to three data points, three values and three outputs."""
    n, values, outputs = (int(k) for k in rng.integers(1, 4, 3))
    domains = (tuple(range(values)),) * n
    datasets: list[Values] = list(product(*domains))
    table = {d: _random_distribution(rng, outputs, low=1) for d in datasets}
    return FiniteMechanism(domains, tuple(range(outputs)), table)


def random_population(
    mechanism: FiniteMechanism, rng: np.random.Generator, *, sparse: bool
) -> Population:
    """Return a random joint distribution; ``sparse`` leaves about half of the datasets out."""
    datasets: tuple[Values, ...] = mechanism.datasets
    distribution = _random_distribution(rng, len(datasets), low=-9 if sparse else 1)
    return Population(attribute_names(mechanism.n), dict(zip(datasets, distribution, strict=True)))


def _random_distribution(rng: np.random.Generator, size: int, *, low: int) -> tuple[Fraction, ...]:
    weights = [max(0, int(w)) for w in rng.integers(low, 10, size)]
    weights[int(rng.integers(size))] += 1
    return tuple(Fraction(w, sum(weights)) for w in weights)
