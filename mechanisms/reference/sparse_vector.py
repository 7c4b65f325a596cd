"""AboveThreshold, the sparse vector technique, and its variant that answers with numbers."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms import BoundedAnswers, Mechanism, PureDP, Source, Verdict
from provado.mechanisms.grid import FINE_GRID
from provado.mechanisms.parameters import natural, positive
from provado.mechanisms.threshold_patterns import (
    ABOVE,
    BELOW,
    HALTED,
    compare,
    numbers,
    pattern_epsilon,
    patterns,
    symbols,
)

_DWORK_ROTH = "Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014)"
ABOVE_THRESHOLD_SOURCE = Source(_DWORK_ROTH, "Algorithm 1 and Theorem 3.23")
NUMERIC_SOURCE = Source(_DWORK_ROTH, "Algorithm 3 (NumericSparse) and Theorem 3.28, δ = 0")
SPARSE_VECTOR_SOURCE = Source(
    "Lyu, Su and Li, Understanding the Sparse Vector Technique for Differential Privacy (2017)",
    "Algorithm 1 and Theorem 2",
)


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
    _, above = compare(
        answers,
        threshold=threshold,
        threshold_scale=2 * unit,
        query_scale=4 * unit,
        size=size,
        rng=rng,
    )
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
        answers,
        threshold=threshold,
        threshold_scale=unit,
        query_scale=2 * natural(cutoff, "cutoff") * unit,
        size=size,
        rng=rng,
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
    noisy, above = compare(
        answers,
        threshold=threshold,
        threshold_scale=2.25 * unit,
        query_scale=4.5 * unit,
        size=size,
        rng=rng,
    )
    fresh = np.asarray(answers, dtype=np.float64) + rng.laplace(scale=9 * unit, size=noisy.shape)
    return numbers(fresh, above, cutoff, grid)


PAIR = ((1.0,) * 10, (2.0,) * 5 + (0.0,) * 5)
"""Ten queries of which five move up by 1 and five down."""


def _pair_epsilon() -> float:
    """ε of ``PAIR`` for AboveThreshold and for SVT 1 with c = 1, which have the same noise."""
    wanted = patterns(10, 1)
    return pattern_epsilon(PAIR, wanted, threshold=0.5, threshold_scale=2.0, query_scale=4.0)


def _numeric_pair_epsilon() -> float:
    """ε of ``PAIR`` for NumericSparse: the pattern's, and 1/9 where a number comes with it.

    The number is independent of the pattern, and its answer moves by 1 for every query.
    """
    noise = {"threshold": 0.5, "threshold_scale": 2.25, "query_scale": 4.5}
    silent = (BELOW,) * 10
    told = [(BELOW,) * i + (ABOVE,) + (HALTED,) * (9 - i) for i in range(10)]
    return max(
        pattern_epsilon(PAIR, [silent], **noise), pattern_epsilon(PAIR, told, **noise) + 1 / 9
    )


MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(
        name="sparse-vector/above-threshold",
        run=partial(above_threshold, threshold=0.5, epsilon=1.0),
        promise=PureDP(1.0),
        relation=BoundedAnswers(),
        pairs=(PAIR,),
        source=ABOVE_THRESHOLD_SOURCE,
        expected=Verdict.NO_VIOLATION,
        summary="Which of ten answers is the first above a threshold, with noise on both.",
        true_epsilon=_pair_epsilon(),
        tags=("sparse-vector",),
    ),
    Mechanism(
        name="sparse-vector/svt-1",
        run=partial(sparse_vector, threshold=0.5, epsilon=1.0, cutoff=1),
        promise=PureDP(1.0),
        relation=BoundedAnswers(),
        pairs=(PAIR,),
        source=SPARSE_VECTOR_SOURCE,
        expected=Verdict.NO_VIOLATION,
        summary="Ten answers compared with a noisy threshold until the first is above it.",
        true_epsilon=_pair_epsilon(),
        tags=("sparse-vector",),
    ),
    Mechanism(
        name="sparse-vector/numeric",
        run=partial(numeric_sparse, threshold=0.5, epsilon=1.0, cutoff=1),
        promise=PureDP(1.0),
        relation=BoundedAnswers(),
        pairs=(PAIR,),
        source=NUMERIC_SOURCE,
        expected=Verdict.NO_VIOLATION,
        summary="The first of ten answers above a noisy threshold, told with fresh noise.",
        true_epsilon=_numeric_pair_epsilon(),
        tags=("sparse-vector",),
    ),
)
