"""Where to test a promise that is a curve: the point, the rule's cut, the cells, the stakes.

All of it follows from exploration samples that are then thrown away; the certifying run tests what
was chosen and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from provado.audit.rules.cells import rank_grid
from provado.audit.rules.rule import Rule
from provado.audit.rules.threshold import Goal, best_cut
from provado.mechanisms.statement import CurvePromise
from provado.mechanisms.statement.curve import grid_of

from .bounds import Bets, BoundMethod, Ladder, mixture
from .outputs import Encoded
from .plan import cells_of

POINT_SHARE = 1 / 20
"""Of a pair's alpha, what the point of the curve keeps where a ladder stands beside it."""

MOST_VALUES = 128
"""A score of at most so many values has a cell for each."""

MIDDLE, PER_OCTAVE = 48, 2
"""Cells of any other score: so many even ones, and in the tails so many for each halving."""

ORDERS = (1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0, 20.0)
"""Orders of divergence that a ladder is planned for; the best of them is taken."""

MISSED, CAUTION = 3.0, 2.0
"""So often a rare cell may have been missed, and so many standard errors of the selecting sample
are taken off a forecast: the best of many orders owes some of its own to luck."""

Ints = NDArray[np.int64]
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
    bets: Callable[[Rule, Goal], Bets],
) -> CurveTest:
    """Return the test of the point of the curve, and the rule, that promise the most.

    rules: learned ones, each of which is cut anew for every point. a, b: exploration outputs under
    D and D′, of which the second half was not learned from. bets: those of a rule for a goal.
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
    method = BoundMethod(at.alpha, at.delta, bets(rule, at), epsilon=at.epsilon, ladder=ladder)
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
    for order in (*ORDERS, *([promise.alpha] if hasattr(promise, "alpha") else [])):
        if (weight := weights(order)) is None:
            continue
        for swapped in (False, True):
            forecast = _planned(order, weight, learned, held, share, swapped=swapped)
            if forecast is not None and forecast[1] > worth:
                best, worth = (order, weight, swapped), forecast[1]
    if best is None:
        return None
    order, weight, swapped = best
    final = _planned(order, weight, whole, whole, share, swapped=swapped)
    return None if final is None else final[0]


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


def _planned(
    order: float,
    weight: float,
    learned: Sequence[Ints],
    held: Sequence[Ints],
    goal: Goal,
    *,
    swapped: bool,
) -> tuple[Ladder, float] | None:
    """Return a ladder learned from some counts, and the parameter that others promise of it.

    learned, held: samples under D and under D′ by cell. ``None`` where it promises nothing.
    """
    p, q = (side + 0.5 for side in (learned[::-1] if swapped else learned))
    logs = np.log(p / p.sum()) - np.log(q / q.sum())
    if order > 1:
        logs = (order - 1) * (logs - logs.max())
    p, q = (side / max(side.sum(), 1) for side in (held[::-1] if swapped else held))
    if order == 1:
        offset, tangent = float(p @ logs), float(q @ np.exp(logs))
    else:
        offset = float(p @ np.exp(logs))
        tangent = float(q @ np.exp(logs * order / (order - 1)))
    if not 0 < tangent < math.inf:
        return None
    stub = Bets((1.0,), (1.0,))
    ladder = Ladder(goal.alpha, order, weight, swapped, tuple(logs.tolist()), tangent, offset, stub)

    seen = float(held[0].sum() + held[1].sum())

    def shown(scale: float) -> tuple[float, float]:
        """Return mean and standard deviation of what a trial wins.

        The worst of the cells on each side may have been missed by luck: as if seen three times
        more, which is as rare as it can be with a chance of one in twenty.
        """
        won, kept = ladder.stakes(scale)
        mean = float(p @ won + q @ kept) / 2
        square = float(p @ won**2 + q @ kept**2) / 2
        for worst in (float(won.min()), float(kept.min())):
            mean += MISSED / seen * min(worst, 0.0)
            square += MISSED / seen * min(worst, 0.0) ** 2
        return mean, math.sqrt(max(square - mean * mean, 0.0))

    errors = goal.deviation / math.sqrt(goal.trials) + CAUTION / math.sqrt(max(seen, 1.0))

    def refuted(scale: float) -> bool:
        mean, deviation = shown(scale)
        return mean > errors * deviation

    if not refuted(0.0):
        return None
    low, high = 0.0, 1.0
    while refuted(high) and high < 1e4:
        low, high = high, 2 * high
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if refuted(middle) else (low, middle)
    won, kept = ladder.stakes(low)
    # Beyond it a stake could lose all in some cell.
    most = 1 / max(-min(float(won.min()), float(kept.min())), 1e-300)
    deviation = shown(low)[1]
    stake = min(goal.deviation / math.sqrt(goal.trials) / max(deviation, 1e-300), 0.9 * most)
    # ``mixture`` spreads stakes up to .9, as if the most that can be lost were 1.
    spread = mixture(stake / most, 0.0, anytime=False)
    bets = Bets(tuple(most * one for one in spread.stakes), spread.weights)
    return replace(ladder, bets=bets), low
