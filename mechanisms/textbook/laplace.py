"""Laplace noise: in floating point as printed, and exactly, on integers and on a grid.

On a number, on a sum of clamped numbers, on running totals of items that each carry their own noise
(noisy prefix sums), and on the count of each cell of a histogram.
"""

import math
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import (
    BoundedAnswers,
    Mechanism,
    PureDP,
    ReplaceOne,
    Source,
    UsageError,
    Verdict,
)
from provado.mechanisms.definitions.parameters import (
    answers,
    integers,
    natural,
    positive,
    power_of_two,
    rational,
    vector,
)
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


DISCRETE_SOURCE = Source(
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


SUM_SOURCE = Source(
    "Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014)",
    "Theorem 3.6, for a sum of sensitivity upper − lower",
)


def noisy_sum(
    records: ArrayLike,
    *,
    lower: float,
    upper: float,
    epsilon: Fraction | int,
    grid: float = NOISE_GRID,
    size: int,
    rng: Generator,
) -> NDArray[np.float64]:
    """Return ``size`` draws of the sum of clamped records plus Laplace noise on a grid.

    records: a vector of numbers; each is clamped to [lower, upper] and rounded to the grid.
    lower, upper: bounds, both multiples of ``grid``.
    epsilon: the privacy parameter, exact; the noise has scale (upper − lower)/ε.
    grid: a power of two.

    Shape of the result: (size,). Guarantee: ε-DP under replacing one record, in floating point
    too: the sum is one of integers, so that its order does not count and its sensitivity is
    exactly upper − lower. Raises ``UsageError`` for parameters outside their range.
    """
    step = power_of_two(grid, "grid")
    if not (lower < upper and lower % step == 0 == upper % step):
        raise UsageError(
            f"bounds are [{lower!r}, {upper!r}]: lower must be below upper, and both multiples of "
            f"the grid {grid!r}"
        )
    clamped = to_grid(np.clip(answers(records, "records"), lower, upper), step)
    width = Fraction(upper) - Fraction(lower)
    scale = width / rational(epsilon, "epsilon") / Fraction(step)
    noise = discrete_laplace_noise(scale, (natural(size, "size"),), rng)
    # Exact in Python's integers, whatever the number of records.
    total = sum(clamped.ravel().tolist())
    if abs(total) >= math.ldexp(1, 62):
        raise UsageError(f"records: their sum {total * step!r} must stay below 2**62 grid steps")
    return (total + noise).astype(np.float64) * step


PREFIX_SUM_SOURCE = Source(
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


HISTOGRAM_SOURCE = Source(
    "Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014)",
    "section 3.3, histogram queries",
)

HISTOGRAM_TWIN_SOURCE = Source(
    "Ding, Wang, Wang, Zhang and Kifer, Detecting Violations of Differential Privacy (2018)",
    "the histogram with a wrong scale",
)

HISTOGRAM_PAIR = ((1.0, 1.0, 1.0, 1.0, 1.0), (2.0, 1.0, 1.0, 1.0, 1.0))
"""Five cells; one record more falls into the first."""

HISTOGRAM_RELATION = BoundedAnswers(sensitivity=1.0, monotone=True, at_most=1)
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


_HISTOGRAM = Mechanism(
    name="histogram/laplace",
    run=partial(noisy_histogram, scale=Fraction(2)),
    promise=PureDP(0.5),
    relation=HISTOGRAM_RELATION,
    pairs=(HISTOGRAM_PAIR,),
    source=HISTOGRAM_SOURCE,
    summary="Five counts, each with Laplace noise of scale 2 on multiples of 2^-10.",
    true_epsilon=0.5,
)


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
    Mechanism(
        name="discrete-laplace/count",
        run=partial(discrete_laplace, scale=Fraction(1)),
        promise=PureDP(1.0),
        relation=BoundedAnswers(),
        pairs=((0, 1),),
        source=DISCRETE_SOURCE,
        summary="A count with discrete Laplace noise from an exact integer sampler.",
        true_epsilon=1.0,
    ),
    Mechanism(
        name="noisy-sum/laplace",
        run=partial(noisy_sum, lower=0.0, upper=1.0, epsilon=Fraction(1, 2)),
        promise=PureDP(0.5),
        relation=ReplaceOne(),
        pairs=(((0.25, 0.75, 0.0), (0.25, 0.75, 1.0)),),
        source=SUM_SOURCE,
        summary="The sum of numbers clamped to [0, 1], with Laplace noise of scale 2 on a grid.",
        true_epsilon=0.5,
    ),
    Mechanism(
        name="prefix-sum/laplace",
        run=partial(prefix_sum, scale=Fraction(1)),
        promise=PureDP(1.0),
        relation=BoundedAnswers(at_most=1),
        pairs=(((1.0, 1.0, 1.0, 1.0, 1.0), (1.0, 1.0, 2.0, 1.0, 1.0)),),
        source=PREFIX_SUM_SOURCE,
        summary="Running totals of five items, each item with Laplace noise of scale 1 on a grid.",
        true_epsilon=1.0,
    ),
    _HISTOGRAM,
    _HISTOGRAM.twin(
        "histogram-wrong-scale",
        run=partial(noisy_histogram, scale=Fraction(1, 2)),
        source=HISTOGRAM_TWIN_SOURCE,
        summary="Five counts with Laplace noise of scale ε = 1/2 where the claim needs 1/ε = 2.",
        true_epsilon=float(1 / Fraction(1, 2)),
    ),
)
