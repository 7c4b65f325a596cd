"""The input of every score: two columns of one length, at least two rows, finite numbers.

What the scores do in the corner cases:

- fewer than two rows, lengths that differ, NaN or infinity: ``UsageError`` here, for all scores;
- ties: Spearman ranks them by position (or by mid-ranks); printed Kendall counts a tied pair as
  discordant, τ-a as neither, τ-b corrects its denominator; HSIC and the variance score need no
  rule;
- a constant column: Spearman by position compares the other column's ranks with 1, 2, …, m;
  printed Kendall is 1, as all pairs are discordant; τ-a is 0; τ-b is not defined and raises
  ``UsageError``; HSIC is 0 up to rounding; the variance score is −∞; the median heuristic has no
  bandwidth and raises ``UsageError``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import natural, vector

Column = NDArray[np.float64]


def columns(a: ArrayLike, b: ArrayLike) -> tuple[Column, Column]:
    """Return the two columns as float64 vectors.

    Raises ``UsageError`` unless both are vectors of finite numbers of one length m ≥ 2.
    """
    first, second = vector(a, "a"), vector(b, "b")
    if first.size != second.size:
        raise UsageError(
            f"b has {second.size} rows and a has {first.size}: the columns must be equally long"
        )
    if first.size < 2:
        raise UsageError(f"a has {first.size} row: a dependence score needs at least 2")
    return first, second


def rows(m: int) -> int:
    """Return the number of rows; raise ``UsageError`` unless it is a whole number from 2 on."""
    if natural(m, "m") < 2:
        raise UsageError(f"m is {m!r}: a dependence score needs at least 2 rows")
    return int(m)
