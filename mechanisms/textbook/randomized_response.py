"""Randomized response on one bit, and on one of k values."""

import math
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import Mechanism, PureDP, ReplaceOne, Source, UsageError
from provado.mechanisms.definitions.parameters import integers, natural, positive

BINARY_SOURCE = Source(
    "Warner, Randomized Response: A Survey Technique for Eliminating Evasive Answer Bias (1965)",
    "section 2, with ε as in Dwork and Roth (2014), Claim 3.5",
)
K_ARY_SOURCE = Source(
    "Kairouz, Oh and Viswanath, Extremal Mechanisms for Local Differential Privacy (2014)",
    "the randomized response mechanism",
)


def randomized_response(
    values: ArrayLike, *, epsilon: float, k: int = 2, size: int, rng: Generator
) -> NDArray[np.int64]:
    """Return ``size`` reports on each value: the truth, or with some luck any other value.

    values: one person's value among 0, …, k − 1, or a vector of n persons' values.
    epsilon: the truth is told with probability e^ε/(k − 1 + e^ε), every other value with
        probability 1/(k − 1 + e^ε).

    Shape of the result: (size,) or (size, n). Guarantee: ε-DP under replacing one person's value;
    up to 2^(−53) in each probability, as the coin is a floating-point number. Source: Kairouz, Oh
    and Viswanath (2014); Warner (1965) for k = 2. Raises ``UsageError`` for values outside
    0, …, k − 1 and parameters outside their range.
    """
    k = natural(k, "k")
    truth = integers(values, "values")
    if k < 2 or np.any((truth < 0) | (truth >= k)):
        raise UsageError(f"values is {values!r}: each must be one of 0, …, k − 1 for k = {k} ≥ 2")
    odds = math.exp(positive(epsilon, "epsilon"))
    shape = (natural(size, "size"), *truth.shape)
    lies = rng.random(shape) >= odds / (k - 1 + odds)
    shift = np.where(lies, rng.integers(1, k, size=shape) if k > 2 else 1, 0)
    reports: NDArray[np.int64] = (truth + shift) % k
    return reports


def _entry(variant: str, source: Source, k: int, summary: str) -> Mechanism:
    return Mechanism(
        name=f"randomized-response/{variant}",
        run=partial(randomized_response, epsilon=1.0, k=k),
        promise=PureDP(1.0),
        relation=ReplaceOne(),
        pairs=((0, 1),),
        source=source,
        summary=summary,
        true_epsilon=1.0,
        tags=("local",),
    )


MECHANISMS: tuple[Mechanism, ...] = (
    _entry(
        "binary", BINARY_SOURCE, 2, "One person's bit, reported truly with probability e/(1+e)."
    ),
    _entry(
        "k-ary",
        K_ARY_SOURCE,
        10,
        "One person's value among 10, true with probability e/(9 + e), else any other one.",
    ),
)
