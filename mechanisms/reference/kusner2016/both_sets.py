"""Catalogue: one row of either the training or the test set is replaced."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from provado.mechanisms import ApproximateDP, PrivacyPromise, PureDP, ReplaceOne, Source, Verdict
from provado.mechanisms.grid import to_grid
from provado.mechanisms.mechanism import Mechanism, Run
from provado.mechanisms.private.both_sets import (
    propose_both,
    release_both_hsic,
    release_both_iqr,
    split_vectors,
)
from provado.mechanisms.private.both_sets_ranks import (
    KENDALL,
    SPEARMAN,
    RankScore,
    crowding_threshold,
    distance_to_crowding,
    release_both_ranks,
)
from provado.mechanisms.private.exact_loss import (
    laplace_epsilon,
    proposals_epsilon,
)
from provado.mechanisms.private.propose_test_release import Proposal, repaired_threshold
from provado.mechanisms.private.rows import FourVectors
from provado.mechanisms.private.test_set import grid_for, two_scores
from provado.mechanisms.private.training_set import hsic_training_sensitivity, repaired_move
from provado.mechanisms.reference.kusner2016.pairs import Rows
from provado.mechanisms.reference.kusner2016.training_pairs import (
    BOTH_HSIC,
    BOTH_HSIC_TEST,
    BOTH_IQR,
    BOTH_IQR_TEST,
    BOTH_RANKS,
    BOTH_RANKS_TEST,
    KERNEL,
    LAM,
)
from provado.mechanisms.scores.hsic import hsic, hsic_sensitivity

_SOURCE = Source(
    "Kusner et al., Private Causal Inference (2016)",
    "sections 4 and 5, used jointly; our extension",
)
EPSILON, DELTA, PROPOSED = 1, 0.05, 160
"""ε of each noise, δ of each release, and n* of the rank scores."""


def _entry(
    name: str,
    run: Run,
    promise: PrivacyPromise,
    pairs: tuple[tuple[Rows, Rows], ...],
    true_epsilon: float,
    summary: str,
) -> Mechanism:
    return Mechanism(
        name=name,
        run=partial(run, kernel=KERNEL, lam=LAM, epsilon=EPSILON),
        promise=promise,
        relation=ReplaceOne(),
        pairs=pairs,
        source=_SOURCE,
        expected=Verdict.NO_VIOLATION,
        summary=summary,
        true_epsilon=true_epsilon,
        tags=("kusner2016",),
    )


def _vectors(pair: tuple[Rows, Rows], n: int) -> tuple[FourVectors, FourVectors]:
    d, d_prime = (split_vectors(rows, n, kernel=KERNEL, lam=LAM) for rows in pair)
    return d, d_prime


def _hsic() -> Mechanism:
    score = partial(hsic, kernel_a=KERNEL, kernel_b=KERNEL)
    d, d_prime = (two_scores(v, score) for v in _vectors(BOTH_HSIC_TEST, 10))
    bound = max(hsic_sensitivity(20), hsic_training_sensitivity(10, 20, LAM, KERNEL.lipschitz))
    return _entry(
        "kusner2016/both-hsic",
        partial(release_both_hsic, n=10, input_kernel=KERNEL, residual_kernel=KERNEL),
        PureDP(2.0 * EPSILON),
        (BOTH_HSIC_TEST, BOTH_HSIC),
        laplace_epsilon(d, d_prime, sensitivity=bound, epsilon=EPSILON),
        "HSIC with Laplace noise for the larger of its training-set and test-set sensitivities.",
    )


def _ranks(name: str, score: RankScore, summary: str) -> Mechanism:
    threshold = crowding_threshold(EPSILON, DELTA)
    grid, steps = grid_for(score.sensitivity(40, PROPOSED))

    def read(vectors: FourVectors) -> list[Proposal]:
        counts = [
            distance_to_crowding(r, repaired_move(200, LAM), PROPOSED)
            for r in (vectors.r_y, vectors.r_x)
        ]
        centers = to_grid(two_scores(vectors, score.of), grid)
        return [Proposal(float(c), (count,)) for c, count in zip(centers, counts, strict=True)]

    d, d_prime = (read(v) for v in _vectors(BOTH_RANKS, 200))
    return _entry(
        name,
        partial(release_both_ranks, n=200, score=score, delta=DELTA, proposed=PROPOSED),
        ApproximateDP(4.0 * EPSILON, 2 * DELTA),
        (BOTH_RANKS, BOTH_RANKS_TEST),
        proposals_epsilon(
            d,
            d_prime,
            epsilon=EPSILON,
            threshold=threshold,
            delta=2 * DELTA,
            grid=float(Fraction(1, steps)),
        ),
        summary,
    )


def _iqr() -> Mechanism:
    d, d_prime = (
        [
            propose_both(values, move=move)
            for values, move in zip(v, (0.0, 0.0, *[repaired_move(400, LAM)] * 2), strict=True)
        ]
        for v in _vectors(BOTH_IQR_TEST, 400)
    )
    return _entry(
        "kusner2016/both-iqr",
        partial(release_both_iqr, n=400, delta=DELTA),
        ApproximateDP(12.0 * EPSILON, 4 * DELTA),
        (BOTH_IQR_TEST, BOTH_IQR),
        proposals_epsilon(
            d,
            d_prime,
            epsilon=EPSILON,
            threshold=repaired_threshold(EPSILON, DELTA),
            delta=4 * DELTA,
        ),
        "Four log-IQRs by propose-test-release that counts rows of either set.",
    )


MECHANISMS: tuple[Mechanism, ...] = (
    _hsic(),
    _ranks(
        "kusner2016/both-kendall",
        KENDALL,
        "Kendall's τ with Laplace noise, released where few pairs of residuals are close.",
    ),
    _ranks(
        "kusner2016/both-spearman",
        SPEARMAN,
        "Spearman's ρ with Laplace noise, released where few pairs of residuals are close.",
    ),
    _iqr(),
)
