"""The interquartile range as a dependence score, and how far t replaced points can push it.

Quartiles are order statistics, without interpolation: with x_(1) ≤ … ≤ x_(m), Q1 = x_(⌈m/4⌉) and
Q3 = x_(⌈3m/4⌉), the inverse of the empirical distribution function at 1/4 and 3/4. Then the range
that t replacements reach is known exactly, whatever the values and ties.

Source: Kusner et al., Private Causal Inference (2016), equation (2); Dwork and Lei, Differential
Privacy and Robust Statistics (2009), section 4.
"""

import math
from bisect import bisect_left

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import Source, UsageError
from provado.mechanisms.definitions.parameters import vector

from .score import DependenceScore, columns, rows

LARGEST = 2.0**1022
"""Values up to this size have finite differences."""


def quartile_positions(m: int) -> tuple[int, int]:
    """Return (⌈m/4⌉, ⌈3m/4⌉): the ranks, from 1, of both quartiles of m ≥ 2 values."""
    size = rows(m)
    return -(-size // 4), -(-3 * size // 4)


def iqr(values: ArrayLike) -> float:
    """Return Q3 − Q1 ≥ 0, in the unit of the values.

    values: a vector of m ≥ 2 finite numbers of size at most ``LARGEST``. For m = 2 and 3 the
    quartiles are the smallest and the largest value; for m = 4 the smallest and the third.

    Raises ``UsageError`` for anything else.
    """
    x = _sorted(values)
    p, q = quartile_positions(x.size)
    return float(x[q - 1] - x[p - 1])


def log_iqr(values: ArrayLike) -> float:
    """Return ln(Q3 − Q1), −∞ where the quartiles are equal; parameters as of ``iqr``."""
    width = iqr(values)
    return math.log(width) if width > 0 else -math.inf


def log_iqr_score(a: ArrayLike, b: ArrayLike) -> float:
    """Return ln IQR(a) + ln IQR(b); −∞ where either has equal quartiles.

    a, b: columns of one length m ≥ 2. Source: Kusner et al. (2016), equation (2). One replaced
    record can move it by any amount. Raises ``UsageError`` for bad columns.
    """
    first, second = columns(a, b)
    return log_iqr(first) + log_iqr(second)


def iqr_range(values: ArrayLike, t: int) -> tuple[float, float]:
    """Return the least and the greatest IQR after replacing at most t of the values.

    values: as of ``iqr``. t: from 0 to m.

    Greatest: send u points to +∞ and v = t − u to −∞, all taken from ranks p − v + 1 … q + u; the
    quartiles become x_(q+u) and x_(p−v), and no other use of t points does better. It is ∞, then
    standing for "as large as you like", when a rank leaves 1 … m. Least: put all t between two
    points; x_(j) and x_(j+q−p−t) become the quartiles for some j = p … p + t, and the IQR is 0 as
    soon as t ≥ q − p. Both are reached, so every set [low, high) can be left with t replacements
    if and only if least < low or greatest ≥ high.

    Differences are rounded as ``iqr`` rounds them, and rounding is monotone: the range is exact for
    what ``iqr`` returns. Raises ``UsageError`` for a t outside 0 … m.
    """
    x = _sorted(values)
    if isinstance(t, bool) or not isinstance(t, int | np.integer) or not 0 <= t <= x.size:
        raise UsageError(f"t is {t!r}: it must be a whole number from 0 to {x.size}")
    return _range(x, int(t))


def changes_to_leave(values: ArrayLike, low: float, high: float) -> int:
    """Return the smallest t such that replacing t values takes the IQR out of [low, high).

    0 if it is outside already; otherwise from 1 to m. values: as of ``iqr``; 0 ≤ low < high, high
    finite or ∞ (then only the lower end can be left; m + 1 where that is 0 too, "never").

    The range grows with t, so bisection finds it in O(m log m). Raises ``UsageError`` for an empty
    interval.
    """
    if not 0 <= low < high:
        raise UsageError(f"low is {low!r} and high is {high!r}: they must satisfy 0 <= low < high")
    x = _sorted(values)

    def leaves(t: int) -> bool:
        least, greatest = _range(x, t)
        return least < low or (greatest >= high and high < math.inf)

    return bisect_left(range(x.size + 1), True, key=leaves)


def _range(x: NDArray[np.float64], t: int) -> tuple[float, float]:
    p, q = quartile_positions(x.size)
    if q + t > x.size or p - t < 1:
        greatest = math.inf
    else:
        up = np.arange(t + 1)
        greatest = float(np.max(x[q - 1 + up] - x[p - 1 - t + up]))
    if t >= q - p:
        return 0.0, greatest
    window = x[q - t - 1 : q] - x[p - 1 : p + t]
    return float(np.min(window)), greatest


def _sorted(values: ArrayLike) -> NDArray[np.float64]:
    x = np.sort(vector(values, "values"))
    rows(x.size)
    if max(-x[0], x[-1]) > LARGEST:
        raise UsageError(f"values is {values!r}: they must be at most 2**1022 in size")
    return x


IQR = DependenceScore(
    name="iqr",
    of=log_iqr_score,
    sensitivity=None,
    source=Source("Kusner et al., Private Causal Inference (2016)", "equation (2)"),
    summary="ln IQR of one column plus ln IQR of the other; one record moves it without limit.",
)

SCORE = IQR
