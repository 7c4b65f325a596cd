"""The structural Hamming distance of two graphs, for tests and benchmarks."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms import UsageError


def structural_hamming(found: ArrayLike, true: ArrayLike) -> int:
    """Return in how many pairs two graphs differ: no edge, directed either way, or undirected.

    Source: Tsamardinos, Brown and Aliferis, The Max-Min Hill-Climbing Bayesian Network Structure
    Learning Algorithm (2006), section 9.1. Raises ``UsageError`` unless both are square and of one
    size.
    """
    first, second = _graph(found), _graph(true)
    if first.shape != second.shape:
        raise UsageError(f"found has shape {first.shape} and true {second.shape}: they must agree")
    differ = first != second
    return int(np.triu(differ | differ.T).sum())


def _graph(graph: ArrayLike) -> NDArray[np.bool_]:
    marks = np.asarray(graph, dtype=bool)
    if marks.ndim != 2 or marks.shape[0] != marks.shape[1]:
        raise UsageError(f"graph has shape {marks.shape}: it must be square")
    return marks
