"""Privacy of the training set for rank scores: release the exact score where it is stable.

Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014), Algorithm 13: with d the
number of rows that must change to reach an unstable dataset (one with a neighbor of another score),
release the score if d + Lap(1/ε) > ln(1/δ)/ε, else ⊥. That is (ε, δ)-DP, and stays so with any
whole number L in place of d that has sensitivity 1 and is 0 on every unstable dataset: neighbors
with one score are told apart by one ε-DP bit; neighbors with two are both unstable, both have
L = 0, and each passes with probability δ/2.

Let γ be the smallest gap between two test residuals and b the most that one training row moves one.
**Repaired**: L = max(0, ⌈γ/(2b)⌉ − 1). γ moves by at most 2b, so ⌈γ/(2b)⌉ moves by at most 1. And
if a neighbor has another score, two residuals change their order or tie or untie, so their gap is
at most 2b, γ ≤ 2b, and L = 0.

**Printed** (section 5.1): "d > ⌊nγλ^(3/2)/16⌋", which is ⌊γ/(2b)⌋ with the printed b. As a lower
bound on d, the floor itself is right unless γ is an exact multiple of 2b, where it is one too
large: at γ = 2b two residuals can come to tie. The strict inequality is false: it says d ≥ 1 on
every dataset, unstable ones included, and with ⌊γ/(2b)⌋ + 1 for d they release with probability
e^ε·δ/2, not δ/2: for ε > ln 2 more than δ.

Source: Kusner et al., Private Causal Inference (2016), section 5.1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import positive, probability, vector
from provado.mechanisms.regression.kernels import Kernel
from provado.mechanisms.scores.score import Score

from .noisy_scores import REFUSED, exact_epsilon, passes
from .testing_set import two_scores
from .training_set import Move, repaired_move, trained_vectors

Distance = Callable[[float, float], int]
"""From (γ, b) to a claimed lower bound on the distance to instability."""


def smallest_gap(residuals: ArrayLike) -> float:
    """Return γ, the smallest |r_i − r_j| over pairs; ∞ for a single residual."""
    ordered = np.sort(vector(residuals, "residuals"))
    return float(np.min(np.diff(ordered), initial=math.inf))


def distance_repaired(gap: float, move: float) -> int:
    """Return max(0, ⌈γ/(2b)⌉ − 1), exactly; γ finite and not negative."""
    return max(0, math.ceil(_ratio(gap, move)) - 1)


def distance_floor(gap: float, move: float) -> int:
    """Return ⌊γ/(2b)⌋, the number printed in section 5.1."""
    return math.floor(_ratio(gap, move))


def distance_strict(gap: float, move: float) -> int:
    """Return ⌊γ/(2b)⌋ + 1, the least whole number that satisfies the printed "d > ⌊γ/(2b)⌋"."""
    return math.floor(_ratio(gap, move)) + 1


def _ratio(gap: float, move: float) -> Fraction:
    return Fraction(gap) / (2 * Fraction(positive(move, "move")))


def stability_threshold(epsilon: float, delta: float) -> float:
    """Return ln(1/δ)/ε of Algorithm 13; Lap(1/ε) exceeds it with probability δ/2."""
    return -math.log(probability(delta, "delta")) / epsilon


def release_training_ranks(
    data: Any,
    *,
    test: Any,
    score: Score,
    kernel: Kernel,
    lam: float,
    epsilon: Rational | int | float,
    delta: float,
    move: Move = repaired_move,
    distance: Distance = distance_repaired,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return ``size`` private releases of a rank score for both directions, each exact or ⊥.

    data: training rows, shape (n, 2); test: public test rows, shape (m, 2); within [−1, 1].
    score: a function of the ranks of both columns only, such as ``spearman`` by position with
        distinct values, or ``kendall_printed``.
    kernel, lam: of the regressions. epsilon, delta: spent on each score.
    move, distance: b and L; as they stand the repaired ones.

    Shape of the result: (size, 2); NaN is ⊥. Guarantee, with the repaired ones: (2ε, 2δ)-DP under
    replacement of one training row, with δ larger by 2^-49 for the tests' noise. Source: Kusner et
    al. (2016), section 5.1 and Theorem 6, repaired. Raises ``UsageError`` for parameters outside
    their range.
    """
    _, loss = exact_epsilon(epsilon)
    vectors = trained_vectors(data, test, kernel=kernel, lam=lam)
    furthest = move(len(data), lam)
    counts = [distance(smallest_gap(r), furthest) for r in (vectors.r_y, vectors.r_x)]
    threshold = stability_threshold(loss, delta)
    passed = passes(counts, threshold=threshold, epsilon=loss, size=size, rng=rng)
    return np.where(passed, two_scores(vectors, score), REFUSED)
