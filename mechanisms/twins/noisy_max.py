"""Noisy max that releases the largest noisy answer itself, with the noise that its index needs."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms import BoundedAnswers, Mechanism, PureDP, Source, Verdict
from provado.mechanisms.grid import FINE_GRID, round_to_grid
from provado.mechanisms.reference.noisy_max import Noise, noisy_answers

SOURCE = Source(
    "Ding, Wang, Wang, Zhang and Kifer, Detecting Violations of Differential Privacy (2018)",
    "the noisy max that returns the value",
)


def noisy_max_value(
    answers: ArrayLike,
    *,
    epsilon: float,
    sensitivity: float = 1.0,
    noise: Noise = "laplace",
    grid: float = FINE_GRID,
    size: int,
    rng: np.random.Generator,
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


_PAIR = ((1.0,) * 5, (2.0,) * 5)
_EPSILON = 0.5


def _entry(noise: Noise, true_epsilon: float, summary: str) -> Mechanism:
    return Mechanism(
        name=f"twin/noisy-max-value-{noise}",
        run=partial(noisy_max_value, epsilon=_EPSILON, noise=noise),
        promise=PureDP(_EPSILON),
        relation=BoundedAnswers(),
        pairs=(_PAIR,),
        source=SOURCE,
        expected=Verdict.VIOLATION,
        summary=summary,
        true_epsilon=true_epsilon,
        tags=("twin", "selection"),
    )


MECHANISMS: tuple[Mechanism, ...] = (
    _entry(
        "laplace",
        # All five answers move by 1 against noise of scale 2/ε, and in the lower tail all five
        # noises must be small.
        len(_PAIR[0]) * _EPSILON / 2,
        "The largest of five answers with Laplace noise of scale 4, released as a number.",
    ),
    _entry(
        "exponential",
        math.inf,
        "The largest of five answers with exponential noise of scale 4, released as a number.",
    ),
)
