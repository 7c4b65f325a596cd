"""What sparse-vector mechanisms share: the noisy comparison, the cut-off, the codes of outputs.

A mechanism of this family compares k noisy answers with one noisy threshold and releases, for each
query in turn, whether its answer was above (⊤) or below (⊥); with a cut-off c it stops after the
c-th ⊤.

Codes. Outputs without numbers are int8 arrays of shape (size, k) that hold ``ABOVE``, ``BELOW`` or
``HALTED`` (not asked any more). Outputs with numbers are float64 arrays of that shape that hold the
released number for ⊤, NaN for ⊥ and +∞ for not asked any more.
"""

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import answers as finite
from provado.mechanisms.definitions.parameters import natural, positive, vector

from .exact_noise import round_to_grid

ABOVE, BELOW, HALTED = 1, 0, -1


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
