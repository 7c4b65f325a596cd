"""Report noisy max: the index of the largest noisy answer, with Laplace or exponential noise."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms import BoundedAnswers, Mechanism, PureDP, Source, UsageError, Verdict
from provado.mechanisms.parameters import natural, positive, vector
from provado.mechanisms.quadrature import laplace_below, laplace_density, line_nodes
from provado.mechanisms.reference.permute_and_flip import permute_and_flip_probabilities

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


def noisy_answers(
    answers: ArrayLike,
    *,
    epsilon: float,
    sensitivity: float,
    noise: Noise,
    size: int,
    rng: np.random.Generator,
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
    rng: np.random.Generator,
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


_PAIR = ((1.0, 1.0, 1.0, 1.0, 1.0), (0.0, 2.0, 2.0, 2.0, 2.0))


def _entry(noise: Noise, source: Source) -> Mechanism:
    d, d_prime = (report_noisy_max_probabilities(a, epsilon=0.5, noise=noise) for a in _PAIR)
    return Mechanism(
        name=f"noisy-max/{noise}",
        run=partial(report_noisy_max, epsilon=0.5, noise=noise),
        promise=PureDP(0.5),
        relation=BoundedAnswers(),
        pairs=(_PAIR,),
        source=source,
        expected=Verdict.NO_VIOLATION,
        summary=f"The index of the largest of five answers after {noise} noise of scale 4.",
        true_epsilon=float(np.max(np.abs(np.log(d / d_prime)))),
        tags=("selection",),
    )


MECHANISMS: tuple[Mechanism, ...] = (
    _entry("laplace", LAPLACE_SOURCE),
    _entry("exponential", EXPONENTIAL_SOURCE),
)
