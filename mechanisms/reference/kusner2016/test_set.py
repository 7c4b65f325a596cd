"""Catalogue: Laplace noise on dependence scores, for the privacy of the test set."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from provado.mechanisms import Mechanism, PureDP, ReplaceOne, Source, Verdict
from provado.mechanisms.private.exact_loss import laplace_epsilon
from provado.mechanisms.private.rows import four_vectors, halved
from provado.mechanisms.private.test_set import release_test_set, two_scores
from provado.mechanisms.reference.kusner2016.pairs import AGAINST, ASTRAY, Rows
from provado.mechanisms.scores.hsic import hsic, hsic_sensitivity, hsic_sensitivity_improved
from provado.mechanisms.scores.kendall import kendall_printed, kendall_sensitivity
from provado.mechanisms.scores.kernels import SquaredExponential
from provado.mechanisms.scores.score import Score
from provado.mechanisms.scores.spearman import spearman, spearman_sensitivity

EPSILON = 1
"""ε of each score: the claim is (2, 0)."""

KERNEL = SquaredExponential(1.0)
HSIC: Score = partial(hsic, kernel_a=KERNEL, kernel_b=KERNEL)


def score_entry(
    name: str,
    score: Score,
    sensitivity: Callable[[int], Fraction],
    pair: tuple[Rows, Rows],
    *,
    place: str,
    expected: Verdict = Verdict.NO_VIOLATION,
    summary: str,
    tags: tuple[str, ...] = ("kusner2016",),
) -> Mechanism:
    """Return the entry of two noisy scores with f and g halving, its true ε computed exactly."""
    bound = sensitivity(len(pair[0]))
    d, d_prime = (two_scores(four_vectors(rows, halved, halved), score) for rows in pair)
    return Mechanism(
        name=name,
        run=partial(
            release_test_set,
            score=score,
            sensitivity=bound,
            f=halved,
            g=halved,
            epsilon=EPSILON,
        ),
        promise=PureDP(2.0 * EPSILON),
        relation=ReplaceOne(),
        pairs=(pair,),
        source=Source("Kusner et al., Private Causal Inference (2016)", place),
        expected=expected,
        summary=summary,
        true_epsilon=laplace_epsilon(d, d_prime, sensitivity=bound, epsilon=EPSILON),
        tags=tags,
    )


MECHANISMS: tuple[Mechanism, ...] = (
    score_entry(
        "kusner2016/test-spearman",
        spearman,
        spearman_sensitivity,
        AGAINST,
        place="Theorem 1",
        summary="Spearman's ρ in both directions with Laplace noise for a sensitivity of 30/m.",
    ),
    score_entry(
        "kusner2016/test-kendall",
        kendall_printed,
        kendall_sensitivity,
        AGAINST,
        place="Theorem 1",
        summary="Kendall's τ in both directions with Laplace noise for a sensitivity of 4/m.",
    ),
    score_entry(
        "kusner2016/test-hsic",
        HSIC,
        hsic_sensitivity,
        ASTRAY,
        place="Theorem 3",
        summary="HSIC in both directions with noise for a sensitivity of (16m − 8)/(m − 1)².",
    ),
    score_entry(
        "kusner2016/test-hsic-improved",
        HSIC,
        hsic_sensitivity_improved,
        ASTRAY,
        place="section 4.2 and appendix",
        summary="HSIC in both directions with noise for a sensitivity of (12m − 11)/(m − 1)².",
    ),
)
