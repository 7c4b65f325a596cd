"""A randomised algorithm written out as a table of rationals, in words and positions only."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from .errors import UsageError

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
            raise UsageError(f"table has {len(self.rows)} rows: its domains make {size} datasets")
        for d, row in zip(self.datasets(), self.rows, strict=True):
            name = f"table: the row of {self.words(d)}"
            if len(row) != len(self.outputs):
                raise UsageError(f"{name} has {len(row)} numbers for {len(self.outputs)} outputs")
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
