"""HSIC under many permutations from factors that are narrowed first, with a certified error.

The columns of a ``CentredFactor`` A are many more than the eigenvalues of AAᵀ that matter. With V
the leading eigenvectors of AᵀA, as computed, and N = AV, what is lost is D = A − NVᵀ, and S = DV is
nearly 0. So the permuted score needs the product of the narrow N only, and D enters it twice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions import UsageError

from .low_rank import SLACK, UNIT, CentredFactor, centred_product_error
from .permutation import Orders, PermutationTest

LOST = 1e-11
"""Share of the sum of eigenvalues that may be lost, times m: permuted scores are of order 1/m."""

FLOOR = 4e-16
"""Least share that may be lost: eigenvalues below it are rounding."""

_RECORDS_AT_ONCE = 32
_PERMUTATIONS_AT_ONCE = 128


@dataclass(frozen=True, eq=False)
class NarrowFactor:
    """N and bounds on the Frobenius norms that tell how far NVᵀ is from a factor A.

    features: N, shape (m, rank). size: ‖N‖_F. size_before: ‖A‖_F.
    lost: bound on ‖A − NVᵀ‖_F. skew: bound on ‖(A − NVᵀ)V‖_F. tilt: bound on ‖VᵀV − I‖_F.
    """

    features: NDArray[np.float64]
    size: float
    size_before: float
    lost: float
    skew: float
    tilt: float


def narrowed(factor: CentredFactor) -> NarrowFactor:
    """Return the narrow form of a factor; O(m·rank²) time.

    The bounds hold for the V that was computed, however good it is: D is formed and measured, and
    to its norm comes the rounding of a product with R columns, R·u times the sizes of its factors.
    """
    features = factor.features
    m, columns = features.shape
    if not factor.size:
        return NarrowFactor(features[:, :0], 0.0, 0.0, 0.0, 0.0, 0.0)
    values, vectors = np.linalg.eigh(features.T @ features)
    kept = np.cumsum(np.maximum(values, 0)) > max(LOST / m, FLOOR) * float(values.sum())
    v = np.ascontiguousarray(vectors[:, kept])
    narrow = features @ v
    size, width = float(np.linalg.norm(narrow)), float(np.linalg.norm(v))
    rounding = SLACK * UNIT * (columns + 2)
    lost = float(np.linalg.norm(features - narrow @ v.T))
    tilt = float(np.linalg.norm(v.T @ v - np.eye(v.shape[1])))
    tilt = SLACK * (tilt + rounding * (width**2 + 1))
    return NarrowFactor(
        features=narrow,
        size=size,
        size_before=factor.size,
        lost=SLACK * (lost + rounding * (size * width + factor.size)),
        # DV = (AV − N) − N(VᵀV − I), and N is AV up to rounding.
        skew=SLACK * (rounding * factor.size * width + size * tilt),
        tilt=tilt,
    )


def permuted_scores_of_factors(
    first: CentredFactor, second: CentredFactor, orders: Orders
) -> PermutationTest:
    """Return HSIC, and HSIC with the first factor's records permuted, with a certified error.

    orders: permutations, shape (k, m), which are not checked. O(k·m·rank) memory moved and
    O(k·m·rank²) time, with the ranks of the narrow factors.

    With X = N_aᵀPN_b, AᵀPB = V_aXV_bᵀ + V_aN_aᵀPD_b + D_aᵀPB. The squared norm of the first term is
    ‖X‖² up to the tilts; its inner products with the others hold S_b and S_a, and only the squares
    of the others hold D_b and D_a, twice each. The rest of the error is that of
    ``hsic_of_factors``. Raises ``UsageError`` if the factors are not of equally many records.
    """
    m = first.features.shape[0]
    if second.features.shape[0] != m or orders.shape[1] != m or m < 2:
        raise UsageError(
            f"factors have {m} and {second.features.shape[0]} records and the permutations "
            f"{orders.shape[1]}: all need the same number, at least 2"
        )
    a, b = narrowed(first), narrowed(second)
    traces = np.concatenate(
        [
            _traces(a.features, b.features, some)
            for some in (
                np.arange(m)[None, :],
                *(
                    orders[start : start + _PERMUTATIONS_AT_ONCE]
                    for start in range(0, len(orders), _PERMUTATIONS_AT_ONCE)
                ),
            )
        ]
    )
    summed = (_RECORDS_AT_ONCE + m / _RECORDS_AT_ONCE + 1) * UNIT * a.size * b.size
    largest = math.sqrt(float(traces.max())) + summed
    narrowing = _narrowing_error(a, b, largest)
    error = narrowing + centred_product_error(
        first, second, largest**2 + narrowing, summed, a.features.shape[1] + b.features.shape[1]
    )
    if not (first.size and second.size):
        # A constant column: HKH is 0.
        error = 0.0
    scores, error = traces / (m - 1) ** 2, error / (m - 1) ** 2
    scores.setflags(write=False)
    return PermutationTest(float(scores[0]), scores[1:], error, error)


def _traces(
    first: NDArray[np.float64], second: NDArray[np.float64], orders: Orders
) -> NDArray[np.float64]:
    """Return ‖first[ψ]ᵀ·second‖²_F for each ψ; some records of all ψ in one product."""
    k, m = orders.shape
    product = np.zeros((second.shape[1], k * first.shape[1]))
    for start in range(0, m, _RECORDS_AT_ONCE):
        rows = slice(start, start + _RECORDS_AT_ONCE)
        chosen = first.take(orders[:, rows].T, axis=0, mode="clip")
        product += second[rows].T @ chosen.reshape(len(chosen), -1)
    squares = np.square(product).reshape(second.shape[1], k, first.shape[1])
    found: NDArray[np.float64] = squares.sum(axis=0).sum(axis=1)
    return found


def _narrowing_error(a: NarrowFactor, b: NarrowFactor, product: float) -> float:
    """Return a bound on | ‖AᵀPB‖² − ‖X‖² | for ‖X‖ ≤ ``product``."""
    inner = (1 + a.tilt) * a.size * b.skew + math.sqrt(1 + b.tilt) * a.skew * b.size_before
    return (
        (a.tilt + b.tilt + a.tilt * b.tilt) * product**2
        + 2 * product * inner
        + 2 * b.lost * a.size * a.skew * b.size_before
        + (1 + a.tilt) * (a.size * b.lost) ** 2
        + (a.lost * b.size_before) ** 2
    )
