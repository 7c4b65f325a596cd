"""How sure each direction is, from noisy tables: shares of graphs that the tables leave possible.

A collider that a test contradicts is barred; an edge that a test took away counts as possible where
noise may have hidden it.
"""

import math
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..search.best_score import Parents
from ..search.sampled_graphs import CHAINS, direction_shares
from ..search.work_limits import Stop
from .dependence import Dependence
from .edge_search import FAIR, SEEN, Tried
from .estimates import LEFT, Floats
from .linear_score import LinearScore
from .plan import TRIPLES_BELOW
from .release import Tables
from .score import TableScore

TRUSTED = 0.5
"""Of a difference of scores: the skeleton may be wrong. See ``benchmarks.arrow_bars``."""

DIRECT = 0.0, 0.1, 0.3
"""Of what a column alone tells of another, that it must add to the parents' to be one of them.

Parents do not just add up, so that a false edge adds a little. How much is not known: a direction
is sure that does not depend on it.
"""

SURELY_THERE, LITTLE_NOISE = 0.25, 0.5
"""A completely tested edge of which two neighbors account for less than this share, see
``detours``, need not add ``DIRECT``: causes that both parents share leave little for one to add.
Only if sampling has at least that share of the variance of correlations, as noise hides detours."""

DOUBTED = 0.05, 0.2, 1.0
"""Given none, one, and more columns: a p-value below which two may be adjacent although a test took
their edge away.

So it is where noise is above ``TRIPLES_BELOW`` and hides many weak edges: without such an edge, a
collider between its ends would look sure. The more columns are given, the less a test can see; of
edges that go given two or more about half are true then.
"""

DENSE, TESTED, SUPPORT = 3, 3, 0.8
"""A skeleton is dense if its columns have more neighbors than ``DENSE`` on average. An edge was
tested completely if one of its ends has at most ``TESTED`` neighbors: all sets of its other
neighbors have at most ``MAX_ORDER`` columns. Least share of a direction that supports others."""

ALMOST_SURE, DISCOUNTS = 0.99, (2 / 3, 8 / 9)
"""In a dense skeleton, the factor of a share that depends on edges that were not tested completely:
the first below ``ALMOST_SURE``, the second from there on. About as many of them are right;
``python -m benchmarks.arrow_bars --discounts 6`` counts them."""

COMBINED = 0.01
"""What a sum leaves of its variance at most, given its parts; noise does not let it be 0."""

_BARRED = -1e6
"""Fit of a collider that a test contradicts; finite, so that two of them can be compared."""


def shares_of_directions(
    tables: Tables,
    dependence: Dependence,
    skeleton: NDArray[np.bool_],
    stopped: Stop | None,
    tried: tuple[Tried, ...] = (),
    *,
    chains: int = CHAINS,
    end: float | None = None,
) -> Floats:
    """Return how sure each direction of a skeleton's edges is, shape (d, d).

    No direction is sure without ``chains``, or where the search for edges ``stopped`` early.
    Otherwise it is the direction's share among graphs drawn by their score; see
    ``direction_shares``, also for ``end``. A score takes all errors to be those of sampling, so its
    differences count by what share sampling has of the variance of a correlation, on average, and
    by ``TRUSTED``. Shares are averaged over ``DIRECT``: edges for which two neighbors could
    account, see ``detours``, are there at 0 alone. Edges that ``tried`` took away in doubt, see
    ``doubted``, may be there; the smaller share with and without them counts. Of ``CHAINS``
    no graph has a collider of two ends at a column of the set that took their edge away. Directions
    that the tables refute, see ``refuted``, have none. The same tables give the same shares.
    """
    if not chains or stopped not in (None, "tables"):
        return np.zeros(skeleton.shape)
    noise = dependence.noise
    if tables.plan.whole is None:
        gain = LinearScore(dependence, caution=1.0).gain
    else:
        gain = TableScore(tables, dependence, caution=1.0).gain
    pairs = combinations(range(dependence.width), 2)
    variance = np.concatenate([noise(x, y).ravel() for x, y in pairs])
    sampled = float((1 / (1 + dependence.n * variance)).mean()) if variance.size else 0.0

    certain, surely = skeleton, np.zeros_like(skeleton)
    if tables.plan.whole is None:
        accounted = detours(dependence, skeleton)
        certain = skeleton & (accounted < 1)
        if sampled >= LITTLE_NOISE:
            surely = completely_tested(skeleton) & (accounted < SURELY_THERE)
    noisy = tables.plan.error > TRIPLES_BELOW
    doubtful = doubted(dependence, skeleton, tried, noisy=noisy)

    # Bars make chains stick; of a few, as for a redraw, all may.
    gone = [test for test in tried if test.gone and chains >= CHAINS]
    apart = [(frozenset({test.x, test.y}), test.given) for test in gone]

    def shares(direct: float, more: NDArray[np.bool_]) -> Floats:
        def fit(x: int, above: Parents) -> float:
            if any(x in given and ends <= above for ends, given in apart):
                return _BARRED
            alone = math.fsum(max(0.0, gain(x, frozenset({y}))) for y in above if not surely[x, y])
            return TRUSTED * sampled * (gain(x, above) - direct * alone)

        each = math.ceil(chains / len(DIRECT))
        edges, rng = certain if direct else skeleton, np.random.default_rng(0)
        return direction_shares(edges | more, fit, rng, chains=each, end=end)

    doubts = [doubtful, np.zeros_like(doubtful)] if doubtful.any() else [doubtful]
    every = [np.mean([shares(direct, more) for direct in DIRECT], axis=0) for more in doubts]
    return np.asarray(np.min(every, axis=0) * (skeleton & ~refuted(dependence, skeleton)))


