"""Copies of one status: they meet Definition 4's printed condition and are not independent."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import prod

from provado.mechanisms.statement.errors import UsageError
from provado.proofs import kernel
from provado.proofs.causal.associative import definition_1, definition_4_printed
from provado.proofs.causal.definitions import people_of
from provado.proofs.causal.population import Population
from provado.proofs.causal.search import Case
from provado.proofs.ledger import Claim, show
from provado.proofs.ledger.fact import AtLeastZero, Fact, Fails, NotPrivate, Recounted

from ._battery import recount
from ._witness import (
    CHANCE,
    Compared,
    bounded,
    given_one,
    neighbors,
    people_words,
    single,
    smallest_case,
    table_words,
    told_apart,
    turning_case,
    worst,
)

Rows = tuple[tuple[object, Fraction], ...]


def plane_gaps(people: Population) -> Rows:
    """Return |Pr[a, b]·total − Pr[a]·Pr[b]| in each plane, for D_i ⊥ D_j given the rest."""
    rows: list[tuple[object, Fraction]] = []
    for i, j in combinations(range(len(people.names)), 2):
        planes: dict[tuple[object, ...], dict[tuple[object, object], Fraction]] = {}
        for values, weight in people.weights.items():
            rest = tuple(v for k, v in enumerate(values) if k not in (i, j))
            planes.setdefault(rest, {})[values[i], values[j]] = weight
        for rest, plane in planes.items():
            total = sum(plane.values(), Fraction(0))
            for a in {a for a, _ in plane}:
                for b in {b for _, b in plane}:
                    one = sum((w for (x, _), w in plane.items() if x == a), Fraction(0))
                    other = sum((w for (_, y), w in plane.items() if y == b), Fraction(0))
                    gap = abs(plane.get((a, b), Fraction(0)) * total - one * other)
                    rows.append(((i, j, repr(rest), repr(a), repr(b)), gap))
    return tuple(rows)


def independent_in_planes(people: Population) -> Recounted:
    """Return the fact that all these gaps are 0."""
    scope = f"|Pr[a, b]·total − Pr[a]·Pr[b]| over all planes of {people_words(people)}"
    return Recounted("maximum", 0, len(plane_gaps(people)), scope)


def not_mutually_independent(people: Population) -> Fails:
    """Return that Pr[D = d] = Π Pr[D_i = d_i] fails at a dataset of the support."""
    d, weight = next(iter(people.weights.items()))
    product = prod(
        (people.marginal([n]).weights[(v,)] for n, v in zip(people.names, d, strict=True)),
        start=Fraction(1),
    )
    return Fails(((weight, 0, 0, 0), (-product, 0, 0, 0)), "= 0", 0, 0)


@cache
def copies_case() -> Case:
    """Return the smallest mechanism, with its population, against Definition 4 as printed."""
    mechanism = smallest_case("1", "4 as printed", most_points=3).mechanism
    return turning_case(mechanism, definition_4_printed(mechanism))


@dataclass(frozen=True)
class PrintedDefinition4(Claim):
    """Definition 1 with e^ε implies Definition 4 as printed with the same ε."""

    epsilon: Fraction

    @property
    def formula(self) -> str:
        return f"Definition 1 implies Definition 4 as printed, tried at ε = {self.epsilon}"

    def counterexamples(self) -> tuple[Fact, ...]:
        """Return: Definition 1 holds with t; t ≤ e^ε; the condition holds; e^ε fails."""
        case = copies_case()
        factor = definition_1(case.mechanism).factor
        if not isinstance(factor, Fraction):
            raise UsageError("search: Definition 1 holds with no factor in the case found")
        within = AtLeastZero(((1, self.epsilon, 0, 0), (-factor, 0, 0, 0)), 0)
        return (
            *bounded(neighbors(case), factor),
            within,
            independent_in_planes(people_of(case)),
            NotPrivate(CHANCE, "replace-one", self.epsilon),
        )


def findings(claim: PrintedDefinition4) -> tuple[kernel.Checked, ...]:
    """Return the findings of its counterexamples."""
    case, people = copies_case(), people_of(copies_case())
    *signs, _, fails = claim.counterexamples()
    apart: Compared = worst(single(case, given_one))
    event = f"O = {apart.output!r}, given D_1 = d_1"
    return (
        *map(show, signs),
        recount(plane_gaps(people), independent_in_planes(people)),
        told_apart(apart, event, fails, given_one(case, 0)),
    )


def case_words() -> str:
    """Return the case in words."""
    case = copies_case()
    return f"A = {table_words(case)} and the population {people_words(people_of(case))}"
