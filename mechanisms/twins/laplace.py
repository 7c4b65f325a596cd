"""A Laplace mechanism with half the noise that its claim needs."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from provado.mechanisms import BoundedAnswers, Mechanism, PureDP, Verdict
from provado.mechanisms.reference.laplace import EXACT_SOURCE, laplace_on_grid

MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(
        name="twin/laplace-wrong-scale",
        run=partial(laplace_on_grid, scale=Fraction(5)),
        promise=PureDP(0.1),
        relation=BoundedAnswers(),
        pairs=((0.0, 1.0),),
        source=EXACT_SOURCE,
        expected=Verdict.VIOLATION,
        summary="Laplace noise of scale 5 where the claim needs 10.",
        true_epsilon=float(1 / Fraction(5)),
        tags=("twin",),
    ),
)
