"""Kernel ridge regression with the objective of Kusner et al. (2016)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import cho_factor, cho_solve

from provado.mechanisms.errors import UsageError
from provado.mechanisms.parameters import answers, positive
from provado.mechanisms.regression.unit_interval import within_unit
from provado.mechanisms.scores.kernels import Kernel

_BLOCK = 2048


@dataclass(frozen=True, eq=False)
class KernelRidge:
    """A fitted function f(x) = Σ αᵢ k(xᵢ, x), or t of them on the same xᵢ.

    train_x: shape (n,), read-only.
    coefficients: the αᵢ, shape (n,), or (n, t) for t targets; read-only.
    norm: ‖w‖_H = √(αᵀKα), shape () or (t,).
    kernel, lam: what it was fitted with.
    """

    train_x: NDArray[np.float64]
    coefficients: NDArray[np.float64]
    norm: NDArray[np.float64]
    kernel: Kernel
    lam: float

    def predict(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return f at each of the m numbers ``x``, shape (m,) or (m, t).

        x: shape (m,), any finite numbers. The memory taken is bounded, whatever m. Raises
        ``UsageError`` unless ``x`` is a vector of finite numbers.
        """
        points = answers(x, "x")
        if points.ndim != 1:
            raise UsageError(f"x has shape {points.shape}: it must be a vector")
        found = np.empty((points.size, *self.coefficients.shape[1:]))
        for start in range(0, points.size, _BLOCK):
            part = slice(start, start + _BLOCK)
            gram = self.kernel(points[part, None], self.train_x[None, :])
            found[part] = gram @ self.coefficients
        return found


def fit(x: ArrayLike, y: ArrayLike, *, kernel: Kernel, lam: float) -> KernelRidge:
    """Return the minimiser of (λ/2)‖w‖² + (1/n) Σ (w·φ(xᵢ) − yᵢ)² over the kernel's space H.

    x: shape (n,), in [−1, 1].
    y: shape (n,), or (n, t) for t targets of one x, which share one factorisation; in [−1, 1].
    kernel: a symmetric positive semi-definite function with k(x, x) ≤ 1; φ is its feature map.
    lam: λ > 0, ``lam`` as ``lambda`` is taken by the language.

    The gradient λw + (2/n) Σ (w·φ(xᵢ) − yᵢ)φ(xᵢ) vanishes at w = Σ αᵢφ(xᵢ) when
    λαᵢ = (2/n)(yᵢ − (Kα)ᵢ), that is α = (K + (λn/2)·I)⁻¹ y; the objective is strictly convex, so
    nothing else minimises it. The factor 1/2 on one term and 1/n on the other make the ridge λn/2,
    not λ or λn.

    Source: Kusner et al., Private Causal Inference (2016), equation (5). Raises ``UsageError`` for
    data outside [−1, 1] (see ``clip_to_unit`` and ``scale_to_unit``), lengths that differ, or λ
    not above 0.
    """
    points, targets = within_unit(x, "x"), within_unit(y, "y")
    if points.ndim != 1 or not points.size:
        raise UsageError(f"x has shape {points.shape}: it must be a vector of at least one number")
    if targets.ndim not in (1, 2) or targets.shape[0] != points.size:
        raise UsageError(
            f"y has shape {targets.shape} and x has {points.size} numbers: y must have as many rows"
        )
    ridge = positive(lam, "lam") * points.size / 2
    gram = _gram(kernel, points)
    regularised = gram.copy()
    regularised[np.diag_indices_from(regularised)] += ridge
    try:
        factor = cho_factor(regularised, lower=True, overwrite_a=True, check_finite=False)
    except np.linalg.LinAlgError as error:
        raise UsageError(
            f"lam is {lam!r}: K + (λn/2)·I is not positive definite in floating point; take a "
            "larger lam or a positive definite kernel"
        ) from error
    alpha = cho_solve(factor, targets, check_finite=False)
    # αᵀKα, with rounding kept from making it negative.
    norm = np.sqrt(np.maximum(np.sum(alpha * (gram @ alpha), axis=0), 0.0))
    return KernelRidge(_fixed(points), _fixed(alpha), np.asarray(norm), kernel, float(lam))


def _gram(kernel: Kernel, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the matrix k(xᵢ, xⱼ), shape (n, n)."""
    return np.asarray(kernel(x[:, None], x[None, :]), dtype=np.float64)


def _fixed(values: NDArray[np.float64]) -> NDArray[np.float64]:
    own = np.array(values)
    own.setflags(write=False)
    return own
