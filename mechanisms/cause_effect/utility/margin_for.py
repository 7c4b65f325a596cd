"""The inverse question: how large a margin makes the direction right with a given probability."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import positive, probability

from .four_laplace import FOUR
from .signed_tail import advantage, log_upper
from .two_laplace import TWO

_DISTRIBUTIONS = {2: TWO, 4: FOUR}


def margin_for(probability_correct: float, scale: float, *, releases: Literal[2, 4]) -> float:
    """Return the margin γ at which the private direction is right with the given probability.

    probability_correct: strictly between 0 and 1; below 1/2 the margin is negative.
    scale: σ, the scale of the Laplace noise on each release; γ comes in its units.
    releases: 2 for a score a direction (``two_laplace_correct``), 4 for the log-IQRs
        (``four_laplace_correct``).

    The probability rises strictly with the margin, so there is one answer; it is bracketed and
    found to about 1e-12 in relative terms. Source: Kusner et al., Private Causal Inference (2016),
    Theorems 2 and 4 (repaired), solved for γ. Raises ``UsageError`` for values out of range.
    """
    # Here, so that the catalogue loads without scipy.
    from scipy.optimize import brentq

    chance = probability(probability_correct, "probability_correct")
    sigma = positive(scale, "scale")
    if releases not in _DISTRIBUTIONS:
        raise UsageError(f"releases is {releases!r}: it must be 2 or 4")
    distribution = _DISTRIBUTIONS[releases]
    if chance == 0.5:
        return 0.0
    # 1 − chance is exact for chance ≥ 1/2, and chance itself is the smaller tail below.
    tail = min(chance, 1 - chance)
    lead = 0.5 - tail

    def excess(t: float) -> float:
        # Near 1/2 the tail has no digits to tell margins apart, and far out the lead has none.
        if lead < 0.25:
            return float(advantage(np.asarray(t), distribution)) - lead
        return math.log(tail) - log_upper(t, distribution)

    high = 1.0
    while excess(high) < 0:
        high *= 2
    t = float(brentq(excess, 0.0, high, xtol=1e-300, rtol=1e-13, maxiter=500))
    return math.copysign(t * sigma, chance - 0.5)
