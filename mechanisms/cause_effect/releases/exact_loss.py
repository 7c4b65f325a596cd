"""Exact privacy loss of a release on one pair of datasets, for the catalogue's ``true_epsilon``.

A release is ⊥, or a number with discrete Laplace noise whose centre depends on the dataset. Its
outputs fall into few groups, within each of which the likelihood ratio is constant: ⊥, all numbers
left of both centres, all right of both, and each number between. Releases that are independent
given the data multiply.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Rational

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import rational
from provado.mechanisms.noise.exact_noise import NOISE_GRID, to_grid

from .noisy_scores import Odds, odds
from .propose_test_release import Proposal
from .testing_set import grid_for

Groups = NDArray[np.float64]
"""Shape (k, 2): the probability of each group of outputs under D and under D′."""


def noisy_number(center: float, center_prime: float, scale: float) -> Groups:
    """Return the groups of centre + discrete Laplace noise.

    center, center_prime: in whole steps, or −∞ for an output that is −∞ without noise.
    scale: the noise's parameter in steps.
    """
    if math.isinf(center) or math.isinf(center_prime):
        same = center == center_prime
        return np.array([[1.0, 1.0]] if same else [[1.0, 0.0], [0.0, 1.0]])
    gap = round(abs(center - center_prime))
    ratio = math.exp(-1 / scale)
    tail = ratio ** np.arange(gap + 1) / (1 + ratio)
    point = -math.expm1(-1 / scale) / (1 + ratio)
    between = point * ratio ** np.arange(1, gap)
    return np.column_stack(
        (
            [tail[0], *between, tail[gap]] if gap else [1.0],
            [tail[gap], *between[::-1], tail[0]] if gap else [1.0],
        )
    )


def maybe(d: Odds, d_prime: Odds, groups: Groups) -> Groups:
    """Return the groups of a release that is made with these odds under D and D′, else ⊥."""
    made = groups * [d.released, d_prime.released]
    return np.vstack((made, [[d.refused, d_prime.refused]]))


def together(*releases: Groups) -> Groups:
    """Return the groups of several releases that are independent given the data.

    Groups of equal likelihood ratio, up to 1e-10, are merged, so that their number stays small.
    """
    product = np.ones((1, 2))
    for groups in releases:
        product = _merged((product[:, None, :] * groups[None, :, :]).reshape(-1, 2))
    return product


def _merged(groups: Groups) -> Groups:
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.log(groups[:, 0]) - np.log(groups[:, 1])
    _, where = np.unique(np.round(ratios, 10), return_inverse=True)
    return np.column_stack([np.bincount(where, weights=column) for column in groups.T])


def proposals_epsilon(
    d: Sequence[Proposal],
    d_prime: Sequence[Proposal],
    *,
    epsilon: Rational | int | float,
    threshold: float,
    delta: float,
    grid: float = NOISE_GRID,
) -> float:
    """Return the smallest ε at which ``delta`` covers ``release_proposals`` on this pair.

    d, d_prime: what the release reads from D and from D′. epsilon, threshold, grid: of the release.
    """
    scale = 1 / (grid * float(epsilon))
    parts = [
        maybe(
            odds(p.distances, threshold, float(epsilon)),
            odds(q.distances, threshold, float(epsilon)),
            noisy_number(p.center, q.center, scale),
        )
        for p, q in zip(d, d_prime, strict=True)
    ]
    return smallest_epsilon(together(*parts), delta)


def ranks_epsilon(
    scores: Sequence[ArrayLike],
    distances: Sequence[Sequence[int]],
    *,
    epsilon: float,
    threshold: float,
    delta: float,
) -> float:
    """Return the smallest ε at which ``delta`` covers scores that are released exactly or as ⊥.

    scores, distances: for D and for D′, of each of k releases. epsilon, threshold: of the tests.
    """
    same = np.asarray(scores[0]) == np.asarray(scores[1])
    centers = np.where(same, 0.0, -math.inf).tolist()
    d = [Proposal(0.0, (count,)) for count in distances[0]]
    d_prime = [Proposal(c, (count,)) for c, count in zip(centers, distances[1], strict=True)]
    return proposals_epsilon(d, d_prime, epsilon=epsilon, threshold=threshold, delta=delta)


def laplace_epsilon(
    d: ArrayLike,
    d_prime: ArrayLike,
    *,
    sensitivity: Rational | int | float,
    epsilon: Rational | int | float,
) -> float:
    """Return the exact ε of ``release_scores`` on scores ``d`` and ``d_prime``, shape (k,) each."""
    grid, steps = grid_for(sensitivity)
    moved = np.abs(to_grid(d, grid) - to_grid(d_prime, grid))
    return float(rational(epsilon, "epsilon") * int(moved.sum()) / steps)


def delta_at(groups: Groups, epsilon: float) -> float:
    """Return the smallest δ at ε, over both directions."""
    p, q = groups.T
    gain = math.exp(epsilon) if epsilon < 700 else math.inf
    with np.errstate(invalid="ignore"):
        losses = [np.where(b > 0, np.maximum(a - gain * b, 0), a) for a, b in ((p, q), (q, p))]
    return max(math.fsum(loss) for loss in losses)


def smallest_epsilon(groups: Groups, delta: float) -> float:
    """Return the smallest ε ≥ 0 at which ``delta`` is enough, by bisection; ∞ where none is.

    Rounded up by at most 1e-12. Raises ``UsageError`` unless 0 ≤ delta < 1.
    """
    if not 0 <= delta < 1:
        raise UsageError(f"delta is {delta!r}: it must lie in [0, 1)")
    if delta_at(groups, 0.0) <= delta:
        return 0.0
    if delta_at(groups, math.inf) > delta:
        return math.inf
    low, high = 0.0, 1.0
    while delta_at(groups, high) > delta:
        high *= 2
    while high - low > 1e-12 * max(1.0, high):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_at(groups, middle) > delta else (low, middle)
    return high