def discounted(skeleton: NDArray[np.bool_], direction: Floats) -> Floats:
    """Return the shares of directions, smaller in a dense skeleton where they are not supported.

    See ``supported`` and ``DISCOUNTS``.
    """
    if skeleton.sum() <= DENSE * len(skeleton):
        return direction
    low, high = DISCOUNTS
    factor = np.where(direction >= ALMOST_SURE, high, low)
    return np.where(supported(skeleton, direction), 1.0, factor) * direction


def supported(skeleton: NDArray[np.bool_], direction: Floats) -> NDArray[np.bool_]:
    """Return which directions follow from edges that were tested completely, shape (d, d).

    See ``explained``. Conditioning on more columns might remove one of the other edges, and then a
    direction that depends on it is wrong.
    """
    tested = completely_tested(skeleton)
    return explained(skeleton, direction, tested) >= SUPPORT


def explained(skeleton: NDArray[np.bool_], direction: Floats, edges: NDArray[np.bool_]) -> Floats:
    """Return the shares of directions, none larger than that of what it follows from.

    A direction follows from colliders and by Meek's first two rules, here from some ``edges`` of
    the skeleton. Several structures may agree on a direction although none of them is likely, and
    then it is as unsure as they are: they are all the structures of one skeleton, which may lack an
    edge. In a collider one of the two edges may have no direction, as with a hidden common cause,
    but it must not point away.
    """
    apart = (~skeleton & ~np.eye(len(skeleton), dtype=bool)).astype(float)
    own, entering = np.where(edges, direction, 0.0), np.where(edges, 1 - direction.T, 0.0)
    colliders = _strongest(apart, entering)
    known, more = np.zeros(skeleton.shape), np.minimum(own, colliders)
    while (known != more).any():
        known = more
        by_rules = np.maximum(_strongest(known.T, apart), _strongest(known, known))
        more = np.minimum(own, np.maximum(colliders, by_rules))
    return known


def _strongest(first: Floats, second: Floats) -> Floats:
    """Return by which third column two are linked best, of its two links the weaker one counts."""
    result = np.zeros(first.shape)
    for z in range(len(first)):
        np.maximum(result, np.minimum.outer(first[:, z], second[z]), out=result)
    return result


