"""The ten definitions by name, as functions of one case (a mechanism, perhaps a population)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import permutations, product

from provado.mechanisms.statement.errors import UsageError

from .associative import (
    bayesian_for,
    definition_1,
    definition_2,
    definition_3,
    definition_4_mutual,
    definition_4_printed,
    definition_10,
)
from .bound import Comparison, Smallest, smallest
from .effects import definition_9
from .finite_mechanism import FiniteMechanism, data_point_names
from .interventional import definition_5, definition_6, definition_7, definition_8
from .population import Population
from .search import Case

Decide = Callable[[Case], Smallest]
"""The smallest e^ε with which a definition holds on a case."""


def definition_9_for_data_points(mechanism: FiniteMechanism) -> Smallest:
    """Return the smallest e^ε with which each data point has ε-BRP to the output in M^A.

    Source: section 6.1, "equivalent to requiring ε-BRP for all data points D_i", and (28).
    """
    needed: list[Comparison] = []
    for name in data_point_names(mechanism.n):
        answer = definition_9(mechanism.model, [name], ["O"])
        needed += [] if answer.at is None else [answer.at]
    return smallest(needed)


def people_of(case: Case) -> Population:
    """Return the case's population; a case without one raises ``UsageError``."""
    if case.people is None:
        raise UsageError("case: this definition speaks of a given population, and there is none")
    return case.people


def any_two_datasets(mechanism: FiniteMechanism) -> Smallest:
    """Return the smallest e^ε with which Definition 1 holds for any two datasets as neighbors."""
    compared = product(permutations(mechanism.datasets, 2), mechanism.outputs)
    chance = mechanism.chance
    return smallest(Comparison("D", d, e, o, chance(d, o), chance(e, o)) for (d, e), o in compared)


DECIDE: Mapping[str, Decide] = {
    "1": lambda case: definition_1(case.mechanism),
    "1 for any two datasets": lambda case: any_two_datasets(case.mechanism),
    "2": lambda case: definition_2(case.mechanism),
    "3": lambda case: definition_3(case.mechanism),
    "4 as printed": lambda case: definition_4_printed(case.mechanism),
    "4 with mutual independence": lambda case: definition_4_mutual(case.mechanism),
    "5": lambda case: definition_5(case.mechanism),
    "6": lambda case: definition_6(case.mechanism, people_of(case)),
    "7": lambda case: definition_7(case.mechanism, people_of(case)),
    "8": lambda case: definition_8(case.mechanism),
    "9": lambda case: definition_9_for_data_points(case.mechanism),
    "10": lambda case: definition_10(case.mechanism, people_of(case)),
    "3 for one population": lambda case: bayesian_for(case.mechanism, people_of(case)),
}
"""What each definition answers on a case. Definition 9 is asked of all data points."""


def named(key: str) -> tuple[str, Decide]:
    """Return the definition as a pair of its full name and its function."""
    return f"Definition {key}", DECIDE[key]
