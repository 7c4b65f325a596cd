"""Four log-IQRs with Laplace noise each: the chance that the sums' order survives (Theorem 4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import answers, positive

from .signed_tail import Coefficients, lower, margin_in_scales, upper

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


def four_laplace_wrong(margin: ArrayLike, scale: float) -> NDArray[np.float64]:
    """Return 1 − ``four_laplace_correct``, with relative accuracy where that rounds to 1.

    Parameters, errors and source as there.
    """
    return upper(margin_in_scales(margin, scale), FOUR)[()]


def four_laplace_correct_printed(margin: ArrayLike, scale: float) -> NDArray[np.float64]:
    """Return 1 − e^(−σ/γ)(48σ³ + 33σ²γ + 9σγ² + γ³)/(96σ³), as printed; γ > 0.

    margin, scale: as of ``four_laplace_correct``.

    This is no probability: it falls as the margin grows, tends to 1 as γ → 0, where it must tend to
    1/2, and is below 0 from γ = 2.01σ on. The exponent should be −γ/σ; the prefactor is right. The
    printed γ has a sign wrong besides: see ``iqr_margin_printed``.

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


def iqr_margin_printed(q_x: float, q_y: float, q_residual_x: float, q_residual_y: float) -> float:
    """Return γ = Q_{y′} + Q_{r′X} − Q_{x′} + Q_{r′Y}, as printed in Theorem 4.

    The last sign is a misprint: this is not the margin of the theorem's own condition
    Q_{x′} + Q_{r′Y} < Q_{y′} + Q_{r′X}; it is too large by 2Q_{r′Y} (too small where that is
    negative). Parameters as of ``iqr_margin``.
    """
    return q_y + q_residual_x - q_x + q_residual_y
