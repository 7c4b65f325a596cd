"""Twin: HSIC with bandwidths taken from the data, and the noise for fixed kernels."""

from __future__ import annotations

from provado.mechanisms import Mechanism, Verdict
from provado.mechanisms.reference.kusner2016.pairs import MEDIAN_FLIP
from provado.mechanisms.reference.kusner2016.test_set import score_entry
from provado.mechanisms.scores.hsic import hsic_median_heuristic, hsic_sensitivity

MECHANISMS: tuple[Mechanism, ...] = (
    score_entry(
        "twin/kusner2016-hsic-median",
        hsic_median_heuristic,
        hsic_sensitivity,
        MEDIAN_FLIP,
        place="equation (1), with the noise of Theorem 3",
        expected=Verdict.VIOLATION,
        summary="HSIC with the median heuristic: one row moves both bandwidths, and the score by "
        "more than Theorem 3 allows for fixed kernels.",
        tags=("twin", "kusner2016"),
    ),
)
