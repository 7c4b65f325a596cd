"""The pairs that the experiments of this paper run on, and their columns in [−1, 1]."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms import UsageError
from provado.mechanisms.pairs.anm import Direction, generate_pairs
from provado.mechanisms.regression import scale_to_unit
from provado.reports.reproduce.experiment import Setting
from provado.reports.reproduce.sources.pairs import NamedPair, load_pairs, tuebingen_pairs

GENERATED, TUEBINGEN = "generated", "Tübingen"
"""The sources that are always there; another one is the name of a user's folder."""

PAIRS, RECORDS, QUICK_PAIRS, QUICK_RECORDS = 100, 1_000, 12, 200
"""How many pairs are generated or, for the quick version, taken; records drawn from longer ones."""

WORK = "Kusner, Sun, Sridharan and Weinberger, Private Causal Inference (2016)"


def sources(setting: Setting) -> tuple[str, ...]:
    """Return the sources of pairs that a setting asks for."""
    return (GENERATED, TUEBINGEN, *([setting.pairs] if setting.pairs else []))


@cache
def pairs_of(source: str, seed: int) -> tuple[NamedPair, ...]:
    """Return the pairs of a source whose direction is known.

    Coins of the seed exchange the columns of those that all have the cause first. Raises
    ``UsageError`` for a folder without any such.
    """
    rng = np.random.default_rng([seed, 2016])
    if source == GENERATED:
        made = generate_pairs(PAIRS, RECORDS, rng)
        return tuple(NamedPair(f"pair {i}", p.x, p.y, p.direction) for i, p in enumerate(made))
    found = tuebingen_pairs(rng) if source == TUEBINGEN else load_pairs(Path(source))
    known = tuple(pair for pair in found if pair.direction is not None)
    if not known:
        raise UsageError(f"--pairs {source}: no pair has a known direction")
    return known


def columns(
    pair: NamedPair, most: int, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return at most ``most`` records, each column scaled to [−1, 1] by its own range."""
    rows = np.arange(pair.x.size)
    if rows.size > most:
        rows = rng.choice(rows, size=most, replace=False)
    return _scaled(pair.x[rows]), _scaled(pair.y[rows])


def sign(pair: NamedPair) -> float:
    """Return 1 where X → Y is true, −1 where Y → X is."""
    return 1.0 if pair.direction is Direction.FORWARD else -1.0


def _scaled(column: NDArray[np.float64]) -> NDArray[np.float64]:
    low, high = float(column.min()), float(column.max())
    return scale_to_unit(column, low, high) if low < high else np.zeros(column.shape)
