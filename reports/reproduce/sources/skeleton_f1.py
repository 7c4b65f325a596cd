"""How close the skeleton of a graph that was found is to the true one."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from provado.mechanisms import UsageError


def skeleton_f1(found: ArrayLike, true: ArrayLike) -> float:
    """Return 2·precision·recall/(precision + recall) of the edges, whatever their direction.

    1 where both graphs are empty, 0 where they share no edge. Source: Wang, Pang and Song (2020),
    section 4.1, footnote 4, which leaves these cases open. Raises ``UsageError`` unless both are
    square and of one size.
    """
    first, second = np.asarray(found, dtype=bool), np.asarray(true, dtype=bool)
    if first.shape != second.shape or first.shape != (len(first), len(first)):
        raise UsageError(
            f"found has shape {first.shape} and true {second.shape}: they must agree, and be square"
        )
    ours, theirs = np.triu(first | first.T), np.triu(second | second.T)
    total = int(ours.sum() + theirs.sum())
    return 2 * int((ours & theirs).sum()) / total if total else 1.0
