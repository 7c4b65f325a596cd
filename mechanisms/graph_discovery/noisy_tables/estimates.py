"""Dependence of two columns from noisy tables, with the covariance of noise and sampling together.

The dependence of x and y given others is D = Σ_z (N_xyz − N_xz·N_yz/N_z), in scores of x and y and
over n: 0 where they are independent in every stratum. It is the numerator of Cochran, Mantel and
Haenszel's test, summed over strata, so that N_xyz is only needed as N_xy: with tables of (x, y),
(x, z) and (y, z) nothing else has to be released. See Agresti, Categorical Data Analysis (2002),
section 7.5, for the test without noise.

Noise comes in to first order, and to second where two noisy tables are multiplied.

**Columns by strata: which strata stand out of the noise, and how many records they have.**

**How unusual a normal vector of known covariance is, whatever the direction.** The statistic is Σ
ω_k·t_k², t_k its uncorrelated parts in units of their standard deviations, λ_k their variances and
ω_k = min λ/λ_k: parts that noise drowns count little, but all that is known of their law goes in. A
constant plus a multiple of a χ² takes on its first three moments.

Source: Pearson, Note on an Approximation to the Distribution of Non-Central χ² (1959), applied to a
weighted sum; Imhof, Computing the Distribution of Quadratic Forms in Normal Variables (1961).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .release import Levels

Floats = NDArray[np.float64]

DEVIATIONS = 2.0
"""Of its noisy number of records, that a stratum has at least."""

_FEW = 5.0
"""Records that a stratum has at least, without noise."""


@dataclass(frozen=True, eq=False)
class Strata:
    """Counts of one column in each stratum, with noise.

    table: shape (k, strata). variance: of the noise of a cell, shape (strata,), where one level of
    the column makes a group.
    """

    table: Floats
    variance: Floats


def least(variance: Floats) -> Floats:
    """Return how many records strata need whose noisy numbers have these variances."""
    return np.maximum(DEVIATIONS * np.sqrt(variance), _FEW)


def shared_strata(first: Strata, second: Strata) -> tuple[Strata, Strata, Floats] | None:
    """Return two columns by the strata that stand out, and how many records each has.

    The numbers are averaged over both tables, by how noisy each is. Strata with too few records
    make one together, which is left out if it has too few itself; ``None`` where none is left.
    """
    sizes, variance = _sizes(first, second)
    few = sizes < least(variance)
    if few.any():
        first, second = _joined(first, few), _joined(second, few)
        sizes, variance = _sizes(first, second)
    kept = sizes >= least(variance)
    if not kept.any():
        return None
    one, other = (Strata(s.table[:, kept], s.variance[kept]) for s in (first, second))
    return one, other, sizes[kept]


def _sizes(first: Strata, second: Strata) -> tuple[Floats, Floats]:
    weights = [1 / (len(s.table) * s.variance) for s in (first, second)]
    total = weights[0] + weights[1]
    sums = (w * s.table.sum(axis=0) for w, s in zip(weights, (first, second), strict=True))
    return sum(sums) / total, 1 / total


def _joined(strata: Strata, few: NDArray[np.bool_]) -> Strata:
    rest = strata.table[:, few].sum(axis=1, keepdims=True)
    return Strata(
        np.concatenate([strata.table[:, ~few], rest], axis=1),
        np.append(strata.variance[~few], strata.variance[few].sum()),
    )


_FLOOR = 1e-12
"""Of a variance, as a share of the largest: below it a part is taken to be this variable."""


def tail(effect: NDArray[np.float64], covariance: NDArray[np.float64]) -> float:
    """Return the probability of a statistic at least as large if the mean were 0.

    effect: shape (k,), of any k. covariance: shape (k, k). 1 where k is 0.
    """
    if not effect.size:
        return 1.0
    # Here, so that the catalogue loads without scipy.
    from scipy.special import gammaincc

    variances, axes = np.linalg.eigh(covariance)
    variances = np.maximum(variances, max(variances[-1] * _FLOOR, np.finfo(float).tiny))
    squares = (axes.T @ effect) ** 2 / variances
    weights = variances[0] / variances
    first, second, third = weights.sum(), (weights**2).sum(), (weights**3).sum()
    # A χ² of f degrees has mean f, variance 2f and third central moment 8f.
    scale = third / second
    degrees = second**3 / third**2
    value = (weights @ squares - first) / scale + degrees
    return float(gammaincc(degrees / 2, max(value, 0.0) / 2))


LEFT = 0.05
"""Share of a column's variance that strata must leave for a test to say anything."""

_LITTLE = 1e-9


@dataclass(frozen=True, eq=False)
class DependenceEstimate:
    """D in scores of two columns, shape (k, l), and its covariance if it were 0, (k·l, k·l).

    left: what the strata leave of the scores of x and of y, on average: covariances (k, k), (l, l).
    both: the share of the variance of their products that the strata leave, on average: next to 0
    where each stratum all but determines one of the two.
    """

    effect: Floats
    covariance: Floats
    left: tuple[Floats, Floats]
    both: float

    @property
    def p_value(self) -> float:
        """See ``tail``. 1 where nothing can be seen of a column."""
        return tail(self.effect.ravel(), self.covariance)

    @property
    def strength(self) -> float:
        """The sum of squares of D, less what sampling and noise add."""
        return float((self.effect**2).sum() - np.trace(self.covariance))

    def would_be_seen(self, correlation: Floats, level: float) -> bool:
        """Return whether scores so correlated, in what the strata leave of them, had p below level.

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

    Where levels are joined a cell's noise has as many times that variance. margins: the variance of
    the noise that the margins have of their own, times the numbers of levels together.
    """

    table: Floats
    variance: float
    margins: float = 0.0

    def noise(self, x: Levels, y: Levels) -> Floats:
        """Return the variances of the scores of pure noise, shape (k, l)."""
        both = self.margins * np.outer(x.mean**2, y.mean**2)
        return np.asarray(self.variance * np.outer(x.noise, y.noise) + both)


def alone(pair: Noisy, x: Levels, y: Levels, n: int) -> DependenceEstimate:
    """Return the dependence of two columns from their table, shape (k, l)."""
    effect = x.scores.T @ pair.table @ y.scores / n
    noise = pair.noise(x, y)
    whole = np.eye(x.noise.size), np.eye(y.noise.size)
    return DependenceEstimate(effect, np.diag((noise / n + 1).ravel() / n), whole, 1.0)


def chained(
    pair: Noisy, first: Strata, second: Strata, sizes: Floats, x: Levels, y: Levels, n: int
) -> DependenceEstimate:
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
    own = np.einsum("kl,km,ln->klmn", pair.noise(x, y), np.eye(len(mine)), np.eye(len(theirs)))
    noise = own + _product(mine, both * theirs + passed) + _product(returned, theirs)
    left = _average(share, within), _average(share, among)
    return DependenceEstimate(effect, _square(sampling + noise / n**2), left, _mean(sampling) * n)


def stratified(tables: Noisy, x: Levels, y: Levels, n: int) -> DependenceEstimate | None:
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
    covariance = _square(sampling + tables.variance * noise / n**2)
    return DependenceEstimate(effect, covariance, left, _mean(sampling) * n)


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


def _mean(covariance: Floats) -> float:
    return float(_square(covariance).diagonal().mean())


def _average(share: Floats, covariances: Floats) -> Floats:
    return np.asarray(np.tensordot(share, covariances, 1))


def _root(covariance: Floats) -> Floats:
    values, axes = np.linalg.eigh(covariance)
    return np.asarray(axes * np.sqrt(np.maximum(values, 0)) @ axes.T)
