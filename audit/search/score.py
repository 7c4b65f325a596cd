"""Forecasts of the privacy loss of a pair from few draws, good enough to rank pairs by."""

from collections.abc import Sequence

import numpy as np

from provado.audit.events.features.feature import (
    Aggregate,
    Column,
    Difference,
    Exact,
    Feature,
    Floats,
)
from provado.audit.events.features.screen import ZeroSign
from provado.audit.events.features.text import with_numbers
from provado.audit.events.learners.piecewise import log_ratio
from provado.audit.events.learners.table import look_up
from provado.audit.events.threshold import NO_CUT, Goal, best_cut, distance
from provado.audit.target.output_encoding import Encoded

MOST_COLUMNS, MOST_STEPS, MOST_TRIED = 64, 16, 4
"""Coordinates that are examined, by themselves; in steps and in a sum of ratios; the most
informative ones, of which thresholds are tried."""

POINTS = 64
"""Where the samples of a coordinate are compared, to order coordinates."""

CELLS = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98)
"""Quantiles between which the ratio of a coordinate is taken as constant in that sum."""


def rank(a: Encoded, b: Encoded, goal: Goal, *, ideal: bool = False) -> tuple[float, float]:
    """Return a forecast of the ε that a pair certifies, from outputs under D and under D′.

    The second number is by how many standard errors outputs of one dataset alone exceed δ > 0.
    ideal: whether 0.0 and −0.0 are the same.

    These are examined: structure and repeated values (a table that one half of the outputs teaches)
    and thresholds of the most informative coordinates, their sum, largest and smallest; of words,
    their numbers and the rest. Bits of numbers but the sign of 0 are not: outputs that never repeat
    say something by their order of size alone.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        cuts = [NO_CUT]
        half = len(a) // 2
        given, (a, b) = (a, b), with_numbers((a, b))
        width = a.values.shape[1]
        columns = range(min(width, MOST_COLUMNS))
        keys = [(Exact(()), given), (Exact((), coarse=True), given), (Exact((*columns,)), (a, b))]
        keys += [(Exact(()), (a, b))] if a is not given[0] else []
        for key, sides in keys:
            keys_a, keys_b = map(key.read, sides)
            seen = np.concatenate([keys_a[:half], keys_b[:half]])
            known, count = np.unique(seen, return_counts=True)
            if len(known) < 2 or len(known) * 2 > count.sum():
                continue
            in_a, in_b = (
                np.bincount(np.searchsorted(known, one[:half]), minlength=len(known))
                for one in (keys_a, keys_b)
            )
            ratios = log_ratio(in_a, in_b)
            score_a, score_b = (look_up(one[half:], known, ratios) for one in (keys_a, keys_b))
            cuts.append(best_cut(score_a, score_b, goal))
        features: list[Feature] = [Column(j, width) for j in columns]
        both = np.vstack([one.values[:, : len(columns)] for one in (a, b)])
        if not ideal and both.dtype.kind == "f":
            signed = np.flatnonzero(((both == 0) & np.signbit(both)).any(axis=0)).tolist()
            features += [ZeroSign(j, width) for j in signed]
        if width > 1:
            features += [Aggregate(name) for name in ("sum", "max", "min")]
            features += [Difference(j) for j in range(min(width, MOST_STEPS) - 1)]
        read = [(one.read(a), one.read(b)) for one in features]
        told = sorted(range(len(read)), key=lambda i: -distance(*read[i], POINTS))[:MOST_TRIED]
        if len(read) > 1:
            cuts.append(best_cut(*_together(read[:MOST_STEPS], half), goal))
        cuts += [best_cut(*read[i], goal, both_ways=True) for i in told]
    return max(cut.value for cut in cuts), max(cut.beyond for cut in cuts)


def _together(read: Sequence[tuple[Floats, Floats]], half: int) -> tuple[Floats, Floats]:
    """Return the sum of the log-likelihood ratios of some numbers, each known in few cells.

    The first ``half`` of the outputs of each side teaches the ratios, the rest is scored.
    """
    total_a, total_b = np.zeros(len(read[0][0]) - half), np.zeros(len(read[0][1]) - half)
    for x, y in read:
        taught = np.concatenate([x[:half], y[:half]])
        known = taught[~np.isnan(taught)]
        edges = np.unique(np.quantile(known, CELLS, method="lower")) if known.size else known
        # NaN, which sorts last, has a cell of its own.
        cells = [np.searchsorted(edges, z, side="right") + np.isnan(z) for z in (x, y)]
        counts = [np.bincount(z[:half], minlength=len(edges) + 2) for z in cells]
        ratios = log_ratio(*counts)
        total_a += ratios[cells[0][half:]]
        total_b += ratios[cells[1][half:]]
    return total_a, total_b
