"""The exponential mechanism: selection with probability growing in the score."""

from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import BoundedAnswers, Mechanism, PureDP, Source
from provado.mechanisms.definitions.parameters import natural, positive, vector

SOURCE = Source(
    "McSherry and Talwar, Mechanism Design via Differential Privacy (2007)",
    "Definition 2 and Theorem 6; as scaled in Dwork and Roth (2014), Definition 3.4",
)


def exponential(
    scores: ArrayLike, *, epsilon: float, sensitivity: float = 1.0, size: int, rng: Generator
) -> NDArray[np.int64]:
    """Return ``size`` indices, each drawn with probability proportional to e^(ε·score/(2Δ)).

    scores: the scores of k options, each of sensitivity Δ between neighbors.

    Shape of the result: (size,), values 0 to k − 1. Guarantee: ε-DP, up to 2^(−53) in each
    probability, as the draw compares floating-point numbers. Source: McSherry and Talwar; Dwork and
    Roth, Definition 3.4 and Theorem 3.10. Raises ``UsageError`` for parameters outside their range.
    """
    chances = exponential_probabilities(scores, epsilon=epsilon, sensitivity=sensitivity)
    return rng.choice(chances.size, size=natural(size, "size"), p=chances)


def exponential_probabilities(
    scores: ArrayLike, *, epsilon: float, sensitivity: float = 1.0
) -> NDArray[np.float64]:
    """Return the probability of each index."""
    # Here, so that the catalogue loads without scipy.
    from scipy.special import softmax

    rate = selection_rate(epsilon, sensitivity)
    chances: NDArray[np.float64] = softmax(rate * vector(scores, "scores"))
    return chances


def selection_rate(epsilon: float, sensitivity: float) -> float:
    """Return ε/(2Δ), by which a score moves the logarithm of a chance."""
    return positive(epsilon, "epsilon") / (2 * positive(sensitivity, "sensitivity"))


PAIR = ((0.0, 3.0, 3.0, 3.0, 3.0), (1.0, 2.0, 2.0, 2.0, 2.0))


FIVE_OPTIONS = Mechanism(
    name="exponential/five-options",
    run=partial(exponential, epsilon=1.0),
    promise=PureDP(1.0),
    relation=BoundedAnswers(),
    pairs=(PAIR,),
    source=SOURCE,
    summary="One of five options, drawn with probability growing exponentially in its score.",
    true_epsilon=0.9131015919079597,
    tags=("selection",),
)

MECHANISMS: tuple[Mechanism, ...] = (FIVE_OPTIONS,)
