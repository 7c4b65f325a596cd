"""Which directions of a pair the rows without protection leave possible, and which they exclude.

A small HSIC does not show that an additive noise model holds: where the columns' outer values are
rare, the kernels are wide beside most residuals, and the score of every direction is small. Nor
does a large one show that a direction is wrong, where its effect is recorded on another scale, its
noise grows with the cause, or its values are few. Rows that are not protected can be tested for all
of that, at no cost in privacy.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float64]

TERMS = 4
"""Cosines of each rank in the test of independence."""

LARGEST_LUMP = 0.1
"""Share of the rows with one value up to which a column counts as continuous."""


@dataclass(frozen=True)
class Explanation:
    """How well the rows without protection agree with one direction.

    additive: the probability of residuals as dependent on the cause, were the effect a smooth
        function of the cause plus independent noise. widest: the largest such probability, also
        with noise whose size is a function of the cause, and with the effect's ranks in place of
        its values.
    lumped: whether one value of the cause makes up more than ``LARGEST_LUMP`` of the rows and more
        than any value of the effect does. No sum with independent continuous noise has such lumps,
        so that the other direction is rejected whether or not it is the true one.
    """

    additive: float
    widest: float
    lumped: bool


def explain(cause: Column, effect: Column) -> Explanation:
    """Return how well the rows agree with ``cause`` → ``effect``; shape (n,) each."""
    from scipy.special import ndtri

    # On ranks, not on values: where the recorded scale bends that of the sum, as a logarithm does.
    normal = ndtri(_ranks(effect))
    result = [_dependence(cause, e, scaled) for e in (effect, normal) for scaled in (False, True)]
    lump, other = (np.unique(c, return_counts=True)[1].max() / c.size for c in (cause, effect))
    return Explanation(result[0], max(result), bool(lump > max(other, LARGEST_LUMP)))


def _dependence(cause: Column, effect: Column, scaled: bool) -> float:
    """Return the p-value of the residuals of ``effect`` and ``cause`` being independent.

    scaled: whether the noise's size may be a smooth function of the cause.
    """
    smooth = _splines(cause)
    left = effect - _fitted(smooth, effect)
    if scaled and left.any():
        size = np.exp(_fitted(smooth, np.log(np.abs(left) + 1e-3 * left.std())))
        weighted = smooth / size[:, None]
        left = effect / size - _fitted(weighted, effect / size)
    return _independent(cause, left)


def _independent(u: Column, v: Column) -> float:
    """Return the p-value of a smooth test of independence on ranks.

    n times the squared canonical correlations of the first ``TERMS`` cosines of both ranks, in the
    limit χ² with a degree of freedom for each pair of terms; cosines of the second order see a
    variance that changes. Source: Kallenberg and Ledwina, Data-Driven Rank Tests for Independence
    (1999), without the choice of the number of terms.
    """
    from scipy.special import gammaincc

    orders = np.pi * np.arange(1, TERMS + 1)
    first, second = (_base(_centred(np.cos(np.outer(_ranks(c), orders)))) for c in (u, v))
    freedom = first.shape[1] * second.shape[1]
    statistic = u.size * float(np.sum((first.T @ second) ** 2))
    return float(gammaincc(freedom / 2, statistic / 2)) if freedom else 1.0


def _ranks(values: Column) -> Column:
    """Return ranks within (0, 1); equal values share their mean rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray(((np.cumsum(counts) - counts / 2) / values.size)[place])


def _splines(values: Column) -> NDArray[np.float64]:
    """Return natural cubic splines with knots at quantiles, a column each; n^(1/3) knots."""
    z = values - np.median(values)
    z = z / (np.subtract(*np.quantile(z, [0.75, 0.25])) or z.std() or 1.0)
    knots = np.unique(np.quantile(z, np.linspace(0, 1, 2 + max(4, round(values.size ** (1 / 3))))))
    cubes = np.maximum(z[:, None] - knots, 0.0) ** 3
    if len(knots) < 3:
        return np.column_stack([np.ones_like(z), z])
    slopes = (cubes[:, :-1] - cubes[:, -1:]) / (knots[-1] - knots[:-1])
    return np.column_stack([np.ones_like(z), z, slopes[:, :-1] - slopes[:, -1:]])


def _fitted(features: NDArray[np.float64], target: Column) -> Column:
    base = _base(features)
    return np.asarray(base @ (base.T @ target))


def _centred(features: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(features - features.mean(axis=0))


def _base(features: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return orthonormal columns that span ``features``."""
    left, sizes, _ = np.linalg.svd(features, full_matrices=False)
    return np.asarray(left[:, sizes > 1e-9 * max(sizes[0], 1e-9)])
