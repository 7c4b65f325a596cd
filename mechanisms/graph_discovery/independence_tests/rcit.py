"""RCIT: the score of two residuals, on columns of a numeric table, and its permuted copies.

Source: Zhang et al., Differentially Private Nonlinear Causal Discovery from Numerical Data (2023),
Definition 4 and equations (2) and (5).
"""

import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import UsageError, natural, positive
from provado.mechanisms.regression.kernel_ridge import fit, residual_bound, within_unit
from provado.mechanisms.regression.kernels import Kernel, SquaredExponential, median_distance
from provado.mechanisms.scores.hsic.hsic import hsic
from provado.mechanisms.scores.hsic.low_rank import KernelFunction
from provado.mechanisms.scores.hsic.permuted import (
    PermutationTest,
    draw_permutations,
    hsic_permuted,
)
from provado.mechanisms.scores.score import Column, columns, rows

from ..tables.numeric import NumericTable

Exact = TypeVar("Exact", float, Fraction, int)


def rcit_score(
    x: ArrayLike,
    y: ArrayLike,
    given: ArrayLike | None,
    *,
    kernel_x: KernelFunction,
    kernel_y: KernelFunction,
    ridge_kernel: Kernel,
    lam: float = 1.0,
) -> float:
    """Return the HSIC of the residuals of x and y; of x and y themselves where ``given`` is None.

    Source: Definition 4. Raises ``UsageError`` for bad columns or data outside [−1, 1].
    """
    return hsic(*residual_pair(x, y, given, ridge_kernel, lam), kernel_x, kernel_y)


def p_value_bounds(
    score: Exact, permuted: Sequence[Exact], change: Exact
) -> tuple[Fraction, Fraction, Fraction]:
    """Return p, A and B: the shares of permuted scores above score, score + 2Δ and score − 2Δ.

    change: Δ, how far one record may move each of the scores. Comparisons are strict, as printed.
    Source: equations (7) and (8). Raises ``UsageError`` without permuted scores.
    """
    k = len(permuted)
    if not k:
        raise UsageError("permuted is empty: a p-value needs at least one permuted score")
    above = (
        sum(score < other for other in permuted),
        sum(score < other - 2 * change for other in permuted),
        sum(score < other + 2 * change for other in permuted),
    )
    p, low, high = (Fraction(int(count), k) for count in above)
    return p, low, high


def rcit_sensitivity_printed(m: int, lam: float, width_k: float, width_l: float) -> float:
    """Return the bound of equation (3); it is none, as it leaves out the replaced record itself."""
    scale = 128 / (rows(m) ** 2 * positive(lam, "lam") ** 3)
    kept = sum(math.exp(-scale / positive(w, "bandwidth") ** 2) for w in (width_k, width_l))
    return 2 * (m * m - m) * (2 - kept) / (m - 1) ** 2


def hsic_sensitivity_short(m: int) -> Fraction:
    """Return 8/(m − 1): no replaced record moves HSIC by more, permuted or not.

    Guarantee: kernels fixed beforehand, with values in [0, 1] and k(x, x) = 1. Source: the ledger's
    ``zhang2023/thm1``; below the (12m − 11)/(m − 1)² of Theorem 1 for every m ≥ 2.
    """
    return Fraction(8, rows(m) - 1)


def rcit_sensitivity(m: int, lam: float, slope_k: float, slope_l: float) -> float:
    """Return 8/(m − 1) + 4·η·(L_k + L_l)·(m − 2)/(m − 1), a bound in place of equation (3).

    lam: λ of the regressions; η = ``residual_bound(m, lam)``. slope_k, slope_l: the steepest slopes
    of the kernels, ``Kernel.lipschitz``.

    Guarantee: under replacement of one record, data in [−1, 1], kernels fixed beforehand. Source:
    the ledger's ``zhang2023/thm3-eq3``. Raises ``UsageError`` for numbers out of range.
    """
    eta = residual_bound(natural(m, "m"), lam)
    slopes = positive(slope_k, "slope_k") + positive(slope_l, "slope_l")
    return 8 / (rows(m) - 1) + 4 * eta * slopes * (m - 2) / (m - 1)


