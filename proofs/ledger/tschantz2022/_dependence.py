"""Copies of one status: they meet Definition 4's printed condition and are not independent."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import prod

from provado.mechanisms.errors import UsageError
from provado.proofs import kernel
from provado.proofs.causal.associative import definition_1, definition_4_printed
from provado.proofs.causal.population import Population
from provado.proofs.causal.search import Case
from provado.proofs.ledger.tschantz2022._witness import (
    Compared,
    bounded,
    exponent_between,
    given_one,
    neighbors,
    not_private,
    single,
    smallest_case,
    worst,
)


def printed_condition(people: Population) -> kernel.Checked:
    """Return that D_i ⊥ D_j given the rest: Pr[a, b]·total = Pr[a]·Pr[b] in each plane."""
    rows: list[tuple[tuple[object, ...], Fraction]] = []
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
    scope = f"|Pr[a, b]·total − Pr[a]·Pr[b]| over all planes of {_words(people)}"
    return kernel.check(kernel.Recount(tuple(rows), "maximum", 0, len(rows), scope))


def not_mutually_independent(people: Population) -> kernel.Checked:
    """Return the refutation of Pr[D = d] = Π Pr[D_i = d_i], at a dataset of the support."""
    d, weight = next(iter(people.weights.items()))
    product = prod(
        (people.marginal([n]).weights[(v,)] for n, v in zip(people.names, d, strict=True)),
        start=Fraction(1),
    )
    terms = ((weight, 0, 0, 0), (-product, 0, 0, 0))
    return kernel.check(kernel.PointCounterexample(terms, "= 0", 0, 0, 0))


def copies_case() -> Case:
    """Return the smallest mechanism, with its population, against Definition 4 as printed."""
    mechanism = smallest_case("1", "4 as printed", most_points=3).mechanism
    at = definition_4_printed(mechanism).at
    if at is None or at.people is None:
        raise UsageError("search: Definition 4 compares nothing in the case that was found")
    return Case(mechanism, at.people)


def dp_without_definition_4(epsilon: Fraction | None = None) -> tuple[kernel.Checked, ...]:
    """Return: Definition 1 holds with t; t ≤ e^ε; e^ε fails given one data point.

    epsilon: by default the least in eighths with t ≤ e^ε that refutes.
    """
    case = copies_case()
    factor = definition_1(case.mechanism).factor
    if not isinstance(factor, Fraction):
        raise UsageError("search: Definition 1 holds with no factor in the case that was found")
    apart: Compared = worst(single(case, given_one))
    chosen = exponent_between(factor, apart.left / apart.right) if epsilon is None else epsilon
    within = kernel.ExpressionSign(
        ((1, chosen, 0, 0), (-factor, 0, 0, 0)), 0, kernel.Coefficients()
    )
    return (
        *bounded(neighbors(case), factor),
        kernel.check(within),
        not_private(apart, f"O = {apart.output!r}, given D_1 = d_1", chosen, given_one(case, 0)),
    )


def case_words() -> str:
    """Return the case in words."""
    case = copies_case()
    table = {d: tuple(map(str, row)) for d, row in case.mechanism.table.items()}
    people = "" if case.people is None else _words(case.people)
    return f"A = {table} and the population {people}"


def _words(people: Population) -> str:
    return str({d: str(w) for d, w in people.weights.items()})
