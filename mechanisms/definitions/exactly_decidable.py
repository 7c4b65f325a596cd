"""Mechanisms of which a privacy claim can be decided exactly, without drawing a sample.

Such a mechanism is written out as a table of rationals, in words and positions only.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

from .parameters import UsageError
from .relation import counted


class UndecidedError(ValueError):
    """Exact arithmetic left a claim open at the precision it may use; the message says where."""


@dataclass(frozen=True)
class ExactFinding:
    """What exact arithmetic found about a claim of (ε, δ)-differential privacy of one table.

    verdict: the kernel's word. ``proved``: the claim holds for all replace-one neighbors of the
        table; ``verified``: for the pairs in ``only``; ``refuted``: it fails for ``d``,
        ``d_prime`` and ``event``.
    table: the whole mechanism, from which all else can be computed again.
    only: the pairs that were examined, both ways round; ``None`` for all neighbors.
    epsilon, delta: the claim. A claim made as a float is the binary number that it holds.
    factor: the smallest e^ε ≥ 1 at this δ over the pairs examined: a ``Fraction`` or ``math.inf``.
    lower, upper: floats that enclose its logarithm, the smallest ε.
    d, d_prime, event: a pair and a set of outputs (positions) that need this factor.
    chances: Pr[event | d] and Pr[event | d_prime].
    neighbors: how many ordered pairs of datasets were examined.
    statements: what was checked, in the kernel's words; assumptions: what that takes for granted.
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
    assumptions: tuple[str, ...]

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

    parameter_lower: ClassVar[None] = None
    trials: ClassVar[int] = 0
    certifies: ClassVar[bool] = True


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


Positions = tuple[int, ...]
"""A dataset: for each data point the position of its value within that point's domain."""


@dataclass(frozen=True)
class ExactTable:
    """Pr[output | dataset] for every dataset of n data points with finite domains.

    domains: for each data point the texts of its values. outputs: the texts of the outputs.
    rows: one a dataset, in the order of ``datasets``, with a probability for each output; exact
    (``Fraction``), none below 0, each row adding up to 1. Anything else raises ``UsageError``.
    """

    domains: tuple[tuple[str, ...], ...]
    outputs: tuple[str, ...]
    rows: tuple[tuple[Fraction, ...], ...]

    def __post_init__(self) -> None:
        for i, domain in enumerate(self.domains):
            _distinct(domain, f"the values of data point {i}")
        _distinct(self.outputs, "the outputs")
        size = math.prod(map(len, self.domains))
        if len(self.rows) != size:
            rows = counted(len(self.rows), "row")
            raise UsageError(f"table has {rows}: its domains make {size} datasets")
        for d, row in zip(self.datasets(), self.rows, strict=True):
            name = f"table: the row of {self.words(d)}"
            if len(row) != len(self.outputs):
                numbers = counted(len(row), "number")
                raise UsageError(f"{name} has {numbers} for {counted(len(self.outputs), 'output')}")
            for value in row:
                if not isinstance(value, Fraction) or value < 0:
                    raise UsageError(f"{name} holds {value!r}: it must be a Fraction from 0 on")
            if sum(row) != 1:
                raise UsageError(f"{name} adds up to {sum(row)}: it must add up to 1 exactly")

    def datasets(self) -> Iterator[Positions]:
        """Yield every dataset; the last data point changes first."""
        return product(*(range(len(domain)) for domain in self.domains))

    def row(self, d: Positions) -> tuple[Fraction, ...]:
        """Return the probabilities of the outputs on dataset ``d``."""
        index = 0
        for position, domain in zip(d, self.domains, strict=True):
            index = index * len(domain) + position
        return self.rows[index]

    def neighbors(self) -> Iterator[tuple[Positions, Positions]]:
        """Yield each ordered pair of datasets that differ in exactly one data point."""
        for d in self.datasets():
            for i, domain in enumerate(self.domains):
                for value in range(len(domain)):
                    if value != d[i]:
                        yield d, (*d[:i], value, *d[i + 1 :])

    def holds(self, d: Positions) -> bool:
        """Return whether ``d`` is a dataset of this table."""
        return len(d) == len(self.domains) and all(
            0 <= position < len(domain) for position, domain in zip(d, self.domains, strict=True)
        )

    def words(self, d: Positions) -> str:
        """Return a dataset as ``(a, b)``, in the texts of its values."""
        values = (domain[k] for k, domain in zip(d, self.domains, strict=True))
        return f"({', '.join(values)})"


def _distinct(texts: tuple[str, ...], name: str) -> None:
    if not texts or len(set(texts)) != len(texts):
        raise UsageError(f"table: {name} are {texts!r}: there must be one, and each only once")
