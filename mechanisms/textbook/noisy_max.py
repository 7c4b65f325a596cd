"""Report noisy max: the index of the largest noisy answer, with Laplace or exponential noise.

Its broken twins release the largest noisy answer itself, with the noise that its index needs.
"""

import math
from functools import partial
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import BoundedAnswers, Mechanism, PureDP, Source, UsageError
from provado.mechanisms.definitions.parameters import natural, positive, vector
from provado.mechanisms.noise.exact_noise import FINE_GRID, round_to_grid
from provado.mechanisms.noise.quadrature import laplace_below, laplace_density, line_nodes

from .permute_and_flip import permute_and_flip_probabilities

Noise = Literal["laplace", "exponential"]

LAPLACE_SOURCE = Source(
    "Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014)",
    "section 3.3, Report Noisy Max and Claim 3.9, with twice the scale for queries that may move "
    "in both directions",
)
EXPONENTIAL_SOURCE = Source(
    "Ding, Kifer, Saghaian, Steinke, Wang, Xiao and Zhang, The Permute-and-Flip Mechanism Is "
    "Identical to Report-Noisy-Max with Exponential Noise (2021)",
    "the equivalence, with McKenna and Sheldon (2020), Theorem 1",
)
VALUE_SOURCE = Source(
    "Ding, Wang, Wang, Zhang and Kifer, Detecting Violations of Differential Privacy (2018)",
    "the noisy max that returns the value",
)


def noisy_answers(
    answers: ArrayLike,
    *,
    epsilon: float,
    sensitivity: float,
    noise: Noise,
    size: int,
    rng: Generator,
) -> NDArray[np.float64]:
    """Return ``size`` copies of the answers, each with noise of scale 2Δ/ε; shape (size, k)."""
    truth = vector(answers, "answers")
    scale = 2 * positive(sensitivity, "sensitivity") / positive(epsilon, "epsilon")
    shape = (natural(size, "size"), truth.size)
    if noise == "laplace":
        return truth + rng.laplace(scale=scale, size=shape)
    if noise == "exponential":
        return truth + rng.exponential(scale, size=shape)
    raise UsageError(f"noise is {noise!r}: it must be 'laplace' or 'exponential'")


def report_noisy_max(
    answers: ArrayLike,
    *,
    epsilon: float,
    sensitivity: float = 1.0,
    noise: Noise = "laplace",
    size: int,
    rng: Generator,
) -> NDArray[np.int64]:
    """Return ``size`` indices of the largest answer after noise of scale 2Δ/ε.

    answers: the answers to k queries, each of sensitivity Δ between neighbors.
    noise: ``"laplace"`` or ``"exponential"``.

    Shape of the result: (size,), values 0 to k − 1. Guarantee: ε-DP (over the real numbers; what
    floating point adds is a tie now and then). Source: Dwork and Roth, section 3.3 for Laplace
    noise; Ding et al. (2021) for exponential noise. Raises ``UsageError`` for parameters outside
    their range.
    """
    noisy = noisy_answers(
        answers, epsilon=epsilon, sensitivity=sensitivity, noise=noise, size=size, rng=rng
    )
    largest: NDArray[np.int64] = np.argmax(noisy, axis=1)
    return largest


def report_noisy_max_probabilities(
    answers: ArrayLike, *, epsilon: float, sensitivity: float = 1.0, noise: Noise = "laplace"
) -> NDArray[np.float64]:
    """Return the probability of each index, to about 1e-14.

    Laplace noise: ∫ f(x − a_r)·Π_{j ≠ r} F(x − a_j) dx by quadrature between the kinks. Exponential
    noise: the closed form of permute-and-flip, which is the same mechanism (Ding et al. 2021).
    """
    if noise == "exponential":
        return permute_and_flip_probabilities(answers, epsilon=epsilon, sensitivity=sensitivity)
    truth = vector(answers, "answers")
    scale = 2 * sensitivity / epsilon
    x, weights = line_nodes(truth, width=scale, tail=scale)
    below = laplace_below(x - truth[:, None], scale)
    others = [np.prod(np.delete(below, r, axis=0), axis=0) for r in range(truth.size)]
    density = laplace_density(x - truth[:, None], scale)
    chances: NDArray[np.float64] = np.sum(weights * density * np.array(others), axis=1)
    return chances


def noisy_max_value(
    answers: ArrayLike,
    *,
    epsilon: float,
    sensitivity: float = 1.0,
    noise: Noise = "laplace",
    grid: float = FINE_GRID,
    size: int,
    rng: Generator,
) -> NDArray[np.float64]:
    """Return ``size`` values of the largest of k answers after noise of scale 2Δ/ε.

    answers: the answers to k queries, each of sensitivity Δ between neighbors.
    noise: ``"laplace"`` or ``"exponential"``.
    grid: a power of two to which the value is rounded, so that its lowest bits are not what leaks.

    Shape of the result: (size,). Claimed to be ε-DP like the index. The value moves with all
    answers: with Laplace noise it is kε/2-DP and no better, with exponential noise the smallest
    reachable value tells the largest answer. Raises ``UsageError`` for parameters outside their
    range.
    """
    noisy = noisy_answers(
        answers, epsilon=epsilon, sensitivity=sensitivity, noise=noise, size=size, rng=rng
    )
    return round_to_grid(noisy.max(axis=1), grid)


_EPSILON = 0.5
_PAIR = ((1.0, 1.0, 1.0, 1.0, 1.0), (0.0, 2.0, 2.0, 2.0, 2.0))
_VALUE_PAIR = ((1.0,) * 5, (2.0,) * 5)


def _entries(
    noise: Noise, source: Source, true_epsilon: float, value_epsilon: float
) -> tuple[Mechanism, Mechanism]:
    sound = Mechanism(
        name=f"noisy-max/{noise}",
        run=partial(report_noisy_max, epsilon=_EPSILON, noise=noise),
        promise=PureDP(_EPSILON),
        relation=BoundedAnswers(),
        pairs=(_PAIR,),
        source=source,
        summary=f"The index of the largest of five answers after {noise} noise of scale 4.",
        true_epsilon=true_epsilon,
        tags=("selection",),
    )
    named = noise.replace("laplace", "Laplace")
    return sound, sound.twin(
        f"noisy-max-value-{noise}",
        run=partial(noisy_max_value, epsilon=_EPSILON, noise=noise),
        pairs=(_VALUE_PAIR,),
        source=VALUE_SOURCE,
        summary=f"The largest of five answers with {named} noise of scale 4, released as a number.",
        true_epsilon=value_epsilon,
    )


MECHANISMS: tuple[Mechanism, ...] = (
    # All five answers move by 1 against noise of scale 2/ε, and in the lower tail all five noises
    # must be small.
    *_entries("laplace", LAPLACE_SOURCE, 0.4839447891037623, len(_VALUE_PAIR[0]) * _EPSILON / 2),
    *_entries("exponential", EXPONENTIAL_SOURCE, 0.5, math.inf),
)
