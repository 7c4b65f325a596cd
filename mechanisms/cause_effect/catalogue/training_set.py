"""Catalogue: privacy of the training set, for HSIC, rank scores and log IQR."""

from __future__ import annotations

from functools import partial

from provado.mechanisms.cause_effect.releases.exact_loss import (
    laplace_epsilon,
    proposals_epsilon,
    ranks_epsilon,
)
from provado.mechanisms.cause_effect.releases.propose_test_release import (
    Bins,
    Threshold,
    printed_bins,
    printed_threshold,
    repaired_bins,
    repaired_threshold,
)
from provado.mechanisms.cause_effect.releases.testing_set import two_scores
from provado.mechanisms.cause_effect.releases.training_set import (
    Distance,
    HsicSensitivity,
    Move,
    distance_floor,
    distance_repaired,
    distance_strict,
    hsic_training_sensitivity,
    hsic_training_sensitivity_printed,
    printed_move,
    propose_training,
    release_training_hsic,
    release_training_iqr,
    release_training_ranks,
    repaired_move,
    smallest_gap,
    stability_threshold,
    trained_vectors,
)
from provado.mechanisms.definitions import ApproximateDP, Mechanism, PureDP, Source, Verdict
from provado.mechanisms.scores.hsic.hsic import hsic
from provado.mechanisms.scores.kendall import kendall_printed
from provado.mechanisms.scores.score import Score
from provado.mechanisms.scores.spearman import spearman

from . import training_pairs as on
from .datasets import WORK, Fields, Rows, entry

Pair = tuple[Rows, Rows]

_TRAINING: Fields = {"kernel": on.KERNEL, "lam": on.LAM}
_trained = partial(trained_vectors, kernel=on.KERNEL, lam=on.LAM)
_HSIC: Score = partial(hsic, kernel_a=on.KERNEL, kernel_b=on.KERNEL)


def _ranks_epsilon(
    pair: Pair,
    *,
    test: Rows,
    score: Score,
    epsilon: int,
    delta: float,
    move: Move,
    distance: Distance,
) -> float:
    vectors = [_trained(rows, test) for rows in pair]
    furthest = move(len(pair[0]), on.LAM)
    return ranks_epsilon(
        [two_scores(v, score) for v in vectors],
        [[distance(smallest_gap(r), furthest) for r in (v.r_y, v.r_x)] for v in vectors],
        epsilon=epsilon,
        threshold=stability_threshold(epsilon, delta),
        delta=2 * delta,
    )


def _ranks(
    score: Score,
    *,
    move: Move = repaired_move,
    distance: Distance = distance_repaired,
    test: Rows = on.APART,
    pair: Pair = on.COUNTED,
    epsilon: int = 1,
    delta: float = 0.05,
) -> Fields:
    """Return the fields of a rank score, exact or ⊥, claimed (2ε, 2δ)-DP."""
    setting: Fields = {
        "test": test,
        "score": score,
        "epsilon": epsilon,
        "delta": delta,
        "move": move,
        "distance": distance,
    }
    return {
        "run": partial(release_training_ranks, **_TRAINING, **setting),
        "promise": ApproximateDP(2.0 * epsilon, 2 * delta),
        "pairs": (pair,),
        "source": Source(WORK, "section 5.1"),
        "true_epsilon": partial(_ranks_epsilon, pair, **setting),
    }


def _hsic_epsilon(pair: Pair, sensitivity: HsicSensitivity) -> float:
    d, d_prime = (two_scores(_trained(rows, on.HSIC_TEST), _HSIC) for rows in pair)
    bound = sensitivity(len(pair[0]), len(on.HSIC_TEST), on.LAM, on.KERNEL.lipschitz)
    return laplace_epsilon(d, d_prime, sensitivity=bound, epsilon=1)


