"""P-values of RCIT: by permutations of the residuals, and by the gamma approximation."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.graph_discovery.independence_tests.rcit import residual_pair
from provado.mechanisms.regression.kernel_ridge import fit
from provado.mechanisms.regression.kernels import Kernel
from provado.mechanisms.scores.hsic.low_rank import KernelFunction
from provado.mechanisms.scores.hsic.permuted import (
    PermutationTest,
    draw_permutations,
    hsic_permuted,
    permutation_rows,
)
from tests.mechanisms.scores.gamma_approximation import hsic_gamma_p_value


def rcit_p_value(
    x: ArrayLike,
    y: ArrayLike,
    given: ArrayLike | None,
    *,
    kernel_x: KernelFunction,
    kernel_y: KernelFunction,
    ridge_kernel: Kernel,
    lam: float = 1.0,
    k: int = 100,
    rng: np.random.Generator | None = None,
    permutations: ArrayLike | Sequence[ArrayLike] | None = None,
) -> PermutationTest:
    """Return the test by permutations of the residuals of x; its p-values are named apart.

    x, y: shape (m,). given: shape (m,), or (m, q) where ``fit`` takes it; None for no condition.
    k, rng: how many permutations to draw, and from what. permutations: shape (k, m), in place of
    both.

    The level of ``p_valid`` is guaranteed for columns that are independent. Residuals are fitted on
    the rows that are tested, and share the errors of the fit: then it holds only as nearly as they
    are independent. The residuals' p-value is not that of x and y permuted and regressed anew.

    Source: Definition 4, and the statistic above Theorem 4. Raises ``UsageError`` as ``rcit_score``
    and ``hsic_permuted`` do, and unless exactly one of rng and permutations is given.
    """
    u, v = residual_pair(x, y, given, ridge_kernel, lam)
    if rng is not None and permutations is None:
        orders = draw_permutations(u.size, k, rng)
    elif permutations is not None and rng is None:
        orders = permutation_rows(permutations, u.size)
    else:
        raise UsageError("rng and permutations: give exactly one, to draw from or to use")
    return hsic_permuted(u, v, orders, kernel_x, kernel_y)


def rcit_gamma_p_value(
    x: ArrayLike,
    y: ArrayLike,
    given: ArrayLike | None,
    *,
    kernel_x: KernelFunction,
    kernel_y: KernelFunction,
    ridge_kernel: Kernel,
    lam: float = 1.0,
) -> float:
    """Return ``hsic_gamma_p_value`` of the residuals; asymptotic, for m → ∞, and no guarantee.

    Source: Gretton et al. (2008), which Zhang et al. (2023) name as the alternative. Raises
    ``UsageError`` as ``rcit_score`` does, and for m < 6.
    """
    return hsic_gamma_p_value(*residual_pair(x, y, given, ridge_kernel, lam), kernel_x, kernel_y)


def residuals(
    target: ArrayLike, given: ArrayLike, *, kernel: Kernel, lam: float
) -> NDArray[np.float64]:
    """Return target − f(given), f the kernel ridge regression on the same rows.

    target, given: shape (m,), in [−1, 1]. Source: equation (2). Raises ``UsageError`` as ``fit``.
    """
    return fit(given, target, kernel=kernel, lam=lam).training_residuals()
