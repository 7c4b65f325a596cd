"""Rounding to a grid of powers of two, exactly: no floating-point error, no rounding to even."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import answers, power_of_two

FINE_GRID = 2.0**-20
"""Grid for released real numbers whose lowest bits must not speak; far below any noise scale."""

NOISE_GRID = 2.0**-10
"""Grid on which the exact samplers draw where a real number is answered."""


def to_grid(value: Any, grid: float) -> NDArray[np.int64]:
    """Return the number of grid steps nearest to each value; halves go up.

    value: finite numbers of size below 2^62 grid steps.
    grid: a power of two.

    Moving a value by a whole number of steps moves its rounding by as many, and rounding is
    monotone; so two values at most m steps apart stay at most m steps apart, which rounding halves
    to even does not guarantee. Raises ``UsageError`` for values outside the range.
    """
    steps = answers(value, "value") / power_of_two(grid, "grid")
    if np.any(np.abs(steps) >= 2.0**62):
        raise UsageError(f"value is {value!r}: it must stay below 2**62 steps of the grid {grid!r}")
    whole = np.floor(steps)
    # Adding 1/2 before the floor would itself round; this difference is exact or far from 1/2.
    rounded: NDArray[np.int64] = whole.astype(np.int64) + (steps - whole >= 0.5)
    return rounded


def round_to_grid(value: Any, grid: float) -> NDArray[np.float64]:
    """Return each value rounded to a multiple of ``grid``; see ``to_grid``."""
    return to_grid(value, grid).astype(np.float64) * grid