def _hsic(sensitivity: HsicSensitivity) -> Fields:
    """Return the fields of HSIC with noise for a sensitivity, claimed (2, 0)-DP."""
    return {
        "run": partial(
            release_training_hsic,
            test=on.HSIC_TEST,
            **_TRAINING,
            input_kernel=on.KERNEL,
            residual_kernel=on.KERNEL,
            epsilon=1,
            sensitivity=sensitivity,
        ),
        "promise": PureDP(2.0),
        "pairs": (on.HSIC_TRAINING,),
        "source": Source(WORK, "Theorem 7"),
        "true_epsilon": partial(_hsic_epsilon, on.HSIC_TRAINING, sensitivity),
    }


def _iqr_epsilon(
    pair: Pair, *, epsilon: int, delta: float, move: Move, bins: Bins, threshold: Threshold
) -> float:
    furthest = move(len(pair[0]), on.LAM)
    d, d_prime = (
        [propose_training(r, move=furthest, bins=bins) for r in (v.r_x, v.r_y)]
        for v in (_trained(rows, on.EDGE_TEST) for rows in pair)
    )
    level = threshold(epsilon, delta)
    return proposals_epsilon(d, d_prime, epsilon=epsilon, threshold=level, delta=2 * delta)


def _iqr(move: Move, bins: Bins, threshold: Threshold) -> Fields:
    """Return the fields of two log-IQRs of residuals, claimed (6, 0.2)-DP."""
    setting: Fields = {
        "epsilon": 1,
        "delta": 0.1,
        "move": move,
        "bins": bins,
        "threshold": threshold,
    }
    return {
        "run": partial(release_training_iqr, test=on.EDGE_TEST, **_TRAINING, **setting),
        "promise": ApproximateDP(6.0, 2 * 0.1),
        "pairs": (on.EDGE_TRAINING,),
        "source": Source(WORK, "section 5.3"),
        "true_epsilon": partial(_iqr_epsilon, on.EDGE_TRAINING, **setting),
    }


_flipped = partial(_ranks, kendall_printed, test=on.CLOSE, pair=on.FLIPPED, epsilon=3, delta=0.01)

_FLIPPED = entry(
    name="kusner2016/training-kendall-flipped",
    **_flipped(),
    summary="Kendall's τ with the repaired distance, where one training row changes the score.",
)

MECHANISMS: tuple[Mechanism, ...] = (
    entry(
        name="kusner2016/training-kendall-printed",
        **_ranks(
            kendall_printed, move=printed_move, distance=distance_floor, test=on.APART_PRINTED
        ),
        summary="Kendall's τ, released where ⌊nγλ^(3/2)/16⌋ says that training rows leave it be.",
    ),
    entry(
        name="kusner2016/training-kendall",
        **_ranks(kendall_printed),
        summary="Kendall's τ, released where the repaired distance to instability is large.",
    ),
    entry(
        name="kusner2016/training-spearman",
        **_ranks(spearman),
        summary="Spearman's ρ, released where the repaired distance to instability is large.",
    ),
    _FLIPPED,
    # The strict inequality that is printed for the stability of a score.
    _FLIPPED.twin(
        "kusner2016-training-kendall-strict",
        **_flipped(move=printed_move, distance=distance_strict),
        summary="Kendall's τ with d = ⌊γ/(2b)⌋ + 1, the least that the printed d > ⌊γ/(2b)⌋ "
        "allows: it is above 0 on unstable datasets.",
    ),
    entry(
        name="kusner2016/training-hsic-printed",
        **_hsic(hsic_training_sensitivity_printed),
        summary="HSIC with Laplace noise for the printed training-set sensitivity.",
    ),
    entry(
        name="kusner2016/training-hsic",
        **_hsic(hsic_training_sensitivity),
        summary="HSIC with Laplace noise for a training-set sensitivity some 16√m times smaller.",
    ),
    entry(
        name="kusner2016/training-iqr-printed",
        **_iqr(printed_move, printed_bins, printed_threshold),
        expected=Verdict.VIOLATION,
        summary="Two log-IQRs of residuals by the printed propose-test-release on training rows.",
    ),
    entry(
        name="kusner2016/training-iqr",
        **_iqr(repaired_move, repaired_bins, repaired_threshold),
        summary="Two log-IQRs of residuals by the repaired propose-test-release on training rows.",
    ),
)
