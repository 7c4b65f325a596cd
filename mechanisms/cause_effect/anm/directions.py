"""The regressions of both directions and their residuals on the test set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.regression.kernel_ridge import KernelRidge, fit
from provado.mechanisms.regression.kernels import Kernel
from provado.mechanisms.regression.unit_interval import within_unit

from .settings import LAMBDA, REGRESSION_KERNEL


@dataclass(frozen=True, eq=False)
class FittedDirections:
    """f̂ : X → Y and ĝ : Y → X, fitted on the training set only."""

    f: KernelRidge
    g: KernelRidge


class Residuals(NamedTuple):
    """The test columns and what the regressions leave over; all of shape (m,).

    x, y: x′ and y′. r_y: r′_Y = y′ − f̂(x′). r_x: r′_X = x′ − ĝ(y′).
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    r_x: NDArray[np.float64]
    r_y: NDArray[np.float64]


def fit_directions(
    train_x: ArrayLike,
    train_y: ArrayLike,
    *,
    kernel: Kernel = REGRESSION_KERNEL,
    lam: float = LAMBDA,
) -> FittedDirections:
    """Return the kernel ridge regressions of y on x and of x on y.

    train_x, train_y: shape (n,), in [−1, 1]. kernel, lam: of ``regression.fit``, for both.

    Source: Kusner et al., Private Causal Inference (2016), Algorithm 1, lines 2 and 3. Raises
    ``UsageError`` for data outside [−1, 1] or lengths that differ.
    """
    x, y = _columns(train_x, train_y, "train")
    return FittedDirections(fit(x, y, kernel=kernel, lam=lam), fit(y, x, kernel=kernel, lam=lam))


def residuals(fitted: FittedDirections, test_x: ArrayLike, test_y: ArrayLike) -> Residuals:
    """Return r′_Y = y′ − f̂(x′) and r′_X = x′ − ĝ(y′) with the test columns.

    test_x, test_y: shape (m,), in [−1, 1].

    The k-th residuals depend on the k-th test record and the training set only. Source: Kusner et
    al., Private Causal Inference (2016), Algorithm 1, lines 4 and 5. Raises ``UsageError`` as
    ``fit_directions``.
    """
    x, y = _columns(test_x, test_y, "test")
    return Residuals(x, y, r_x=x - fitted.g.predict(y), r_y=y - fitted.f.predict(x))


def _columns(
    x: ArrayLike, y: ArrayLike, part: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    first, second = within_unit(x, f"{part}_x"), within_unit(y, f"{part}_y")
    if first.ndim != 1 or first.shape != second.shape or not first.size:
        raise UsageError(
            f"{part}_x has shape {first.shape} and {part}_y {second.shape}: they must be vectors "
            "of one length, at least 1"
        )
    return first, second
