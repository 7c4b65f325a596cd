"""Exact distributions of single mechanisms."""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import natural, positive
from provado.mechanisms.textbook.discrete_gaussian import _support
from provado.mechanisms.textbook.truncated_geometric import _weights


def discrete_laplace_log_probability(z: ArrayLike, scale: float) -> NDArray[np.float64]:
    """Return ln Pr[Z = z] = ln tanh(1/(2·scale)) − |z|/scale at whole numbers ``z``."""
    b = positive(scale, "scale")
    return math.log(math.tanh(1 / (2 * b))) - np.abs(np.asarray(z, dtype=np.float64)) / b


def truncated_geometric_probabilities(
    count: int, *, n: int, ratio: Fraction
) -> tuple[Fraction, ...]:
    """Return the exact probabilities of 0, …, ``n``."""
    weights = _weights(count, n, ratio)
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def randomized_response_probabilities(
    value: int, *, epsilon: float, k: int = 2
) -> NDArray[np.float64]:
    """Return the probabilities of the reports 0, …, k − 1 on one person's value."""
    odds = math.exp(positive(epsilon, "epsilon"))
    weights = np.ones(natural(k, "k"))
    weights[value] = odds
    return weights / (k - 1 + odds)


def discrete_gaussian_log_probability(z: ArrayLike, variance: float) -> NDArray[np.float64]:
    """Return ln Pr[Z = z] = −z²/(2σ²) − ln Σ_k e^(−k²/(2σ²)) at whole numbers ``z``."""
    spread = 2 * positive(variance, "variance")
    support = _support(spread)
    total = math.fsum(np.exp(-(support**2) / spread))
    return -(np.asarray(z, dtype=np.float64) ** 2) / spread - math.log(total)
