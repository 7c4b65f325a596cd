"""Where to test a promise that is a curve: the point, the rule's cut, the cells, the stakes.

All of it follows from exploration samples that are then thrown away; the certifying run tests what
was chosen and nothing else.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from provado.audit.bounds import Bets, BoundMethod, Ladder
from provado.audit.bounds.alpha_spending import POINT_SHARE
from provado.audit.events.rule import Rule
from provado.audit.events.threshold import Goal, best_cut, rank_grid
from provado.audit.target.output_encoding import Encoded
from provado.audit.trials.plan import cells_of
from provado.mechanisms.definitions import CurvePromise
from provado.mechanisms.definitions.curve import grid_of

from .ladder_plan import plan_ladder, promised

MOST_VALUES = 128
"""A score of at most so many values has a cell for each."""

MIDDLE, PER_OCTAVE = 48, 2
"""Cells of any other score: so many even ones, and in the tails so many for each halving."""

ORDERS = (1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0, 20.0)
"""Orders of divergence that a ladder is planned for, upwards or from the claim's own down, as long
as the next promises more; the best is taken."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CurveTest:
    """What is tested: a rule cut for one point of the curve, and its bound with the stakes.

    edges: of the rule's score, between the cells in which trials are counted.
    """

    rule: Rule
    method: BoundMethod
    edges: tuple[float, ...]


def anchors(promise: CurvePromise, goal: Goal) -> tuple[Goal, ...]:
    """Return the goals that rules are learned for: at the first point of the grid and mid-way."""
    points = grid_of(promise)
    chosen = {points[0], points[len(points) // 2]}
    return tuple(_at(goal, point) for point in sorted(chosen))


def plan_test(
    promise: CurvePromise,
    rules: Sequence[Rule],
    a: Encoded,
    b: Encoded,
    goal: Goal,
    bets: Callable[[Rule, Goal], tuple[Bets, int]],
) -> CurveTest:
    """Return the test of the point of the curve, and the rule, that promise the most.

    rules: learned ones, each of which is cut anew for every point. a, b: exploration outputs under
    D and D′, of which the second half was not learned from. bets: those of a rule for a goal, and
    the side that they are on.
    The point is the one at which the forecast of the certified parameter is largest.
    """
    half = slice(len(a) // 2, None)
    late = a.part(half), b.part(half)
    rule, point = _best(promise, rules, *late, goal)
    at = _at(goal, point)
    edges = _edges(np.concatenate([rule.score(side) for side in late]))
    ladder = _ladder(promise, rule, edges, (a, b), at) if edges else None
    if ladder is not None:
        at = replace(at, alpha=POINT_SHARE * goal.alpha)
    staked, side = bets(rule, at)
    method = BoundMethod(at.alpha, at.delta, staked, epsilon=at.epsilon, ladder=ladder, side=side)
    return CurveTest(rule, method, edges)


def _at(goal: Goal, point: tuple[float, float]) -> Goal:
    return replace(goal, epsilon=point[0], delta=point[1], betting=True)


def _best(
    promise: CurvePromise, rules: Sequence[Rule], a: Encoded, b: Encoded, goal: Goal
) -> tuple[Rule, tuple[float, float]]:
    """Return the rule, cut for the point at which it promises the largest parameter."""
    points = grid_of(promise)
    best, found = -math.inf, (rules[0], points[0])
    for rule in rules:
        score = rule.score(a), rule.score(b)
        for point in points:
            cut = best_cut(*score, _at(goal, point), both_ways=rule.score.raw)
            # What shows nothing is told apart by how little is missing.
            worth = promise.least(point[0], cut.value) if cut.value > 0 else min(cut.value, 0.0)
            if worth > best:
                best, found = worth, (replace(rule, cut=cut), point)
    return found


def _ladder(
    promise: CurvePromise,
    rule: Rule,
    edges: tuple[float, ...],
    samples: tuple[Encoded, Encoded],
    goal: Goal,
) -> Ladder | None:
    """Return the ladder, where one promises more than the point does."""
    weights = getattr(promise, "weight", None)
    if weights is None:
        return None
    half = len(samples[0]) // 2
    most = len(edges) + 2
    whole = [np.bincount(cells_of(rule, edges, side), minlength=most) for side in samples]
    held = [
        np.bincount(cells_of(rule, edges, side.part(slice(half, None))), minlength=most)
        for side in samples
    ]
    learned = [every - later for every, later in zip(whole, held, strict=True)]
    share = replace(goal, alpha=(1 - POINT_SHARE) * goal.alpha)
    best, worth = None, max(_point_worth(promise, rule, goal), 0.0)
    own = getattr(promise, "alpha", None)
    orders = ORDERS if own is None else (own, *(one for one in ORDERS[::-1] if one < own))
    for swapped in (False, True):
        before = 0.0
        for order in orders:
            if (weight := weights(order)) is None:
                continue
            ladder = plan_ladder(order, weight, learned, share, swapped=swapped)
            value = 0.0 if ladder is None else promised(ladder, held, share)
            if value > worth:
                best, worth = (order, weight, swapped), value
            if value < before:
                break
            before = value
    if best is None:
        return None
    order, weight, swapped = best
    return plan_ladder(order, weight, whole, share, swapped=swapped)


def _point_worth(promise: CurvePromise, rule: Rule, goal: Goal) -> float:
    assert goal.epsilon is not None
    value = rule.cut.value
    return promise.least(goal.epsilon, value) if value > 0 else 0.0


def _edges(scores: Floats) -> tuple[float, ...]:
    """Return edges between cells: one for each value where they are few, else by ranks."""
    finite = np.sort(scores[~np.isnan(scores)])
    if len(finite) < 2:
        return ()
    values = np.unique(finite)
    if len(values) > MOST_VALUES:
        values = np.unique(finite[rank_grid(len(finite), PER_OCTAVE, MIDDLE)])
    else:
        values = values[1:]
    return tuple(values[np.isfinite(values)].tolist())
