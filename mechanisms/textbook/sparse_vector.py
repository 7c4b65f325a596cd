"""AboveThreshold, the sparse vector technique, and its variant that answers with numbers.

Its broken twins are the published variants SVT 3 to 6 (Lyu, Su and Li 2017, Algorithms 3 to 6),
each claimed to be ε-DP, and one that releases the number which it compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import BoundedAnswers, Mechanism, PureDP, Source
from provado.mechanisms.definitions.mechanism import Run
from provado.mechanisms.definitions.parameters import natural, positive
from provado.mechanisms.noise.exact_noise import FINE_GRID
from provado.mechanisms.noise.threshold_patterns import (
    ABOVE,
    BELOW,
    HALTED,
    compare,
    numbers,
    pattern_epsilon,
    symbols,
)

_DWORK_ROTH = "Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014)"
_LYU = "Lyu, Su and Li, Understanding the Sparse Vector Technique for Differential Privacy (2017)"
ABOVE_THRESHOLD_SOURCE = Source(_DWORK_ROTH, "Algorithm 1 and Theorem 3.23")
NUMERIC_SOURCE = Source(_DWORK_ROTH, "Algorithm 3 (NumericSparse) and Theorem 3.28, δ = 0")
SPARSE_VECTOR_SOURCE = Source(_LYU, "Algorithm 1 and Theorem 2")


def above_threshold(
    answers: ArrayLike,
    *,
    threshold: float,
    epsilon: float,
    sensitivity: float = 1.0,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.int8]:
    """Return ``size`` outputs: ⊥ until the first noisy answer reaches the noisy threshold, then ⊤.

    answers: the answers to k queries, each of sensitivity Δ between neighbors.
    threshold: the threshold T; it gets noise Lap(2Δ/ε), each answer noise Lap(4Δ/ε).

    Shape of the result: (size, k), in codes of ``threshold_patterns``. Guarantee: ε-DP. Source:
    Dwork and Roth, Algorithm 1. Raises ``UsageError`` for parameters outside their range.
    """
    unit = positive(sensitivity, "sensitivity") / positive(epsilon, "epsilon")
    _, above = compare(answers, threshold, (2 * unit, 4 * unit), size=size, rng=rng)
    return symbols(above, 1)


def sparse_vector(
    answers: ArrayLike,
    *,
    threshold: float,
    epsilon: float,
    cutoff: int,
    sensitivity: float = 1.0,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.int8]:
    """Return ``size`` outputs of SVT 1: ⊤ or ⊥ for each query, up to the ``cutoff``-th ⊤.

    answers: the answers to k queries, each of sensitivity Δ between neighbors.
    threshold: the threshold T; it gets noise Lap(Δ/ε₁), each answer noise Lap(2cΔ/ε₂), with
        ε₁ = ε₂ = ε/2 and c the cut-off.

    Shape of the result: (size, k), in codes of ``threshold_patterns``. Guarantee: ε-DP. Source:
    Lyu, Su and Li, Algorithm 1. Raises ``UsageError`` for parameters outside their range.
    """
    unit = 2 * positive(sensitivity, "sensitivity") / positive(epsilon, "epsilon")
    _, above = compare(
        answers, threshold, (unit, 2 * natural(cutoff, "cutoff") * unit), size=size, rng=rng
    )
    return symbols(above, cutoff)


def numeric_sparse(
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
    """Return ``size`` outputs of NumericSparse: each ⊤ comes with the answer under fresh noise.

    answers: the answers to k queries, each of sensitivity Δ between neighbors.
    threshold: the threshold T; with ε₁ = 8ε/9, ε₂ = 2ε/9 and c the cut-off it gets noise
        Lap(2cΔ/ε₁), each answer noise Lap(4cΔ/ε₁) to be compared, and Lap(2cΔ/ε₂) to be released.
    grid: a power of two to which released numbers are rounded, which hides their lowest bits.

    Shape of the result: (size, k), in codes of ``threshold_patterns``. Guarantee: ε-DP; the c
    released numbers cost c·ε₂/(2c) = ε/9. Source: Dwork and Roth, Algorithm 3. Raises
    ``UsageError`` for parameters outside their range.
    """
    unit = natural(cutoff, "cutoff") * positive(sensitivity, "sensitivity")
    unit /= positive(epsilon, "epsilon")
    noisy, above = compare(answers, threshold, (2.25 * unit, 4.5 * unit), size=size, rng=rng)
    fresh = np.asarray(answers, dtype=np.float64) + rng.laplace(scale=9 * unit, size=noisy.shape)
    return numbers(fresh, above, cutoff, grid)


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
        answers, threshold, (unit, natural(cutoff, "cutoff") * unit), size=size, rng=rng
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
    _, above = compare(answers, threshold, (4 * unit, 4 * unit / 3), size=size, rng=rng)
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
    _, above = compare(answers, threshold, (unit, 0.0), size=size, rng=rng)
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
    _, above = compare(answers, threshold, (unit, unit), size=size, rng=rng)
    return symbols(above, None)


def numeric_sparse_reusing_noise(
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
    """Return ``size`` outputs of Sparse in which each ⊤ comes with the number that was compared.

    Noise Lap(2cΔ/ε) on the threshold and Lap(4cΔ/ε) on each of k answers, which pay for the
    comparisons alone; ``numeric_sparse`` draws fresh noise for numbers, and pays for it.
    grid: a power of two to which released numbers are rounded, so that their lowest bits are not
        what leaks.

    Shape of the result: (size, k), in codes of ``threshold_patterns``. Claimed to be ε-DP. It is
    not: the number bounds the noisy threshold from above, after which each ⊥ tells about its
    answer. Raises ``UsageError`` for parameters outside their range.
    """
    unit = natural(cutoff, "cutoff") * positive(sensitivity, "sensitivity")
    unit /= positive(epsilon, "epsilon")
    noisy, above = compare(answers, threshold, (2 * unit, 4 * unit), size=size, rng=rng)
    return numbers(noisy, above, cutoff, grid)


PAIR = ((1.0,) * 10, (2.0,) * 5 + (0.0,) * 5)
"""Ten queries of which five move up by 1 and five down."""

SWAP = ((1.0,) * 5 + (0.0,) * 5, (0.0,) * 5 + (1.0,) * 5)
"""Ten queries that all move by 1, across the middle."""

_AGREES = (ABOVE,) * 5 + (BELOW,) * 5
_SILENT = (BELOW,) * 10
_FIRST = [(BELOW,) * i + (ABOVE,) + (HALTED,) * (9 - i) for i in range(10)]


def _numeric_epsilon() -> float:
    """Return ε of ``PAIR`` for NumericSparse: the pattern's, and 1/9 where a number comes with it.

    The number is independent of the pattern, and its answer moves by 1 for every query.
    """
    noise = {"threshold": 0.5, "threshold_scale": 2.25, "query_scale": 4.5}
    told = pattern_epsilon(PAIR, _FIRST, **noise) + 1 / 9
    return max(pattern_epsilon(PAIR, [_SILENT], **noise), told)


# All patterns of a cut-off of 1.
_first_epsilon = partial(pattern_epsilon, PAIR, [_SILENT, *_FIRST])

# SVT 1 with c = 1 has the noise of AboveThreshold.
_pair_epsilon = partial(_first_epsilon, threshold=0.5, threshold_scale=2.0, query_scale=4.0)

_SOUND = Mechanism(
    name="sparse-vector/above-threshold",
    run=partial(above_threshold, threshold=0.5, epsilon=1.0),
    promise=PureDP(1.0),
    relation=BoundedAnswers(),
    pairs=(PAIR,),
    source=ABOVE_THRESHOLD_SOURCE,
    summary="Which of ten answers is the first above a threshold, with noise on both.",
    true_epsilon=_pair_epsilon,
    tags=("sparse-vector",),
)


def _twin(
    number: int, run: Run, true_epsilon: float | Callable[[], float], summary: str, **changed: Any
) -> Mechanism:
    return _SOUND.twin(
        f"svt-{number}",
        run=partial(run, threshold=1.0, epsilon=1.0),
        source=Source(_LYU, f"Algorithm {number}"),
        summary=summary,
        true_epsilon=true_epsilon,
        **changed,
    )


MECHANISMS: tuple[Mechanism, ...] = (
    _SOUND,
    replace(
        _SOUND,
        name="sparse-vector/svt-1",
        run=partial(sparse_vector, threshold=0.5, epsilon=1.0, cutoff=1),
        source=SPARSE_VECTOR_SOURCE,
        summary="Ten answers compared with a noisy threshold until the first is above it.",
        true_epsilon=_pair_epsilon,
    ),
    replace(
        _SOUND,
        name="sparse-vector/numeric",
        run=partial(numeric_sparse, threshold=0.5, epsilon=1.0, cutoff=1),
        source=NUMERIC_SOURCE,
        summary="The first of ten answers above a noisy threshold, told with fresh noise.",
        true_epsilon=_numeric_epsilon,
    ),
    _twin(
        3,
        partial(sparse_vector_3, cutoff=1),
        # ⊥ five times, then a number just above 1. Each of the five is e^(1/2) times likelier under
        # D, as the noisy threshold lies below 1, and so is the number. Rounding to the grid lowers
        # this by less than 2^-20.
        (5 + 1) / 2,
        "Sparse vector that releases the noisy answer which passed the comparison.",
    ),
    _twin(
        4,
        partial(sparse_vector_4, cutoff=1),
        partial(_first_epsilon, threshold=1.0, threshold_scale=4.0, query_scale=4 / 3),
        "Sparse vector whose noise on the answers is too small for its share of ε.",
    ),
    _twin(
        5,
        sparse_vector_5,
        math.inf,
        "Sparse vector with noise on the threshold only, and no cut-off.",
    ),
    _twin(
        6,
        sparse_vector_6,
        # Of the 1,024 patterns the one that agrees with D everywhere separates most.
        partial(
            pattern_epsilon, SWAP, [_AGREES], threshold=1.0, threshold_scale=2.0, query_scale=2.0
        ),
        "Sparse vector that goes on for ever: no cut-off.",
        pairs=(SWAP,),
    ),
    _SOUND.twin(
        "numeric-sparse",
        run=partial(numeric_sparse_reusing_noise, threshold=2.0, epsilon=1.0, cutoff=1),
        pairs=(((1.0,) * 10, (2.0,) * 9 + (0.0,)),),
        summary="Sparse vector that releases the number it compared, as if that cost nothing.",
        # ⊥ nine times, then a number just above 1: as for SVT 3, with noise of scale 4. Rounding
        # to the grid lowers this by less than 2^-20.
        true_epsilon=(9 + 1) / 4,
    ),
)
