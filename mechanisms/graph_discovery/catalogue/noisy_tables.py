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

from provado.mechanisms import definitions as dp
from provado.mechanisms.accounting.composition import concentrated_epsilon
from provado.mechanisms.definitions.parameters import natural

from ..exact.graph_distribution import coded_records
from ..noisy_tables.plan import CellNoise
from ..noisy_tables.release import Columns, count, cuts
from .graphs import Pair, repeat, replace_first


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


def _tables(records: ArrayLike, order: int, levels: int) -> list[NDArray[np.int64]]:
    data = coded_records(records, levels)
    sets: Sequence[Columns] = list(combinations(range(len(data.names)), natural(order, "order")))
    if not sets:
        raise dp.UsageError(f"order is {order}: records have {len(data.names)} columns")
    return [count(data, columns) for columns in sets]


SOURCE = dp.Source(
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

UNIT = dp.PureDP(1.0)


def _told(
    noise: CellNoise, order: int, true_epsilon: float, promise: dp.PrivacyPromise = UNIT
) -> dict[str, Any]:
    return {
        "run": partial(draw_tables, noise=noise, order=order),
        "promise": promise,
        "pairs": (PAIR,),
        "true_epsilon": true_epsilon,
    }


def _sound(name: str, summary: str, told: dict[str, Any]) -> dp.Mechanism:
    return dp.Mechanism(
        name=name,
        relation=dp.ReplaceOne(),
        source=SOURCE,
        summary=summary,
        tags=("causal-discovery",),
        **told,
    )


_PAIRS = _sound(
    "tables/pairs",
    "Tables of all pairs of three columns, discrete Laplace noise for three tables.",
    _told(PAIRS, 2, 1.0),
)


def _binned(noise: CellNoise) -> dict[str, Any]:
    return {
        "run": partial(draw_binned, margin=CellNoise("laplace", Fraction(8)), noise=noise),
        "promise": UNIT,
        "pairs": (FINE_PAIR,),
        "true_epsilon": float(2 * Fraction(2, 8) + noise.cost),
    }


_BINS = _sound(
    "tables/bins",
    "A table of two numeric columns in two bins each, which noisy histograms cut, half of ε each.",
    _binned(HALF),
)

MECHANISMS: tuple[dp.Mechanism, ...] = (
    _sound(
        "tables/graph",
        "What a run on three columns reveals, the graph included: one noisy table of all columns.",
        _told(WHOLE, 3, 1.0),
    ),
    _PAIRS,
    _BINS,
    _sound(
        "tables/pairs-gaussian",
        "Tables of all pairs of three columns, discrete Gaussian noise, by zero-concentrated DP.",
        _told(
            GAUSSIAN,
            2,
            0.9189596623182297,
            dp.ApproximateDP(concentrated_epsilon(3 / 24, DELTA), DELTA),
        ),
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
        **_told(CellNoise("laplace", Fraction(2)), 2, 3.0),
    ),
)
