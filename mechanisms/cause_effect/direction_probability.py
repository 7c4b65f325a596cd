"""How likely noise leaves the direction as it is: two noisy scores, and four noisy log-IQRs.

Pr[noise < γ] of a symmetric noise whose upper tail is e^(−t) times a polynomial in t = γ/σ. Two
scores with Laplace noise each: the chance that their order survives (Theorem 2 of Kusner et al.,
Private Causal Inference (2016)). Four log-IQRs with Laplace noise each: the chance that the sums'
order survives (Theorem 4).
"""

import math
from typing import Literal

import numpy as np
from numpy.polynomial import polynomial
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import UsageError, answers, positive, probability

Coefficients = tuple[float, ...]
"""Of 1, t, t², … in the polynomial; the first is 1/2, as half the noise lies above 0."""


def margin_in_scales(margin: ArrayLike, scale: float) -> NDArray[np.float64]:
    """Return t = γ/σ, capped at the largest float; ``UsageError`` unless γ is finite and σ > 0."""
    with np.errstate(over="ignore"):
        ratio = answers(margin, "margin") / positive(scale, "scale")
    return np.asarray(np.clip(ratio, -np.finfo(float).max, np.finfo(float).max))


def upper(t: NDArray[np.float64], coefficients: Coefficients) -> NDArray[np.float64]:
    """Return Pr[noise > t] for any sign of t, in noise scales; no relative accuracy is lost.

    For t ≥ 0 this is e^(−t)·p(t); for t < 0 it is 1 − e^t·p(−t), which is above 1/2.
    """
    size = np.abs(t)
    # Beyond 800 scales e^(−t) is 0, while the polynomial of a huge t would overflow.
    near = np.minimum(size, 800.0)
    half = np.exp(-near / 2)
    # Half the exponent after the polynomial, so that the product does not vanish before it must.
    tail = half * polynomial.polyval(near, np.array(coefficients)) * half
    return np.asarray(np.where(t >= 0, tail, 1 - tail))


def lower(t: NDArray[np.float64], coefficients: Coefficients) -> NDArray[np.float64]:
    """Return Pr[noise < t] = Pr[noise > −t], by symmetry."""
    return upper(-t, coefficients)


TWO: Coefficients = (1 / 2, 1 / 4)
"""Pr[z₁ − z₂ > tσ] = e^(−t)(2 + t)/4 for t ≥ 0 and independent z ~ Lap(0, σ)."""


def two_laplace_correct(margin: ArrayLike, scale: float) -> NDArray[np.float64]:
    """Return 1 − (γ + 2σ)/(4σ)·e^(−γ/σ): the chance that the smaller of two scores stays smaller.

    margin: γ = s_{Y→X} − s_{X→Y}, the larger minus the smaller score, in the units of the score;
        any shape. For a negative γ the answer is 1 minus that for −γ, so that it is always
        Pr[p_{X→Y} < p_{Y→X}].
    scale: σ = Δ/ε, the scale of the Laplace noise on each score.

    Source: Kusner et al., Private Causal Inference (2016), Theorem 2. Raises ``UsageError`` unless
    the margin is finite and the scale finite and above 0.
    """
    return lower(margin_in_scales(margin, scale), TWO)[()]


FOUR: Coefficients = (48 / 96, 33 / 96, 9 / 96, 1 / 96)
"""Pr[z₁ + z₂ − z₃ − z₄ > tσ] = e^(−t)(48 + 33t + 9t² + t³)/96 for t ≥ 0, z ~ Lap(0, σ)."""


def four_laplace_correct(margin: ArrayLike, scale: float) -> NDArray[np.float64]:
    """Return 1 − e^(−t)(48 + 33t + 9t² + t³)/96 with t = γ/σ.

    margin: γ = Q_{y′} + Q_{r′X} − Q_{x′} − Q_{r′Y} (see ``iqr_margin``), in natural-log units; any
        shape. For a negative γ the answer is 1 minus that for −γ.
    scale: σ = 1/ε, the scale of the Laplace noise on each log-IQR.

    This is Pr[P_{x′} + P_{r′Y} < P_{y′} + P_{r′X}], given that all four are released.

    Source: repairs Theorem 4.2 of Kusner et al., Private Causal Inference (2016), whose exponent
    is printed upside down. Raises ``UsageError`` unless the margin is finite and the scale finite
    and above 0.
    """
    return lower(margin_in_scales(margin, scale), FOUR)[()]


def four_laplace_correct_printed(margin: ArrayLike, scale: float) -> NDArray[np.float64]:
    """Return 1 − e^(−σ/γ)(48σ³ + 33σ²γ + 9σγ² + γ³)/(96σ³), as printed; γ > 0.

    margin, scale: as of ``four_laplace_correct``.

    This is no probability: it falls as the margin grows, tends to 1 as γ → 0, where it must tend to
    1/2, and is below 0 from γ = 2.01σ on. The exponent should be −γ/σ; the prefactor is right. The
    printed γ = Q_{y′} + Q_{r′X} − Q_{x′} + Q_{r′Y} has a sign wrong besides: see ``iqr_margin``.

    Source: Kusner et al., Private Causal Inference (2016), Theorem 4.2. Raises ``UsageError``
    unless margin and scale are finite and above 0, as the theorem requires.
    """
    gap, sigma = answers(margin, "margin"), positive(scale, "scale")
    if np.any(gap <= 0):
        raise UsageError(f"margin is {margin!r}: Theorem 4.2 is stated for margins above 0")
    t = gap / sigma
    return np.asarray(1 - np.exp(-1 / t) * (48 + 33 * t + 9 * t**2 + t**3) / 96)[()]


def iqr_margin(q_x: float, q_y: float, q_residual_x: float, q_residual_y: float) -> float:
    """Return γ = Q_{y′} + Q_{r′X} − (Q_{x′} + Q_{r′Y}), above 0 when the scores say X → Y.

    The four are natural logarithms of interquartile ranges: of the two columns, and of the
    residuals r′_X = x′ − ĝ(y′) and r′_Y = y′ − f̂(x′).
    """
    return (q_y + q_residual_x) - (q_x + q_residual_y)


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
