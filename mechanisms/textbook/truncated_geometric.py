"""The truncated geometric mechanism: geometric noise clamped to the range of the count."""

import math
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from provado.mechanisms.definitions import BoundedAnswers, Mechanism, PureDP, Source, UsageError
from provado.mechanisms.definitions.parameters import natural, rational

SOURCE = Source(
    "Balcer and Vadhan, Differential Privacy on Finite Computers (2018)",
    "Algorithm 4.8 (GeoSample) and Theorem 4.7",
)


def truncated_geometric(
    count: int, *, n: int, ratio: Fraction, size: int, rng: Generator
) -> NDArray[np.int64]:
    """Return ``size`` noisy counts in 0, …, ``n``.

    count: a whole number in 0, …, n, of sensitivity 1 between neighbors.
    ratio: e^(−ε) as a rational number in (0, 1); Balcer and Vadhan take 1/(1 + 2^(−k)), for which
        all probabilities are rational.

    Shape of the result: (size,). Guarantee: ln(1/ratio)-DP, exactly: one integer, uniform below the
    common denominator of the probabilities, is looked up among integers. Source: Balcer and Vadhan,
    Algorithm 4.8. Raises ``UsageError`` where a parameter is outside its range or the common
    denominator passes 2^62.
    """
    weights = _weights(count, n, ratio)
    if sum(weights) > 2**62:
        raise UsageError(
            f"n is {n} and ratio {ratio}: the probabilities' common denominator passes 2**62"
        )
    cuts = np.cumsum(np.array(weights, dtype=np.int64))
    drawn = rng.integers(cuts[-1], size=natural(size, "size"))
    return np.searchsorted(cuts, drawn, side="right").astype(np.int64)


def _weights(count: int, n: int, ratio: Fraction) -> list[int]:
    """Return integers proportional to the probabilities of 0, …, n.

    With α = a/b the noise z has probability (1 − α)/(1 + α)·α^|z|, and all that falls outside
    0, …, n is moved to the nearer end: α^d/(1 + α) at an end in distance d. All of them times
    (a + b)·b^(n − 1) are whole.
    """
    n = natural(n, "n")
    alpha = rational(ratio, "ratio")
    if alpha >= 1:
        raise UsageError(f"ratio is {ratio!r}: it must be below 1")
    if not 0 <= count <= n or count != int(count):
        raise UsageError(f"count is {count!r}: it must be a whole number from 0 to {n}")
    a, b = alpha.numerator, alpha.denominator
    # One factor b more than needed keeps both kinds of term whole; the gcd takes it out again.
    weights = [
        a ** abs(z - count) * b ** (n - abs(z - count)) * (b if z in (0, n) else b - a)
        for z in range(n + 1)
    ]
    common = math.gcd(*weights)
    return [weight // common for weight in weights]


_RATIO = Fraction(8, 9)
_EPSILON = math.log(9 / 8)

MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(
        name="truncated-geometric/five",
        run=partial(truncated_geometric, n=5, ratio=_RATIO),
        promise=PureDP(_EPSILON),
        relation=BoundedAnswers(),
        pairs=((2, 1),),
        source=SOURCE,
        summary="A count of up to 5 with geometric noise, clamped to 0, …, 5, by exact integers.",
        true_epsilon=_EPSILON,
    ),
)
