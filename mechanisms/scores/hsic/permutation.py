"""Permutations of the rows, and the p-values of a score that was computed under each of them.

With k permutations drawn independently and uniformly, the score and the k permuted scores are
exchangeable under independence. So (1 + #{permuted ≥ score})/(k + 1) is at most α with probability
at most α, for every α and every sample size. The share #{permuted > score}/k, which Zhang et al.
(2023) print, promises less: it is 0 with probability up to 1/(k + 1), and is at most α with
probability up to (⌊αk⌋ + 1)/(k + 1); for k = 19 and α = 0.05 that is 0.05, for k = 100 it is 6/101.
Ties make it worse: where all scores are equal it is always 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import natural

Orders = NDArray[np.intp]
"""Permutations ψ of 0 … m − 1, one a row, shape (k, m)."""


@dataclass(frozen=True, eq=False)
class PermutationTest:
    """A score, the score under each of k permutations of one column's rows, and their error.

    score: the score of the columns as they are.
    permuted: shape (k,), read-only.
    error: bound on the distance of the score from its exact value, and of each permuted score that
        lies near it. Scores that it cannot tell apart count as tied in both p-values.
    screening_error: the same bound for permuted scores farther off, on which no p-value depends.
    """

    score: float
    permuted: NDArray[np.float64]
    error: float
    screening_error: float

    @property
    def p_printed(self) -> Fraction:
        """Return #{score < permuted}/k, which can be 0; its level is not guaranteed.

        Source: Zhang et al. (2023), section on the statistic of RCIT, above Theorem 4.
        """
        above = self.permuted > self.score + 2 * self.error
        return Fraction(int(above.sum()), self.permuted.size)

    @property
    def p_valid(self) -> Fraction:
        """Return (1 + #{permuted ≥ score})/(k + 1).

        Guarantee: Pr[p ≤ α] ≤ α under independence for every α, if the permutations were drawn
        independently and uniformly, and independently of the columns.
        """
        reached = self.permuted >= self.score - 2 * self.error
        return Fraction(1 + int(reached.sum()), self.permuted.size + 1)


def draw_permutations(m: int, k: int, rng: np.random.Generator) -> Orders:
    """Return k independent uniform permutations of m rows, shape (k, m)."""
    rows, count = natural(m, "m"), natural(k, "k")
    found = np.empty((count, rows), dtype=np.intp)
    for order in found:
        order[:] = rng.permutation(rows)
    return found


def permutation_rows(permutations: ArrayLike | Sequence[ArrayLike], m: int) -> Orders:
    """Return the permutations as an array of shape (k, m) with k ≥ 1.

    Raises ``UsageError`` for any other shape, and for a row that is not a permutation of 0 … m − 1.
    """
    try:
        orders = np.asarray(permutations)
    except ValueError as error:
        raise UsageError(
            f"permutations has rows of several lengths: each must hold {m} indices"
        ) from error
    if orders.ndim != 2 or not orders.shape[0] or orders.shape[1] != m:
        raise UsageError(
            f"permutations has shape {orders.shape}: it must be (k, {m}) with at least one row"
        )
    if orders.dtype.kind not in "iu":
        raise UsageError(f"permutations has type {orders.dtype}: it must hold whole numbers")
    rows = np.ascontiguousarray(orders, dtype=np.intp)
    seen = np.zeros(rows.shape, dtype=bool)
    if rows.min() >= 0 and rows.max() < m:
        np.put_along_axis(seen, rows, True, axis=1)
    missing = np.flatnonzero(~seen.all(axis=1))
    if missing.size:
        raise UsageError(
            f"permutations[{int(missing[0])}] is {rows[missing[0]]}: it must hold each of 0 … "
            f"{m - 1} once"
        )
    return rows
