"""Catalogue: the four log-IQRs of the additive noise model, by basic and advanced composition."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from provado.mechanisms.accounting.composition import corollary_share_printed
from provado.mechanisms.cause_effect.releases.exact_loss import proposals_epsilon
from provado.mechanisms.cause_effect.releases.propose_test_release import (
    Bins,
    Threshold,
    printed_bins,
    printed_threshold,
    propose,
    repaired_bins,
    repaired_threshold,
)
from provado.mechanisms.cause_effect.releases.testing_set import (
    four_vectors,
    grid_share,
    halved,
    iqr_joint,
)
from provado.mechanisms.definitions import ApproximateDP, Mechanism, Source, Verdict
from provado.mechanisms.noise.exact_noise import NOISE_GRID

from . import datasets as on
from .datasets import WORK, Fields, Rows, entry

EPSILON_PRIME, DELTA_PRIME = 0.9, 0.05
"""Total budget of advanced composition; Corollary 3.21 is stated for ε′ < 1."""


def _pair_epsilon(
    pair: tuple[Rows, Rows],
    *,
    epsilon: Fraction,
    delta: float,
    bins: Bins,
    threshold: Threshold,
    grid: float,
    claimed_delta: float,
) -> float:
    d, d_prime = (
        [propose(vector, bins=bins, grid=grid) for vector in four_vectors(rows, halved, halved)]
        for rows in pair
    )
    level = threshold(float(epsilon), delta)
    return proposals_epsilon(
        d, d_prime, epsilon=epsilon, threshold=level, delta=claimed_delta, grid=grid
    )


def _release(
    *pairs: tuple[Rows, Rows],
    claim: tuple[float, float],
    epsilon: Fraction,
    delta: float,
    printed: bool = False,
    grid: float = NOISE_GRID,
) -> Fields:
    """Return an entry's fields: the release with f and g halving, and what is known of it."""
    bins, threshold = (
        (printed_bins, printed_threshold) if printed else (repaired_bins, repaired_threshold)
    )
    setting: Fields = {
        "epsilon": epsilon,
        "delta": delta,
        "bins": bins,
        "threshold": threshold,
        "grid": grid,
    }
    return {
        "run": partial(iqr_joint, f=halved, g=halved, **setting),
        "promise": ApproximateDP(*claim),
        "pairs": pairs,
        "source": Source(WORK, "section 4.3"),
        "true_epsilon": partial(_pair_epsilon, pairs[0], **setting, claimed_delta=claim[1]),
    }


def _share(k: int) -> Fraction:
    return grid_share(corollary_share_printed(EPSILON_PRIME, DELTA_PRIME, k) / 3)


def _total(delta: float) -> tuple[float, float]:
    return EPSILON_PRIME, delta + DELTA_PRIME


_HALF = Fraction(1, 2)
_jump = partial(_release, on.FAR_ROWS, epsilon=Fraction(1, 4), delta=0.05, grid=0.5)

_JUMP = entry(
    name="kusner2016/iqr-joint-jump",
    **_jump(claim=(3.0, 0.2)),
    summary="Four log-IQRs, repaired, on a row that makes all four jump at once.",
)

MECHANISMS: tuple[Mechanism, ...] = (
    entry(
        name="kusner2016/iqr-joint-printed",
        **_release(on.EDGE_ROWS, claim=(4.5, 3e-6), epsilon=_HALF, delta=1e-6, printed=True),
        expected=Verdict.VIOLATION,
        summary="Four log-IQRs by the printed propose-test-release, composed as three.",
    ),
    entry(
        name="kusner2016/iqr-joint",
        **_release(on.EDGE_ROWS, on.WIDE_ROWS, claim=(6.0, 4e-6), epsilon=_HALF, delta=1e-6),
        summary="Four log-IQRs by the repaired propose-test-release, composed as four.",
    ),
    _JUMP,
    entry(
        name="kusner2016/iqr-joint-advanced-printed",
        **_release(on.EDGE_ROWS, claim=_total(0.03), epsilon=_share(3), delta=0.01, printed=True),
        expected=Verdict.VIOLATION,
        summary="Four printed log-IQRs, each with a third of a budget by advanced composition.",
    ),
    entry(
        name="kusner2016/iqr-joint-advanced",
        **_release(on.EDGE_ROWS, on.WIDE_ROWS, claim=_total(0.04), epsilon=_share(4), delta=0.01),
        summary="Four repaired log-IQRs, each with a quarter of a budget by advanced composition.",
    ),
    # Composed as if one data point reached three of the four.
    _JUMP.twin(
        "kusner2016-iqr-joint-three",
        **_jump(claim=(2.25, 0.15)),
        summary="Four log-IQRs, repaired, but claimed at (9ε, 3δ): a row that makes all four jump "
        "is noticed with probability 1 − (1 − δ/2)^8, more than 3δ.",
    ),
)
