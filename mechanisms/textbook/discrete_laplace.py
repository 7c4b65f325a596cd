"""The discrete Laplace (two-sided geometric) mechanism on integers, with an exact sampler."""

from fractions import Fraction
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import BoundedAnswers, Mechanism, PureDP, Source
from provado.mechanisms.definitions.parameters import integers, natural
from provado.mechanisms.noise.exact_noise import discrete_laplace_noise

SOURCE = Source(
    "Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy (2020)",
    "Algorithm 2",
)


def discrete_laplace(
    answer: ArrayLike, *, scale: Fraction | int, size: int, rng: Generator
) -> NDArray[np.int64]:
    """Return ``size`` draws of ``answer`` + Z, where Pr[Z = z] is proportional to e^(−|z|/scale).

    answer: a whole number or a vector of k of them, of ℓ1-sensitivity Δ between neighbors.
    scale: the parameter b > 0, exact.

    Shape of the result: (size,) or (size, k). Guarantee: Δ/b-DP, exactly. Source: Canonne, Kamath
    and Steinke, Algorithm 2; first by Ghosh, Roughgarden and Sundararajan (2009) as the geometric
    mechanism. Raises ``UsageError`` for parameters outside their range.
    """
    center = integers(answer, "answer")
    return center + discrete_laplace_noise(scale, (natural(size, "size"), *center.shape), rng)


MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(
        name="discrete-laplace/count",
        run=partial(discrete_laplace, scale=Fraction(1)),
        promise=PureDP(1.0),
        relation=BoundedAnswers(),
        pairs=((0, 1),),
        source=SOURCE,
        summary="A count with discrete Laplace noise from an exact integer sampler.",
        true_epsilon=1.0,
    ),
)
