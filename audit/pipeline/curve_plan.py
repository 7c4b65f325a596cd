"""Where to test a promise that is a curve: the point, the rule's cut, the cells, the stakes.

All of it follows from exploration samples that are then discarded; the certifying run tests what
was chosen and nothing else. The stakes of a ladder are those of the fastest growth against a claim,
by exploration's counts.

The claim D_α ≤ t allows the pairs of distributions (P′, Q′) of a convex set. Among bets that win
nothing on average under any of them, the wealth of p/p* under P and q/q* under Q grows fastest
where the outputs follow (P, Q); (P*, Q*) is the pair of the set that is nearest to (P, Q) in
½·KL(P ‖ P′) + ½·KL(Q ‖ Q′). With r = p*/q* its conditions of Karush, Kuhn and Tucker are

    p/p* = 1 + kα(r^{α−1}e^{−J} − 1),   q/q* = 1 + k(α − 1)(1 − r^α·e^{−J}),   J = (α − 1)·t,

and p/p* = 1 + k(ln r − t), q/q* = 1 + k(1 − r) where α is 1: bets on a ladder with g = r^{α−1}.
Rare outputs of a large ratio, of which the counts know little, so get no larger stakes than they
are worth.

Source: Grünwald, de Heide and Koolen, Safe Testing (2024), Theorem 1 (the nearest distribution
makes the growth-rate optimal e-variable).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from provado.audit.bounds import Bets, BoundMethod, Ladder, mixture
from provado.audit.bounds.alpha_spending import POINT_SHARE
from provado.audit.events.rule import Rule
from provado.audit.events.threshold import Goal, best_cut, rank_grid
from provado.audit.target.output_encoding import Encoded
from provado.audit.trials.experiment import cells_of, plan_bets
from provado.mechanisms.definitions import CurvePromise
from provado.mechanisms.definitions.curve import grid_of

CAUTION = 2.0
"""Standard deviations of the log-wealth of the selecting sample that are taken off a forecast: the
best of many ladders owes some of its own to luck."""

FEWEST, PRIOR = 40, 0.5
"""Samples that the outermost blocks of cells have under either dataset; what is added to each."""

LEAST, FIRST, MOST = 1e-12, 1e-4, 10.0
"""Of k: where the search ends and where it begins. At the most the nearest pair is hardly one of
different distributions any more."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Nearest:
    """The pair of a claim that is nearest to (P, Q), by cell.

    logs: ln r. divergence: t, that of the pair. growth: mean log-wealth of a trial. k: as above.
    """

    logs: Floats
    divergence: float
    growth: float
    k: float


def nearest(p: Floats, q: Floats, order: float, k: float) -> Nearest:
    """Return the pair that is nearest to (p, q), positive in every cell, for one multiplier k.

    The larger k, the farther away the pair and the smaller its divergence.
    """
    from scipy.optimize import brentq

    ratio = np.log(p) - np.log(q)
    x = ratio

    @cache
    def beyond(t: float) -> float:
        """Fall short of 0 where t is too small; exceed it where t is too large."""
        nonlocal x
        x = _root(ratio, order, k, t, x)
        won, kept = _factors(x, order, k, t)
        # Both vanish at t alone; the first to the last digits, the second for every k.
        if k * order < 0.5:
            return t - renyi(p / won, q / kept, order)
        return min(float((p / won).sum()), 3.0) - 1

    most = renyi(p, q, order)
    t = 0.0
    if beyond(most) <= 0:
        t = most
    elif beyond(0.0) < 0:
        t = brentq(beyond, 0.0, most, xtol=1e-15, rtol=1e-10)
    x = _root(ratio, order, k, t, x)
    won, kept = _factors(x, order, k, t)
    return Nearest(x, t, float(p @ np.log(won) + q @ np.log(kept)) / 2, k)


def renyi(p: Floats, q: Floats, order: float) -> float:
    """Return D_α(p ‖ q) of measures that are positive in every cell, for α ≥ 1."""
    ratio = np.log(p) - np.log(q)
    if order == 1:
        return float(p @ ratio)
    logs = (order - 1) * ratio
    most = float(logs.max())
    return (most + math.log(float(p @ np.exp(logs - most)))) / (order - 1)


