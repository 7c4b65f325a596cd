"""A subsampled count that claims q·ε₀, the small-ε approximation, where ε₀ is large."""

from __future__ import annotations

from functools import partial

from provado.mechanisms import AddOrRemoveOne, Mechanism, PureDP, Verdict
from provado.mechanisms.reference.subsampling import (
    BASE_EPSILON,
    PAIR,
    RATE,
    SOURCE,
    amplified_epsilon,
    subsampled_count,
)

MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(
        name="twin/subsampling-uncorrected",
        run=partial(subsampled_count, rate=RATE, epsilon=BASE_EPSILON),
        promise=PureDP(float(RATE * BASE_EPSILON)),
        relation=AddOrRemoveOne(),
        pairs=(PAIR,),
        source=SOURCE,
        expected=Verdict.VIOLATION,
        summary=(
            "A 3-DP count of a tenth of the records, claimed as 3/10-DP; its ε is "
            "ln(1 + (e³ − 1)/10)."
        ),
        true_epsilon=amplified_epsilon(float(BASE_EPSILON), float(RATE)),
        tags=("twin",),
    ),
)
