"""Catalogue: propose-test-release of log IQR.

Its broken twins have one of the two printed faults repaired and the other left.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from provado.mechanisms.cause_effect.releases.exact_loss import proposals_epsilon
from provado.mechanisms.cause_effect.releases.propose_test_release import (
    Bins,
    Threshold,
    printed_bins,
    printed_threshold,
    propose,
    propose_test_release,
    repaired_bins,
    repaired_threshold,
)
from provado.mechanisms.definitions import ApproximateDP, Mechanism, Source, Verdict

from .datasets import EDGE, JUMP, WIDE, WORK, Fields, Values, entry

EPSILON, DELTA = Fraction(1), 0.02
"""ε of each noise, and δ: the claim is (3, 0.02), at which each dataset shows both answers."""


def _pair_epsilon(
    pair: tuple[Values, Values],
    *,
    epsilon: Fraction,
    delta: float,
    bins: Bins,
    threshold: Threshold,
) -> float:
    d, d_prime = ([propose(values, bins=bins)] for values in pair)
    level = threshold(float(epsilon), delta)
    return proposals_epsilon(d, d_prime, epsilon=epsilon, threshold=level, delta=delta)


def _release(
    bins: Bins,
    threshold: Threshold,
    *pairs: tuple[Values, Values],
    epsilon: Fraction = EPSILON,
    delta: float = DELTA,
) -> Fields:
    """Return an entry's fields: a release and what is known of it."""
    setting: Fields = {"epsilon": epsilon, "delta": delta, "bins": bins, "threshold": threshold}
    return {
        "run": partial(propose_test_release, **setting),
        "promise": ApproximateDP(float(3 * epsilon), delta),
        "pairs": pairs,
        "source": Source(WORK, "appendix, Algorithm 1, and section 4.3"),
        "true_epsilon": partial(_pair_epsilon, pairs[0], **setting),
    }


_REPAIRED = entry(
    name="kusner2016/ptr",
    **_release(repaired_bins, repaired_threshold, WIDE, EDGE, JUMP),
    summary="Propose-test-release of log IQR with two grids of bins and the threshold "
    "1 + ln(1/δ)/ε.",
)

MECHANISMS: tuple[Mechanism, ...] = (
    _REPAIRED,
    entry(
        name="kusner2016/ptr-printed",
        **_release(printed_bins, printed_threshold, EDGE),
        expected=Verdict.VIOLATION,
        summary="Propose-test-release of log IQR as printed: both bins are read from one grid, so "
        "that one point turns a sure release into a sure refusal.",
    ),
    _REPAIRED.twin(
        "kusner2016-ptr-only-bins",
        **_release(repaired_bins, printed_threshold, JUMP, epsilon=Fraction(1, 10), delta=1e-6),
        summary="Propose-test-release with two grids, but the printed threshold 1 + ln(1/δ), which "
        "noise of scale 1/ε passes too often when ε is below 1.",
    ),
    _REPAIRED.twin(
        "kusner2016-ptr-only-threshold",
        **_release(printed_bins, repaired_threshold, EDGE),
        summary="Propose-test-release with the right threshold, but both bins read from one grid.",
    ),
)
