"""Counting inversions of a permutation with whole-array operations only.

The sequence is split by value at the middle of its range, group by group, each group keeping its
order of positions. All groups have one width and, as the values are a permutation, exactly half of
each lies below the middle. So the inversions that a split resolves are a sum of positions: that of
the values below the middle, less what it would be if they all came first. Groups of at most
``NARROW`` values are finished by comparing each pair.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

NARROW = 96
"""Widest group that is finished pair by pair; its values fit into eight bits."""


def count_inversions(permutation: NDArray[np.signedinteger]) -> int:
    """Return the number of pairs of positions i < j with permutation[i] > permutation[j].

    permutation: each of 0 … m − 1 exactly once; not checked. O(m log m) time and O(m) memory.
    """
    m = permutation.size
    levels = 0
    while -(-m >> levels) > NARROW:
        levels += 1
    width = -(-m >> levels) << levels
    values = np.empty(width, dtype=_narrowest(width))
    values[:m] = permutation
    # Padding with the largest values, in increasing order and at the end, adds no inversion.
    values[m:] = np.arange(m, width)
    total = 0
    for _ in range(levels):
        found, values = _split(values, width)
        total += found
        width //= 2
    return total + _pair_by_pair(values.reshape(-1, width))


def _split(
    values: NDArray[np.unsignedinteger], width: int
) -> tuple[int, NDArray[np.unsignedinteger]]:
    """Return the inversions across the middles of all groups, and the groups split there."""
    half, groups = width // 2, values.size // width
    above = values >= half
    low, high = np.flatnonzero(~above), np.flatnonzero(above)
    all_first = groups * (half * (half - 1) // 2) + half * width * (groups * (groups - 1) // 2)
    split = np.empty((groups, 2, half), dtype=_narrowest(half))
    split[:, 0] = values[low].reshape(groups, half)
    split[:, 1] = (values[high] - values.dtype.type(half)).reshape(groups, half)
    return int(low.sum()) - all_first, split.reshape(-1)


def _pair_by_pair(groups: NDArray[np.unsignedinteger]) -> int:
    """Return the inversions within the rows of a narrow table."""
    # Transposed, a comparison at one lag runs over all groups in one contiguous pass.
    by_place = np.ascontiguousarray(groups.T)
    return sum(
        int(np.count_nonzero(by_place[:-lag] > by_place[lag:]))
        for lag in range(1, by_place.shape[0])
    )


def _narrowest(size: int) -> type[np.unsignedinteger]:
    """Return the narrowest unsigned type that holds 0 … size − 1; narrow is fast."""
    for kind in (np.uint8, np.uint16, np.uint32):
        if size - 1 <= np.iinfo(kind).max:
            return kind
    return np.uint64
