"""Twin: four repaired log-IQRs, composed as if one data point reached three of them."""

from __future__ import annotations

from fractions import Fraction

from provado.mechanisms import ApproximateDP, Mechanism, Verdict
from provado.mechanisms.private.log_bins import repaired_bins
from provado.mechanisms.private.propose_test_release import repaired_threshold
from provado.mechanisms.reference.kusner2016.iqr_joint import joint_entry
from provado.mechanisms.reference.kusner2016.pairs import FAR_ROWS

MECHANISMS: tuple[Mechanism, ...] = (
    joint_entry(
        "twin/kusner2016-iqr-joint-three",
        (FAR_ROWS,),
        epsilon=Fraction(1, 4),
        delta=0.05,
        grid=0.5,
        promise=ApproximateDP(2.25, 0.15),
        bins=repaired_bins,
        threshold=repaired_threshold,
        expected=Verdict.VIOLATION,
        summary="Four log-IQRs, repaired, but claimed at (9ε, 3δ): a row that makes all four jump "
        "is noticed with probability 1 − (1 − δ/2)^8, more than 3δ.",
        tags=("twin", "kusner2016"),
    ),
)
