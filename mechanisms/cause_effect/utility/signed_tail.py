"""Pr[noise < γ] of a symmetric noise whose upper tail is e^(−t) times a polynomial in t = γ/σ."""

from __future__ import annotations

import math

import numpy as np
from numpy.polynomial import polynomial
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import answers, positive

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


def log_upper(t: float, coefficients: Coefficients) -> float:
    """Return ln Pr[noise > t] for t ≥ 0, where the probability itself may be too small to hold."""
    return math.log(float(polynomial.polyval(t, np.array(coefficients)))) - t


def lower(t: NDArray[np.float64], coefficients: Coefficients) -> NDArray[np.float64]:
    """Return Pr[noise < t] = Pr[noise > −t], by symmetry."""
    return upper(-t, coefficients)


def advantage(t: NDArray[np.float64], coefficients: Coefficients) -> NDArray[np.float64]:
    """Return Pr[noise < t] − 1/2, with relative accuracy for t near 0 too.

    For t ≥ 0 it is (1 − e^(−t))/2 − e^(−t)(p(t) − 1/2), in which the first term outweighs the
    second, so that the difference keeps its digits.
    """
    near = np.minimum(np.abs(t), 800.0)
    rest = np.array((0.0, *coefficients[1:]))
    half = -np.expm1(-near) / 2 - np.exp(-near) * polynomial.polyval(near, rest)
    return np.asarray(np.copysign(half, t))
