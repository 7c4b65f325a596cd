"""Dependence of two columns from noisy tables, with the covariance of noise and sampling together.

The dependence of x and y given others is D = Σ_z (N_xyz − N_xz·N_yz/N_z), in scores of x and y and
over n: 0 where they are independent in every stratum. It is the numerator of Cochran, Mantel and
Haenszel's test, summed over strata, so that N_xyz is only needed as N_xy: with tables of (x, y),
(x, z) and (y, z) nothing else has to be released. See Agresti, Categorical Data Analysis (2002),
section 7.5, for the test without noise.

Noise comes in to first order, and to second where two noisy tables are multiplied.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .levels import Levels
from .strata import Strata, least
from .weighted_squares import tail

Floats = NDArray[np.float64]

LEFT = 0.05
"""Share of a column's variance that strata must leave for a test to say anything."""

_LITTLE = 1e-9


@dataclass(frozen=True, eq=False)
class Estimate:
    """D in scores of two columns, shape (k, l), and its covariance if it were 0, (k·l, k·l).

    left: what the strata leave of the scores of x and of y, on average: covariances (k, k), (l, l).
    """

    effect: Floats
    covariance: Floats
    left: tuple[Floats, Floats]

    @property
    def p_value(self) -> float:
        """See ``tail``. 1 where nothing can be seen of a column."""
        return tail(self.effect.ravel(), self.covariance)

    @property
    def strength(self) -> float:
        """The sum of squares of D, less what sampling and noise add."""
        return float((self.effect**2).sum() - np.trace(self.covariance))

    def would_be_seen(self, correlation: Floats, level: float) -> bool:
        """Tell whether scores so correlated, in what the strata leave of them, had p below level.

        False where the strata leave less than ``LEFT`` of a column's variance: they all but
        determine it then, and what is left may be noise.
        """
        if any(np.trace(left) < LEFT * len(left) for left in self.left):
            return False
        one, other = (_root(left) for left in self.left)
        return tail((one @ correlation @ other).ravel(), self.covariance) < level


@dataclass(frozen=True, eq=False)
class Noisy:
    """A noisy table, its levels joined as ``Levels`` says, and the variance of a cell's noise.

    Where levels are joined a cell's noise has as many times that variance.
    """

    table: Floats
    variance: float


def alone(pair: Noisy, x: Levels, y: Levels, n: int) -> Estimate:
    """Return the dependence of two columns from their table, shape (k, l)."""
    effect = x.scores.T @ pair.table @ y.scores / n
    noise = pair.variance * np.outer(x.noise, y.noise)
    whole = np.eye(x.noise.size), np.eye(y.noise.size)
    return Estimate(effect, np.diag((noise / n + 1).ravel() / n), whole)


def chained(
    pair: Noisy, first: Strata, second: Strata, sizes: Floats, x: Levels, y: Levels, n: int
) -> Estimate:
    """Return the dependence of two columns given strata, from three tables of separate noise.

    pair: of x and y. first, second: of x and of y by the same strata. sizes: how many records each
    stratum has, by some deviations of noise above 0.
    """
    share = sizes / sizes.sum()
    one, other = _by_stratum(first, x, share, n), _by_stratum(second, y, share, n)
    effect = x.scores.T @ pair.table @ y.scores / n - (one / share) @ other.T
    within, among = _within(first.table, x)[0], _within(second.table, y)[0]
    sampling = _sampling(share / n, within, among)
    # Noise of one table passes on by what the other says of the strata.
    passed = (other * (first.variance / share**2)) @ other.T
    returned = (one * (second.variance / share**2)) @ one.T
    both = float(first.variance @ (second.variance / share**2)) / n**2
    mine, theirs = np.diag(x.noise), np.diag(y.noise)
    noise = _product(mine, (pair.variance + both) * theirs + passed) + _product(returned, theirs)
    left = _average(share, within), _average(share, among)
    return Estimate(effect, _square(sampling + noise / n**2), left)


def stratified(tables: Noisy, x: Levels, y: Levels, n: int) -> Estimate | None:
    """Return the dependence of two columns from one table of them in each stratum.

    tables: shape (strata, k, l). Strata whose noisy number of records does not stand out by as many
    deviations as ``least`` asks are left out; ``None`` where none is left.
    """
    cells = float(x.joined.sum() * y.joined.sum())
    sizes = tables.table.sum(axis=(1, 2))
    kept = sizes >= least(np.array(tables.variance * cells))
    if not kept.any():
        return None
    table, sizes = tables.table[kept], sizes[kept]
    rows, columns = table.sum(axis=2), table.sum(axis=1)
    apart = table - rows[:, :, None] * columns[:, None, :] / sizes[:, None, None]
    effect = x.scores.T @ apart.sum(axis=0) @ y.scores / n
    one, mine = _within(rows.T, x)
    other, theirs = _within(columns.T, y)
    sampling = _sampling(sizes / n**2, one, other)
    noise = np.einsum("skm,sln->klmn", _centred(x, mine), _centred(y, theirs), optimize=True)
    left = _average(sizes / n, one), _average(sizes / n, other)
    return Estimate(effect, _square(sampling + tables.variance * noise / n**2), left)


def _by_stratum(strata: Strata, column: Levels, share: Floats, n: int) -> Floats:
    """Return the scores' sums by stratum over n, shape (k, strata), 0 over all of them."""
    sums = column.scores.T @ strata.table / n
    return np.asarray(sums - sums.sum(axis=1, keepdims=True) * share)


def _within(table: Floats, column: Levels) -> tuple[Floats, Floats]:
    """Return the scores' covariance in each stratum, (strata, k, k), and means, (k, strata)."""
    chance = np.maximum(table, 0) + _LITTLE
    chance /= chance.sum(axis=0)
    mean = column.scores.T @ chance
    square = np.einsum("is,ik,il->skl", chance, column.scores, column.scores, optimize=True)
    return square - np.einsum("ks,ls->skl", mean, mean), mean


def _centred(column: Levels, mean: Floats) -> Floats:
    """Return Σ (u − ū)(u − ū)ᵀ over the levels in each stratum, shape (strata, k, k)."""
    apart = column.scores[None] - mean.T[:, None, :]
    return np.asarray(np.einsum("sik,i,sil->skl", apart, column.joined, apart, optimize=True))


def _sampling(weight: Floats, one: Floats, other: Floats) -> Floats:
    return np.asarray(np.einsum("s,skm,sln->klmn", weight, one, other, optimize=True))


def _product(one: Floats, other: Floats) -> Floats:
    return np.asarray(np.einsum("km,ln->klmn", one, other))


def _square(covariance: Floats) -> Floats:
    k, other = covariance.shape[:2]
    return covariance.reshape(k * other, k * other)


def _average(share: Floats, covariances: Floats) -> Floats:
    return np.asarray(np.tensordot(share, covariances, 1))


def _root(covariance: Floats) -> Floats:
    values, axes = np.linalg.eigh(covariance)
    return np.asarray(axes * np.sqrt(np.maximum(values, 0)) @ axes.T)
