"""Catalogue: one row of either the training or the test set is replaced."""

from provado.mechanisms.definitions import ApproximateDP, Mechanism, PureDP
from provado.mechanisms.scores.kendall import KENDALL_PRINTED
from provado.mechanisms.scores.score import RankScore
from provado.mechanisms.scores.spearman import SPEARMAN

from ..releases import training_set as release
from . import datasets as on
from .datasets import Fields, entry, fields

EPSILON, DELTA, PROPOSED = 1, 0.05, 160
"""ε of each noise, δ of each release, and n* of the rank scores."""

_SETTING: Fields = {
    "place": "sections 4 and 5, used jointly; our extension",
    "kernel": on.KERNEL,
    "lam": on.LAM,
    "epsilon": EPSILON,
}


def _ranks(name: str, score: RankScore, called: str) -> Mechanism:
    return entry(
        name=name,
        true_epsilon=0.0,
        **fields(
            release.release_both_ranks,
            ApproximateDP(4.0 * EPSILON, 2 * DELTA),
            on.BOTH_RANKS,
            on.BOTH_RANKS_TEST,
            n=200,
            score=score,
            delta=DELTA,
            proposed=PROPOSED,
            **_SETTING,
        ),
        summary=f"{called} with Laplace noise, released where few pairs of residuals are close.",
    )


MECHANISMS: tuple[Mechanism, ...] = (
    entry(
        name="kusner2016/both-hsic",
        true_epsilon=0.02729002836726633,
        **fields(
            release.release_both_hsic,
            PureDP(2.0 * EPSILON),
            on.BOTH_HSIC_TEST,
            on.BOTH_HSIC,
            n=10,
            input_kernel=on.KERNEL,
            residual_kernel=on.KERNEL,
            **_SETTING,
        ),
        summary="HSIC with Laplace noise for the larger of its training-set and test-set "
        "sensitivities.",
    ),
    _ranks("kusner2016/both-kendall", KENDALL_PRINTED, "Kendall's τ"),
    _ranks("kusner2016/both-spearman", SPEARMAN, "Spearman's ρ"),
    entry(
        name="kusner2016/both-iqr",
        true_epsilon=0.0,
        **fields(
            release.release_both_iqr,
            ApproximateDP(12.0 * EPSILON, 4 * DELTA),
            on.BOTH_IQR_TEST,
            on.BOTH_IQR,
            n=400,
            delta=DELTA,
            **_SETTING,
        ),
        summary="Four log-IQRs by propose-test-release that counts rows of either set.",
    ),
)
