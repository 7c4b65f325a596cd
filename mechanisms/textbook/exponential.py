"""Selection by the exponential mechanism, and by permute-and-flip.

The first draws with probability growing in the score; the second tosses a coin for each option in
random order.
"""

from dataclasses import replace
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


PERMUTE_SOURCE = Source(
    "McKenna and Sheldon, Permute-and-Flip: A New Mechanism for Differentially Private Selection "
    "(2020)",
    "Algorithm 1 and Theorem 1",
)


def permute_and_flip(
    scores: ArrayLike, *, epsilon: float, sensitivity: float = 1.0, size: int, rng: Generator
) -> NDArray[np.int64]:
    """Return ``size`` indices: the first heads when options toss their coins in random order.

    scores: the scores of k options, each of sensitivity Δ between neighbors. The coin of an option
        shows heads with probability e^(ε·(score − best score)/(2Δ)), so the best one always does.

    Shape of the result: (size,), values 0 to k − 1. Guarantee: ε-DP, up to 2^(−53) in each
    probability. Source: McKenna and Sheldon, Algorithm 1. Raises ``UsageError`` for parameters
    outside their range.
    """
    heads_probability = _heads(scores, epsilon, sensitivity)
    shape = (natural(size, "size"), heads_probability.size)
    # The coins are tossed for all options; the order of a random permutation is that of its keys,
    # so the first heads is the one with the smallest key.
    keys = rng.random(shape)
    keys[rng.random(shape) >= heads_probability] = np.inf
    first: NDArray[np.int64] = np.argmin(keys, axis=1)
    return first


def permute_and_flip_probabilities(
    scores: ArrayLike, *, epsilon: float, sensitivity: float = 1.0
) -> NDArray[np.float64]:
    """Return the probability of each index.

    Given which options show heads, the first of them in random order is any of them with the same
    probability; so index r has probability h_r·E[1/(1 + number of heads among the others)].
    """
    heads = _heads(scores, epsilon, sensitivity)
    result = np.empty_like(heads)
    for r, chance in enumerate(heads):
        # number[m] = Pr[m of the other options show heads], built up one option at a time.
        number = np.ones(1)
        for other in np.delete(heads, r):
            number = np.convolve(number, (1 - other, other))
        result[r] = chance * np.sum(number / np.arange(1, number.size + 1))
    return result


def _heads(scores: ArrayLike, epsilon: float, sensitivity: float) -> NDArray[np.float64]:
    quality = vector(scores, "scores")
    rate = selection_rate(epsilon, sensitivity)
    heads: NDArray[np.float64] = np.exp(rate * (quality - quality.max()))
    return heads


MECHANISMS: tuple[Mechanism, ...] = (
    FIVE_OPTIONS,
    replace(
        FIVE_OPTIONS,
        name="permute-and-flip/five-options",
        run=partial(permute_and_flip, epsilon=1.0),
        source=PERMUTE_SOURCE,
        summary="One of five options: the first in random order whose coin shows heads.",
        # The four tied best options always show heads, so the first one has a fifth of its coin:
        # e^(−3ε/2)/5 under D and e^(−ε/2)/5 under D′.
        true_epsilon=1.0,
    ),
)
