"""The pairs of datasets of this folder, and the p-value on them, bounded in fractions."""

from __future__ import annotations

import math
from fractions import Fraction

from provado.mechanisms.scores.conditional.kendall import conditional_tau_sums

Record = tuple[int, int, int]
"""x, y and the conditioning value."""
Records = tuple[Record, ...]

DENSITY = Fraction(39894, 100000)
"""Below 1/√(2π) = 0.398942…, the normal density at 0."""

_GRID = 10**9
"""z is rounded down to a multiple of one over this."""


def p_value_bound(records: Records) -> Fraction:
    """Return a number not below Pr[N(0, 1) > |z|], which it is where z = 0, for |z| ≤ √2.

    1/2 − DENSITY·(r − r³/6) with r = |z| rounded down: the normal density at t is at least
    φ(0)(1 − t²/2), and r − r³/6 grows up to r = √2. Strata as in the released code, z = Σwτ/√Σw.
    """
    x, y, given = zip(*records, strict=True)
    top, bottom = conditional_tau_sums(x, y, given, rule="released")
    r = Fraction(math.isqrt(int(top**2 / bottom * _GRID**2)), _GRID)
    return Fraction(1, 2) - DENSITY * (r - r**3 / 6)


def one_of(n: int) -> tuple[Records, Records]:
    """Return neighbors of n records, n a multiple of 3, all in one stratum, that differ in one y.

    With a = (n − 3)/3: cells (0, 0), (0, 1), (1, 0), (1, 1) of 2, 1, 2a, a records, among which
    concordant and discordant pairs balance; then of 3, 0, 2a, a, where 3a more are concordant.
    """
    a = (n - 3) // 3
    rest = ((0, 0, 0),) * 2 + ((1, 0, 0),) * (2 * a) + ((1, 1, 0),) * a
    return ((0, 1, 0), *rest), ((0, 0, 0), *rest)


def stratum_comes_in(k: int) -> tuple[Records, Records]:
    """Return neighbors of (13k + 3)/2 records, k odd, in strata of 4 and (13k − 5)/2.

    In the second x is constant, so that the code leaves it out, but for one record that then is the
    only one with x = 1. It brings the stratum in, which balances the first: z goes from 1.36 to 0.
    """
    first = ((0, 0, 0), (0, 0, 0), (1, 1, 0), (1, 1, 0))
    size = (13 * k - 5) // 2
    others = ((0, 1, 1),) * (4 * k) + ((0, 0, 1),) * (size - 4 * k - 1)
    return ((0, 0, 1), *first, *others), ((1, 0, 1), *first, *others)
