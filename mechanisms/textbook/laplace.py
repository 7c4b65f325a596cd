"""The Laplace mechanism: in floating point as printed, and on a grid with exact integer noise."""

import math
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import BoundedAnswers, Mechanism, PureDP, Source, Verdict
from provado.mechanisms.definitions.parameters import answers, natural, positive, rational
from provado.mechanisms.noise.exact_noise import NOISE_GRID, discrete_laplace_noise, to_grid

SOURCE = Source(
    "Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014)",
    "Definition 3.3 and Theorem 3.6",
)
EXACT_SOURCE = Source(
    "Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy (2020)",
    "Algorithm 2, on multiples of a grid step",
)


def laplace(answer: ArrayLike, *, scale: float, size: int, rng: Generator) -> NDArray[np.float64]:
    """Return ``size`` draws of ``answer`` + Laplace(``scale``), each coordinate independent.

    answer: a number or a vector of k numbers of ℓ1-sensitivity Δ between neighbors.
    scale: the Laplace parameter b > 0; b = Δ/ε gives ε-DP over the real numbers. In floating
        point it does not: the set of reachable outputs depends on the answer (Mironov 2012).

    Shape of the result: (size,) or (size, k). Source: Dwork and Roth, Definition 3.3 and
    Theorem 3.6. Raises ``UsageError`` for parameters outside their range.
    """
    center = answers(answer, "answer")
    return center + rng.laplace(
        scale=positive(scale, "scale"), size=(natural(size, "size"), *center.shape)
    )


def laplace_on_grid(
    answer: ArrayLike, *, scale: Fraction | int, grid: float = NOISE_GRID, size: int, rng: Generator
) -> NDArray[np.float64]:
    """Return ``size`` draws of ``answer`` + discrete Laplace noise, all on multiples of ``grid``.

    answer: a number or a vector of k numbers of ℓ1-sensitivity Δ between neighbors, Δ a multiple
        of ``grid`` in each coordinate; rounded to the grid first.
    scale: the parameter b > 0 in units of the answer, exact.
    grid: a power of two.

    Shape of the result: (size,) or (size, k). Guarantee: Δ/b-DP, in floating point too, as every
    decision is made on integers. Source: Canonne, Kamath and Steinke, Algorithm 2. Raises
    ``UsageError`` for parameters outside their range.
    """
    center = to_grid(answer, grid)
    steps = rational(scale, "scale") / Fraction(grid)
    noise = discrete_laplace_noise(steps, (natural(size, "size"), *center.shape), rng)
    return (center + noise).astype(np.float64) * grid


def _on_grid(epsilon: Fraction) -> Mechanism:
    return Mechanism(
        name=f"laplace/grid-{float(epsilon):g}",
        run=partial(laplace_on_grid, scale=1 / epsilon, grid=NOISE_GRID),
        promise=PureDP(float(epsilon)),
        relation=BoundedAnswers(),
        pairs=((0.0, 1.0),),
        source=EXACT_SOURCE,
        summary="A number with Laplace noise drawn exactly on multiples of 2^-10.",
        true_epsilon=float(epsilon),
    )


_TENTH = _on_grid(Fraction(1, 10))

MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(
        name="laplace/floating-point",
        run=partial(laplace, scale=1.0),
        promise=PureDP(1.0),
        relation=BoundedAnswers(),
        pairs=((0.0, 1.0),),
        source=SOURCE,
        expected=Verdict.VIOLATION,
        summary="A number with floating-point Laplace noise, as printed; which outputs can be "
        "reached depends on the answer (Mironov 2012), so that the claim fails.",
        true_epsilon=math.inf,
        tags=("floating-point",),
    ),
    _TENTH,
    _on_grid(Fraction(1)),
    _on_grid(Fraction(3)),
    _TENTH.twin(
        "laplace-wrong-scale",
        run=partial(laplace_on_grid, scale=Fraction(5)),
        summary="Laplace noise of scale 5 where the claim needs 10.",
        true_epsilon=float(1 / Fraction(5)),
    ),
)
