"""Numeric columns in bins of about equally many records, cut by noisy histograms.

Bins of equal width leave nearly all records of a skewed column, or of one with a generous range, in
one bin. A histogram of fine bins of equal width, with noise on each cell, tells where the records
are; the bins are cut by what it shows. It is one more table of one column: it costs what a table of
its noise costs, and the bins, whose number is fixed beforehand, are post-processing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from provado.mechanisms.graph_discovery.tables.numeric import NumericTable

from .noise import CellNoise
from .release import Counts

FINE = 1024
"""Fine bins of a column."""

_DEVIATIONS = 2.5
"""Of its noise, that a fine bin has at least; with fewer it counts as empty."""


@dataclass(frozen=True, eq=False)
class Cut:
    """Numeric columns in bins, and what was released of them.

    table: the bins as levels. histograms: noisy, shape (d, FINE). starts: shape (d, bins − 1), the
    fine bin with which each bin but the first begins.
    """

    table: CodedTable
    histograms: Counts
    starts: NDArray[np.int64]

    def edges(self, column: int, low: float, high: float) -> tuple[float, ...]:
        """Return where the bins of a column begin, within its range."""
        return tuple((low + (high - low) * self.starts[column] / FINE).tolist())


def cut_by_quantiles(
    data: NumericTable, bins: int, noise: CellNoise, rng: np.random.Generator
) -> Cut:
    """Return the columns in ``bins`` bins each, cut by histograms with this noise.

    Guarantee: the histograms cost d times ``noise.cost`` under replacement of one record, for
    ranges and a number of bins fixed beforehand. Raises ``UsageError`` unless bins is 2 to 256.
    """
    if not 2 <= bins <= 1 << 8:
        raise UsageError(f"bins is {bins!r}: it must be from 2 to 256")
    fine = fine_bins(data)
    counts = np.array([np.bincount(column, minlength=FINE) for column in fine])
    histograms = counts + noise.draw(counts.shape, rng)
    starts = cuts(histograms, math.sqrt(noise.variance), bins)
    codes = [
        np.searchsorted(begins, column, side="right")
        for begins, column in zip(starts, fine, strict=True)
    ]
    levels = (bins,) * len(data.names)
    table = CodedTable(data.names, levels, np.array(codes, dtype=np.uint8), None, data.n)
    return Cut(table, histograms, starts)


def fine_bins(data: NumericTable) -> NDArray[np.int64]:
    """Return the fine bin of each value, from 0 to ``FINE`` − 1, shape (d, n)."""
    place = np.floor((data.values + 1) / 2 * FINE).astype(np.int64)
    return np.minimum(place, FINE - 1)


def cuts(histogram: Counts, deviation: float, bins: int) -> NDArray[np.int64]:
    """Return the fine bins with which bins of about equally many records begin, ascending.

    histogram: noisy, shape (…, fine bins), of which (…, bins − 1) are returned. deviation: of the
    noise in a cell. Of equal width where nothing stands out. Bins may be empty, where a fine bin
    holds more than the share of one.
    """
    standing = np.where(histogram >= max(_DEVIATIONS * deviation, 1.0), histogram, 0)
    standing = np.where(standing.any(axis=-1, keepdims=True), standing, 1)
    below = np.cumsum(standing, axis=-1)
    shares = np.arange(1, bins) / bins * below[..., -1:]
    begins: NDArray[np.int64] = (below[..., None] < shares[..., None, :]).sum(axis=-2) + 1
    # The last fine bin begins a bin at the latest.
    return np.asarray(np.minimum(begins, histogram.shape[-1] - 1))
