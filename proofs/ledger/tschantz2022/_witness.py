"""Small cases that a statement turns on: every comparison from the table, told to the kernel.

The probabilities are computed here from the table and the weights, not by the definitions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import permutations

from provado.mechanisms.statement.errors import UsageError
from provado.proofs import kernel
from provado.proofs.causal.bound import Smallest
from provado.proofs.causal.definitions import named, people_of
from provado.proofs.causal.exact import Value, Values
from provado.proofs.causal.finite_mechanism import FiniteMechanism, replaced
from provado.proofs.causal.population import Population
from provado.proofs.causal.search import Case, by_size, first
from provado.proofs.ledger import not_private
from provado.proofs.ledger.fact import AtLeastZero, Fact


@dataclass(frozen=True)
class Compared:
    """Pr[O = output] under ``d`` and under ``d_prime``: two datasets, or values of a data point."""

    d: Values
    d_prime: Values
    output: Value
    left: Fraction
    right: Fraction


@cache
def smallest_case(
    strong: str, weak: str, most_points: int = 2, people: tuple[int, ...] = ()
) -> Case:
    """Return the first case, the smallest first, in which the strong definition is not enough."""
    (_, enough), (_, wanted) = named(strong), named(weak)

    def breaks(case: Case) -> bool:
        return wanted(case).factor > enough(case).factor

    found = first(by_size(most_points=most_points, people=people), breaks).case
    if found is None:
        raise UsageError(f"search: Definition {strong} implies Definition {weak} on all cases")
    return found


def turning_case(mechanism: FiniteMechanism, answer: Smallest) -> Case:
    """Return the mechanism with the population that a definition's answer turns on."""
    if answer.at is None or answer.at.people is None:
        raise UsageError("search: the definition compares nothing in the case that was found")
    return Case(mechanism, answer.at.people)


def neighbors(case: Case) -> Iterator[Compared]:
    """Yield the comparisons of Definition 1."""
    m = case.mechanism
    for _, d, d_prime in m.changes():
        for o in m.outputs:
            yield Compared(d, d_prime, o, m.chance(d, o), m.chance(d_prime, o))


def in_support(case: Case) -> Iterator[Compared]:
    """Yield those of Definition 10: both datasets of positive probability."""
    weights = people_of(case).weights
    return (c for c in neighbors(case) if c.d in weights and c.d_prime in weights)


def set_one(case: Case, i: int) -> Callable[[Values, Value], Fraction]:
    """Return ((value,), o) ↦ Pr[O = o | do(D_i = value)], i from 0."""

    def chance_under_do(value: Values, o: Value) -> Fraction:
        parts = people_of(case).weights.items()
        m = case.mechanism
        return sum((w * m.chance(replaced(d, i, value[0]), o) for d, w in parts), Fraction(0))

    return chance_under_do


def given_one(case: Case, i: int) -> Callable[[Values, Value], Fraction]:
    """Return ((value,), o) ↦ Pr[O = o | D_i = value], i from 0."""

    def chance_given(value: Values, o: Value) -> Fraction:
        kept = [(d, w) for d, w in people_of(case).weights.items() if d[i] == value[0]]
        total = sum((w for _, w in kept), Fraction(0))
        return sum((w * case.mechanism.chance(d, o) for d, w in kept), Fraction(0)) / total

    return chance_given


def single(
    case: Case, distribution: Callable[[Case, int], Callable[[Values, Value], Fraction]]
) -> Iterator[Compared]:
    """Yield what is compared of a data point: Definition 7 or 3 as ``distribution`` says."""
    for i, domain in enumerate(case.mechanism.domains):
        chance = distribution(case, i)
        for value, other in permutations(domain, 2):
            for o in case.mechanism.outputs:
                left, right = chance((value,), o), chance((other,), o)
                yield Compared((value,), (other,), o, left, right)


def worst(compared: Iterator[Compared]) -> Compared:
    """Return the comparison of the largest ratio; one with p > 0 = q before all others."""
    return max(
        (c for c in compared if c.left), key=lambda c: (c.right == 0, c.right and c.left / c.right)
    )


def bounded(compared: Iterator[Compared], factor: Fraction) -> tuple[Fact, ...]:
    """Return x·q − p ≥ 0 for all x ≥ factor and all comparisons with p > 0, each pair once."""
    return tuple(
        AtLeastZero(((right, 0, 1, 0), (-left, 0, 0, 0)), factor)
        for left, right in dict.fromkeys((c.left, c.right) for c in compared)
        if left
    )


def constant_above(large: Fraction, small: Fraction, *, strict: bool = False) -> Fact:
    """Return large ≥ small, or > for ``strict``."""
    return AtLeastZero(((large, 0, 0, 0), (-small, 0, 0, 0)), 0, strict=strict)


def beyond_every_factor(c: Compared) -> AtLeastZero:
    """Return p − x·q > 0 for all factors x ≥ 1, which takes q = 0."""
    return AtLeastZero(((c.left, 0, 0, 0), (-c.right, 0, 1, 0)), 1, strict=True)


def beyond_factors_to(factor: Fraction, c: Compared) -> AtLeastZero:
    """Return p − x·q > 0 for all factors x from 1 to ``factor``."""
    return AtLeastZero(((c.left, 0, 0, 0), (-c.right, 0, 1, 0)), 1, factor, strict=True)


def table_words(case: Case) -> str:
    """Return the mechanism's table in words."""
    return str({d: tuple(map(str, row)) for d, row in case.mechanism.table.items()})


def people_words(people: Population) -> str:
    """Return the weights of a population in words."""
    return str({d: str(weight) for d, weight in people.weights.items()})


CHANCE = "tschantz2022._witness.told_apart.chance_of_the_output"


def told_apart(
    c: Compared, event: str, fact: Fact, chance: Callable[[Values, Value], Fraction]
) -> kernel.Checked:
    """Return the finding of a ``NotPrivate`` of ``CHANCE``; ``chance`` replays the comparison."""

    def chance_of_the_output(d: Values) -> Fraction:
        return chance(d, c.output)

    return not_private(fact, (c.d, c.d_prime), event, chance_of_the_output)
