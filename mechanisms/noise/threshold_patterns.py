"""What sparse-vector mechanisms share: the noisy comparison, the cut-off, the codes of outputs.

A mechanism of this family compares k noisy answers with one noisy threshold and releases, for each
query in turn, whether its answer was above (⊤) or below (⊥); with a cut-off c it stops after the
c-th ⊤.

Codes. Outputs without numbers are int8 arrays of shape (size, k) that hold ``ABOVE``, ``BELOW`` or
``HALTED`` (not asked any more). Outputs with numbers are float64 arrays of that shape that hold the
released number for ⊤, NaN for ⊥ and +∞ for not asked any more.
"""

import itertools
import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import answers as finite
from provado.mechanisms.definitions.parameters import natural, positive, vector

from .exact_noise import round_to_grid
from .quadrature import laplace_below, laplace_density, line_nodes

ABOVE, BELOW, HALTED = 1, 0, -1

Pattern = tuple[int, ...]


def compare(
    answers: ArrayLike, threshold: float, scales: tuple[float, float], *, size: int, rng: Generator
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return noisy answers and whether each reaches the noisy threshold; both of shape (size, k).

    scales: of the one Laplace draw added to the threshold in each trial, and of the Laplace draw
        added to each answer; the latter may be 0 for none.
    """
    threshold_scale, query_scale = scales
    truth = vector(answers, "answers")
    trials = natural(size, "size")
    middle = float(finite(threshold, "threshold"))
    level = middle + rng.laplace(scale=positive(threshold_scale, "scale"), size=(trials, 1))
    noisy = np.broadcast_to(truth, (trials, truth.size))
    if query_scale:
        noisy = noisy + rng.laplace(scale=positive(query_scale, "scale"), size=noisy.shape)
    return noisy, noisy >= level


def halted(above: NDArray[np.bool_], cutoff: int | None) -> NDArray[np.bool_]:
    """Say which queries come after the ``cutoff``-th ⊤ of their trial; ``None``: no cut-off."""
    if cutoff is None:
        return np.zeros(above.shape, dtype=np.bool_)
    before: NDArray[np.int64] = np.cumsum(above, axis=1) - above
    return np.greater_equal(before, natural(cutoff, "cutoff"))


def symbols(above: NDArray[np.bool_], cutoff: int | None) -> NDArray[np.int8]:
    """Return the codes ``ABOVE``, ``BELOW`` and ``HALTED``."""
    return np.where(halted(above, cutoff), HALTED, np.where(above, ABOVE, BELOW)).astype(np.int8)


def numbers(
    values: NDArray[np.float64], above: NDArray[np.bool_], cutoff: int | None, grid: float
) -> NDArray[np.float64]:
    """Return ``values`` rounded to ``grid`` for ⊤, NaN for ⊥, +∞ for not asked any more."""
    told = np.where(above, round_to_grid(values, grid), np.nan)
    return np.where(halted(above, cutoff), np.inf, told)


def patterns(k: int, cutoff: int | None) -> list[Pattern]:
    """Return all outputs without numbers that k queries can have; 2^k of them without a cut-off."""
    every = np.array(list(itertools.product((False, True), repeat=k)))
    return sorted(set(map(tuple, symbols(every, cutoff).tolist())))


def pattern_probabilities(
    answers: ArrayLike,
    wanted: Iterable[Sequence[int]],
    *,
    threshold: float,
    threshold_scale: float,
    query_scale: float,
) -> NDArray[np.float64]:
    """Return the probability of each pattern of codes, to about 1e-14.

    Given the noise z on the threshold T the comparisons are independent, so it is
    ∫ f(z)·Π_i Pr[a_i + ν_i ≥ T + z or its opposite] dz, by quadrature between the kinks.
    """
    truth = vector(answers, "answers")
    z, weights = line_nodes(
        (0.0, *(truth - threshold)),
        width=min(threshold_scale, query_scale or threshold_scale),
        tail=threshold_scale,
    )
    below = laplace_below(threshold + z - truth[:, None], query_scale)
    # In the order of the codes, so that a code is an index: BELOW, ABOVE, and HALTED as the last.
    chances = np.stack([below, 1 - below, np.ones_like(below)])
    mass = weights * laplace_density(z, threshold_scale)
    queries = np.arange(truth.size)
    return np.array([mass @ np.prod(chances[list(one), queries], axis=0) for one in wanted])


def pattern_epsilon(
    pair: tuple[ArrayLike, ArrayLike], wanted: Iterable[Sequence[int]], **noise: float
) -> float:
    """Return the largest |ln(Pr[pattern | D]/Pr[pattern | D′])| over the patterns given.

    noise: threshold, threshold_scale and query_scale, as of ``pattern_probabilities``. Infinite
    where a pattern is possible under one dataset only.
    """
    chosen = list(wanted)
    d, d_prime = (pattern_probabilities(answers, chosen, **noise) for answers in pair)
    if np.any((d == 0) != (d_prime == 0)):
        return math.inf
    possible = d > 0
    return float(np.max(np.abs(np.log(d[possible] / d_prime[possible]))))
