"""A noisy histogram whose scale is ε where it should be 1/ε."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from provado.mechanisms import Mechanism, PureDP, Source, Verdict
from provado.mechanisms.reference.histogram import PAIR, RELATION, noisy_histogram

SOURCE = Source(
    "Ding, Wang, Wang, Zhang and Kifer, Detecting Violations of Differential Privacy (2018)",
    "the histogram with a wrong scale",
)

MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(
        name="twin/histogram-wrong-scale",
        run=partial(noisy_histogram, scale=Fraction(1, 2)),
        promise=PureDP(0.5),
        relation=RELATION,
        pairs=(PAIR,),
        source=SOURCE,
        expected=Verdict.VIOLATION,
        summary="Five counts with Laplace noise of scale ε = 1/2 where the claim needs 1/ε = 2.",
        true_epsilon=float(1 / Fraction(1, 2)),
        tags=("twin",),
    ),
)
