"""Two scores with Laplace noise each: the chance that their order survives (Theorem 2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .signed_tail import Coefficients, lower, margin_in_scales, upper

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


def two_laplace_wrong(margin: ArrayLike, scale: float) -> NDArray[np.float64]:
    """Return 1 − ``two_laplace_correct``, with relative accuracy where that rounds to 1.

    Parameters, errors and source as there.
    """
    return upper(margin_in_scales(margin, scale), TWO)[()]
