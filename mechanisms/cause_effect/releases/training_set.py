"""Privacy of the training set: how far one training row moves the test residuals, and HSIC.

The test set is fixed and public here; the dataset is the training rows. They act on the scores only
through the regressions, and one replaced row moves every residual by at most b (``regression``).

HSIC. With K on x′ and L on r′, (m − 1)²·HSIC = ⟨HKH, L⟩, and K does not move. Let entries of K lie
in [0, 1] with 1 on the diagonal, K positive semi-definite, and L(r, s) = l(r, s) with l(r, r) = 1
and Lipschitz constant c in each argument. Then

- |ΔL_ij| ≤ 2cb off the diagonal and 0 on it, so ‖ΔL‖_F ≤ 2cb·√(m(m − 1));
- HKH is positive semi-definite, so ‖HKH‖_F ≤ tr(HKH) = m − (ΣK)/m ≤ m − 1, as ΣK ≥ tr K = m;
- by Cauchy and Schwarz HSIC moves by at most 2cb·√(m(m − 1))·(m − 1)/(m − 1)² = 2cb·√(m/(m − 1)).

Theorem 7 prints (8/λ^(3/2))·32c√m/n, which is 32√m·c·b with the printed b: true where that b is,
and some 16√m times what is needed.

Source: Kusner et al., Private Causal Inference (2016), section 5.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.cause_effect.anm.directions import Residuals, fit_directions, residuals
from provado.mechanisms.definitions.parameters import natural, positive
from provado.mechanisms.regression.kernels import Kernel
from provado.mechanisms.regression.residual_bound import residual_bound, residual_bound_printed
from provado.mechanisms.scores.columns import rows
from provado.mechanisms.scores.hsic.hsic import hsic

from .rows import two_columns
from .testing_set import release_scores, two_scores

Move = Callable[[int, float], float]
"""From (n, λ) to the most that one replaced training row moves a test residual."""

HsicSensitivity = Callable[[int, int, float, float], Fraction]
"""From (n, m, λ, Lipschitz constant) to a bound on the change of HSIC by one training row."""


def rounding_allowance(n: int, lam: float) -> float:
    """Return 2^-44·n·(1 + 2/λ)², far above the rounding error of a computed residual.

    n: training rows; lam: λ of the regression. Not a proved bound: a Cholesky solve of condition
    1 + 2/λ, its solution of size 2/λ, times a generous 512 units in the last place for each row.
    """
    return 2.0**-44 * natural(n, "n") * (1 + 2 / positive(lam, "lam")) ** 2


def repaired_move(n: int, lam: float) -> float:
    """Return ``regression.residual_bound`` plus twice the rounding allowance.

    It then bounds how far the *computed* residual moves, and so everything that is derived from
    computed residuals: gaps by at most twice this, quartiles by this.
    """
    return residual_bound(n, lam) + 2 * rounding_allowance(n, lam)


def printed_move(n: int, lam: float) -> float:
    """Return 8/(nλ^(3/2)), as printed in Theorem 5, for λ ≤ 1; no allowance for rounding."""
    return residual_bound_printed(n, lam)


def trained_vectors(data: Any, test: Any, *, kernel: Kernel, lam: float) -> Residuals:
    """Fit f̂ and ĝ on the training rows ``data``; return the test columns and residuals.

    data: shape (n, 2); test: shape (m, 2); both within [−1, 1]. kernel, lam: of both regressions.
    Raises ``UsageError`` for data outside [−1, 1] or of another shape.
    """
    x, y = two_columns(data, "data", least=1)
    return residuals(fit_directions(x, y, kernel=kernel, lam=lam), *two_columns(test, "test"))


def hsic_training_sensitivity(n: int, m: int, lam: float, lipschitz: float) -> Fraction:
    """Return 2cb·√(m/(m − 1)), proved above, rounded up; c is ``lipschitz``.

    n, m: training and test rows, m ≥ 2; b = ``repaired_move(n, lam)``. For kernels of values in
    [0, 1] with k(x, x) = 1. Raises ``UsageError`` for values out of range.
    """
    slope = positive(lipschitz, "lipschitz")
    bound = 2 * slope * repaired_move(n, lam) * math.sqrt(rows(m) / (m - 1))
    return Fraction(bound * (1 + 2.0**-40))


def hsic_training_sensitivity_printed(n: int, m: int, lam: float, lipschitz: float) -> Fraction:
    """Return (8/λ^(3/2))·32c√m/n, as printed in Theorem 7, for λ ≤ 1; c is ``lipschitz``."""
    slope = positive(lipschitz, "lipschitz")
    return Fraction(32 * slope * math.sqrt(rows(m)) * printed_move(n, lam))


def release_training_hsic(
    data: Any,
    *,
    test: Any,
    kernel: Kernel,
    lam: float,
    input_kernel: Kernel,
    residual_kernel: Kernel,
    epsilon: Rational | int | float,
    sensitivity: HsicSensitivity = hsic_training_sensitivity,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return ``size`` private releases of HSIC for both directions.

    data: training rows, shape (n, 2); test: public test rows, shape (m, 2); within [−1, 1].
    kernel, lam: of the regressions. input_kernel, residual_kernel: of HSIC, with values in [0, 1].
    sensitivity: ``hsic_training_sensitivity`` or the printed one.

    Shape of the result: (size, 2). Guarantee: (2ε, 0)-DP under replacement of one training row.
    Source: Kusner et al. (2016), Theorem 7, repaired. Raises ``UsageError`` for parameters outside
    their range.
    """
    vectors = trained_vectors(data, test, kernel=kernel, lam=lam)
    bound = sensitivity(len(data), vectors.x.size, lam, residual_kernel.lipschitz)
    score = partial(hsic, kernel_a=input_kernel, kernel_b=residual_kernel)
    return release_scores(two_scores(vectors, score), bound, epsilon, size=size, rng=rng)
