"""The first case of a search that is wanted, and how many were tried up to then."""

from collections.abc import Iterable
from dataclasses import dataclass

from provado.proofs.causal.search import Case, Predicate


@dataclass(frozen=True)
class FirstCase:
    """The first case that a search met, if any, and how many it tried up to then."""

    case: Case | None
    tried: int


def first(cases: Iterable[Case], wanted: Predicate) -> FirstCase:
    """Return the first case that is wanted."""
    tried = 0
    for case in cases:
        tried += 1
        if wanted(case):
            return FirstCase(case, tried)
    return FirstCase(None, tried)
