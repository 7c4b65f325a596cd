"""Catalogue: one row of either the training or the test set is replaced."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from provado.mechanisms.cause_effect.additive_noise_model import Residuals
from provado.mechanisms.cause_effect.releases.both_sets import (
    crowding_threshold,
    distance_to_crowding,
    propose_both,
    release_both_hsic,
    release_both_iqr,
    release_both_ranks,
    split_vectors,
)
from provado.mechanisms.cause_effect.releases.exact_loss import laplace_epsilon, proposals_epsilon
from provado.mechanisms.cause_effect.releases.propose_test_release import (
    Proposal,
    repaired_threshold,
)
from provado.mechanisms.cause_effect.releases.testing_set import grid_for, two_scores
from provado.mechanisms.cause_effect.releases.training_set import (
    hsic_training_sensitivity,
    repaired_move,
)
from provado.mechanisms.definitions import ApproximateDP, Mechanism, PureDP, Source
from provado.mechanisms.noise.exact_noise import to_grid
from provado.mechanisms.scores.hsic.hsic import hsic, hsic_sensitivity
from provado.mechanisms.scores.kendall import KENDALL_PRINTED
from provado.mechanisms.scores.score import RankScore
from provado.mechanisms.scores.spearman import SPEARMAN

from . import training_pairs as on
from .datasets import WORK, Fields, Rows, entry

EPSILON, DELTA, PROPOSED = 1, 0.05, 160
"""ε of each noise, δ of each release, and n* of the rank scores."""

_SETTING: Fields = {"kernel": on.KERNEL, "lam": on.LAM, "epsilon": EPSILON}
_entry = partial(entry, source=Source(WORK, "sections 4 and 5, used jointly; our extension"))


def _vectors(pair: tuple[Rows, Rows], n: int) -> tuple[Residuals, Residuals]:
    d, d_prime = (split_vectors(rows, n, kernel=on.KERNEL, lam=on.LAM) for rows in pair)
    return d, d_prime


def _hsic_epsilon() -> float:
    score = partial(hsic, kernel_a=on.KERNEL, kernel_b=on.KERNEL)
    d, d_prime = (two_scores(v, score) for v in _vectors(on.BOTH_HSIC_TEST, 10))
    training = hsic_training_sensitivity(10, 20, on.LAM, on.KERNEL.lipschitz)
    bound = max(hsic_sensitivity(20), training)
    return laplace_epsilon(d, d_prime, sensitivity=bound, epsilon=EPSILON)


def _ranks_epsilon(score: RankScore) -> float:
    grid, steps = grid_for(score.of_either_set(40, PROPOSED))
    move = repaired_move(200, on.LAM)

    def read(vectors: Residuals) -> list[Proposal]:
        counts = [distance_to_crowding(r, move, PROPOSED) for r in (vectors.r_y, vectors.r_x)]
        centers = to_grid(two_scores(vectors, score.of), grid)
        return [Proposal(float(c), (count,)) for c, count in zip(centers, counts, strict=True)]

    return proposals_epsilon(
        *map(read, _vectors(on.BOTH_RANKS, 200)),
        epsilon=EPSILON,
        threshold=crowding_threshold(EPSILON, DELTA),
        delta=2 * DELTA,
        grid=float(Fraction(1, steps)),
    )


def _ranks(name: str, score: RankScore, called: str) -> Mechanism:
    return _entry(
        name=name,
        run=partial(
            release_both_ranks, n=200, score=score, delta=DELTA, proposed=PROPOSED, **_SETTING
        ),
        promise=ApproximateDP(4.0 * EPSILON, 2 * DELTA),
        pairs=(on.BOTH_RANKS, on.BOTH_RANKS_TEST),
        summary=f"{called} with Laplace noise, released where few pairs of residuals are close.",
        true_epsilon=partial(_ranks_epsilon, score),
    )


def _iqr_epsilon() -> float:
    moves = (0.0, 0.0, *[repaired_move(400, on.LAM)] * 2)

    def read(vectors: Residuals) -> list[Proposal]:
        return [propose_both(v, move=move) for v, move in zip(vectors, moves, strict=True)]

    return proposals_epsilon(
        *map(read, _vectors(on.BOTH_IQR_TEST, 400)),
        epsilon=EPSILON,
        threshold=repaired_threshold(EPSILON, DELTA),
        delta=4 * DELTA,
    )


MECHANISMS: tuple[Mechanism, ...] = (
    _entry(
        name="kusner2016/both-hsic",
        run=partial(
            release_both_hsic, n=10, input_kernel=on.KERNEL, residual_kernel=on.KERNEL, **_SETTING
        ),
        promise=PureDP(2.0 * EPSILON),
        pairs=(on.BOTH_HSIC_TEST, on.BOTH_HSIC),
        summary="HSIC with Laplace noise for the larger of its training-set and test-set "
        "sensitivities.",
        true_epsilon=_hsic_epsilon,
    ),
    _ranks("kusner2016/both-kendall", KENDALL_PRINTED, "Kendall's τ"),
    _ranks("kusner2016/both-spearman", SPEARMAN, "Spearman's ρ"),
    _entry(
        name="kusner2016/both-iqr",
        run=partial(release_both_iqr, n=400, delta=DELTA, **_SETTING),
        promise=ApproximateDP(12.0 * EPSILON, 4 * DELTA),
        pairs=(on.BOTH_IQR_TEST, on.BOTH_IQR),
        summary="Four log-IQRs by propose-test-release that counts rows of either set.",
        true_epsilon=_iqr_epsilon,
    ),
)
