"""Spearman's ρ as a dependence score, in exact integers.

Source: Kusner et al., Private Causal Inference (2016), section 3.3 and Theorem 1.

On the proof of Theorem 1. It needs that replacing one record moves the rank of every other record
by at most 1 in each column, and that no rank difference exceeds m − 1. Both hold when ties are
broken by position and also with mid-ranks; the paper does not say what ties do. Three of its steps
are off, and none spoils 30/m: (i) "d_k changes by at most m − 1" is false, d_k can move by
2(m − 1), but d_k² moves by at most (m − 1)², which is what is used; (ii) the sum of its bounds is
(m − 1)(5m − 9), not (m − 1)(5m − 3); (iii) its bound 4(m − 2) on the change of d_i² fails for
m = 2, where Σd² moves by 2 and (m − 1)(5m − 9) = 1.
"""

from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import Source, UsageError

from .score import Column, RankScore, columns, rows

Ties = Literal["position", "midrank"]


def spearman(a: ArrayLike, b: ArrayLike, *, ties: Ties = "position") -> float:
    """Return |1 − 6·Σd²/(m(m² − 1))|, correctly rounded from exact integers.

    a, b: columns of one length m ≥ 2.
    ties: ``"position"`` ranks equal values in the order of their rows, so that ranks are always a
        permutation of 1 … m; ``"midrank"`` gives equal values the mean of their ranks. The score
        is then still this formula, not the correlation of the mid-ranks, from which it differs
        where there are ties.

    Source: Kusner et al. (2016), section 3.3. Raises ``UsageError`` for bad columns or ties.
    """
    return abs(spearman_signed(a, b, ties=ties))


def spearman_signed(a: ArrayLike, b: ArrayLike, *, ties: Ties = "position") -> float:
    """Return 1 − 6·Σd²/(m(m² − 1)) in [−1, 1], without the bars; see ``spearman``."""
    first, second = columns(a, b)
    m = first.size
    moved = squared_rank_differences(first, second, ties=ties)
    return float(1 - 6 * moved / (m * (m * m - 1)))


def squared_rank_differences(a: ArrayLike, b: ArrayLike, *, ties: Ties = "position") -> Fraction:
    """Return Σd² exactly, d the difference of a record's two ranks; see ``spearman``.

    A whole number by position; a multiple of 1/4 with mid-ranks.
    """
    first, second = columns(a, b)
    if ties not in ("position", "midrank"):
        raise UsageError(f"ties is {ties!r}: it must be 'position' or 'midrank'")
    double = ties == "midrank"
    rank = _doubled_midranks if double else _ranks_by_position
    d = rank(first)
    d -= rank(second)
    np.abs(d, out=d)
    # A block's sum of squares stays below 2^63, for any m that fits into memory.
    block = max(1, 2**62 // int(d.max(initial=1)) ** 2) if d.any() else d.size
    total = sum(int(np.dot(part, part)) for part in _blocks(d, block))
    return Fraction(total, 4 if double else 1)


def spearman_sensitivity(m: int) -> Fraction:
    """Return 30/m, the bound of Kusner et al. (2016), Theorem 1, for m ≥ 2 records."""
    return Fraction(30, rows(m))


def spearman_by_pair(m: int) -> Fraction:
    """Return 12/(m(m + 1)), for ties broken by position."""
    return Fraction(12, rows(m) * (m + 1))


def _ranks_by_position(x: Column) -> NDArray[np.int64]:
    order = np.argsort(x, kind="stable")
    ranks = np.empty(x.size, dtype=np.int64)
    ranks[order] = np.arange(1, x.size + 1)
    return ranks


def _doubled_midranks(x: Column) -> NDArray[np.int64]:
    order = np.argsort(x)
    ascending = x[order]
    starts = np.flatnonzero(np.concatenate(([True], ascending[1:] != ascending[:-1], [True])))
    doubled = np.empty(x.size, dtype=np.int64)
    # First and last rank of a group add up to twice its mid-rank.
    doubled[order] = np.repeat(starts[:-1] + 1 + starts[1:], np.diff(starts))
    return doubled


def _blocks(d: NDArray[np.int64], block: int) -> list[NDArray[np.int64]]:
    return [d[start : start + block] for start in range(0, d.size, block)]


SPEARMAN = RankScore(
    name="spearman",
    of=spearman,
    sensitivity=spearman_sensitivity,
    source=Source("Kusner et al., Private Causal Inference (2016)", "section 3.3 and Theorem 1"),
    summary="Absolute value of Spearman's ρ, ties ranked by position.",
    by_pair=spearman_by_pair,
)

SCORE = SPEARMAN
