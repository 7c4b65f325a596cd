"""Noisy prefix sums: running totals of items that each carry their own noise."""

from fractions import Fraction
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import BoundedAnswers, Mechanism, PureDP, Source
from provado.mechanisms.definitions.parameters import natural, rational, vector
from provado.mechanisms.noise.exact_noise import NOISE_GRID, discrete_laplace_noise, to_grid

SOURCE = Source(
    "Wang, Ding, Wang, Kifer and Zhang, Proving Differential Privacy with Shadow Execution (2019)",
    "the prefix-sum case study",
)


def prefix_sum(
    items: ArrayLike, *, scale: Fraction | int, grid: float = NOISE_GRID, size: int, rng: Generator
) -> NDArray[np.float64]:
    """Return ``size`` copies of the prefix sums of the items after Laplace noise on each item.

    items: k numbers of which one moves by at most 1 between neighbors.
    scale: the Laplace parameter b > 0 of each item's noise, exact.
    grid: a power of two, at most 1.

    Shape of the result: (size, k); entry j is Σ_{i ≤ j} (item_i + noise_i), so that the noise of
    later sums grows. Guarantee: 1/b-DP, in floating point too, as a function of the noisy items.
    Source: Wang et al. (2019). Raises ``UsageError`` for parameters outside their range.
    """
    steps = to_grid(vector(items, "items"), grid)
    exact = rational(scale, "scale") / Fraction(grid)
    noise = discrete_laplace_noise(exact, (natural(size, "size"), steps.size), rng)
    return np.cumsum(steps + noise, axis=1).astype(np.float64) * grid


MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(
        name="prefix-sum/laplace",
        run=partial(prefix_sum, scale=Fraction(1)),
        promise=PureDP(1.0),
        relation=BoundedAnswers(at_most=1),
        pairs=(((1.0, 1.0, 1.0, 1.0, 1.0), (1.0, 1.0, 2.0, 1.0, 1.0)),),
        source=SOURCE,
        summary="Running totals of five items, each item with Laplace noise of scale 1 on a grid.",
        true_epsilon=1.0,
    ),
)
