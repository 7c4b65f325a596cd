"""Kernel ridge regression with the objective of Kusner et al. (2016), and its sensitivity.

Data lie in [−1, 1], as the sensitivity assumes, by bounds that no datum moves.

The sensitivity says how far one replaced training record can move any prediction, and so any
residual. Throughout, w minimises F(w) = (λ/2)‖w‖² + (1/n) Σ (w·φᵢ − yᵢ)² with ‖φᵢ‖ ≤ 1 and |yᵢ| ≤
1, and w̃ minimises F̃, which has another (φ̃ₖ, ỹₖ) in place of (φₖ, yₖ). As |f(x) − f̃(x)| ≤ ‖w −
w̃‖·‖φ(x)‖, a bound on ‖w − w̃‖ bounds the move of every prediction and every test residual.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import UsageError, answers, natural, positive
from provado.mechanisms.definitions.relation import counted

from .kernels import Kernel


def clip_to_unit(values: ArrayLike) -> NDArray[np.float64]:
    """Return ``values`` with everything below −1 set to −1 and above 1 set to 1.

    Each value is treated by itself, so one changed record changes one clipped record: privacy
    proved for the clipped data holds for the data. Any shape; raises ``UsageError`` unless all
    values are finite.
    """
    return np.clip(answers(values, "values"), -1.0, 1.0)


def scale_to_unit(values: ArrayLike, low: float, high: float) -> NDArray[np.float64]:
    """Map [``low``, ``high``] linearly onto [−1, 1] and clip what lies outside.

    low, high: bounds in the values' units, declared from public knowledge. Bounds computed from
        the data would carry one record's change into every other, and no sensitivity here would
        hold.

    Any shape; raises ``UsageError`` unless ``low`` < ``high`` and all are finite.
    """
    lower, upper = (float(answers(bound, name)) for bound, name in ((low, "low"), (high, "high")))
    if not lower < upper:
        raise UsageError(f"low is {low!r} and high is {high!r}: low must be below high")
    # Halves, so that bounds near the largest float do not overflow when subtracted.
    middle, half = lower / 2 + upper / 2, upper / 2 - lower / 2
    return clip_to_unit((answers(values, "values") - middle) / half)


def within_unit(values: Any, name: str) -> NDArray[np.float64]:
    """Return ``values`` as float64; raise ``UsageError`` unless each lies in [−1, 1].

    The rule is that of Kusner et al. (2016), section 5: |x| ≤ 1 and |y| ≤ 1.
    """
    array = answers(values, name)
    outside = np.flatnonzero(np.abs(array) > 1)
    if outside.size:
        first = int(outside[0])
        raise UsageError(
            f"{name}[{first}] is {float(array.ravel()[first])!r}: data must lie in [-1, 1]; use "
            "scale_to_unit with declared bounds, or clip_to_unit"
        )
    return array


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
        result = np.empty((points.shape[0], *self.coefficients.shape[1:]))
        for start in range(0, points.shape[0], _BLOCK):
            part = slice(start, start + _BLOCK)
            result[part] = product_gram(self.kernel, points[part], self.train_x) @ self.coefficients
        return result

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
            f"y has shape {targets.shape} and x has {counted(n, 'row')}: y must have as many rows"
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


def residual_bound(n: int, lam: float) -> float:
    """Return 4(1 + 1/√(2λ))/(nλ): for every λ > 0 no prediction moves by more.

    n: number of training records; lam: λ of the objective. In the units of y.

    Guarantee: under replacement of one training record, data in [−1, 1], kernel at most 1.

    Proof. *Norm.* With c = λn/2, w = Σ αᵢφᵢ and α = (K + cI)⁻¹y, ‖w‖² = yᵀ(K + cI)⁻¹K(K + cI)⁻¹y
    is at most ‖y‖² times the largest of κ/(κ + c)² over κ ≥ 0, which is 1/(4c), at κ = c; and
    ‖y‖² ≤ n. So ‖w‖² ≤ n/(4c) = 1/(2λ); the same holds for w̃. (In terms of s = √(κ/n):
    s²·4/(λ + 2s²)² is largest at s² = λ/2.) *Move.* F − (λ/2)‖·‖² is convex, so
    λ‖w̃ − w‖² ≤ ⟨∇F(w̃) − ∇F(w), w̃ − w⟩. Both ∇F(w) and ∇F̃(w̃) are 0, so the first gradient
    difference is ∇F(w̃) − ∇F̃(w̃), in which all terms cancel but the replaced one:
    (2/n)[(w̃·φₖ − yₖ)φₖ − (w̃·φ̃ₖ − ỹₖ)φ̃ₖ], of norm at most (2/n)·2·(‖w̃‖ + 1). Divide by
    λ‖w̃ − w‖ and insert the norm. ∎

    A record that is far from all others (kernel 0) and has y turned from 1 to −1 moves its own
    prediction by 4/(nλ + 2): for large λ and nλ the bound cannot be lowered. For small λ the worst
    moves that could be found stay far below it.

    Source: repairs the proof of Theorem 5 of Kusner et al., Private Causal Inference (2016). Raises
    ``UsageError`` unless n is a whole number from 1 on and λ is finite and above 0.
    """
    strength = positive(lam, "lam")
    return 4 * (1 + 1 / math.sqrt(2 * strength)) / (natural(n, "n") * strength)


def residual_bound_printed(n: int, lam: float) -> float:
    """Return 8/(nλ^(3/2)), as printed, for λ ≤ 1.

    n: number of training records; lam: λ of the objective. In the units of y.

    The statement is true, but its printed proof does not reach it: its last lines give
    (λ/2)‖w − w̃‖ ≤ (2/n)(‖w‖ + ‖w̃‖ + 2), and with the printed ‖w‖ ≤ 1/√λ and λ ≤ 1 that is
    ‖w − w̃‖ ≤ 16/(nλ^(3/2)). The printed reason for ‖w‖ ≤ 1/√λ (the objective is 1 at w = 0) gives
    only √(2/λ), by (λ/2)‖w‖² ≤ 1. ``residual_bound`` has a proof, and 4(1 + 1/√(2λ)) ≤ 8/√λ
    whenever √λ ≤ 2 − 1/√2, that is λ ≤ 1.67; so the printed bound follows for λ ≤ 1. For every
    λ > 4 and n large enough it fails, as a record far from all others moves by 4/(nλ + 2).

    Source: Kusner et al., Private Causal Inference (2016), Theorem 5. Raises ``UsageError`` unless
    n is a whole number from 1 on and 0 < λ ≤ 1, as the theorem requires.
    """
    strength = positive(lam, "lam")
    if strength > 1:
        raise UsageError(f"lam is {lam!r}: Theorem 5 is stated for lam at most 1")
    return 8 / (natural(n, "n") * strength * math.sqrt(strength))


def typical_residual_bound(n: int, lam: float) -> float:
    """Return B/√(8λ) for λ ≤ 2 and B/(λ + 2) beyond, with B = (2/n)(2 + 1/√(2λ)).

    No more is √(Σ d_j²/n), d_j the moves of the predictions at the n − 1 training records that
    stay. So in the mean the residuals on which a model was trained move less than one may by
    ``residual_bound``: for λ = 1 by 1.92/n, not 6.83/n. In the units of y.

    Guarantee: under replacement of one training record, data in [−1, 1], kernel at most 1. It says
    nothing of the replaced record's own residual, which may move by 2.

    Proof. Let G be F without the term of the replaced record, Δ = w̃ − w, t = ‖Δ‖, and s² the mean
    Σ (Δ·φ_j)²/n over the others. G is quadratic, so ⟨∇G(w̃) − ∇G(w), Δ⟩ = λt² + 2s². As ∇F(w) and
    ∇F̃(w̃) are 0, it is also −(2/n)⟨(w̃·φ̃ₖ − ỹₖ)φ̃ₖ − (w·φₖ − yₖ)φₖ, Δ⟩. There
    (w·φₖ)φₖ = (w̃·φₖ)φₖ − (Δ·φₖ)φₖ, whose last part adds −(2/n)(Δ·φₖ)² ≤ 0;
    (w̃·φ̃ₖ)φ̃ₖ − (w̃·φₖ)φₖ has norm at most ‖w̃‖ ≤ 1/√(2λ), as a difference of two operators between
    0 and 1 has norm at most 1; ỹₖφ̃ₖ − yₖφₖ has norm at most 2. So λt² + 2s² ≤ Bt, and
    s² ≤ (Bt − λt²)/2 ≤ B²/(8λ). Also s ≤ t, so that t ≥ s must satisfy it: where the largest value
    lies at t = B/(2λ) < s, that is for λ > 2, s is at most B/(λ + 2), where both meet. ∎

    Raises ``UsageError`` unless n is a whole number from 1 on and λ is finite and above 0.
    """
    strength = positive(lam, "lam")
    pull = 2 * (2 + 1 / math.sqrt(2 * strength)) / natural(n, "n")
    return pull / math.sqrt(8 * strength) if strength <= 2 else pull / (strength + 2)