def completely_tested(skeleton: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which edges have an end of at most ``TESTED`` neighbors, shape (d, d)."""
    number = skeleton.sum(axis=0)
    return np.asarray(skeleton & (np.minimum.outer(number, number) <= TESTED))


def doubted(
    dependence: Dependence, skeleton: NDArray[np.bool_], tried: tuple[Tried, ...], *, noisy: bool
) -> NDArray[np.bool_]:
    """Return the pairs that may be adjacent although a test took their edge away, shape (d, d).

    Where noise is large (noisy) by ``DOUBTED``. Whatever the noise, where one column was given that
    leaves less than ``LEFT``, as each of its levels all but determines one of the two: no test
    could see them depend on each other (given two, such an edge stays). Nor where a column was
    given that is a combination of others, as a total is: given it, its parts may tell no more of
    what they depend on, which then looks like an effect of the total. Pairs without a common
    neighbor are left out, as their edges hide no collider.
    """
    result, between = np.zeros_like(skeleton), skeleton @ skeleton
    combined = combinations_of_others(dependence, skeleton)
    for test in tried:
        x, y, given = test.x, test.y, test.given
        if not (test.gone and between[x, y]):
            continue
        doubt = noisy and (test.p_value or 0.0) < DOUBTED[min(len(given), 2)]
        if len(given) == 1 and not doubt:
            estimate = dependence.estimate(x, y, given)
            doubt = estimate is not None and estimate.both < LEFT
        doubt |= not combined.isdisjoint(given)
        result[[x, y], [y, x]] |= doubt
    return result


def combinations_of_others(dependence: Dependence, skeleton: NDArray[np.bool_]) -> frozenset[int]:
    """Return the columns of which a score is a linear combination of those of their neighbors.

    Of its variance their regression leaves less than ``COMBINED``.
    """
    result = set()
    for x in range(dependence.width):
        near = np.flatnonzero(skeleton[x]).tolist()
        if len(near) < 2:
            continue
        across = np.vstack([dependence.correlation(y, x) for y in near])
        among = np.block([[dependence.correlation(y, z) for z in near] for y in near])
        told = across.T @ np.linalg.pinv(among, rcond=COMBINED, hermitian=True) @ across
        if np.linalg.eigvalsh(told)[-1] > 1 - COMBINED:
            result.add(x)
    return frozenset(result)


def refuted(dependence: Dependence, skeleton: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the directions that two independent columns rule out, shape (d, d).

    Of x − y − z with x and z apart, y → z passes on to z what x and y have in common: their
    correlations times the effect of y on z. That is about what y and z have in common given any
    other neighbor of z, or alone, whichever is weakest: the rest may come from causes of both.
    Where half of it would be seen, and x and z look independent, y → z is ruled out. Graphs are
    compared with each other only: where a common cause is hidden, or effects cancel, none may fit,
    and the best has arrows that the tables refute.
    """

    @cache
    def effects(y: int, z: int) -> list[Floats]:
        others = [(w,) for w in np.flatnonzero(skeleton[z]).tolist() if w != y]
        every = (dependence.estimate(min(y, z), max(y, z), given) for given in ((), *others))
        return [one.effect if y < z else one.effect.T for one in every if one is not None]

    result = np.zeros(skeleton.shape, dtype=bool)
    for x, z in np.argwhere(~skeleton & ~np.eye(len(skeleton), dtype=bool)).tolist():
        estimate = dependence.estimate(min(x, z), max(x, z), ())
        if estimate is None or estimate.p_value < FAIR:
            continue
        for y in np.flatnonzero(skeleton[x] & skeleton[z]).tolist():
            passed = (SEEN * dependence.correlation(x, y) @ effect for effect in effects(y, z))
            result[y, z] |= all(
                estimate.would_be_seen(one if x < z else one.T, FAIR) for one in passed
            )
    return result


def detours(dependence: Dependence, skeleton: NDArray[np.bool_]) -> Floats:
    """Return how far two neighbors of an end could account for each edge, shape (d, d).

    Of two columns that both are needed to separate the ends, each, given the other, depends on both
    ends at least as much as the ends do on each other (the data processing inequality). An entry is
    the least of the ratios by which that is so, for the two neighbors for which it is largest.
    Tables of pairs show this whether or not effects add up. Two neighbors do not account for it
    where released tables of three columns show that the ends depend on each other given both.
    """

    @cache
    def strength(x: int, y: int, given: int) -> float:
        estimate = dependence.estimate(min(x, y), max(x, y), (given,))
        return 0.0 if estimate is None else max(estimate.strength, 0.0)

    def ratio(x: int, y: int, through: int, given: int) -> float:
        left = strength(x, y, given)
        least = min(strength(x, through, given), strength(through, y, given))
        return least / left if left > 0 else 0.0

    result = np.zeros(skeleton.shape)
    for x, y in np.argwhere(skeleton).tolist():
        near = [z for z in np.flatnonzero(skeleton[x]).tolist() if z != y]
        for one, other in combinations(near, 2):
            if all(dependence.released(end, one, other) for end in (x, y)):
                left = dependence.estimate(min(x, y), max(x, y), (one, other))
                if left is not None and left.p_value < FAIR:
                    continue
            both = min(ratio(x, y, one, other), ratio(x, y, other, one))
            result[x, y] = result[y, x] = max(result[x, y], both)
    return result
