"""Scores of families from tables of pairs alone: columns as vectors of scores, told linearly.

A column's levels become the scores of ``Levels``; parents tell them by least squares. Correlations
are all that this takes, so that any number of parents is scored by tables of pairs. With R the
correlations of all scores the log-likelihood that parents P add for x is −n/2·(log det R_xP − log
det R_P). What adds up is seen whole; interactions of parents are not.

The charge. For y among the parents, Z the others, let e be the partial covariance of the scores of
x and y given Z, in units of what Z leaves of each. The gain of y is n/2·‖e‖² to first order, and
where y adds nothing e has mean 0, and covariance (1/n)·I from sampling. With noise N on R, of
variances V and symmetric, e moves by uᵀNw to first order: u = (1, −β) takes x less what Z tells of
it, w the same for y. The sum of the variances is then, with A = Σuuᵀ, B = Σwwᵀ over the scores and
their diagonals a, b: aᵀVb + ΣV∘A∘B. A is (R_xZ)⁻¹ less (R_Z)⁻¹ bordered with 0. So a spurious
parent gains (k·l + n·(aᵀVb + ΣV∘A∘B))/2 on average, k and l the numbers of scores, and is charged
log n times that. Without noise this is BIC's charge, log n/2 for each parameter. With noise a
spurious gain is a weighted sum of χ², which exceeds log n times its mean no more often than a
single χ² of one degree does, whatever the weights, for n ≥ 5: no more often than BIC errs about
one parameter without noise.

Source: Andrews, Ramsey and Cooper, Learning High-Dimensional Directed Acyclic Graphs with Mixed
Data-Types (2019), section 3, for the score without noise; Székely and Bakirov, Extremal
Probabilities for Gaussian Quadratic Forms (2003), for the bound.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..search.best_score import Parents
from .dependence import Dependence
from .estimates import Floats

_FLOOR = 0.01
"""Of the eigenvalues of correlations: noise may leave them below 0."""


Places = NDArray[np.intp]
"""Of scores, among those of all columns."""


class LinearScore:
    """Gains of families, see the module."""

    def __init__(self, tables: Dependence, *, caution: float | None = None) -> None:
        """Take the correlations that the tables show, and the noise in them.

        caution: how many times its mean what noise adds is charged; log n by default.
        """
        ends = np.cumsum([0, *(levels.noise.size for levels in tables.levels)])
        self._of = [np.arange(*part) for part in pairwise(ends)]
        every = range(tables.width)
        correlations, self._noise = (
            np.block([[told(x, y) for y in every] for x in every])
            for told in (tables.correlation, tables.noise)
        )
        self._n = tables.n
        self._caution = math.log(self._n) if caution is None else caution
        self._correlations = as_correlations(correlations, self._of)
        self._logs: dict[Parents, float] = {}
        self._charges: dict[tuple[int, int, Parents], float] = {}
        self._residuals: dict[tuple[int, Parents], tuple[Floats, Places]] = {}

    def gain(self, x: int, parents: Parents) -> float:
        """Return what the parents add to the log-likelihood of x, less their charges."""
        told = self._log(parents) + self._log(frozenset({x})) - self._log(parents | {x})
        charges = (self._charge(min(x, y), max(x, y), parents - {y}) for y in parents)
        return self._n / 2 * told - math.fsum(charges)

    def p_value(self, x: int, y: int, given: Parents) -> float:
        """Return a p-value of x and y given others, or more, where effects add up.

        Of a χ² of one degree by how many times its mean a gain is: see the module for the bound.
        """
        logs = (self._log(given | own) for own in ({x, y}, {x}, {y}, set[int]()))
        both, one, other, neither = logs
        spurious = self._of[x].size * self._of[y].size + self._n * self.noise(x, y, given)
        ratio = self._n * (one + other - both - neither) / spurious if spurious else 0.0
        return math.erfc(math.sqrt(max(ratio, 0.0) / 2))

    def _log(self, columns: Parents) -> float:
        if columns not in self._logs:
            own = self._columns(columns)
            square = self._correlations[own[:, None], own]
            self._logs[columns] = float(np.linalg.slogdet(square)[1])
        return self._logs[columns]

    def _charge(self, x: int, y: int, given: Parents) -> float:
        known = self._charges.get((x, y, given))
        if known is None:
            sampling = self._of[x].size * self._of[y].size
            noise = self._n * self.noise(x, y, given)
            known = (math.log(self._n) * sampling + self._caution * noise) / 2
            self._charges[x, y, given] = known
        return known

    def noise(self, x: int, y: int, given: Parents) -> float:
        """Return the sum of the variances that noise gives the partial covariances."""
        (one, mine), (other, theirs) = self._residual(x, given), self._residual(y, given)
        alone = one.diagonal() @ self._noise[mine[:, None], theirs] @ other.diagonal()
        # Both reach only the columns that are given.
        both = mine[: mine.size - self._of[x].size]
        shared = slice(both.size), slice(both.size)
        crossed = self._noise[both[:, None], both] * one[shared] * other[shared]
        return float(alone + crossed.sum())

    def _residual(self, x: int, given: Parents) -> tuple[Floats, Places]:
        """Return A of the module and its scores: those of the columns given, then those of x."""
        known = self._residuals.get((x, given))
        if known is None:
            before = self._columns(given)
            own = np.concatenate([before, self._of[x]])
            result = np.linalg.inv(self._correlations[own[:, None], own])
            rest = np.linalg.inv(self._correlations[before[:, None], before])
            result[: before.size, : before.size] -= rest
            known = self._residuals[x, given] = result, own
        return known

    def _columns(self, columns: Parents) -> Places:
        return np.concatenate([self._of[0][:0], *(self._of[x] for x in sorted(columns))])


def as_correlations(estimates: Floats, parts: Sequence[Places]) -> Floats:
    """Return correlations near the ``estimates`` that some data could have.

    parts: which entries belong to one column; they are uncorrelated. Eigenvalues are at least a
    hundredth before each column is brought back to variance 1.
    """
    values, axes = np.linalg.eigh(estimates)
    if not values.size or values[0] >= _FLOOR:
        return estimates
    lifted = (axes * np.maximum(values, _FLOOR)) @ axes.T
    for own in parts:
        values, axes = np.linalg.eigh(lifted[np.ix_(own, own)])
        turn = (axes / np.sqrt(values)) @ axes.T
        lifted[own] = turn @ lifted[own]
        lifted[:, own] = lifted[:, own] @ turn
    return np.asarray(lifted)
