"""SVT 3 to 6: published variants of the sparse vector technique that do not keep their claim.

All four are as in Lyu, Su and Li (2017), Algorithms 3 to 6; each is claimed to be ε-DP.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms import BoundedAnswers, PureDP, Source, Verdict
from provado.mechanisms.grid import FINE_GRID
from provado.mechanisms.mechanism import Mechanism, Run
from provado.mechanisms.parameters import natural, positive
from provado.mechanisms.threshold_patterns import (
    ABOVE,
    BELOW,
    compare,
    numbers,
    pattern_epsilon,
    patterns,
    symbols,
)

_WORK = "Lyu, Su and Li, Understanding the Sparse Vector Technique for Differential Privacy (2017)"


def sparse_vector_3(
    answers: ArrayLike,
    *,
    threshold: float,
    epsilon: float,
    cutoff: int,
    sensitivity: float = 1.0,
    grid: float = FINE_GRID,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return ``size`` outputs of SVT 3, which releases the very number that passed the comparison.

    Noise Lap(2Δ/ε) on the threshold and Lap(2cΔ/ε) on each of k answers; each ⊤ comes with the
    noisy answer, which tells that the noisy threshold lies below it.
    grid: a power of two to which released numbers are rounded, so that their lowest bits are not
        what leaks.

    Shape of the result: (size, k), in codes of ``threshold_patterns``. It is ε′-DP for no finite ε′
    over all numbers of queries; for k queries and c = 1 the loss reaches k·ε/2.
    """
    unit = 2 * positive(sensitivity, "sensitivity") / positive(epsilon, "epsilon")
    noisy, above = compare(
        answers,
        threshold=threshold,
        threshold_scale=unit,
        query_scale=natural(cutoff, "cutoff") * unit,
        size=size,
        rng=rng,
    )
    return numbers(noisy, above, cutoff, grid)


def sparse_vector_4(
    answers: ArrayLike,
    *,
    threshold: float,
    epsilon: float,
    cutoff: int,
    sensitivity: float = 1.0,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.int8]:
    """Return ``size`` outputs of SVT 4, whose noise on the answers does not grow with the cut-off.

    Noise Lap(4Δ/ε) on the threshold and Lap(4Δ/(3ε)) on each of k answers; it stops after c ⊤.
    Shape of the result: (size, k), in codes of ``threshold_patterns``. It is ((1 + 6c)/4)·ε-DP.
    """
    unit = positive(sensitivity, "sensitivity") / positive(epsilon, "epsilon")
    _, above = compare(
        answers,
        threshold=threshold,
        threshold_scale=4 * unit,
        query_scale=4 * unit / 3,
        size=size,
        rng=rng,
    )
    return symbols(above, natural(cutoff, "cutoff"))


def sparse_vector_5(
    answers: ArrayLike,
    *,
    threshold: float,
    epsilon: float,
    sensitivity: float = 1.0,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.int8]:
    """Return ``size`` outputs of SVT 5, which adds no noise to the answers and never stops.

    Noise Lap(2Δ/ε) on the threshold only. Shape of the result: (size, k), in codes of
    ``threshold_patterns``. It is ε′-DP for no finite ε′.
    """
    unit = 2 * positive(sensitivity, "sensitivity") / positive(epsilon, "epsilon")
    _, above = compare(
        answers, threshold=threshold, threshold_scale=unit, query_scale=0.0, size=size, rng=rng
    )
    return symbols(above, None)


def sparse_vector_6(
    answers: ArrayLike,
    *,
    threshold: float,
    epsilon: float,
    sensitivity: float = 1.0,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.int8]:
    """Return ``size`` outputs of SVT 6, which never stops, whatever the number of ⊤.

    Noise Lap(2Δ/ε) on the threshold and on each of k answers. Shape of the result: (size, k), in
    codes of ``threshold_patterns``. It is ε′-DP for no finite ε′ over all numbers of queries.
    """
    unit = 2 * positive(sensitivity, "sensitivity") / positive(epsilon, "epsilon")
    _, above = compare(
        answers, threshold=threshold, threshold_scale=unit, query_scale=unit, size=size, rng=rng
    )
    return symbols(above, None)


_SPLIT = ((1.0,) * 10, (2.0,) * 5 + (0.0,) * 5)
_SWAP = ((1.0,) * 5 + (0.0,) * 5, (0.0,) * 5 + (1.0,) * 5)

# SVT 3 on _SPLIT with noise of scale 2: ⊥ five times, then a number just above 1. Each of the five
# is e^(1/2) times likelier under D, as the noisy threshold lies below 1, and so is the number.
# Rounding to the grid lowers this by less than 2^-20.
_EPSILON_3 = (5 + 1) / 2
_EPSILON_4 = pattern_epsilon(
    _SPLIT, patterns(10, 1), threshold=1.0, threshold_scale=4.0, query_scale=4 / 3
)
# Of the 1,024 patterns the one that agrees with D everywhere separates most.
_EPSILON_6 = pattern_epsilon(
    _SWAP, [(ABOVE,) * 5 + (BELOW,) * 5], threshold=1.0, threshold_scale=2.0, query_scale=2.0
)


def _entry(
    number: int,
    run: Run,
    pair: tuple[tuple[float, ...], tuple[float, ...]],
    true_epsilon: float,
    summary: str,
) -> Mechanism:
    return Mechanism(
        name=f"twin/svt-{number}",
        run=run,
        promise=PureDP(1.0),
        relation=BoundedAnswers(),
        pairs=(pair,),
        source=Source(_WORK, f"Algorithm {number}"),
        expected=Verdict.VIOLATION,
        summary=summary,
        true_epsilon=true_epsilon,
        tags=("twin", "sparse-vector"),
    )


MECHANISMS: tuple[Mechanism, ...] = (
    _entry(
        3,
        partial(sparse_vector_3, threshold=1.0, epsilon=1.0, cutoff=1),
        _SPLIT,
        _EPSILON_3,
        "Sparse vector that releases the noisy answer which passed the comparison.",
    ),
    _entry(
        4,
        partial(sparse_vector_4, threshold=1.0, epsilon=1.0, cutoff=1),
        _SPLIT,
        _EPSILON_4,
        "Sparse vector whose noise on the answers is too small for its share of ε.",
    ),
    _entry(
        5,
        partial(sparse_vector_5, threshold=1.0, epsilon=1.0),
        _SPLIT,
        math.inf,
        "Sparse vector with noise on the threshold only, and no cut-off.",
    ),
    _entry(
        6,
        partial(sparse_vector_6, threshold=1.0, epsilon=1.0),
        _SWAP,
        _EPSILON_6,
        "Sparse vector that goes on for ever: no cut-off.",
    ),
)
