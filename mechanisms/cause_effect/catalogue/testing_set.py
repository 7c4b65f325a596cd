"""Catalogue: privacy of the test set, and propose-test-release of log IQR.

Scores have Laplace noise. The four log-IQRs of the additive noise model are composed by basic and
by advanced composition. Broken twins of propose-test-release have one of the two printed faults
repaired and the other left.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from provado.mechanisms.accounting.composition import corollary_share_printed
from provado.mechanisms.definitions import ApproximateDP, Mechanism, PureDP, Verdict
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.hsic import hsic
from provado.mechanisms.scores.kendall import kendall_printed, kendall_sensitivity
from provado.mechanisms.scores.score import Score
from provado.mechanisms.scores.spearman import spearman, spearman_sensitivity

from ..releases import release as ptr
from ..releases import testing_set as release
from . import datasets as on
from .datasets import Fields, Rows, entry, fields

KERNEL = SquaredExponential(1.0)
HSIC: Score = partial(hsic.hsic, kernel_a=KERNEL, kernel_b=KERNEL)

REPAIRED: Fields = {"bins": ptr.repaired_bins, "threshold": ptr.repaired_threshold}
PRINTED: Fields = {"bins": ptr.printed_bins, "threshold": ptr.printed_threshold}

EPSILON_PRIME, DELTA_PRIME = 0.9, 0.05
"""Total budget of advanced composition; Corollary 3.21 is stated for ε′ < 1."""


def _scores(
    score: Score, sensitivity: Callable[[int], Fraction], pair: tuple[Rows, Rows], place: str
) -> Fields:
    """Return the fields of two noisy scores with f and g halving, each with ε = 1."""
    return fields(
        release.release_test_set,
        PureDP(2.0),
        pair,
        place=place,
        score=score,
        sensitivity=sensitivity(len(pair[0])),
        f=release.halved,
        g=release.halved,
        epsilon=1,
    )


def _log_iqr(
    *pairs: Any, epsilon: Fraction = Fraction(1), delta: float = 0.02, **rules: Any
) -> Fields:
    """Return the fields of one log-IQR; at (3, 0.02) each dataset shows both answers."""
    return fields(
        ptr.propose_test_release,
        ApproximateDP(float(3 * epsilon), delta),
        *pairs,
        place="appendix, Algorithm 1, and section 4.3",
        epsilon=epsilon,
        delta=delta,
        **rules,
    )


def _four(*pairs: tuple[Rows, Rows], claim: tuple[float, float], **setting: Any) -> Fields:
    """Return the fields of the four log-IQRs with f and g halving."""
    halving = {"f": release.halved, "g": release.halved}
    promise = ApproximateDP(*claim)
    return fields(release.iqr_joint, promise, *pairs, place="section 4.3", **halving, **setting)


def _share(k: int) -> Fraction:
    return release.grid_share(corollary_share_printed(EPSILON_PRIME, DELTA_PRIME, k) / 3)


def _total(delta: float) -> tuple[float, float]:
    return EPSILON_PRIME, delta + DELTA_PRIME


_HSIC = entry(
    name="kusner2016/test-hsic",
    true_epsilon=0.09107729312179101,
    **_scores(HSIC, hsic.hsic_sensitivity, on.ASTRAY, "Theorem 3"),
    summary="HSIC in both directions with noise for a sensitivity of (16m − 8)/(m − 1)².",
)

_PTR = entry(
    name="kusner2016/ptr",
    true_epsilon=0.8951416652680564,
    **_log_iqr(on.WIDE, on.EDGE, on.JUMP, **REPAIRED),
    summary="Propose-test-release of log IQR with two grids of bins and the threshold "
    "1 + ln(1/δ)/ε.",
)

_jump = partial(_four, on.FAR_ROWS, epsilon=Fraction(1, 4), delta=0.05, grid=0.5, **REPAIRED)

_JUMP = entry(
    name="kusner2016/iqr-joint-jump",
    true_epsilon=0.0,
    **_jump(claim=(3.0, 0.2)),
    summary="Four log-IQRs, repaired, on a row that makes all four jump at once.",
)

_HALF: Fields = {"epsilon": Fraction(1, 2), "delta": 1e-6}

MECHANISMS: tuple[Mechanism, ...] = (
    entry(
        name="kusner2016/test-spearman",
        true_epsilon=0.3921269453768691,
        **_scores(spearman, spearman_sensitivity, on.AGAINST, "Theorem 1"),
        summary="Spearman's ρ in both directions with Laplace noise for a sensitivity of 30/m.",
    ),
    entry(
        name="kusner2016/test-kendall",
        true_epsilon=1.9999046392981452,
        **_scores(kendall_printed, kendall_sensitivity, on.AGAINST, "Theorem 1"),
        summary="Kendall's τ in both directions with Laplace noise for a sensitivity of 4/m.",
    ),
    _HSIC,
    entry(
        name="kusner2016/test-hsic-improved",
        true_epsilon=0.12253148810449385,
        **_scores(HSIC, hsic.hsic_sensitivity_improved, on.ASTRAY, "section 4.2 and appendix"),
        summary="HSIC in both directions with noise for a sensitivity of (12m − 11)/(m − 1)².",
    ),
    # Bandwidths taken from the data, and the noise for fixed kernels.
    _HSIC.twin(
        "kusner2016-hsic-median",
        true_epsilon=8.858730761922857,
        **_scores(
            hsic.hsic_median_heuristic,
            hsic.hsic_sensitivity,
            on.MEDIAN_FLIP,
            "equation (1), with the noise of Theorem 3",
        ),
        summary="HSIC with the median heuristic: one row moves both bandwidths, and the score by "
        "more than Theorem 3 allows for fixed kernels.",
    ),
    _PTR,
    entry(
        name="kusner2016/ptr-printed",
        true_epsilon=95.75695359130623,
        **_log_iqr(on.EDGE, **PRINTED),
        expected=Verdict.VIOLATION,
        summary="Propose-test-release of log IQR as printed: both bins are read from one grid, so "
        "that one point turns a sure release into a sure refusal.",
    ),
    _PTR.twin(
        "kusner2016-ptr-only-bins",
        true_epsilon=math.inf,
        **_log_iqr(
            on.JUMP,
            epsilon=Fraction(1, 10),
            delta=1e-6,
            **REPAIRED | {"threshold": ptr.printed_threshold},
        ),
        summary="Propose-test-release with two grids, but the printed threshold 1 + ln(1/δ), which "
        "noise of scale 1/ε passes too often when ε is below 1.",
    ),
    _PTR.twin(
        "kusner2016-ptr-only-threshold",
        true_epsilon=95.75695359130623,
        **_log_iqr(on.EDGE, **REPAIRED | {"bins": ptr.printed_bins}),
        summary="Propose-test-release with the right threshold, but both bins read from one grid.",
    ),
    entry(
        name="kusner2016/iqr-joint-printed",
        true_epsilon=86.5896964170388,
        **_four(on.EDGE_ROWS, claim=(4.5, 3e-6), **_HALF, **PRINTED),
        expected=Verdict.VIOLATION,
        summary="Four log-IQRs by the printed propose-test-release, composed as three.",
    ),
    entry(
        name="kusner2016/iqr-joint",
        true_epsilon=0.03899856041789462,
        **_four(on.EDGE_ROWS, on.WIDE_ROWS, claim=(6.0, 4e-6), **_HALF, **REPAIRED),
        summary="Four log-IQRs by the repaired propose-test-release, composed as four.",
    ),
    _JUMP,
    entry(
        name="kusner2016/iqr-joint-advanced-printed",
        true_epsilon=5.823452474000078,
        **_four(on.EDGE_ROWS, claim=_total(0.03), epsilon=_share(3), delta=0.01, **PRINTED),
        expected=Verdict.VIOLATION,
        summary="Four printed log-IQRs, each with a third of a budget by advanced composition.",
    ),
    entry(
        name="kusner2016/iqr-joint-advanced",
        true_epsilon=0.0,
        **_four(
            on.EDGE_ROWS,
            on.WIDE_ROWS,
            claim=_total(0.04),
            epsilon=_share(4),
            delta=0.01,
            **REPAIRED,
        ),
        summary="Four repaired log-IQRs, each with a quarter of a budget by advanced composition.",
    ),
    # Composed as if one data point reached three of the four.
    _JUMP.twin(
        "kusner2016-iqr-joint-three",
        true_epsilon=3.7306857650000893,
        **_jump(claim=(2.25, 0.15)),
        summary="Four log-IQRs, repaired, but claimed at (9ε, 3δ): a row that makes all four jump "
        "is noticed with probability 1 − (1 − δ/2)^8, more than 3δ.",
    ),
)
