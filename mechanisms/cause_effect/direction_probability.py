"""How likely noise leaves the direction as it is: two noisy scores, and four noisy log-IQRs.

Pr[noise < γ] of a symmetric noise whose upper tail is e^(−t) times a polynomial in t = γ/σ. Two
scores with Laplace noise each: the chance that their order survives (Theorem 2 of Kusner et al.,
Private Causal Inference (2016)). Four log-IQRs with Laplace noise each: the chance that the sums'
order survives (Theorem 4).
"""

import numpy as np
from numpy.polynomial import polynomial
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import UsageError, answers, positive

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
