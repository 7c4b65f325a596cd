"""The statement of a dependence score: the function, and the sensitivity claimed for it.

A ``RankScore`` can be released for every protection that ``pairs.pair`` offers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from numpy.typing import ArrayLike

from provado.mechanisms.definitions import Source

Score = Callable[[ArrayLike, ArrayLike], float]
"""A function of two vectors of one length m, larger where they depend more on each other."""


@dataclass(frozen=True)
class DependenceScore:
    """A dependence score with what is claimed of it.

    name: unique among the scores.
    of: the score of two vectors of one length m.
    sensitivity: the claimed bound, as published, on the change of the score when one of m records
        (a_k, b_k) is replaced; exact, as a function of m. ``None`` where no finite bound holds or
        none is claimed.
    source: where score and bound are published.
    summary: one sentence for the report.
    """

    name: str
    of: Score
    sensitivity: Callable[[int], Fraction] | None
    source: Source
    summary: str


@dataclass(frozen=True)
class RankScore(DependenceScore):
    """A score of nothing but the order of the values in each column, with what moves it.

    by_pair: a bound on its change by each pair of values that changes its order, as a function of
        m, proved in ``pairs.releases.both_sets_ranks``.
    """

    sensitivity: Callable[[int], Fraction]
    by_pair: Callable[[int], Fraction] = field(kw_only=True)

    def of_either_set(self, m: int, pairs: int) -> Fraction:
        """Return the larger bound, for a training row that changes the order of ``pairs`` pairs."""
        return max(self.sensitivity(m), pairs * self.by_pair(m))
