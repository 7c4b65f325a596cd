"""Definition 4's condition on the population: as printed, and as mutual independence."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from provado.proofs.causal.definitions import (
    mutually_independent,
    pairwise_independent_given_the_rest,
)
from provado.proofs.causal.model import Population
from provado.proofs.causal.search import populations
from tests.proofs.causal.distant_products import mixture_of_distant_products

from ._finding import Counterexample, Finding

Condition = Callable[[Population], bool]
SMALL = ((1, 2, 4), (1, 3, 3), (2, 2, 6), (2, 3, 3), (3, 2, 4))
"""Data points, values, and the largest denominator of the weights that are tried."""


def evidence() -> tuple[Finding, ...]:
    """Compare the two conditions over small populations, and the printed one with its form."""
    up_to_two = [p for p in _crowds() if len(p.names) <= 2]
    small = "all populations of one or two data points with weights in small fractions"
    all_of = "all populations of up to three data points with weights in small fractions"
    return (
        _agree("the printed condition is mutual independence", "printed", _crowds(), all_of),
        _agree("up to two data points it is", "sharper", up_to_two, small),
        _agree(
            "the printed condition allows mixtures of products over boxes at distance ≥ 3 only",
            "sharper",
            _crowds(),
            all_of,
            mixture_of_distant_products,
        ),
    )


def broken() -> Finding:
    """Allow every population instead."""
    return _agree("every population is allowed", "part", _crowds(), "", lambda _people: True)


def _crowds() -> Iterator[Population]:
    for n, values, most in SMALL:
        for q in range(1, most + 1):
            yield from populations(n, values, q)


def _agree(
    claim: str,
    role: str,
    crowds: Iterator[Population] | list[Population],
    scope: str,
    other: Condition = mutually_independent,
) -> Finding:
    tried = 0
    for people in crowds:
        tried += 1
        if pairwise_independent_given_the_rest(people) != other(people):
            words = f"{dict(people.weights)!r} meets one and not the other"
            return Finding(claim, role, tried, scope, (Counterexample(words, ()),))
    return Finding(claim, role, tried, scope)
