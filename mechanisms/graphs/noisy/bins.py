"""How many bins numeric columns get: from public facts alone."""

from __future__ import annotations

from collections.abc import Sequence

from provado.mechanisms.statement.parameters import natural

from .plan import TRIPLES_BELOW, plan_tables

LEAST_BINS, MOST_BINS = 3, 8
"""With two bins, dependence that is not monotone is lost; with many, few records are in each."""


def plan_bins(n: int, levels: Sequence[int], numeric: int, *, epsilon: float, delta: float) -> int:
    """Return the most bins for ``numeric`` columns that keep noise small, at least ``LEAST_BINS``.

    n: records. levels: of the other columns. Small: an expected error of a correlation of at most
    ``TRIPLES_BELOW`` under the plan that the budget (epsilon, delta) buys. Raises ``UsageError`` as
    ``plan_tables`` does.
    """
    number = natural(numeric, "numeric")

    def error(bins: int) -> float:
        return plan_tables(n, (*levels, *(bins,) * number), epsilon=epsilon, delta=delta).error

    able = [bins for bins in range(LEAST_BINS, MOST_BINS + 1) if error(bins) <= TRIPLES_BELOW]
    return max(able, default=LEAST_BINS)
