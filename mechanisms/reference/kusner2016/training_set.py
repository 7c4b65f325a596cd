"""Catalogue: privacy of the training set, for HSIC, rank scores and log IQR."""

from __future__ import annotations

from functools import partial

from provado.mechanisms import ApproximateDP, Mechanism, PureDP, ReplaceOne, Source, Verdict
from provado.mechanisms.private.exact_loss import laplace_epsilon, proposals_epsilon, ranks_epsilon
from provado.mechanisms.private.log_bins import Bins, printed_bins, repaired_bins
from provado.mechanisms.private.propose_test_release import (
    Threshold,
    printed_threshold,
    repaired_threshold,
)
from provado.mechanisms.private.test_set import two_scores
from provado.mechanisms.private.training_iqr import propose_training, release_training_iqr
from provado.mechanisms.private.training_ranks import (
    Distance,
    distance_floor,
    distance_repaired,
    release_training_ranks,
    smallest_gap,
    stability_threshold,
)
from provado.mechanisms.private.training_set import (
    HsicSensitivity,
    Move,
    hsic_training_sensitivity,
    hsic_training_sensitivity_printed,
    printed_move,
    release_training_hsic,
    repaired_move,
    trained_vectors,
)
from provado.mechanisms.reference.kusner2016.pairs import Rows
from provado.mechanisms.reference.kusner2016.training_pairs import (
    APART,
    APART_PRINTED,
    CLOSE,
    COUNTED,
    EDGE_TEST,
    EDGE_TRAINING,
    FLIPPED,
    HSIC_TEST,
    HSIC_TRAINING,
    KERNEL,
    LAM,
)
from provado.mechanisms.scores.hsic import hsic
from provado.mechanisms.scores.kendall import kendall_printed
from provado.mechanisms.scores.score import Score
from provado.mechanisms.scores.spearman import spearman

_WORK = "Kusner et al., Private Causal Inference (2016)"
_trained = partial(trained_vectors, kernel=KERNEL, lam=LAM)


def rank_entry(
    name: str,
    score: Score,
    *,
    move: Move,
    distance: Distance,
    test: Rows = APART,
    pair: tuple[Rows, Rows] = COUNTED,
    epsilon: int = 1,
    delta: float = 0.05,
    expected: Verdict = Verdict.NO_VIOLATION,
    summary: str,
    tags: tuple[str, ...] = ("kusner2016",),
) -> Mechanism:
    """Return the entry of a rank score, exact or ⊥, claimed (2ε, 2δ)-DP."""
    vectors = [_trained(rows, test) for rows in pair]
    counts = [
        [distance(smallest_gap(r), move(len(pair[0]), LAM)) for r in (v.r_y, v.r_x)]
        for v in vectors
    ]
    return Mechanism(
        name=name,
        run=partial(
            release_training_ranks,
            test=test,
            score=score,
            kernel=KERNEL,
            lam=LAM,
            epsilon=epsilon,
            delta=delta,
            move=move,
            distance=distance,
        ),
        promise=ApproximateDP(2.0 * epsilon, 2 * delta),
        relation=ReplaceOne(),
        pairs=(pair,),
        source=Source(_WORK, "section 5.1"),
        expected=expected,
        summary=summary,
        true_epsilon=ranks_epsilon(
            [two_scores(v, score) for v in vectors],
            counts,
            epsilon=epsilon,
            threshold=stability_threshold(epsilon, delta),
            delta=2 * delta,
        ),
        tags=tags,
    )


