"""Kernels on the real line: symmetric, positive definite, values in [0, 1], k(x, x) = 1.

Source: Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), section 4.2.1, whose
kernels Kusner et al. (2016), section 4.2, name as theirs.

Their bandwidths may be median distances, of one column or of several at once.
"""

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import UsageError, answers, positive, vector


@runtime_checkable
class Kernel(Protocol):
    """A symmetric function of two numbers with values in [0, 1] and k(x, x) = 1."""

    def __call__(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Return k(x, y) for each pair that broadcasting forms."""
        ...

    @property
    def lipschitz(self) -> float:
        """Return the smallest L with |k(s, u) − k(t, u)| ≤ L·|s − t| for all s, t and u."""
        ...


@dataclass(frozen=True)
class SquaredExponential:
    """k(x, y) = exp(−(x − y)²/(2h²)).

    bandwidth: h > 0, in the unit of the data; raises ``UsageError`` otherwise.
    """

    bandwidth: float

    def __post_init__(self) -> None:
        positive(self.bandwidth, "bandwidth")

    def __call__(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Return k(x, y) for each pair that broadcasting forms."""
        exponent = _difference(x, y)
        # Scaling before the square: h² may underflow where h does not.
        with np.errstate(over="ignore", under="ignore"):
            exponent *= math.sqrt(0.5) / self.bandwidth
            np.multiply(exponent, exponent, out=exponent)
            np.negative(exponent, out=exponent)
            np.exp(exponent, out=exponent)
        return exponent

    @property
    def lipschitz(self) -> float:
        """Return e^(−1/2)/h: the slope is steepest at distance h."""
        return math.exp(-0.5) / self.bandwidth


def median_bandwidth(values: ArrayLike) -> float:
    """Return the median heuristic: the lower median of |x_i − x_j| over the pairs i < j.

    values: a vector of at least two finite numbers.

    The bandwidth then depends on the data: replacing one record moves every entry of the kernel
    matrix, and the sensitivities of ``hsic`` that are stated for a fixed kernel do not hold.
    Found by bisection over sorted values, in O(m log m) time; exact up to rounding.

    Raises ``UsageError`` if at least half of the pairs are ties, as the median is then 0.
    """
    x = np.sort(vector(values, "values"))
    m = x.size
    if m < 2:
        raise UsageError(f"values is {values!r}: a median of distances needs at least 2 numbers")
    wanted = (m * (m - 1) // 2 + 1) // 2
    shift = 1 + np.arange(m)

    def pairs_within(distance: float) -> int:
        with np.errstate(over="ignore"):
            reached = x + distance
        return int((np.searchsorted(x, reached, side="right") - shift).sum())

    if pairs_within(0.0) >= wanted:
        raise UsageError(
            f"values: at least half of the {m * (m - 1) // 2} pairs are ties, so that the median "
            "distance is 0; a bandwidth must be above 0"
        )
    low, high = 0.0, float(x[-1]) - float(x[0])
    if not math.isfinite(high):
        raise UsageError(f"values is {values!r}: the range must be finite in floating point")
    middle = high / 2
    while low < middle < high and high - low > 2.0**-50 * high:
        low, high = (low, middle) if pairs_within(middle) >= wanted else (middle, high)
        middle = low + (high - low) / 2
    return high


def _difference(x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Return x − y as a new array that may be overwritten."""
    with np.errstate(over="ignore"):
        return np.asarray(np.subtract(x, y, dtype=np.float64))


def median_distance(points: ArrayLike) -> float:
    """Return the lower median of the Euclidean distances ‖x_i − x_j‖ over the pairs i < j.

    points: shape (m,) or (m, q), m ≥ 2, finite. It depends on the data; see ``median_bandwidth``,
    which it equals for one column. O(m²) time and memory for several.

    Raises ``UsageError`` for another shape, and if at least half of the distances are 0.
    """
    # Here, so that the catalogue loads without scipy.
    from scipy.spatial.distance import pdist

    x = answers(points, "points")
    if x.ndim not in (1, 2) or x.shape[0] < 2:
        raise UsageError(f"points has shape {x.shape}: it must be (m,) or (m, q) with m ≥ 2")
    if x.ndim == 1 or x.shape[1] == 1:
        return median_bandwidth(x.reshape(-1))
    apart = pdist(x)
    place = (apart.size + 1) // 2 - 1
    median = float(np.partition(apart, place)[place])
    if median <= 0:
        raise UsageError(
            f"points: at least half of the {apart.size} pairs are ties, so that the median "
            "distance is 0; a bandwidth must be above 0"
        )
    return median
