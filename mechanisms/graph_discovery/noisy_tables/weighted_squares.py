"""How unusual a normal vector of known covariance is, whatever the direction.

The statistic is Σ ω_k·t_k², t_k its uncorrelated parts in units of their standard deviations,
λ_k their variances and ω_k = min λ/λ_k: parts that noise drowns count little, but all that is known
of their law goes in. A constant plus a multiple of a χ² takes on its first three moments.

Source: Pearson, Note on an Approximation to the Distribution of Non-Central χ² (1959), applied to a
weighted sum; Imhof, Computing the Distribution of Quadratic Forms in Normal Variables (1961).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_FLOOR = 1e-12
"""Of a variance, as a share of the largest: below it a part is taken to be this variable."""


def tail(effect: NDArray[np.float64], covariance: NDArray[np.float64]) -> float:
    """Return the probability of a statistic at least as large if the mean were 0.

    effect: shape (k,), of any k. covariance: shape (k, k). 1 where k is 0.
    """
    if not effect.size:
        return 1.0
    # Here, so that the catalogue loads without scipy.
    from scipy.special import gammaincc

    variances, axes = np.linalg.eigh(covariance)
    variances = np.maximum(variances, max(variances[-1] * _FLOOR, np.finfo(float).tiny))
    squares = (axes.T @ effect) ** 2 / variances
    weights = variances[0] / variances
    first, second, third = weights.sum(), (weights**2).sum(), (weights**3).sum()
    # A χ² of f degrees has mean f, variance 2f and third central moment 8f.
    scale = third / second
    degrees = second**3 / third**2
    value = (weights @ squares - first) / scale + degrees
    return float(gammaincc(degrees / 2, max(value, 0.0) / 2))
