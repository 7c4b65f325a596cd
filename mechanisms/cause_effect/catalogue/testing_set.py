"""Catalogue: Laplace noise on dependence scores, for the privacy of the test set."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from provado.mechanisms.cause_effect.releases.exact_loss import laplace_epsilon
from provado.mechanisms.cause_effect.releases.testing_set import (
    four_vectors,
    halved,
    release_test_set,
    two_scores,
)
from provado.mechanisms.definitions import Mechanism, PureDP, Source
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.hsic.hsic import (
    hsic,
    hsic_median_heuristic,
    hsic_sensitivity,
    hsic_sensitivity_improved,
)
from provado.mechanisms.scores.kendall import kendall_printed, kendall_sensitivity
from provado.mechanisms.scores.score import Score
from provado.mechanisms.scores.spearman import spearman, spearman_sensitivity

from . import datasets as on
from .datasets import WORK, Fields, Rows, entry

EPSILON = 1
"""ε of each score: the claim is (2, 0)."""

KERNEL = SquaredExponential(1.0)
HSIC: Score = partial(hsic, kernel_a=KERNEL, kernel_b=KERNEL)


def _pair_epsilon(pair: tuple[Rows, Rows], score: Score, bound: Fraction) -> float:
    d, d_prime = (two_scores(four_vectors(rows, halved, halved), score) for rows in pair)
    return laplace_epsilon(d, d_prime, sensitivity=bound, epsilon=EPSILON)


def _release(
    score: Score, sensitivity: Callable[[int], Fraction], pair: tuple[Rows, Rows], place: str
) -> Fields:
    """Return an entry's fields: two noisy scores with f and g halving, and their exact ε."""
    bound = sensitivity(len(pair[0]))
    release = partial(release_test_set, score=score, sensitivity=bound, epsilon=EPSILON)
    return {
        "run": partial(release, f=halved, g=halved),
        "promise": PureDP(2.0 * EPSILON),
        "pairs": (pair,),
        "source": Source(WORK, place),
        "true_epsilon": partial(_pair_epsilon, pair, score, bound),
    }


_HSIC = entry(
    name="kusner2016/test-hsic",
    **_release(HSIC, hsic_sensitivity, on.ASTRAY, "Theorem 3"),
    summary="HSIC in both directions with noise for a sensitivity of (16m − 8)/(m − 1)².",
)

MECHANISMS: tuple[Mechanism, ...] = (
    entry(
        name="kusner2016/test-spearman",
        **_release(spearman, spearman_sensitivity, on.AGAINST, "Theorem 1"),
        summary="Spearman's ρ in both directions with Laplace noise for a sensitivity of 30/m.",
    ),
    entry(
        name="kusner2016/test-kendall",
        **_release(kendall_printed, kendall_sensitivity, on.AGAINST, "Theorem 1"),
        summary="Kendall's τ in both directions with Laplace noise for a sensitivity of 4/m.",
    ),
    _HSIC,
    entry(
        name="kusner2016/test-hsic-improved",
        **_release(HSIC, hsic_sensitivity_improved, on.ASTRAY, "section 4.2 and appendix"),
        summary="HSIC in both directions with noise for a sensitivity of (12m − 11)/(m − 1)².",
    ),
    # Bandwidths taken from the data, and the noise for fixed kernels.
    _HSIC.twin(
        "kusner2016-hsic-median",
        **_release(
            hsic_median_heuristic,
            hsic_sensitivity,
            on.MEDIAN_FLIP,
            "equation (1), with the noise of Theorem 3",
        ),
        summary="HSIC with the median heuristic: one row moves both bandwidths, and the score by "
        "more than Theorem 3 allows for fixed kernels.",
    ),
)
