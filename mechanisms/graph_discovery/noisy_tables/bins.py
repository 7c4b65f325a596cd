"""How many bins numeric columns get: from public facts alone."""

from __future__ import annotations

from collections.abc import Sequence

from provado.mechanisms.definitions.parameters import natural

from .plan import TRIPLES_BELOW, plan_tables

BY_QUANTILES, BY_WIDTH = "quantiles", "width"
CUTS = (BY_QUANTILES, BY_WIDTH)
"""How bins are cut, the default first: by noisy histograms, see ``cut_by_quantiles``, or evenly."""

LEAST_BINS, MOST_BINS = 3, 8
"""With two bins, dependence that is not monotone is lost; with many, few records are in each."""


def plan_bins(
    n: int,
    levels: Sequence[int],
    numeric: int,
    *,
    epsilon: float,
    delta: float,
    quantiles: bool = False,
) -> int:
    """Return the most bins for ``numeric`` columns that keep noise small, at least ``LEAST_BINS``.

    n: records. levels: of the other columns. quantiles: whether the bins are cut by noisy
    histograms, which cost a share of the budget. Small: an expected error of a correlation of at
    most ``TRIPLES_BELOW`` under the plan that the budget (epsilon, delta) buys. Raises
    ``UsageError`` as ``plan_tables`` does.
    """
    number = natural(numeric, "numeric")

    def error(bins: int) -> float:
        every = (*levels, *(bins,) * number)
        margins = number if quantiles else 0
        return plan_tables(n, every, epsilon=epsilon, delta=delta, margins=margins).error

    able = [bins for bins in range(LEAST_BINS, MOST_BINS + 1) if error(bins) <= TRIPLES_BELOW]
    return max(able, default=LEAST_BINS)