def _factors(x: Floats, order: float, k: float, t: float) -> tuple[Floats, Floats]:
    """Return p/p* and q/q* by ln r; where one would not be positive, next to nothing."""
    if order == 1:
        won, kept = 1 + k * (x - t), 1 - k * np.expm1(x)
    else:
        shift = (order - 1) * t
        won = 1 + k * order * np.expm1(np.minimum((order - 1) * x - shift, 700.0))
        kept = 1 - k * (order - 1) * np.expm1(np.minimum(order * x - shift, 700.0))
    return np.maximum(won, 1e-300), np.maximum(kept, 1e-300)


def _root(ratio: Floats, order: float, k: float, t: float, start: Floats) -> Floats:
    """Return ln r, where ln r + ln(p/p*) − ln(q/q*) = ln(p/q); the left side increases.

    By steps of Newton, in ln(q/q*) where that is near its pole, while they stay between the ends;
    else by bisection.
    """
    shift = (order - 1) * t
    m = k * (order - 1) if order > 1 else k
    high = np.full_like(ratio, (shift + math.log1p(1 / m)) / order)
    if order == 1:
        least = t - 1 / k
    else:
        rest = 1 - 1 / (k * order)
        least = -math.inf if rest <= 0 else (shift + math.log(rest)) / (order - 1)
    low = np.maximum(least, np.minimum(ratio, high) - 60.0)
    half = np.maximum((shift + math.log1p(0.5 / m)) / order, (low + high) / 2)
    x = np.where((start > low) & (start < high), start, half)
    for _ in range(100):
        won, kept = _factors(x, order, k, t)
        value = x - ratio - np.log(kept) + np.log(won)
        low, high = np.where(value < 0, x, low), np.where(value < 0, high, x)
        tilted = m * order * np.exp(np.minimum(order * x - shift, 700.0))
        slope = 1 + tilted / kept + (k / won if order == 1 else tilted * np.exp(-x) / won)
        step = x - value / slope
        # Beside a pole a step is short and the value large.
        if float(np.abs(step - x).max()) < 1e-12 and float(np.abs(value).max()) < 1:
            break
        moved = np.minimum(np.log(kept) + value * tilted / (slope * kept), 0.0)
        curved = (shift + np.log1p(-np.expm1(moved) / m)) / order
        step = np.where(kept < 0.5, curved, step)
        x = np.where((step >= low) & (step <= high), step, (low + high) / 2)
    return x


def tails(a: Ints, b: Ints) -> Ints:
    """Return a block for each cell: the outermost are one, up to ``FEWEST`` samples of either side.

    They are fewer where two blocks would not be left. Of the last outputs on one side there may be
    none at all in the other sample; how rare they are is known of all of them together at best.
    """
    cells, fewest = np.arange(len(a)), FEWEST
    both = [np.minimum(np.cumsum(a[way]), np.cumsum(b[way])) for way in (cells, cells[::-1])]
    while True:
        first, last = (int(np.searchsorted(seen, fewest)) for seen in both)
        # From the second cell up to the first that completes the block no new one begins.
        begins = (cells > first) & (cells <= len(cells) - 1 - last)
        if begins.any() or not fewest:
            return np.cumsum(begins).astype(np.int64)
        # Otherwise all cells would be one.
        fewest //= 2


def plan_ladder(
    order: float,
    weight: float,
    counts: Sequence[Ints],
    goal: Goal,
    *,
    swapped: bool,
) -> Ladder | None:
    """Return the ladder that refutes the largest divergence if trials fall as the counts did.

    counts: samples under D and under D′ by cell. ``None`` where they are too alike for the goal's
    trials to refute anything.
    """
    block = tails(*counts)
    p, q = (np.bincount(block, side) + PRIOR for side in (counts[::-1] if swapped else counts))
    p, q = p / p.sum(), q / q.sum()
    need = -math.log(goal.alpha) / goal.trials
    if renyi(p, q, order) < 1e-12:
        return None
    low = high = nearest(p, q, order, FIRST)
    while high.growth < need:
        if high.k > MOST:
            return None
        low, high = high, nearest(p, q, order, 10 * high.k)
    while low.growth > need and low.k > LEAST:
        low, high = nearest(p, q, order, low.k / 10), low
    # Growth is nearly a power of k.
    for _ in range(3):
        if not 0 < low.growth < need < high.growth:
            break
        share = math.log(need / low.growth) / math.log(high.growth / low.growth)
        result = nearest(p, q, order, low.k * (high.k / low.k) ** share)
        low, high = (result, high) if result.growth < need else (low, result)
    result = high
    t, k, x = result.divergence, result.k, result.logs[block]
    if not t > 0:
        return None
    above = order > 1
    logs = (order - 1) * (x - t) if above else x
    bare = Ladder(
        goal.alpha,
        order,
        weight,
        swapped,
        tuple(logs.tolist()),
        math.exp(-t) if above else 1.0,
        1.0 if above else t,
        Bets((1.0,), (1.0,)),
    )
    won, kept = bare.stakes(t / weight)
    # Beyond it a stake could lose all in some cell.
    most = 1 / -min(float(won.min()), float(kept.min()))
    stake = min(k * order / most, 0.999)
    # ``mixture`` spreads stakes up to .9, as if the most that can be lost were 1.
    spread = mixture(stake, 0.0, anytime=False)
    bets = Bets(tuple(most * item for item in spread.stakes), spread.weights)
    return Ladder(**{**vars(bare), "bets": bets})


