"""The pairs that the experiments of this paper run on, and their columns in [−1, 1].

The paper's own, from the Cause-Effect Pairs competition, cannot be had; a user who has them gives
their folder.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms import UsageError
from provado.mechanisms.cause_effect.anm import Direction, generate_pairs
from provado.mechanisms.regression import scale_to_unit
from provado.reports.commands.reproduce.experiment import Part, Setting
from provado.reports.commands.reproduce.sources.pairs import NamedPair, load_pairs, tuebingen_pairs

from ._printed import TABLE_2_IDS

GENERATED, TUEBINGEN = "generated", "Tübingen"
LARGE_GENERATED, LARGE_TUEBINGEN = "large generated", "large Tübingen"
LARGE = (LARGE_GENERATED, LARGE_TUEBINGEN)
"""The sources that are always there; another one is the name of a user's folder."""

PAIRS, RECORDS, QUICK_PAIRS, QUICK_RECORDS = 100, 1_000, 12, 200
"""How many pairs are generated or, for the quick version, taken; records drawn from longer ones."""

LARGEST, DRAWN, QUICK_DRAWN = 25, 10, 3
"""The paper drew ten of the 25 largest pairs of its collection."""

LARGE_RECORDS, QUICK_LARGE_RECORDS = 7_800, 1_500
"""Records of a large pair, as many as the paper's pairs have, and of a user's."""


UnitColumns = tuple[NDArray[np.float64], NDArray[np.float64]]


def sources(setting: Setting) -> tuple[str, ...]:
    """Return the sources of pairs that a setting asks for."""
    return (GENERATED, TUEBINGEN, *LARGE, *([setting.pairs] if setting.pairs else []))


@cache
def pairs_of(source: str, seed: int) -> tuple[NamedPair, ...]:
    """Return the pairs of a source whose direction is known.

    Coins of the seed exchange the columns of those that all have the cause first. Raises
    ``UsageError`` for a folder without any such.
    """
    rng = np.random.default_rng([seed, 2016])
    if source in (GENERATED, LARGE_GENERATED):
        if source == GENERATED:
            made = generate_pairs(PAIRS, RECORDS, rng)
        else:
            made = generate_pairs(DRAWN, LARGE_RECORDS, np.random.default_rng([seed, 2016, 1]))
        return tuple(NamedPair(f"pair {i}", p.x, p.y, p.direction) for i, p in enumerate(made))
    if source == LARGE_TUEBINGEN:
        return drawn_as_printed(pairs_of(TUEBINGEN, seed), seed)
    found = tuebingen_pairs(rng) if source == TUEBINGEN else load_pairs(Path(source))
    known = tuple(pair for pair in found if pair.direction is not None)
    if not known:
        raise UsageError(f"--pairs {source}: no pair has a known direction")
    return known


def drawn_as_printed(pairs: Sequence[NamedPair], seed: int) -> tuple[NamedPair, ...]:
    """Return ten of the 25 largest pairs, drawn by the seed, the smallest first.

    Where all ten pairs of the printed Table 2 are among them by name, those, in the printed order.
    """
    named = {pair.name: pair for pair in pairs}
    if all(name in named for name in TABLE_2_IDS):
        return tuple(named[name] for name in TABLE_2_IDS)
    largest = sorted(pairs, key=lambda pair: (-pair.x.size, pair.name))[:LARGEST]
    rng = np.random.default_rng([seed, 2016, 2])
    drawn = rng.choice(len(largest), size=min(DRAWN, len(largest)), replace=False)
    return tuple(sorted((largest[i] for i in drawn), key=lambda pair: (pair.x.size, pair.name)))


def pair_parts(
    setting: Setting, splits: int, large_splits: int, seconds: Callable[[int], float]
) -> list[Part]:
    """Return one part a pair of every source.

    splits, large_splits: how many random halvings of a pair, and of a large one or a user's.
    seconds: of one halving, from the number of records.
    """
    found = []
    for source in sources(setting):
        pairs = pairs_of(source, setting.seed)
        count, most = _asked(setting, source)
        halvings = large_splits if source in LARGE or source == setting.pairs else splits
        for index, pair in enumerate(pairs[:count]):
            arguments = {
                "source": source,
                "index": index,
                "pairs_seed": setting.seed,
                "most": most,
                "splits": halvings,
            }
            estimate = 0.01 + halvings * seconds(min(pair.x.size, most))
            found.append(Part(f"{source}/{pair.name}", arguments, estimate))
    return found


def halving_seconds(n: int) -> float:
    """Return how long all scores of one halving of ``n`` records take, about."""
    return 0.002 + 0.011 * math.pow(n / 1e3, 2.5)


def pair_at(arguments: Mapping[str, Any]) -> NamedPair:
    """Return the pair that a part's arguments name."""
    found: NamedPair = pairs_of(arguments["source"], arguments["pairs_seed"])[arguments["index"]]
    return found


def record_settings(setting: Setting) -> tuple[tuple[str, str], ...]:
    """Return what there is to say of the pairs, as names and values of ``Findings``."""
    usual, large = (
        (QUICK_RECORDS, QUICK_LARGE_RECORDS) if setting.quick else (RECORDS, LARGE_RECORDS)
    )
    return (
        ("pairs", "generated, and the Tübingen pairs: the paper's own cannot be had"),
        ("records", f"at most {usual:,} a pair, {large:,} of a large one"),
    )


def columns(pair: NamedPair, most: int, rng: np.random.Generator) -> UnitColumns:
    """Return at most ``most`` records, each column scaled to [−1, 1] by its own range."""
    rows = np.arange(pair.x.size)
    if rows.size > most:
        rows = rng.choice(rows, size=most, replace=False)
    return _scaled(pair.x[rows]), _scaled(pair.y[rows])


def sign(pair: NamedPair) -> float:
    """Return 1 where X → Y is true, −1 where Y → X is."""
    return 1.0 if pair.direction is Direction.FORWARD else -1.0


def _asked(setting: Setting, source: str) -> tuple[int | None, int]:
    """Return how many pairs of a source are taken, ``None`` for all, and records at most."""
    large = source in LARGE or source == setting.pairs
    if setting.quick:
        count = QUICK_DRAWN if source in LARGE else QUICK_PAIRS
        return count, QUICK_LARGE_RECORDS if large else QUICK_RECORDS
    return None, LARGE_RECORDS if large else RECORDS


def _scaled(column: NDArray[np.float64]) -> NDArray[np.float64]:
    low, high = float(column.min()), float(column.max())
    return scale_to_unit(column, low, high) if low < high else np.zeros(column.shape)
