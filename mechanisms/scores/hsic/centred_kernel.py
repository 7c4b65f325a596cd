"""The centred kernel matrix HKH of one column, in blocks that are formed when they are asked for.

With row means r_i of K and their mean g, (HKH)_ij = K_ij − r_i − r_j + g.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.scores.columns import Column

from .low_rank import UNIT

KernelFunction = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]
"""A symmetric kernel of values in [0, 1] that broadcasts; each ``Kernel`` is one."""

_ENTRIES = 32_000
_MOST_ROWS = 64


def kernel_block(kernel: KernelFunction, rows: Column, cols: Column) -> NDArray[np.float64]:
    """Return kernel(rows_i, cols_j), shape (n, w).

    Raises ``UsageError`` for a kernel that does not broadcast a column against a row.
    """
    block = np.asarray(kernel(rows[:, None], cols[None, :]), dtype=np.float64)
    if block.shape != (rows.size, cols.size):
        raise UsageError(
            f"kernel {kernel!r} returned shape {block.shape} for a column of {rows.size} and a row "
            f"of {cols.size} numbers: it must broadcast them"
        )
    return block


def row_blocks(m: int) -> Iterator[slice]:
    """Yield slices that divide m rows; a block of such rows and m columns stays in the cache."""
    height = max(1, min(_MOST_ROWS, _ENTRIES // m))
    for start in range(0, m, height):
        yield slice(start, min(start + height, m))


@dataclass(frozen=True, eq=False)
class CentredKernel:
    """The matrix HKH of a column; O(m) memory until a block is formed.

    values: the column, shape (m,). kernel: a symmetric function that broadcasts.
    means: the row means r of K, shape (m,). mean: g, their mean.
    entry_error: bound on the error of each entry of a block, against HKH of the very K computed.
    """

    values: Column
    kernel: KernelFunction
    means: NDArray[np.float64]
    mean: float
    entry_error: float

    def block(
        self, rows: NDArray[np.intp] | slice, cols: NDArray[np.intp] | slice
    ) -> NDArray[np.float64]:
        """Return HKH at these rows and columns, shape (n, w), as a new array."""
        found = np.array(kernel_block(self.kernel, self.values[rows], self.values[cols]))
        found -= self.means[rows, None]
        found -= self.means[None, cols] - self.mean
        return found

    def matrix(self) -> NDArray[np.float64]:
        """Return HKH as a whole, its lower half copied from the upper one; 8m² bytes."""
        m = self.values.size
        found = np.empty((m, m))
        for part in row_blocks(m):
            found[part, part.start :] = self.block(part, slice(part.start, None))
            found[part.stop :, part] = found[part, part.stop :].T
        return found


def centred_kernel(values: Column, kernel: KernelFunction) -> CentredKernel:
    """Return the centred kernel of one column, from the blocks on and above the diagonal.

    A mean of m entries, added up in any order, is off by at most (m + 1)·u times the largest; three
    such means enter an entry, one of them a mean of means, and then three roundings. Raises
    ``UsageError`` for a kernel that does not broadcast.
    """
    m, peak = values.size, 0.0
    sums = np.zeros(m)
    for part in row_blocks(m):
        block = kernel_block(kernel, values[part], values[part.start :])
        peak = max(peak, float(block.max()), -float(block.min()))
        height = part.stop - part.start
        sums[part] += block.sum(axis=1)
        sums[part.stop :] += block[:, height:].sum(axis=0)
    means = sums / m
    return CentredKernel(
        values, kernel, means, float(means.mean()), 1.01 * (4 * m + 16) * UNIT * peak
    )
