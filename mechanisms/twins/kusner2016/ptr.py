"""Twins: propose-test-release with one of its two faults repaired and the other left."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from provado.mechanisms import ApproximateDP, Mechanism, ReplaceOne, Verdict
from provado.mechanisms.private.log_bins import Bins, printed_bins, repaired_bins
from provado.mechanisms.private.propose_test_release import (
    Threshold,
    printed_threshold,
    propose_test_release,
    repaired_threshold,
)
from provado.mechanisms.reference.kusner2016.pairs import EDGE, JUMP, Values
from provado.mechanisms.reference.kusner2016.ptr import DELTA, SOURCE, single_epsilon


def _entry(
    name: str,
    pair: tuple[Values, Values],
    epsilon: Fraction,
    delta: float,
    bins: Bins,
    threshold: Threshold,
    summary: str,
) -> Mechanism:
    return Mechanism(
        name=name,
        run=partial(
            propose_test_release, epsilon=epsilon, delta=delta, bins=bins, threshold=threshold
        ),
        promise=ApproximateDP(float(3 * epsilon), delta),
        relation=ReplaceOne(),
        pairs=(pair,),
        source=SOURCE,
        expected=Verdict.VIOLATION,
        summary=summary,
        true_epsilon=single_epsilon(pair, bins, threshold, float(epsilon), delta),
        tags=("twin", "kusner2016"),
    )


MECHANISMS: tuple[Mechanism, ...] = (
    _entry(
        "twin/kusner2016-ptr-only-bins",
        JUMP,
        Fraction(1, 10),
        1e-6,
        repaired_bins,
        printed_threshold,
        "Propose-test-release with two grids, but the printed threshold 1 + ln(1/δ), which noise "
        "of scale 1/ε passes too often when ε is below 1.",
    ),
    _entry(
        "twin/kusner2016-ptr-only-threshold",
        EDGE,
        Fraction(1),
        DELTA,
        printed_bins,
        repaired_threshold,
        "Propose-test-release with the right threshold, but both bins read from one grid.",
    ),
)
