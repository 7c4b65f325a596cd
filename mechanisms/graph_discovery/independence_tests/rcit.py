"""RCIT on columns of a numeric table: the score of two residuals and its permuted copies.

Source: Zhang et al., Differentially Private Nonlinear Causal Discovery from Numerical Data (2023),
Definition 4 and equations (2) and (5).
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import natural, positive
from provado.mechanisms.graph_discovery.tables.numeric import NumericTable
from provado.mechanisms.regression.kernel_ridge import fit
from provado.mechanisms.regression.kernels import SquaredExponential, median_distance
from provado.mechanisms.scores.hsic.permuted import (
    PermutationTest,
    draw_permutations,
    hsic_permuted,
)
from provado.mechanisms.scores.rcit import p_value_bounds

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

    def scores(self, x: int, y: int, given: tuple[int, ...], rng: np.random.Generator) -> Scores:
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
