"""The exact δ and ε of noisy tables, from the losses of single cells."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import (
    UsageError,
)
from provado.mechanisms.graph_discovery.catalogue.noisy_tables import _tables
from provado.mechanisms.graph_discovery.noisy_tables.plan import CellNoise
from tests.mechanisms.exact_probabilities import discrete_gaussian_log_probability

_TAIL = 12.0
"""Standard deviations of a sum of noises that are summed over; the rest has less than 1e-30."""


def moved_cells(pair: tuple[ArrayLike, ArrayLike], order: int, levels: int = 2) -> int:
    """Return in how many cells neighbors differ, over all tables of ``order`` columns.

    Raises ``UsageError`` for records that are no neighbors: where a cell moves by more than 1.
    """
    first, second = (_tables(records, order, levels) for records in pair)
    moves = [np.abs(a - b) for a, b in zip(first, second, strict=True)]
    if max(int(move.max()) for move in moves) > 1:
        raise UsageError("pair differs by more than 1 in a cell: records must be neighbors")
    return sum(int(move.sum()) for move in moves)


def exact_delta(epsilon: float, noise: CellNoise, moved: int) -> float:
    """Return the smallest δ at ``epsilon`` where so many cells move by 1, up to rounding.

    Gaussian: the privacy loss is (2S + m)/(2σ²) with S the sum of m noises, here by convolution.
    Laplace: each loss is one of finitely many, and so is their sum.
    """
    if noise.law == "gaussian":
        losses, chances = _gaussian_losses(float(noise.parameter))
    else:
        losses, chances = _laplace_losses(float(noise.parameter))
    step = losses[1] - losses[0]
    total = chances
    for _ in range(moved - 1):
        total = np.convolve(total, chances)
    sums = moved * losses[0] + step * np.arange(total.size)
    return math.fsum(total * -np.expm1(np.minimum(epsilon - sums, 0.0)))


def exact_epsilon(
    pair: tuple[ArrayLike, ArrayLike], *, noise: CellNoise, order: int, delta: float = 0.0
) -> float:
    """Return the smallest ε at ``delta`` of a pair of neighbors, from all tables together."""
    moved = moved_cells(pair, order)
    if not delta:
        return math.inf if noise.law == "gaussian" else moved / float(noise.parameter)
    low, high = 0.0, 1.0
    while exact_delta(high, noise, moved) > delta:
        high *= 2
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        above = exact_delta(middle, noise, moved) > delta
        low, high = (middle, high) if above else (low, middle)
    return high


def _gaussian_losses(variance: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    reach = math.ceil(_TAIL * math.sqrt(variance)) + 1
    noise = np.arange(-reach, reach + 1)
    chances = np.exp(discrete_gaussian_log_probability(noise, variance))
    return (2 * noise + 1) / (2 * variance), chances


def _laplace_losses(scale: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    # Noise z against z + 1: the loss is 1/b from 0 on, −1/b below.
    below = 1 / (1 + math.exp(1 / scale))
    return np.array([-1 / scale, 1 / scale]), np.array([below, 1 - below])
