"""Mechanisms of which a privacy claim can be decided exactly, without drawing a sample."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, Protocol, runtime_checkable

from .errors import UsageError
from .exact_table import ExactTable, Positions


class UndecidedError(ValueError):
    """Exact arithmetic left a claim open at the precision it may use; the message says where."""


@dataclass(frozen=True)
class ExactFinding:
    """What exact arithmetic found about a claim of (ε, δ)-differential privacy of one table.

    verdict: the kernel's word. ``proved``: the claim holds for all replace-one neighbors of the
        table; ``verified``: for the pairs in ``only``; ``refuted``: it fails for ``d``,
        ``d_prime`` and ``event``.
    table: the whole mechanism, from which all else can be computed again.
    only: the pairs that were looked at, both ways round; ``None`` for all neighbors.
    epsilon, delta: the claim. A claim made as a float is the binary number that it holds.
    factor: the smallest e^ε ≥ 1 at this δ over the pairs looked at: a ``Fraction`` or ``math.inf``.
    lower, upper: floats that enclose its logarithm, the smallest ε.
    d, d_prime, event: a pair and a set of outputs (positions) that need this factor.
    chances: Pr[event | d] and Pr[event | d_prime].
    neighbors: how many ordered pairs of datasets were looked at.
    statements: what was checked, in the kernel's words; rests_on: what that takes for granted.
    """

    verdict: Literal["proved", "verified", "refuted"]
    table: ExactTable
    only: tuple[tuple[Positions, Positions], ...] | None
    epsilon: Fraction
    delta: Fraction
    factor: Fraction | float
    lower: float
    upper: float
    d: Positions
    d_prime: Positions
    event: Positions
    chances: tuple[Fraction, Fraction]
    neighbors: int
    statements: tuple[str, ...]
    rests_on: tuple[str, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.factor, Fraction) and self.factor != math.inf:
            raise UsageError(f"factor is {self.factor!r}: it must be a Fraction or infinite")
        for d in (self.d, self.d_prime):
            if not self.table.holds(d):
                raise UsageError(f"finding: {d!r} is no dataset of its table")
        if not all(0 <= o < len(self.table.outputs) for o in self.event):
            raise UsageError(f"finding: {self.event!r} are no outputs of its table")
        if self.verdict == "proved" and self.only is not None:
            raise UsageError("finding: pairs that were picked prove nothing for all neighbors")


@runtime_checkable
class ExactlyDecidable(Protocol):
    """A mechanism of which a claim can be decided; its neighbors are replace-one neighbors."""

    def decide_exactly(
        self, epsilon: Fraction, delta: Fraction, pairs: Sequence[tuple[Any, Any]] | None = None
    ) -> ExactFinding:
        """Decide (ε, δ)-differential privacy for all neighbors, or for some ``pairs`` of them.

        Raises ``UsageError`` for a pair that is not two neighbors, and ``UndecidedError``.
        """
        ...