def _hsic_entry(name: str, sensitivity: HsicSensitivity, summary: str) -> Mechanism:
    pair = HSIC_TRAINING
    score = partial(hsic, kernel_a=KERNEL, kernel_b=KERNEL)
    d, d_prime = (two_scores(_trained(rows, HSIC_TEST), score) for rows in pair)
    bound = sensitivity(len(pair[0]), len(HSIC_TEST), LAM, KERNEL.lipschitz)
    return Mechanism(
        name=name,
        run=partial(
            release_training_hsic,
            test=HSIC_TEST,
            kernel=KERNEL,
            lam=LAM,
            input_kernel=KERNEL,
            residual_kernel=KERNEL,
            epsilon=1,
            sensitivity=sensitivity,
        ),
        promise=PureDP(2.0),
        relation=ReplaceOne(),
        pairs=(pair,),
        source=Source(_WORK, "Theorem 7"),
        expected=Verdict.NO_VIOLATION,
        summary=summary,
        true_epsilon=laplace_epsilon(d, d_prime, sensitivity=bound, epsilon=1),
        tags=("kusner2016",),
    )


def _iqr_entry(
    name: str, move: Move, bins: Bins, threshold: Threshold, expected: Verdict, summary: str
) -> Mechanism:
    epsilon, delta = 1, 0.1
    furthest = move(len(EDGE_TRAINING[0]), LAM)
    d, d_prime = (
        [propose_training(r, move=furthest, bins=bins) for r in (v.r_x, v.r_y)]
        for v in (_trained(rows, EDGE_TEST) for rows in EDGE_TRAINING)
    )
    return Mechanism(
        name=name,
        run=partial(
            release_training_iqr,
            test=EDGE_TEST,
            kernel=KERNEL,
            lam=LAM,
            epsilon=epsilon,
            delta=delta,
            move=move,
            bins=bins,
            threshold=threshold,
        ),
        promise=ApproximateDP(6.0 * epsilon, 2 * delta),
        relation=ReplaceOne(),
        pairs=(EDGE_TRAINING,),
        source=Source(_WORK, "section 5.3"),
        expected=expected,
        summary=summary,
        true_epsilon=proposals_epsilon(
            d,
            d_prime,
            epsilon=epsilon,
            threshold=threshold(epsilon, delta),
            delta=2 * delta,
        ),
        tags=("kusner2016",),
    )


MECHANISMS: tuple[Mechanism, ...] = (
    rank_entry(
        "kusner2016/training-kendall-printed",
        kendall_printed,
        move=printed_move,
        distance=distance_floor,
        test=APART_PRINTED,
        summary="Kendall's τ, released where ⌊nγλ^(3/2)/16⌋ says that training rows leave it be.",
    ),
    rank_entry(
        "kusner2016/training-kendall",
        kendall_printed,
        move=repaired_move,
        distance=distance_repaired,
        summary="Kendall's τ, released where the repaired distance to instability is large.",
    ),
    rank_entry(
        "kusner2016/training-spearman",
        spearman,
        move=repaired_move,
        distance=distance_repaired,
        summary="Spearman's ρ, released where the repaired distance to instability is large.",
    ),
    rank_entry(
        "kusner2016/training-kendall-flipped",
        kendall_printed,
        move=repaired_move,
        distance=distance_repaired,
        test=CLOSE,
        pair=FLIPPED,
        epsilon=3,
        delta=0.01,
        summary="Kendall's τ with the repaired distance, where one training row changes the score.",
    ),
    _hsic_entry(
        "kusner2016/training-hsic-printed",
        hsic_training_sensitivity_printed,
        "HSIC with Laplace noise for the printed training-set sensitivity.",
    ),
    _hsic_entry(
        "kusner2016/training-hsic",
        hsic_training_sensitivity,
        "HSIC with Laplace noise for a training-set sensitivity some 16√m times smaller.",
    ),
    _iqr_entry(
        "kusner2016/training-iqr-printed",
        printed_move,
        printed_bins,
        printed_threshold,
        Verdict.VIOLATION,
        "Two log-IQRs of residuals by the printed propose-test-release on training rows.",
    ),
    _iqr_entry(
        "kusner2016/training-iqr",
        repaired_move,
        repaired_bins,
        repaired_threshold,
        Verdict.NO_VIOLATION,
        "Two log-IQRs of residuals by the repaired propose-test-release on training rows.",
    ),
)
