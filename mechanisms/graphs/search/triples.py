"""Colliders by what all separating sets say, so that no order of the vertices matters.

Source: conservative: Ramsey, Zhang and Spirtes, Adjacency-Faithfulness and Conservative Causal
Inference (2006). Majority: Colombo and Maathuis, Order-Independent Constraint-Based Causal
Structure Learning (2014), section 4.2.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .cpdag import Triple
from .skeleton import neighbors, sets_around
from .work import Answers, NoMoreTests, Stop, Watch

Orientation = Literal["first", "majority", "conservative"]

ORIENTATIONS: tuple[Orientation, ...] = ("first", "majority", "conservative")


@dataclass(frozen=True)
class Judged:
    """The triples of a skeleton that were judged; each stands in both directions.

    colliders: x → z ← y. unclear: neither taken to collide nor not to. tests: how many were done.
    stopped: what ran out, where something did; triples that were not judged by then are unclear.
    """

    colliders: Set[Triple]
    unclear: Set[Triple]
    tests: int
    stopped: Stop | None = None


def judged_triples(
    adjacency: NDArray[np.bool_],
    answers: Answers,
    *,
    rule: Literal["majority", "conservative"],
    max_order: int | None = None,
    watch: Watch | None = None,
) -> Judged:
    """Return which triples x − z − y collide, by every set that separates x and y.

    adjacency: the skeleton. Sets are all subsets of the neighbors of x and of those of y, up to
    ``max_order`` columns: exponentially many in the number of neighbors, where it is not given.
    watch: ends it in time.

    ``"majority"``: a collider where z is in less than half of the separating sets, none where it is
    in more than half. ``"conservative"``: a collider where it is in none, none where it is in all.
    Otherwise, and where no set separates, unclear.
    """
    colliders, unclear = set[Triple](), set[Triple]()
    near, watch, stopped = neighbors(adjacency), watch or Watch(), None
    before = watch.tests
    for x, y in combinations(range(len(adjacency)), 2):
        between = np.flatnonzero(adjacency[x] & adjacency[y]).tolist()
        if adjacency[x, y] or not between:
            continue
        separating = list[tuple[int, ...]]()
        try:
            if stopped is None:
                separating = _separating(watch, near, answers, x, y, max_order)
        except NoMoreTests as end:
            stopped = end.stop
        for z in between:
            held = sum(z in given for given in separating)
            few, many = (
                (2 * held < len(separating), 2 * held > len(separating))
                if rule == "majority"
                else (not held, held == len(separating))
            )
            if few and separating:
                colliders |= {(x, z, y), (y, z, x)}
            elif not (many and separating):
                unclear |= {(x, z, y), (y, z, x)}
    return Judged(frozenset(colliders), frozenset(unclear), watch.tests - before, stopped)


def _separating(
    watch: Watch,
    near: Sequence[Sequence[int]],
    answers: Answers,
    x: int,
    y: int,
    max_order: int | None,
) -> list[tuple[int, ...]]:
    """Return the sets around x and y that separate them."""
    most = max(len(near[x]), len(near[y]))
    found = list[tuple[int, ...]]()
    for order in range(1 + (most if max_order is None else min(most, max_order))):
        for around, sets in sets_around(near, x, y, order):
            for given, apart in watch.read(answers, x, y, around, sets):
                if apart:
                    found.append(given)
    return found