def residual_pair(
    x: ArrayLike, y: ArrayLike, given: ArrayLike | None, ridge_kernel: Kernel, lam: float
) -> tuple[Column, Column]:
    """Return the columns, or their residuals from one factorisation of the regression."""
    first, second = columns(x, y)
    if given is None:
        return first, second
    targets = np.stack([within_unit(first, "x"), within_unit(second, "y")], axis=1)
    left = fit(given, targets, kernel=ridge_kernel, lam=lam).training_residuals()
    return np.ascontiguousarray(left[:, 0]), np.ascontiguousarray(left[:, 1])


KernelChoice = Callable[[NDArray[np.float64]], SquaredExponential]
"""The kernel for points of shape (n,) or (n, q)."""

_KEPT_BYTES = 1 << 26
"""Residuals are kept for the tests to come up to this size, 64 MB."""


def fixed_kernel(bandwidth: float) -> KernelChoice:
    """Return the choice of one squared exponential kernel, whatever the data.

    Raises ``UsageError`` unless the bandwidth is above 0.
    """
    kernel = SquaredExponential(bandwidth)
    return lambda _: kernel


def median_kernel(points: NDArray[np.float64]) -> SquaredExponential:
    """Return the squared exponential kernel of the median distance of the points.

    It depends on the data, so that no sensitivity stated for a fixed kernel holds. Raises
    ``UsageError`` where half of the distances are 0.
    """
    return SquaredExponential(median_distance(points))


@dataclass(frozen=True, eq=False)
class Scores:
    """HSIC of two residuals, with one of them permuted too, and the bandwidths of the kernels."""

    test: PermutationTest
    widths: tuple[float, float]

    def shares(self, change: float = 0.0) -> tuple[Fraction, Fraction, Fraction]:
        """Return p, A and B of equations (7) and (8) for Δ_R = change.

        Scores that rounding does not let tell apart count as tied; see ``p_value_bounds``.
        """
        tied = self.test.score + 2 * self.test.error
        return p_value_bounds(tied, self.test.permuted.tolist(), change)

    def below(self, rank: int) -> float:
        """Return how far the score lies below the rank-th largest permuted score."""
        return float(np.sort(self.test.permuted)[-rank]) - self.test.score


class RCIT:
    """Scores of one table; residuals are kept while a set of conditioning columns comes back."""

    def __init__(
        self, data: NumericTable, *, choose: KernelChoice, lam: float, permutations: int
    ) -> None:
        """Take the columns.

        choose: kernels of the regression and of HSIC. lam: λ of the regressions. permutations: k.
        Raises ``UsageError`` unless λ is above 0 and k a whole number from 1 on.
        """
        self._columns, self._choose = data.values, choose
        self._lam, self._k = positive(lam, "lam"), natural(permutations, "permutations")
        self._kept: OrderedDict[tuple[int, ...], NDArray[np.float64]] = OrderedDict()
        self._most = max(1, _KEPT_BYTES // data.values.nbytes)
        self._names = data.names

    def residuals(self, x: int, y: int, given: tuple[int, ...]) -> tuple[NDArray[np.float64], ...]:
        """Return what the columns ``given`` leave of columns x and y; all of them where none are.

        One factorisation gives the residuals of all columns, which serve every test with the same
        conditioning columns.
        """
        if not given:
            return self._columns[x], self._columns[y]
        if given not in self._kept:
            points = self._columns[list(given)].T
            kernel = self._named(self._choose, points, given)
            model = fit(points, self._columns.T, kernel=kernel, lam=self._lam)
            self._kept[given] = np.ascontiguousarray(model.training_residuals().T)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        self._kept.move_to_end(given)
        left = self._kept[given]
        return left[x], left[y]

    def scores(self, x: int, y: int, given: tuple[int, ...], rng: Generator) -> Scores:
        """Return the scores of a test, with permutations drawn for it whatever the data."""
        u, v = self.residuals(x, y, given)
        first = self._named(self._choose, u, (x, *given))
        second = self._named(self._choose, v, (y, *given))
        orders = draw_permutations(u.size, self._k, rng)
        test = hsic_permuted(u, v, orders, first, second)
        return Scores(test, (first.bandwidth, second.bandwidth))

    def _named(
        self, choose: KernelChoice, points: NDArray[np.float64], columns: tuple[int, ...]
    ) -> SquaredExponential:
        try:
            return choose(points)
        except UsageError as error:
            first, *others = (repr(self._names[i]) for i in columns)
            given = f" given {', '.join(others)}" if others and points.ndim == 1 else ""
            raise UsageError(f"column {first}{given}: {error}") from error
