"""All pairs of neighbors over a finite domain."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from provado.mechanisms import AddOrRemoveOne, NeighboringRelation

from .outcome import MovedPair

Places = tuple[int, ...]
"""A dataset as the places of its records in the domain."""


def pair_count(domain_size: int, size: int, relation: NeighboringRelation) -> int:
    """Return how many pairs ``neighbor_pairs`` yields."""
    if isinstance(relation, AddOrRemoveOne):
        return int(size * domain_size**size)
    return int(size * domain_size ** (size - 1)) * math.comb(domain_size, 2)


def neighbor_pairs(
    domain_size: int, size: int, relation: NeighboringRelation
) -> Iterator[tuple[Places, Places]]:
    """Yield every pair of neighbors, once, records in every order.

    Replace-one: both of ``size`` records. Add-or-remove-one: ``size`` records, and the same with
    one of them left out.
    """
    if isinstance(relation, AddOrRemoveOne):
        for data in product(range(domain_size), repeat=size):
            for i in range(size):
                yield data, data[:i] + data[i + 1 :]
        return
    for i in range(size):
        for rest in product(range(domain_size), repeat=size - 1):
            for low, high in combinations(range(domain_size), 2):
                yield (*rest[:i], low, *rest[i:]), (*rest[:i], high, *rest[i:])


def worst_pair(
    domain: Sequence[Any],
    size: int,
    relation: NeighboringRelation,
    value: Callable[[Places], Fraction | None],
    claimed: Fraction,
) -> tuple[MovedPair | None, tuple[Fraction, ...]]:
    """Return the first of the pairs that move most, and the changes of all pairs in order.

    value: the exact score of a dataset, ``None`` where it has none; pairs with such a dataset are
        left out. It is called twice for each pair: give it a memory.
    """
    worst: MovedPair | None = None
    changes: list[Fraction] = []
    for places, others in neighbor_pairs(len(domain), size, relation):
        first, second = value(places), value(others)
        if first is None or second is None:
            continue
        change = abs(second - first)
        changes.append(change)
        if worst is None or change > worst.change:
            worst = MovedPair(
                tuple(domain[i] for i in places),
                tuple(domain[i] for i in others),
                (first, second),
                claimed,
            )
    return worst, tuple(changes)
