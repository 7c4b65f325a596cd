"""Arrows between definitions, recounted by the kernel over a part of the battery."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from provado.proofs import kernel
from provado.proofs.causal.arrows import GIVEN_POPULATION
from provado.proofs.causal.battery import PEOPLE_SCOPE, SCOPE, all_cases, all_mechanisms
from provado.proofs.causal.definitions import named
from provado.proofs.causal.exact import Factor
from provado.proofs.causal.search import Case
from provado.proofs.causal.statement import Decide

Definition = str | tuple[str, Decide]

MECHANISMS_STEP, CASES_STEP = 3, 4
"""Each third mechanism and each fourth case; the benchmark runs through all of them."""


def reciprocal(factor: Factor) -> Fraction:
    """Return 1/factor, which is 0 for ``math.inf``: a larger factor has a smaller reciprocal."""
    return Fraction(1) / factor if isinstance(factor, Fraction) else Fraction(0)


def largest_excess(pairs: Iterable[tuple[Factor, Factor]], scope: str) -> kernel.Checked:
    """Return the finding that each first factor is at most the second, and equals it somewhere.

    The largest 1/second − 1/first is 0. Raises ``KernelRefusal`` where it is not.
    """
    rows = tuple(
        (i, reciprocal(allowed) - reciprocal(needed)) for i, (needed, allowed) in enumerate(pairs)
    )
    return kernel.check(kernel.Recount(rows, "maximum", 0, len(rows), scope))


def implication(strong: Definition, weak: Definition) -> kernel.Checked:
    """Return that over the battery the weak definition needs no larger e^ε than the strong one."""
    one, other = _definition(strong), _definition(weak)
    people = bool({one[0], other[0]} & GIVEN_POPULATION)
    pairs = zip(_needed(other, people), _needed(one, people), strict=True)
    scope = f"1/e^ε of {one[0]} less 1/e^ε of {other[0]}, {_scope(people)}"
    return largest_excess(pairs, scope)


def equivalence(one: Definition, other: Definition) -> tuple[kernel.Checked, kernel.Checked]:
    """Return the implications both ways."""
    return implication(one, other), implication(other, one)


def _definition(definition: Definition) -> tuple[str, Decide]:
    return named(definition) if isinstance(definition, str) else definition


def _scope(people: bool) -> str:
    return f"every fourth of: {PEOPLE_SCOPE}" if people else f"every third of: {SCOPE}"


@cache
def _cases(people: bool) -> tuple[Case, ...]:
    if people:
        return all_cases()[::CASES_STEP]
    return tuple(Case(mechanism) for mechanism in all_mechanisms()[::MECHANISMS_STEP])


@cache
def _needed(definition: tuple[str, Decide], people: bool) -> tuple[Factor, ...]:
    return tuple(definition[1](case).factor for case in _cases(people))
