"""Arrows between definitions: those that hold on the battery, and those that are missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from provado.proofs.causal.definitions import Decide, named
from provado.proofs.causal.search import (
    PEOPLE_SCOPE,
    SCOPE,
    Case,
    all_cases,
    all_mechanisms,
    by_size,
)
from provado.proofs.ledger.tschantz2022._arrows import GIVEN_POPULATION
from tests.proofs.causal.first_case import first

from ._finding import Finding, as_finding, compare


def arrow(
    strong: str | tuple[str, Decide], weak: str | tuple[str, Decide], role: str = "printed"
) -> Finding:
    """Check over the battery that the strong definition implies the weak one at the same ε."""
    (strong_name, _), (weak_name, _) = pair = (_named(strong), _named(weak))
    cases, scope = _battery({strong_name, weak_name})
    claim = f"{strong_name} implies {weak_name} with the same ε"
    return compare(claim, cases, scope, pair[1], pair[0], role=role)


def same(
    one: str | tuple[str, Decide], other: str | tuple[str, Decide], role: str = "printed"
) -> Finding:
    """Check over the battery that two definitions need the same ε: arrows both ways."""
    left, right = _named(one), _named(other)
    cases, scope = _battery({left[0], right[0]})
    claim = f"{left[0]} and {right[0]} need the same ε"
    return compare(claim, cases, scope, left, right, equal=True, role=role)


def missing(
    strong: str | tuple[str, Decide],
    weak: str | tuple[str, Decide],
    *,
    most_points: int = 2,
    people: Sequence[int] = (),
    role: str = "part",
) -> Finding:
    """Search, the smallest first, for a case where the strong definition does not imply the weak.

    A finding that does not hold carries the smallest counterexample of the search.
    """
    left, right = _named(weak), _named(strong)

    def breaks(case: Case) -> bool:
        return left[1](case).factor > right[1](case).factor

    found = first(by_size(most_points=most_points, people=people), breaks)
    scope = (
        f"two outputs, up to {most_points} data points of two values, probabilities in multiples "
        "of 1/1 to 1/4 (three data points: in any order alike), the smallest first"
    )
    claim = f"{right[0]} implies {left[0]} with the same ε"
    return as_finding(claim, role, found, scope, left, right)


def _named(definition: str | tuple[str, Decide]) -> tuple[str, Decide]:
    return named(definition) if isinstance(definition, str) else definition


def _battery(names: set[str]) -> tuple[Iterable[Case], str]:
    if names & {f"Definition {key}" for key in GIVEN_POPULATION}:
        return all_cases(), PEOPLE_SCOPE
    return (Case(mechanism) for mechanism in all_mechanisms()), SCOPE
