"""Catalogue: privacy of the training set, for HSIC, rank scores and log IQR."""

import math
from functools import partial
from typing import Any

from provado.mechanisms.definitions import ApproximateDP, Mechanism, PureDP, Verdict
from provado.mechanisms.scores.kendall import kendall_printed
from provado.mechanisms.scores.score import Score
from provado.mechanisms.scores.spearman import spearman

from ..releases import release as ptr
from ..releases import training_set as release
from . import datasets as on
from .datasets import Fields, Rows, entry, fields

Pair = tuple[Rows, Rows]

_TRAINING: Fields = {"kernel": on.KERNEL, "lam": on.LAM}


def _ranks(
    score: Score,
    *,
    move: release.Move = release.repaired_move,
    distance: release.Distance = release.distance_repaired,
    test: Rows = on.APART,
    pair: Pair = on.COUNTED,
    epsilon: int = 1,
    delta: float = 0.05,
) -> Fields:
    """Return the fields of a rank score, exact or ⊥, claimed (2ε, 2δ)-DP."""
    return fields(
        release.release_training_ranks,
        ApproximateDP(2.0 * epsilon, 2 * delta),
        pair,
        place="section 5.1",
        test=test,
        score=score,
        epsilon=epsilon,
        delta=delta,
        move=move,
        distance=distance,
        **_TRAINING,
    )


def _hsic(sensitivity: release.HsicSensitivity) -> Fields:
    """Return the fields of HSIC with noise for a sensitivity, claimed (2, 0)-DP."""
    return fields(
        release.release_training_hsic,
        PureDP(2.0),
        on.HSIC_TRAINING,
        place="Theorem 7",
        test=on.HSIC_TEST,
        input_kernel=on.KERNEL,
        residual_kernel=on.KERNEL,
        epsilon=1,
        sensitivity=sensitivity,
        **_TRAINING,
    )


def _iqr(**rules: Any) -> Fields:
    """Return the fields of two log-IQRs of residuals, claimed (6, 0.2)-DP."""
    return fields(
        release.release_training_iqr,
        ApproximateDP(6.0, 2 * 0.1),
        on.EDGE_TRAINING,
        place="section 5.3",
        test=on.EDGE_TEST,
        epsilon=1,
        delta=0.1,
        **_TRAINING,
        **rules,
    )


_flipped = partial(_ranks, kendall_printed, test=on.CLOSE, pair=on.FLIPPED, epsilon=3, delta=0.01)

_FLIPPED = entry(
    name="kusner2016/training-kendall-flipped",
    true_epsilon=0.0,
    **_flipped(),
    summary="Kendall's τ with the repaired distance, where one training row changes the score.",
)

MECHANISMS: tuple[Mechanism, ...] = (
    entry(
        name="kusner2016/training-kendall-printed",
        true_epsilon=0.7778978944143091,
        **_ranks(
            kendall_printed,
            move=release.printed_move,
            distance=release.distance_floor,
            test=on.APART_PRINTED,
        ),
        summary="Kendall's τ, released where ⌊nγλ^(3/2)/16⌋ says that training rows leave it be.",
    ),
    entry(
        name="kusner2016/training-kendall",
        true_epsilon=0.7757866651318182,
        **_ranks(kendall_printed),
        summary="Kendall's τ, released where the repaired distance to instability is large.",
    ),
    entry(
        name="kusner2016/training-spearman",
        true_epsilon=0.7757866651318182,
        **_ranks(spearman),
        summary="Spearman's ρ, released where the repaired distance to instability is large.",
    ),
    _FLIPPED,
    # The strict inequality that is printed for the stability of a score.
    _FLIPPED.twin(
        "kusner2016-training-kendall-strict",
        true_epsilon=math.inf,
        **_flipped(move=release.printed_move, distance=release.distance_strict),
        summary="Kendall's τ with d = ⌊γ/(2b)⌋ + 1, the least that the printed d > ⌊γ/(2b)⌋ "
        "allows: it is above 0 on unstable datasets.",
    ),
    entry(
        name="kusner2016/training-hsic-printed",
        true_epsilon=0.0007312408594892564,
        **_hsic(release.hsic_training_sensitivity_printed),
        summary="HSIC with Laplace noise for the printed training-set sensitivity.",
    ),
    entry(
        name="kusner2016/training-hsic",
        true_epsilon=0.06183345901109555,
        **_hsic(release.hsic_training_sensitivity),
        summary="HSIC with Laplace noise for a training-set sensitivity some 16√m times smaller.",
    ),
    entry(
        name="kusner2016/training-iqr-printed",
        true_epsilon=12.482642322283937,
        **_iqr(move=release.printed_move, bins=ptr.printed_bins, threshold=ptr.printed_threshold),
        expected=Verdict.VIOLATION,
        summary="Two log-IQRs of residuals by the printed propose-test-release on training rows.",
    ),
    entry(
        name="kusner2016/training-iqr",
        true_epsilon=0.0,
        **_iqr(),
        summary="Two log-IQRs of residuals by the repaired propose-test-release on training rows.",
    ),
)
