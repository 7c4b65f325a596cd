"""Shared by the experiments of this paper: its pairs, its Table 2, noisy directions and limits.

Columns of pairs are scaled to [−1, 1]. Directions are drawn with noise by simulation; the limits on
how likely an event is are exact. Table 2 holds means and deviations over ten splits as printed.

The paper's own, from the Cause-Effect Pairs competition, cannot be had; a user who has them gives
their folder.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms import UsageError
from provado.mechanisms.cause_effect.additive_noise_model import Direction, generate_pairs
from provado.mechanisms.regression.kernel_ridge import scale_to_unit

from ...experiment import PaperClaim, Piece, Scope
from ...sources.pairs import NamedPair, load_pairs, tuebingen_pairs

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


def sources(setting: Scope) -> tuple[str, ...]:
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
    named_pairs = tuebingen_pairs(rng) if source == TUEBINGEN else load_pairs(Path(source))
    known = tuple(pair for pair in named_pairs if pair.direction is not None)
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


Splits = tuple[tuple[int, int], tuple[int, int]]
"""How many random halvings of a pair, and of a large one or a user's; each also when quick."""


def pair_parts(setting: Scope, splits: Splits, seconds: Callable[[int], float]) -> list[Piece]:
    """Return one part a pair of every source; seconds: of a halving, by the number of records."""
    result = []
    for source in sources(setting):
        pairs = pairs_of(source, setting.seed)
        count, most = _asked(setting, source)
        halvings = setting.of(splits[source in LARGE or source == setting.pairs])
        for index, pair in enumerate(pairs[:count]):
            which = {"source": source, "index": index, "pairs_seed": setting.seed}
            arguments = {**which, "most": most, "splits": halvings}
            estimate = 0.01 + halvings * seconds(min(pair.x.size, most))
            result.append(Piece(f"{source}/{pair.name}", arguments, estimate))
    return result


def halving_seconds(n: int) -> float:
    """Return how long all scores of one halving of ``n`` records take, about."""
    return 0.002 + 0.011 * math.pow(n / 1e3, 2.5)


def pair_at(arguments: Mapping[str, Any]) -> NamedPair:
    """Return the pair that a part's arguments name."""
    result: NamedPair = pairs_of(arguments["source"], arguments["pairs_seed"])[arguments["index"]]
    return result


