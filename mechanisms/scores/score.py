"""The statement of a dependence score: the function, and the sensitivity claimed for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from numpy.typing import ArrayLike

from provado.mechanisms.statement import Source

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
