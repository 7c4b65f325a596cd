"""Data in [−1, 1], as the sensitivity of the regression assumes, by bounds that no datum moves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import answers


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