def pair_settings(setting: Scope, splits: Splits) -> tuple[tuple[str, str], ...]:
    """Return what there is to say of the pairs, as names and values of ``Findings``."""
    halvings, of_large = map(setting.of, splits)
    large_ones = f", of large {'pairs ' * setting.quick}{of_large}" if len({*splits}) > 1 else ""
    usual = setting.of((RECORDS, QUICK_RECORDS))
    large = setting.of((LARGE_RECORDS, QUICK_LARGE_RECORDS))
    return (
        ("splits", f"{halvings}{large_ones}"),
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


def _asked(setting: Scope, source: str) -> tuple[int | None, int]:
    """Return how many pairs of a source are taken, ``None`` for all, and records at most."""
    large = source in LARGE or source == setting.pairs
    if setting.quick:
        count = QUICK_DRAWN if source in LARGE else QUICK_PAIRS
        return count, QUICK_LARGE_RECORDS if large else QUICK_RECORDS
    return None, LARGE_RECORDS if large else RECORDS


def _scaled(column: NDArray[np.float64]) -> NDArray[np.float64]:
    low, high = float(column.min()), float(column.max())
    return scale_to_unit(column, low, high) if low < high else np.zeros(column.shape)


TABLE_2_IDS = ("4031", "597", "2209", "2967", "161", "2132", "1656", "901", "3484", "1627")
"""Pairs of the Cause-Effect Pairs competition."""

TABLE_2_SIZES = (7713, 7748, 7766, 7771, 7782, 7784, 7803, 7820, 7853, 7862)
"""Records of each."""

Row = tuple[tuple[float, float], ...]
"""Mean and deviation of each pair, in the order of the ids."""


def _table_2(text: str) -> dict[tuple[str, str], Row]:
    """Return rows of a level, a score and for each pair two numbers, with spaces between."""
    cells = text.split()
    width = 2 + 2 * len(TABLE_2_IDS)
    rows = (cells[i : i + width] for i in range(0, len(cells), width))
    return {
        (level, score): tuple(zip(map(float, row[::2]), map(float, row[1::2]), strict=True))
        for level, score, *row in rows
    }


TABLE_2 = _table_2(
    """
∞ spearman 0.50 0.53 0 0 0 0 0.70 0.48 0.90 0.32 1 0 0 0 0.30 0.48 0 0 1 0
∞ kendall 0.50 0.53 0 0 0 0 0.70 0.48 0.80 0.42 1 0 0 0 0.80 0.42 0 0 1 0
∞ hsic 1 0 0 0 1 0 1 0 0.70 0.48 0.60 0.52 1 0 0.40 0.52 1 0 0.10 0.32
∞ iqr 0.50 0.53 0 0 0.10 0.32 1 0 1 0 1 0 0 0 0.90 0.32 0 0 1 0
0.1 spearman 0.56 0.45 0.03 0 0.20 0.02 0.57 0.10 0.61 0.06 0.92 0.02 0.40 0.06 0.34 0.21 0.01 0
  0.82 0.02
0.1 kendall 0.54 0.48 0 0 0 0 0.69 0.38 0.78 0.24 1 0 0.12 0.09 0.76 0.41 0 0 1 0
0.1 hsic 0.68 0.17 0.49 0 0.60 0.01 0.50 0 0.50 0.01 0.50 0 0.52 0 0.43 0.06 0.66 0.03 0.50 0
1 spearman 0.50 0.53 0 0 0 0 0.69 0.43 0.91 0.17 1 0 0.06 0.07 0.30 0.41 0 0 1 0
1 kendall 0.50 0.53 0 0 0 0 0.70 0.48 0.81 0.40 1 0 0 0 0.80 0.42 0 0 1 0
1 hsic 0.85 0.16 0.39 0.03 0.98 0 0.52 0.01 0.55 0.06 0.50 0.01 0.66 0.02 0.21 0.25 1 0.01 0.49
  0.01
1 iqr 0.54 0.04 0.48 0 0.49 0 0.52 0 0.58 0.01 0.51 0.01 0.48 0 0.50 0 0.47 0.01 0.51 0
2 spearman 0.50 0.53 0 0 0 0 0.69 0.47 0.93 0.17 1 0 0.01 0.02 0.31 0.45 0 0 1 0
2 kendall 0.50 0.53 0 0 0 0 0.70 0.48 0.80 0.42 1 0 0 0 0.80 0.42 0 0 1 0
2 hsic 0.92 0.09 0.29 0.04 1 0 0.55 0.01 0.59 0.11 0.51 0.01 0.78 0.02 0.20 0.26 1 0 0.48 0.02
2 iqr 0.58 0.09 0.46 0.01 0.49 0.01 0.54 0.01 0.65 0.02 0.52 0.02 0.47 0.01 0.51 0.01 0.45 0.01
  0.52 0.01
"""
)
"""By ε and score. The text at hand has six of ten numbers of the IQR at ε = .1, without saying of
which pairs; that row is left out."""

TABLE_2_IQR_AT_TENTH = (0.50, 0.50, 0.50, 0.50, 0.51, 0.50)
"""The six numbers that are left of that row, in the order in which they stand."""


BLOCK = 250_000
LEVEL = 1e-3
"""Chance that a correct formula fails one of the limits compared, shared by all of them."""


def kept(margin: float, scale: float, releases: int, trials: int, rng: np.random.Generator) -> int:
    """Return in how many of ``trials`` the noisy smaller side stays smaller.

    margin: γ, the larger minus the smaller side without noise. scale: σ of the Laplace noise on
    each of ``releases`` numbers, half of which are added up on either side.
    """
    hits = 0
    for start in range(0, trials, BLOCK):
        size = (min(BLOCK, trials - start), releases // 2)
        smaller = rng.laplace(scale=scale, size=size).sum(axis=1)
        larger = margin + rng.laplace(scale=scale, size=size).sum(axis=1)
        hits += int(np.count_nonzero(smaller < larger))
    return hits


def within(hits: ArrayLike, trials: int, chances: ArrayLike) -> NDArray[np.bool_]:
    """Return where a claimed chance lies in the exact limits, which share ``LEVEL``."""
    # Here and below, so that the experiments are listed without scipy.
    from provado.audit.bounds.binomial import binomial_limits

    result = np.asarray(hits)
    low, high = binomial_limits(result, trials, LEVEL / max(result.size, 1) / 2)
    claimed = np.asarray(chances, dtype=np.float64)
    return np.asarray((low <= claimed) & (claimed <= high))


def rises(hits: Sequence[int], trials: int) -> bool | None:
    """Return whether chances rise from each to the next; ``None`` where their limits overlap.

    hits: of each, in ``trials``, which may be of several chances: the mean of these is meant, for
    which the limits hold as well (Hoeffding 1956: a sum of unequal coins spreads less).
    """
    from provado.audit.bounds.binomial import binomial_limits

    low, high = binomial_limits(hits, trials, LEVEL / len(hits) / 2)
    if np.any(high[1:] < low[:-1]):
        return False
    return True if np.all(high[:-1] < low[1:]) else None


def theorem_2(
    place: str, where: str, hits: Sequence[int], trials: int, chances: ArrayLike
) -> PaperClaim:
    """Return Theorem 2 beside simulated directions, ``trials`` each."""
    fits = within(hits, trials, chances)
    return PaperClaim(
        "two scores with Laplace noise keep their order with probability "
        "1 − (γ + 2σ)/(4σ)·e^(−γ/σ)",
        place,
        f"{where}: in {int(fits.sum())} of {fits.size} exact intervals from {trials:,} noisy "
        "directions each.",
        bool(fits.all()) if fits.size else None,
    )


def theorem_4(
    place: str,
    where: str,
    hits: Sequence[int],
    trials: int,
    printed: ArrayLike,
    repaired: ArrayLike,
) -> PaperClaim:
    """Return Theorem 4.2 beside simulated directions; the repaired form where it explains them."""
    fits, fixed = within(hits, trials, printed), within(hits, trials, repaired)
    right = fixed.all() and fixed.size
    return PaperClaim(
        "four noisy log-IQRs keep the direction with probability "
        "1 − e^(−σ/γ)(48σ³ + 33σ²γ + 9σγ² + γ³)/(96σ³)",
        place,
        f"{where}: the printed formula lies in {int(fits.sum())} of {fits.size} exact intervals "
        f"from {trials:,} noisy directions each, the one with e^(−γ/σ) in {int(fixed.sum())}.",
        bool(fits.all()) if fits.size else None,
        "The exponent is printed upside down: with e^(−γ/σ) the formula is exact." if right else "",
    )
