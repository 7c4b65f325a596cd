"""How close a graph that was found is to the true one: its skeleton, and its CPDAG."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms import UsageError


def skeleton_f1(found: ArrayLike, true: ArrayLike) -> float:
    """Return 2·precision·recall/(precision + recall) of the edges, whatever their direction.

    1 where both graphs are empty, 0 where they share no edge. Source: Wang, Pang and Song (2020),
    section 4.1, footnote 4, which leaves these cases open. Raises ``UsageError`` unless both are
    square and of one size.
    """
    both, ours, theirs = _edges(found, true)
    return 2 * both / (ours + theirs) if ours + theirs else 1.0


def precision_and_recall(found: ArrayLike, true: ArrayLike) -> tuple[float, float]:
    """Return the share of the found edges that are true, and of the true ones that were found.

    1 where there are none to take a share of. Source: Zhang et al. (2023), "Performance on Causal
    Discovery". Raises ``UsageError`` as ``skeleton_f1`` does.
    """
    both, ours, theirs = _edges(found, true)
    return both / ours if ours else 1.0, both / theirs if theirs else 1.0


def _edges(found: ArrayLike, true: ArrayLike) -> tuple[int, int, int]:
    """Return how many edges both graphs have, the first, and the second."""
    first, second = np.asarray(found, dtype=bool), np.asarray(true, dtype=bool)
    if first.shape != second.shape or first.shape != (len(first), len(first)):
        raise UsageError(
            f"found has shape {first.shape} and true {second.shape}: they must agree, and be square"
        )
    ours, theirs = np.triu(first | first.T), np.triu(second | second.T)
    return int((ours & theirs).sum()), int(ours.sum()), int(theirs.sum())


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
