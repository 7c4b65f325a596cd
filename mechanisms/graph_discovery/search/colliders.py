"""Colliders by what all separating sets say, so that no order of the vertices matters.

Source: conservative: Ramsey, Zhang and Spirtes, Adjacency-Faithfulness and Conservative Causal
Inference (2006). Majority: Colombo and Maathuis, Order-Independent Constraint-Based Causal
Structure Learning (2014), section 4.2. By the largest p-value: Ramsey, Improving Accuracy and
Scalability of the PC Algorithm by Maximizing P-value (2016).
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

Rule = Literal["agreed", "majority", "conservative"]

Orientation = Literal["first"] | Rule

ORIENTATIONS: tuple[Orientation, ...] = ("first", "agreed", "majority", "conservative")


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
    rule: Rule,
    max_order: int | None = None,
    watch: Watch | None = None,
) -> Judged:
    """Return which triples x − z − y collide, by every set that separates x and y.

    adjacency: the skeleton. Sets are all subsets of the neighbors of x and of those of y, up to
    ``max_order`` columns: exponentially many in the number of neighbors, where it is not given.
    watch: ends it in time.

    ``"majority"``: a collider where z is in less than half of the separating sets, none where it is
    in more than half. ``"conservative"``: a collider where it is in none, none where it is in all.
    ``"agreed"``: as ``"majority"``, of all separating sets and also of those of the largest
    p-value alone. Otherwise, and where no set separates, unclear.
    """
    colliders, unclear = set[Triple](), set[Triple]()
    near, watch, stopped = neighbors(adjacency), watch or Watch(), None
    before = watch.tests
    for x, y in combinations(range(len(adjacency)), 2):
        between = np.flatnonzero(adjacency[x] & adjacency[y]).tolist()
        if adjacency[x, y] or not between:
            continue
        separating = list[tuple[tuple[int, ...], float]]()
        try:
            if stopped is None:
                separating = _separating(watch, near, answers, x, y, max_order)
        except NoMoreTests as end:
            stopped = end.stop
        largest = max((p for _, p in separating), default=0.0)
        every = [given for given, _ in separating]
        surest = [given for given, p in separating if p == largest or rule != "agreed"]
        for z in between:
            found = {_collides(z, sets, rule) for sets in (every, surest)}
            if found == {True}:
                colliders |= {(x, z, y), (y, z, x)}
            elif found != {False}:
                unclear |= {(x, z, y), (y, z, x)}
    return Judged(frozenset(colliders), frozenset(unclear), watch.tests - before, stopped)


def _collides(z: int, separating: Sequence[tuple[int, ...]], rule: Rule) -> bool | None:
    """Tell whether a collider at z agrees with the sets that separate its ends, if they say."""
    held, half = sum(z in given for given in separating), len(separating) / 2
    if not separating or held == half:
        return None
    if rule == "conservative" and 0 < held < len(separating):
        return None
    return held < half


def _separating(
    watch: Watch,
    near: Sequence[Sequence[int]],
    answers: Answers,
    x: int,
    y: int,
    max_order: int | None,
) -> list[tuple[tuple[int, ...], float]]:
    """Return the sets around x and y that separate them, each with its p-value."""
    most = max(len(near[x]), len(near[y]))
    found = list[tuple[tuple[int, ...], float]]()
    for order in range(1 + (most if max_order is None else min(most, max_order))):
        for around, sets in sets_around(near, x, y, order):
            for given, apart in watch.read(answers, x, y, around, sets):
                if apart:
                    found.append((given, apart))
    return found
