"""Noisy tables of three columns: all that a run of ``tables`` releases, and a negative control.

The graph is a function of the tables, so that no run tells more than they do. Their exact ε for a
pair of neighbors is known: cells that move do so by 1, each with noise of its own. Its twin has
the tables of all three pairs with noise for one, as if those that take no edge away were free.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.accounting.composition import concentrated_epsilon
from provado.mechanisms.definitions import (
    ApproximateDP,
    Mechanism,
    PrivacyPromise,
    PureDP,
    ReplaceOne,
    Source,
    UsageError,
)
from provado.mechanisms.definitions.parameters import natural
from provado.mechanisms.textbook.discrete_gaussian import discrete_gaussian_log_probability

from ..exact.graph_distribution import coded_records
from ..noisy_tables.plan import CellNoise
from ..noisy_tables.release import Columns, count, cuts
from .graphs import Pair, repeat, replace_first

_TAIL = 12.0
"""Standard deviations of a sum of noises that are summed over; the rest has less than 1e-30."""


def draw_tables(
    records: ArrayLike, *, noise: CellNoise, order: int, size: int, rng: Generator, levels: int = 2
) -> NDArray[np.int64]:
    """Return the cells of all tables of ``order`` columns, ``size`` times, shape (size, cells).

    records, levels: as of ``coded_records``. noise: of each cell. Raises ``UsageError`` as that
    does, for a size below 1, and for more columns in a table than there are.
    """
    counts = np.concatenate([table.ravel() for table in _tables(records, order, levels)])
    return counts + noise.draw((natural(size, "size"), counts.size), rng)


def draw_binned(
    records: ArrayLike,
    *,
    margin: CellNoise,
    noise: CellNoise,
    size: int,
    rng: Generator,
    levels: int = 4,
) -> NDArray[np.int64]:
    """Return the release of numeric columns in two bins each, ``size`` times, shape (size, cells).

    records: fine bins, whole numbers from 0 to ``levels`` − 1. margin: of the histograms of fine
    bins, which come first. noise: of the table of all columns in bins, cut by these histograms.
    The exact ε of a pair that goes from the lowest to the highest fine bin in every column is the
    sum of all: whatever cuts the bins, its two cells of each table move.
    """
    data, times = coded_records(records, levels), natural(size, "size")
    fine = np.array([count(data, (x,)) for x in range(len(data.names))])
    histograms = fine + margin.draw((times, *fine.shape), rng)
    starts = cuts(histograms, math.sqrt(margin.variance), 2)
    place = 2 ** np.arange(len(fine)) @ (data.codes >= starts)
    cells = (place[:, :, None] == np.arange(2 ** len(fine))).sum(axis=1)
    noisy = cells + noise.draw(cells.shape, rng)
    return np.concatenate([histograms.reshape(times, -1), noisy], axis=1)


def moved_cells(pair: tuple[ArrayLike, ArrayLike], order: int, levels: int = 2) -> int:
    """Return in how many cells neighbors differ, over all tables of ``order`` columns.

    Raises ``UsageError`` for records that are no neighbors: where a cell moves by more than 1.
    """
    first, second = (_tables(records, order, levels) for records in pair)
    moves = [np.abs(a - b) for a, b in zip(first, second, strict=True)]
    if max(int(move.max()) for move in moves) > 1:
        raise UsageError("pair differs by more than 1 in a cell: records must be neighbors")
    return sum(int(move.sum()) for move in moves)


def exact_delta(epsilon: float, noise: CellNoise, moved: int) -> float:
    """Return the smallest δ at ``epsilon`` where so many cells move by 1, up to rounding.

    Gaussian: the privacy loss is (2S + m)/(2σ²) with S the sum of m noises, here by convolution.
    Laplace: each loss is one of finitely many, and so is their sum.
    """
    if noise.law == "gaussian":
        losses, chances = _gaussian_losses(float(noise.parameter))
    else:
        losses, chances = _laplace_losses(float(noise.parameter))
    step = losses[1] - losses[0]
    total = chances
    for _ in range(moved - 1):
        total = np.convolve(total, chances)
    sums = moved * losses[0] + step * np.arange(total.size)
    return math.fsum(total * -np.expm1(np.minimum(epsilon - sums, 0.0)))


def exact_epsilon(
    pair: tuple[ArrayLike, ArrayLike], *, noise: CellNoise, order: int, delta: float = 0.0
) -> float:
    """Return the smallest ε at ``delta`` of a pair of neighbors, from all tables together."""
    moved = moved_cells(pair, order)
    if not delta:
        return math.inf if noise.law == "gaussian" else moved / float(noise.parameter)
    low, high = 0.0, 1.0
    while exact_delta(high, noise, moved) > delta:
        high *= 2
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        above = exact_delta(middle, noise, moved) > delta
        low, high = (middle, high) if above else (low, middle)
    return high


def _tables(records: ArrayLike, order: int, levels: int) -> list[NDArray[np.int64]]:
    data = coded_records(records, levels)
    sets: Sequence[Columns] = list(combinations(range(len(data.names)), natural(order, "order")))
    if not sets:
        raise UsageError(f"order is {order}: records have {len(data.names)} columns")
    return [count(data, columns) for columns in sets]


def _gaussian_losses(variance: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    reach = math.ceil(_TAIL * math.sqrt(variance)) + 1
    noise = np.arange(-reach, reach + 1)
    chances = np.exp(discrete_gaussian_log_probability(noise, variance))
    return (2 * noise + 1) / (2 * variance), chances


def _laplace_losses(scale: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    # Noise z against z + 1: the loss is 1/b from 0 on, −1/b below.
    below = 1 / (1 + math.exp(1 / scale))
    return np.array([-1 / scale, 1 / scale]), np.array([below, 1 - below])


SOURCE = Source(
    "Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy (2020)",
    "Algorithms 2 and 3, Theorem 14, Corollary 13",
)

_RECORDS = repeat({(0, 0, 0): 12, (0, 1, 1): 6, (1, 0, 1): 6, (1, 1, 1): 12})
PAIR: Pair = (_RECORDS, replace_first(_RECORDS, (0, 0, 0), (1, 1, 1)))
"""36 records, of which one changes in every column: two cells of every table move."""

WHOLE = CellNoise("laplace", Fraction(2))
"""Of one table of all columns, at ε = 1."""

PAIRS = CellNoise("laplace", Fraction(6))
"""Of three tables of two columns, at ε = 1 together."""

FINE_RECORDS = repeat({(0, 0): 6, (1, 1): 6, (2, 2): 6, (3, 3): 6})
FINE_PAIR: Pair = (FINE_RECORDS, replace_first(FINE_RECORDS, (0, 0), (3, 3)))
"""24 records of two numeric columns in four fine bins each, of which one changes in both."""

HALF = CellNoise("laplace", Fraction(4))
"""Of a table at ε = 1/2."""

GAUSSIAN, DELTA = CellNoise("gaussian", Fraction(24)), 0.01
"""Of three tables of two columns, ρ = 1/8 together."""


def _told(noise: CellNoise, order: int, promise: PrivacyPromise, delta: float) -> dict[str, Any]:
    return {
        "run": partial(draw_tables, noise=noise, order=order),
        "promise": promise,
        "pairs": (PAIR,),
        "true_epsilon": partial(exact_epsilon, PAIR, noise=noise, order=order, delta=delta),
    }


def _sound(name: str, summary: str, told: dict[str, Any]) -> Mechanism:
    return Mechanism(
        name=name,
        relation=ReplaceOne(),
        source=SOURCE,
        summary=summary,
        tags=("causal-discovery",),
        **told,
    )


_PAIRS = _sound(
    "tables/pairs",
    "Tables of all pairs of three columns, discrete Laplace noise for three tables.",
    _told(PAIRS, 2, PureDP(1.0), 0.0),
)


def _binned(noise: CellNoise) -> dict[str, Any]:
    return {
        "run": partial(draw_binned, margin=CellNoise("laplace", Fraction(8)), noise=noise),
        "promise": PureDP(1.0),
        "pairs": (FINE_PAIR,),
        "true_epsilon": float(2 * Fraction(2, 8) + noise.cost),
    }


_BINS = _sound(
    "tables/bins",
    "A table of two numeric columns in two bins each, which noisy histograms cut, half of ε each.",
    _binned(HALF),
)

MECHANISMS: tuple[Mechanism, ...] = (
    _sound(
        "tables/graph",
        "What a run on three columns reveals, the graph included: one noisy table of all columns.",
        _told(WHOLE, 3, PureDP(1.0), 0.0),
    ),
    _PAIRS,
    _BINS,
    _sound(
        "tables/pairs-gaussian",
        "Tables of all pairs of three columns, discrete Gaussian noise, by zero-concentrated DP.",
        _told(GAUSSIAN, 2, ApproximateDP(concentrated_epsilon(3 / 24, DELTA), DELTA), DELTA),
    ),
    _BINS.twin(
        "tables-bins-not-charged",
        summary="A table of two columns in bins, its noise for the whole ε, as if the histograms "
        "that cut the bins were free.",
        **_binned(WHOLE),
    ),
    _PAIRS.twin(
        "tables-used-not-planned",
        summary="Tables of all pairs of three columns with noise for one of them: those that took "
        "no edge away are not charged, though they are released.",
        **_told(CellNoise("laplace", Fraction(2)), 2, PureDP(1.0), 0.0),
    ),
)
