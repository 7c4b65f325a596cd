"""The median heuristic for several columns at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import answers

from .kernels import median_bandwidth


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
