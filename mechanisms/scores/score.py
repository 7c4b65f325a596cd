"""Dependence scores: their input, what a score states, and the walk that finds all of them.

The input is two columns of one length, at least two rows, finite numbers. What the scores do in the
corner cases:

- fewer than two rows, lengths that differ, NaN or infinity: ``UsageError`` here, for all scores;
- ties: Spearman ranks them by position (or by mid-ranks); printed Kendall counts a tied pair as
  discordant, τ-a as neither, τ-b corrects its denominator; HSIC and the variance score need no
  rule;
- a constant column: Spearman by position compares the other column's ranks with 1, 2, …, m;
  printed Kendall is 1, as all pairs are discordant; τ-a is 0; τ-b is not defined and raises
  ``UsageError``; HSIC is 0 up to rounding; the variance score is −∞; the median heuristic has no
  bandwidth and raises ``UsageError``.

A score states the function and the sensitivity claimed for it. A ``RankScore`` can be released for
every protection that ``cause_effect.pair`` offers. Scores are found by walking this folder; there
is no list to edit.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import Source, UsageError
from provado.mechanisms.definitions.parameters import natural, vector
from provado.mechanisms.walk import modules_in

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
        m, proved in ``cause_effect.releases.training_set``.
    """

    sensitivity: Callable[[int], Fraction]
    by_pair: Callable[[int], Fraction] = field(kw_only=True)

    def of_either_set(self, m: int, pairs: int) -> Fraction:
        """Return the larger bound, for a training row that changes the order of ``pairs`` pairs."""
        return max(self.sensitivity(m), pairs * self.by_pair(m))


@cache
def scores() -> dict[str, DependenceScore]:
    """Return the scores to choose from by name: what the files have as ``SCORE``.

    A name is that of the score up to a slash, behind which its variant is named.
    """
    modules = modules_in(__name__.rpartition(".")[0])
    result = [module.SCORE for module in modules if hasattr(module, "SCORE")]
    return {score.name.partition("/")[0]: score for score in result}
