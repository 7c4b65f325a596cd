"""The exact loss of a private release on one pair of datasets.

Outputs fall into few groups, within each of which the likelihood ratio is constant: ⊥, all numbers
left of both centres, all right of both, and each number between. Releases that are independent
given the data multiply.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.cause_effect.releases.release import PairRelease, Statistic
from provado.mechanisms.definitions import parameters


class Odds(NamedTuple):
    """Probabilities of a release and of ⊥; each is computed by itself, so that both are precise."""

    released: float
    refused: float


def odds(distances: Sequence[float], threshold: float, epsilon: float) -> Odds:
    """Return how likely at least one of the tests is passed, and how likely none is.

    Parameters as of ``passes``; over the real numbers.
    """
    loss = parameters.positive(epsilon, "epsilon")
    refused, released = 1.0, 0.0
    for distance in distances:
        gap = (threshold - distance) * loss
        tail = math.exp(-abs(gap)) / 2
        fails, holds = (1 - tail, tail) if gap >= 0 else (tail, 1 - tail)
        released += refused * holds
        refused *= fails
    return Odds(released, refused)


Groups = NDArray[np.float64]
"""Shape (k, 2): the probability of each group of outputs under D and under D′."""


def noisy_number(center: float, center_prime: float, scale: float | None) -> Groups:
    """Return the groups of centre + discrete Laplace noise.

    center, center_prime: in whole steps, or −∞ for an output that is −∞ without noise.
    scale: the noise's parameter in steps; ``None`` for a number that is released as it is.
    """
    if scale is None or math.isinf(center) or math.isinf(center_prime):
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


def pair_epsilon(d: Statistic, d_prime: Statistic, delta: float) -> float:
    """Return the smallest ε at which ``delta`` covers the release of these readings of a pair."""
    if not d.distances and d.scale is not None:
        moved = np.abs(d.centers - d_prime.centers)
        return float(int(moved.sum()) / d.scale)
    scale = None if d.scale is None else float(d.scale)
    parts = []
    for i, counts in enumerate(zip(d.distances, d_prime.distances, strict=True)):
        made, made_prime = (odds(each, d.threshold, d.epsilon) for each in counts)
        number = noisy_number(float(d.centers.flat[i]), float(d_prime.centers.flat[i]), scale)
        parts.append(maybe(made, made_prime, number))
    return smallest_epsilon(together(*parts), delta)


def release_epsilon(
    release: PairRelease, pair: tuple[Any, Any], delta: float, /, **setting: Any
) -> float:
    """Return the smallest ε at which ``delta`` covers a release under a setting, on a pair."""
    d, d_prime = (release.read(data, **setting) for data in pair)
    return pair_epsilon(d, d_prime, delta)


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
        raise parameters.UsageError(f"delta is {delta!r}: it must lie in [0, 1)")
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
