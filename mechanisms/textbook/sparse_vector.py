"""AboveThreshold, the sparse vector technique, and its variant that answers with numbers.

Its broken twins are the published variants SVT 3 to 6 (Lyu, Su and Li 2017, Algorithms 3 to 6),
each claimed to be ε-DP, and one that releases the number which it compared.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import BoundedAnswers, Mechanism, PureDP, Source
from provado.mechanisms.definitions.parameters import natural, positive
from provado.mechanisms.noise import threshold_patterns
from provado.mechanisms.noise.exact_noise import FINE_GRID

_DWORK_ROTH = "Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014)"
_LYU = "Lyu, Su and Li, Understanding the Sparse Vector Technique for Differential Privacy (2017)"
ABOVE_THRESHOLD_SOURCE = Source(_DWORK_ROTH, "Algorithm 1 and Theorem 3.23")
NUMERIC_SOURCE = Source(_DWORK_ROTH, "Algorithm 3 (NumericSparse) and Theorem 3.28, δ = 0")
SPARSE_VECTOR_SOURCE = Source(_LYU, "Algorithm 1 and Theorem 2")

Grows = Literal["neither", "answers", "both"]


@dataclass(frozen=True)
class SparseVector:
    """A variant of the technique: Laplace noise on a threshold and on answers, then comparisons.

    threshold_noise, answer_noise: scales of the noise in units of Δ/ε; 0 stands for none.
    grows: which of the two are multiplied by the cut-off c.
    number: what is released with each ⊤: nothing, the noisy answer that was compared, or the answer
        under fresh noise of the scale ``fresh_noise``, in units of cΔ/ε.
    stops: whether the run stops after the c-th ⊤; if not, c is not used.
    """

    threshold_noise: float
    answer_noise: float
    grows: Grows = "neither"
    number: Literal["none", "compared", "fresh"] = "none"
    fresh_noise: float = 0.0
    stops: bool = True

    def __call__(
        self,
        answers: ArrayLike,
        *,
        threshold: float,
        epsilon: float,
        cutoff: int = 1,
        sensitivity: float = 1.0,
        grid: float = FINE_GRID,
        size: int,
        rng: Generator,
    ) -> NDArray[np.int8] | NDArray[np.float64]:
        """Return ``size`` outputs: ⊥ or ⊤ for each query in turn, up to the c-th ⊤.

        answers: the answers to k queries, each of sensitivity Δ between neighbors.
        threshold: the threshold T. epsilon: ε of the claim. cutoff: c.
        grid: a power of two to which released numbers are rounded, which hides their lowest bits,
            so that these are not what leaks.

        Shape of the result: (size, k), in codes of ``threshold_patterns``. Raises ``UsageError``
        for parameters outside their range.
        """
        count = natural(cutoff, "cutoff")
        unit = positive(sensitivity, "sensitivity") / positive(epsilon, "epsilon")
        noisy, above = threshold_patterns.compare(
            answers, threshold, self.scales(count, unit), size=size, rng=rng
        )
        last = count if self.stops else None
        if self.number == "none":
            return threshold_patterns.symbols(above, last)
        if self.number == "fresh":
            fresh = rng.laplace(scale=self.fresh_noise * count * unit, size=noisy.shape)
            noisy = np.asarray(answers, dtype=np.float64) + fresh
        return threshold_patterns.numbers(noisy, above, last, grid)

    def scales(self, cutoff: int = 1, unit: float = 1.0) -> tuple[float, float]:
        """Return the scales of the noise on threshold and answers where Δ/ε is ``unit``."""
        return (
            self.threshold_noise * (cutoff if self.grows == "both" else 1) * unit,
            self.answer_noise * (1 if self.grows == "neither" else cutoff) * unit,
        )


above_threshold = SparseVector(2, 4)
"""AboveThreshold: ⊥ until the first noisy answer reaches the noisy threshold, then ⊤.

Guarantee: ε-DP. Source: Dwork and Roth, Algorithm 1.
"""

sparse_vector = SparseVector(2, 4, grows="answers")
"""SVT 1: noise Lap(Δ/ε₁) on the threshold and Lap(2cΔ/ε₂) on each answer, ε₁ = ε₂ = ε/2.

Guarantee: ε-DP. Source: Lyu, Su and Li, Algorithm 1.
"""

numeric_sparse = SparseVector(2.25, 4.5, grows="both", number="fresh", fresh_noise=9)
"""NumericSparse: each ⊤ comes with the answer under fresh noise.

With ε₁ = 8ε/9 and ε₂ = 2ε/9, noise Lap(2cΔ/ε₁) on the threshold, Lap(4cΔ/ε₁) on each answer to be
compared, and Lap(2cΔ/ε₂) to be released. Guarantee: ε-DP; the c released numbers cost c·ε₂/(2c) =
ε/9. Source: Dwork and Roth, Algorithm 3.
"""

sparse_vector_3 = SparseVector(2, 2, grows="answers", number="compared")
"""SVT 3, which releases the very number that passed the comparison.

That tells that the noisy threshold lies below it. It is ε′-DP for no finite ε′ over all numbers of
queries; for k queries and c = 1 the loss reaches k·ε/2.
"""

sparse_vector_4 = SparseVector(4, 4 / 3)
"""SVT 4, whose noise on the answers does not grow with the cut-off. It is ((1 + 6c)/4)·ε-DP."""

sparse_vector_5 = SparseVector(2, 0, stops=False)
"""SVT 5, which adds no noise to the answers and never stops. It is ε′-DP for no finite ε′."""

sparse_vector_6 = SparseVector(2, 2, stops=False)
"""SVT 6, which never stops, whatever the number of ⊤.

It is ε′-DP for no finite ε′ over all numbers of queries.
"""

numeric_sparse_reusing_noise = SparseVector(2, 4, grows="both", number="compared")
"""Sparse in which each ⊤ comes with the number that was compared.

The noise pays for the comparisons alone; ``numeric_sparse`` draws fresh noise for numbers, and pays
for it. Claimed to be ε-DP. It is not: the number bounds the noisy threshold from above, after which
each ⊥ tells about its answer.
"""


PAIR = ((1.0,) * 10, (2.0,) * 5 + (0.0,) * 5)
"""Ten queries of which five move up by 1 and five down."""

SWAP = ((1.0,) * 5 + (0.0,) * 5, (0.0,) * 5 + (1.0,) * 5)
"""Ten queries that all move by 1, across the middle."""


_SOUND = Mechanism(
    name="sparse-vector/above-threshold",
    run=partial(above_threshold, threshold=0.5, epsilon=1.0),
    promise=PureDP(1.0),
    relation=BoundedAnswers(),
    pairs=(PAIR,),
    source=ABOVE_THRESHOLD_SOURCE,
    summary="Which of ten answers is the first above a threshold, with noise on both.",
    true_epsilon=0.9304172360191079,
    tags=("sparse-vector",),
)


def _twin(
    number: int, run: Callable[..., Any], true_epsilon: float, summary: str, **changed: Any
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
        true_epsilon=0.9304172360191079,
    ),
    replace(
        _SOUND,
        name="sparse-vector/numeric",
        run=partial(numeric_sparse, threshold=0.5, epsilon=1.0, cutoff=1),
        source=NUMERIC_SOURCE,
        summary="The first of ten answers above a noisy threshold, released with fresh noise.",
        true_epsilon=0.9344713692879791,
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
        1.7417900881431883,
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
        4.030821251957923,
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
