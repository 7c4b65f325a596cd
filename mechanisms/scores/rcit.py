"""The regression-based conditional independence test: ridge residuals, HSIC, permutations.

Source: Zhang et al., Differentially Private Nonlinear Causal Discovery from Numerical Data (2023),
Definition 4, equations (2) to (8) and Theorems 2 to 4.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.errors import UsageError
from provado.mechanisms.parameters import natural, positive
from provado.mechanisms.regression.kernel_ridge import fit
from provado.mechanisms.regression.residual_bound import residual_bound
from provado.mechanisms.scores.columns import rows
from provado.mechanisms.scores.hsic import KernelFunction, hsic
from provado.mechanisms.scores.kernels import Kernel

Exact = TypeVar("Exact", float, Fraction, int)


def residuals(
    target: ArrayLike, given: ArrayLike, *, kernel: Kernel, lam: float
) -> NDArray[np.float64]:
    """Return target − f(given), f the kernel ridge regression on the same rows.

    target, given: shape (m,), in [−1, 1]. Source: equation (2). Raises ``UsageError`` as ``fit``.
    """
    model = fit(given, target, kernel=kernel, lam=lam)
    found: NDArray[np.float64] = np.asarray(target, dtype=np.float64) - model.predict(given)
    return found


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
    if given is None:
        return hsic(x, y, kernel_x, kernel_y)
    u, v = (residuals(one, given, kernel=ridge_kernel, lam=lam) for one in (x, y))
    return hsic(u, v, kernel_x, kernel_y)


def permuted_scores(
    u: ArrayLike,
    v: ArrayLike,
    permutations: Sequence[ArrayLike],
    *,
    kernel_u: KernelFunction,
    kernel_v: KernelFunction,
) -> NDArray[np.float64]:
    """Return HSIC(ψ_i(u), v) for each permutation ψ_i of the rows; shape (k,)."""
    column = np.asarray(u, dtype=np.float64)
    return np.array(
        [hsic(column[np.asarray(p, dtype=np.intp)], v, kernel_u, kernel_v) for p in permutations]
    )


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
