"""Noisy tables of three columns: all that a run of ``tables`` tells, and a twin.

The twin releases the tables of all three pairs with noise for one, as if those that take no edge
away were free.
"""

from fractions import Fraction
from functools import partial
from typing import Any

from provado.mechanisms.accounting.composition import concentrated_epsilon
from provado.mechanisms.definitions import (
    ApproximateDP,
    Mechanism,
    PrivacyPromise,
    PureDP,
    ReplaceOne,
    Source,
)
from provado.mechanisms.graph_discovery.exact.noisy_tables import (
    draw_binned,
    draw_tables,
    exact_epsilon,
)
from provado.mechanisms.graph_discovery.noisy_tables.plan import CellNoise

from .datasets import Pair, repeat, replace_first

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
        "What a run on three columns tells, the graph included: one noisy table of all columns.",
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
