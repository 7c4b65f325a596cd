"""Catalogue: propose-test-release of log IQR."""

from __future__ import annotations

from functools import partial

from provado.mechanisms import ApproximateDP, ReplaceOne, Source, Verdict
from provado.mechanisms.mechanism import Mechanism, Run
from provado.mechanisms.private.exact_loss import proposals_epsilon
from provado.mechanisms.private.log_bins import Bins, printed_bins, repaired_bins
from provado.mechanisms.private.propose_test_release import (
    Threshold,
    printed_threshold,
    propose,
    propose_test_release,
    propose_test_release_printed,
    repaired_threshold,
)
from provado.mechanisms.reference.kusner2016.pairs import EDGE, JUMP, WIDE, Values

WORK = "Kusner et al., Private Causal Inference (2016)"
SOURCE = Source(WORK, "appendix, Algorithm 1, and section 4.3")
EPSILON, DELTA = 1, 0.02
"""ε of each noise, and δ: the claim is (3, 0.02), at which each dataset shows both answers."""


def single_epsilon(
    pair: tuple[Values, Values], bins: Bins, threshold: Threshold, epsilon: float, delta: float
) -> float:
    """Return the exact ε of one release on a pair, at its claimed δ."""
    d, d_prime = ([propose(values, bins=bins)] for values in pair)
    level = threshold(epsilon, delta)
    return proposals_epsilon(d, d_prime, epsilon=epsilon, threshold=level, delta=delta)


def _entry(
    name: str,
    run: Run,
    pairs: tuple[tuple[Values, Values], ...],
    true_epsilon: float,
    expected: Verdict,
    summary: str,
) -> Mechanism:
    return Mechanism(
        name=name,
        run=partial(run, epsilon=EPSILON, delta=DELTA),
        promise=ApproximateDP(3.0 * EPSILON, DELTA),
        relation=ReplaceOne(),
        pairs=pairs,
        source=SOURCE,
        expected=expected,
        summary=summary,
        true_epsilon=true_epsilon,
        tags=("kusner2016",),
    )


MECHANISMS: tuple[Mechanism, ...] = (
    _entry(
        "kusner2016/ptr-printed",
        propose_test_release_printed,
        (EDGE,),
        single_epsilon(EDGE, printed_bins, printed_threshold, EPSILON, DELTA),
        Verdict.VIOLATION,
        "Propose-test-release of log IQR as printed: both bins are read from one grid, so that "
        "one point turns a sure release into a sure refusal.",
    ),
    _entry(
        "kusner2016/ptr",
        propose_test_release,
        (WIDE, EDGE, JUMP),
        single_epsilon(WIDE, repaired_bins, repaired_threshold, EPSILON, DELTA),
        Verdict.NO_VIOLATION,
        "Propose-test-release of log IQR with two grids of bins and the threshold 1 + ln(1/δ)/ε.",
    ),
)