def promised(ladder: Ladder, unseen: Sequence[Ints], goal: Goal) -> float:
    """Return the parameter that the planned stake refutes if trials fall as other samples did.

    Of their log-wealth ``CAUTION`` standard deviations are taken off.
    """
    counts = np.array(unseen[::-1] if ladder.swapped else unseen, dtype=np.float64)
    stake, scaled = ladder.bets.stakes[0], goal.trials / max(float(counts.sum()), 1.0)

    def refuted(scale: float) -> bool:
        factors = 1 + stake * np.array(ladder.stakes(scale))
        if float(factors.min()) <= 0:
            return False
        gains = np.log(factors)
        error = math.sqrt(float((counts * gains**2).sum()))
        grown = float((counts * gains).sum()) - CAUTION * error
        return scaled * grown >= -math.log(goal.alpha)

    if not refuted(0.0):
        return 0.0
    low, high = 0.0, 1.0
    while refuted(high) and high < 1e4:
        low, high = high, 2 * high
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low


MOST_VALUES = 128
"""A score of at most so many values has a cell for each."""

MIDDLE, PER_OCTAVE = 48, 2
"""Cells of any other score: so many even ones, and in the tails so many for each halving."""

ORDERS = (1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0, 20.0)
"""Orders of divergence that a ladder is planned for, upwards or from the claim's own down, as long
as the next promises more; the best is taken."""


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
    *,
    anytime: bool,
) -> tuple[Rule, BoundMethod, tuple[float, ...]]:
    """Return the test of the point of the curve, and the rule, that promise the most.

    The test is the rule, cut for that point, its bound with the stakes, and the edges of the rule's
    score between the cells in which trials are counted.

    rules: learned ones, each of which is cut anew for every point. a, b: exploration outputs under
    D and D′, of which the second half was not learned from.
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
    staked, side = plan_bets(rule, a, b, at, anytime=anytime)
    method = BoundMethod(at.alpha, at.delta, staked, epsilon=at.epsilon, ladder=ladder, side=side)
    return rule, method, edges


def _at(goal: Goal, point: tuple[float, float]) -> Goal:
    return replace(goal, epsilon=point[0], delta=point[1], betting=True)


def _best(
    promise: CurvePromise, rules: Sequence[Rule], a: Encoded, b: Encoded, goal: Goal
) -> tuple[Rule, tuple[float, float]]:
    """Return the rule, cut for the point at which it promises the largest parameter."""
    points = grid_of(promise)
    best, result = -math.inf, (rules[0], points[0])
    for rule in rules:
        score = rule.score(a), rule.score(b)
        for point in points:
            cut = best_cut(*score, _at(goal, point), both_ways=rule.score.raw)
            # What shows nothing is told apart by how little is missing.
            worth = promise.least(point[0], cut.value) if cut.value > 0 else min(cut.value, 0.0)
            if worth > best:
                best, result = worth, (replace(rule, cut=cut), point)
    return result


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
    unseen = [
        np.bincount(cells_of(rule, edges, side.part(slice(half, None))), minlength=most)
        for side in samples
    ]
    learned = [every - later for every, later in zip(whole, unseen, strict=True)]
    share = replace(goal, alpha=(1 - POINT_SHARE) * goal.alpha)
    best, worth = None, max(_point_worth(promise, rule, goal), 0.0)
    own = getattr(promise, "alpha", None)
    orders = ORDERS if own is None else (own, *(item for item in ORDERS[::-1] if item < own))
    for swapped in (False, True):
        before = 0.0
        for order in orders:
            if (weight := weights(order)) is None:
                continue
            ladder = plan_ladder(order, weight, learned, share, swapped=swapped)
            value = 0.0 if ladder is None else promised(ladder, unseen, share)
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
