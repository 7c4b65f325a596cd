"""Permute-and-flip: selection by tossing a coin for each option in random order."""

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import Mechanism, Source
from provado.mechanisms.definitions.parameters import natural, vector

from .exponential import FIVE_OPTIONS, selection_rate

SOURCE = Source(
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
    replace(
        FIVE_OPTIONS,
        name="permute-and-flip/five-options",
        run=partial(permute_and_flip, epsilon=1.0),
        source=SOURCE,
        summary="One of five options: the first in random order whose coin shows heads.",
        # The four tied best options always show heads, so the first one has a fifth of its coin:
        # e^(−3ε/2)/5 under D and e^(−ε/2)/5 under D′.
        true_epsilon=1.0,
    ),
)
