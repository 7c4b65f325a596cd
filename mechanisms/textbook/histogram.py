"""The noisy histogram: Laplace noise on the count of each cell."""

from fractions import Fraction
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import BoundedAnswers, Mechanism, PureDP, Source
from provado.mechanisms.definitions.parameters import vector
from provado.mechanisms.noise.exact_noise import NOISE_GRID

from .laplace import laplace_on_grid

SOURCE = Source(
    "Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014)",
    "section 3.3, histogram queries",
)

TWIN_SOURCE = Source(
    "Ding, Wang, Wang, Zhang and Kifer, Detecting Violations of Differential Privacy (2018)",
    "the histogram with a wrong scale",
)

PAIR = ((1.0, 1.0, 1.0, 1.0, 1.0), (2.0, 1.0, 1.0, 1.0, 1.0))
"""Five cells; one record more falls into the first."""

RELATION = BoundedAnswers(sensitivity=1.0, monotone=True, at_most=1)
"""Adding or removing one record moves one cell by 1."""


def noisy_histogram(
    counts: ArrayLike, *, scale: Fraction | int, grid: float = NOISE_GRID, size: int, rng: Generator
) -> NDArray[np.float64]:
    """Return ``size`` copies of the counts, each cell with its own Laplace noise on a grid.

    counts: the number of records in each of k cells.
    scale: the Laplace parameter b > 0 in records, exact.
    grid: a power of two, at most 1.

    Shape of the result: (size, k). Guarantee: 1/b-DP under adding or removing one record, in
    floating point too. Source: Dwork and Roth, section 3.3. Raises ``UsageError`` for parameters
    outside their range.
    """
    return laplace_on_grid(vector(counts, "counts"), scale=scale, grid=grid, size=size, rng=rng)


_SOUND = Mechanism(
    name="histogram/laplace",
    run=partial(noisy_histogram, scale=Fraction(2)),
    promise=PureDP(0.5),
    relation=RELATION,
    pairs=(PAIR,),
    source=SOURCE,
    summary="Five counts, each with Laplace noise of scale 2 on multiples of 2^-10.",
    true_epsilon=0.5,
)

MECHANISMS: tuple[Mechanism, ...] = (
    _SOUND,
    _SOUND.twin(
        "histogram-wrong-scale",
        run=partial(noisy_histogram, scale=Fraction(1, 2)),
        source=TWIN_SOURCE,
        summary="Five counts with Laplace noise of scale ε = 1/2 where the claim needs 1/ε = 2.",
        true_epsilon=float(1 / Fraction(1, 2)),
    ),
)
