"""Sparse vector that releases the number it compared, as if that cost nothing."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms import BoundedAnswers, Mechanism, PureDP, Verdict
from provado.mechanisms.grid import FINE_GRID
from provado.mechanisms.parameters import natural, positive
from provado.mechanisms.reference.sparse_vector import ABOVE_THRESHOLD_SOURCE
from provado.mechanisms.threshold_patterns import compare, numbers


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
    noisy, above = compare(
        answers,
        threshold=threshold,
        threshold_scale=2 * unit,
        query_scale=4 * unit,
        size=size,
        rng=rng,
    )
    return numbers(noisy, above, cutoff, grid)


MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(
        name="twin/numeric-sparse",
        run=partial(numeric_sparse_reusing_noise, threshold=2.0, epsilon=1.0, cutoff=1),
        promise=PureDP(1.0),
        relation=BoundedAnswers(),
        pairs=(((1.0,) * 10, (2.0,) * 9 + (0.0,)),),
        source=ABOVE_THRESHOLD_SOURCE,
        expected=Verdict.VIOLATION,
        summary="Sparse vector that releases the number it compared, as if that cost nothing.",
        # ⊥ nine times, then a number just above 1: as for SVT 3, with noise of scale 4. Rounding
        # to the grid lowers this by less than 2^-20.
        true_epsilon=(9 + 1) / 4,
        tags=("twin", "sparse-vector"),
    ),
)
