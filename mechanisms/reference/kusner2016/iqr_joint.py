"""Catalogue: the four log-IQRs of the additive noise model, by basic and advanced composition."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from provado.mechanisms import ApproximateDP, Mechanism, ReplaceOne, Source, Verdict
from provado.mechanisms.accounting.advanced import corollary_share_printed
from provado.mechanisms.grid import NOISE_GRID
from provado.mechanisms.private.exact_loss import proposals_epsilon
from provado.mechanisms.private.iqr_joint import grid_share, iqr_joint
from provado.mechanisms.private.log_bins import Bins, printed_bins, repaired_bins
from provado.mechanisms.private.propose_test_release import (
    Threshold,
    printed_threshold,
    propose,
    repaired_threshold,
)
from provado.mechanisms.private.rows import four_vectors, halved
from provado.mechanisms.reference.kusner2016.pairs import EDGE_ROWS, FAR_ROWS, WIDE_ROWS, Rows

SOURCE = Source("Kusner et al., Private Causal Inference (2016)", "section 4.3")
EPSILON_PRIME, DELTA_PRIME = 0.9, 0.05
"""Total budget of advanced composition; Corollary 3.21 is stated for ε′ < 1."""


def joint_entry(
    name: str,
    pairs: tuple[tuple[Rows, Rows], ...],
    *,
    epsilon: Fraction,
    delta: float,
    promise: ApproximateDP,
    bins: Bins,
    threshold: Threshold,
    grid: float = NOISE_GRID,
    expected: Verdict,
    summary: str,
    tags: tuple[str, ...],
) -> Mechanism:
    """Return the entry of four releases with f and g halving, its true ε computed exactly."""
    d, d_prime = (
        [propose(vector, bins=bins, grid=grid) for vector in four_vectors(rows, halved, halved)]
        for rows in pairs[0]
    )
    return Mechanism(
        name=name,
        run=partial(
            iqr_joint,
            f=halved,
            g=halved,
            epsilon=epsilon,
            delta=delta,
            bins=bins,
            threshold=threshold,
            grid=grid,
        ),
        promise=promise,
        relation=ReplaceOne(),
        pairs=pairs,
        source=SOURCE,
        expected=expected,
        summary=summary,
        true_epsilon=proposals_epsilon(
            d,
            d_prime,
            epsilon=epsilon,
            threshold=threshold(float(epsilon), delta),
            delta=promise.delta_at_epsilon,
            grid=grid,
        ),
        tags=tags,
    )


def _share(k: int) -> Fraction:
    return grid_share(corollary_share_printed(EPSILON_PRIME, DELTA_PRIME, k) / 3)


_printed = partial(
    joint_entry,
    bins=printed_bins,
    threshold=printed_threshold,
    expected=Verdict.VIOLATION,
    tags=("kusner2016",),
)
_repaired = partial(
    joint_entry,
    bins=repaired_bins,
    threshold=repaired_threshold,
    expected=Verdict.NO_VIOLATION,
    tags=("kusner2016",),
)

MECHANISMS: tuple[Mechanism, ...] = (
    _printed(
        "kusner2016/iqr-joint-printed",
        (EDGE_ROWS,),
        epsilon=Fraction(1, 2),
        delta=1e-6,
        promise=ApproximateDP(4.5, 3e-6),
        summary="Four log-IQRs by the printed propose-test-release, composed as three.",
    ),
    _repaired(
        "kusner2016/iqr-joint",
        (EDGE_ROWS, WIDE_ROWS),
        epsilon=Fraction(1, 2),
        delta=1e-6,
        promise=ApproximateDP(6.0, 4e-6),
        summary="Four log-IQRs by the repaired propose-test-release, composed as four.",
    ),
    _repaired(
        "kusner2016/iqr-joint-jump",
        (FAR_ROWS,),
        epsilon=Fraction(1, 4),
        delta=0.05,
        grid=0.5,
        promise=ApproximateDP(3.0, 0.2),
        summary="Four log-IQRs, repaired, on a row that makes all four jump at once.",
    ),
    _printed(
        "kusner2016/iqr-joint-advanced-printed",
        (EDGE_ROWS,),
        epsilon=_share(3),
        delta=0.01,
        promise=ApproximateDP(EPSILON_PRIME, 0.03 + DELTA_PRIME),
        summary="Four printed log-IQRs, each with a third of a budget by advanced composition.",
    ),
    _repaired(
        "kusner2016/iqr-joint-advanced",
        (EDGE_ROWS, WIDE_ROWS),
        epsilon=_share(4),
        delta=0.01,
        promise=ApproximateDP(EPSILON_PRIME, 0.04 + DELTA_PRIME),
        summary="Four repaired log-IQRs, each with a quarter of a budget by advanced composition.",
    ),
)
