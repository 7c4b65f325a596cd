"""Tails and inverses of the chances that noise leaves the direction as it is."""

import math
from typing import Literal

import numpy as np
from numpy.polynomial import polynomial
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.cause_effect.direction_probability import (
    FOUR,
    TWO,
    Coefficients,
    margin_in_scales,
    upper,
)
from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import positive, probability


def log_upper(t: float, coefficients: Coefficients) -> float:
    """Return ln Pr[noise > t] for t ≥ 0, where the probability itself may be too small to hold."""
    return math.log(float(polynomial.polyval(t, np.array(coefficients)))) - t


def advantage(t: NDArray[np.float64], coefficients: Coefficients) -> NDArray[np.float64]:
    """Return Pr[noise < t] − 1/2, with relative accuracy for t near 0 too.

    For t ≥ 0 it is (1 − e^(−t))/2 − e^(−t)(p(t) − 1/2), in which the first term outweighs the
    second, so that the difference keeps its digits.
    """
    near = np.minimum(np.abs(t), 800.0)
    rest = np.array((0.0, *coefficients[1:]))
    half = -np.expm1(-near) / 2 - np.exp(-near) * polynomial.polyval(near, rest)
    return np.asarray(np.copysign(half, t))


def two_laplace_wrong(margin: ArrayLike, scale: float) -> NDArray[np.float64]:
    """Return 1 − ``two_laplace_correct``, with relative accuracy where that rounds to 1.

    Parameters, errors and source as there.
    """
    return upper(margin_in_scales(margin, scale), TWO)[()]


def four_laplace_wrong(margin: ArrayLike, scale: float) -> NDArray[np.float64]:
    """Return 1 − ``four_laplace_correct``, with relative accuracy where that rounds to 1.

    Parameters, errors and source as there.
    """
    return upper(margin_in_scales(margin, scale), FOUR)[()]


def iqr_margin_printed(q_x: float, q_y: float, q_residual_x: float, q_residual_y: float) -> float:
    """Return γ = Q_{y′} + Q_{r′X} − Q_{x′} + Q_{r′Y}, as printed in Theorem 4.

    The last sign is a misprint: this is not the margin of the theorem's own condition
    Q_{x′} + Q_{r′Y} < Q_{y′} + Q_{r′X}; it is too large by 2Q_{r′Y} (too small where that is
    negative). Parameters as of ``iqr_margin``.
    """
    return q_y + q_residual_x - q_x + q_residual_y


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
