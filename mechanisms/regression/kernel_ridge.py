"""Kernel ridge regression with the objective of Kusner et al. (2016)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import answers, positive

from .kernels import Kernel
from .unit_interval import within_unit

_BLOCK = 2048


@dataclass(frozen=True, eq=False)
class KernelRidge:
    """A fitted function f(x) = Σ αᵢ k(xᵢ, x), or t of them on the same xᵢ.

    train_x: shape (n,), or (n, q) for q columns; read-only.
    coefficients: the αᵢ, shape (n,), or (n, t) for t targets; read-only.
    norm: ‖w‖_H = √(αᵀKα), shape () or (t,).
    kernel, lam: what it was fitted with; of several columns the kernel is the product.
    """

    train_x: NDArray[np.float64]
    coefficients: NDArray[np.float64]
    norm: NDArray[np.float64]
    kernel: Kernel
    lam: float

    def predict(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return f at each of the m points ``x``, shape (m,) or (m, t).

        x: shape (m,), or (m, q) where q columns were fitted; any finite numbers. The memory taken
        is bounded, whatever m. Raises ``UsageError`` for any other shape.
        """
        points = answers(x, "x")
        if points.ndim != self.train_x.ndim or points.shape[1:] != self.train_x.shape[1:]:
            wanted = "a vector" if self.train_x.ndim == 1 else f"(m, {self.train_x.shape[1]})"
            raise UsageError(f"x has shape {points.shape}: it must be {wanted}")
        found = np.empty((points.shape[0], *self.coefficients.shape[1:]))
        for start in range(0, points.shape[0], _BLOCK):
            part = slice(start, start + _BLOCK)
            found[part] = product_gram(self.kernel, points[part], self.train_x) @ self.coefficients
        return found

    def training_residuals(self) -> NDArray[np.float64]:
        """Return y − f(x) on the rows that were fitted, shape (n,) or (n, t).

        As (K + c·I)α = y with c = λn/2, y − Kα is cα: no kernel is computed anew.
        """
        ridge = self.lam * self.train_x.shape[0] / 2
        left: NDArray[np.float64] = self.coefficients * ridge
        return left


def fit(x: ArrayLike, y: ArrayLike, *, kernel: Kernel, lam: float) -> KernelRidge:
    """Return the minimiser of (λ/2)‖w‖² + (1/n) Σ (w·φ(xᵢ) − yᵢ)² over the kernel's space H.

    x: shape (n,), or (n, q) for q columns, whose kernel is the product over them; in [−1, 1]. A
        product of squared exponentials is the squared exponential of the Euclidean distance.
    y: shape (n,), or (n, t) for t targets of one x, which share one factorisation; in [−1, 1].
    kernel: a symmetric positive semi-definite function with k(x, x) ≤ 1; φ is its feature map.
    lam: λ > 0, ``lam`` as ``lambda`` is taken by the language.

    The gradient λw + (2/n) Σ (w·φ(xᵢ) − yᵢ)φ(xᵢ) vanishes at w = Σ αᵢφ(xᵢ) when
    λαᵢ = (2/n)(yᵢ − (Kα)ᵢ), that is α = (K + (λn/2)·I)⁻¹ y; the objective is strictly convex, so
    nothing else minimises it. The factor 1/2 on one term and 1/n on the other make the ridge λn/2,
    not λ or λn.

    Source: Kusner et al., Private Causal Inference (2016), equation (5); of several columns, Zhang
    et al. (2023), equation (2). Raises ``UsageError`` for data outside [−1, 1] (see
    ``clip_to_unit`` and ``scale_to_unit``), lengths that differ, or λ not above 0.
    """
    # Here, so that the catalogue loads without scipy.
    from scipy.linalg import cho_factor, cho_solve

    points, targets = within_unit(x, "x"), within_unit(y, "y")
    if points.ndim not in (1, 2) or not points.size:
        raise UsageError(
            f"x has shape {points.shape}: it must be a vector of at least one number, or (n, q)"
        )
    n = points.shape[0]
    if targets.ndim not in (1, 2) or targets.shape[0] != n:
        raise UsageError(
            f"y has shape {targets.shape} and x has {n} rows: y must have as many rows"
        )
    ridge = positive(lam, "lam") * n / 2
    gram = product_gram(kernel, points, points)
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


def product_gram(
    kernel: Kernel, x: NDArray[np.float64], y: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return Π_a kernel(x_ia, y_ja), shape (m, n).

    x, y: shapes (m,) and (n,), or (m, q) and (n, q).
    """
    if x.ndim == 1:
        return np.asarray(kernel(x[:, None], y[None, :]), dtype=np.float64)
    gram = np.array(kernel(x[:, :1], y[None, :, 0]), dtype=np.float64)
    for column in range(1, x.shape[1]):
        gram *= kernel(x[:, column, None], y[None, :, column])
    return gram


def _fixed(values: NDArray[np.float64]) -> NDArray[np.float64]:
    own = np.array(values)
    own.setflags(write=False)
    return own
