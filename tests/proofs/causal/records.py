"""The empirical distribution of records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs.causal.model import Population, Values, population


def from_records(records: Iterable[Values], names: Sequence[str] | None = None) -> Population:
    """Return the empirical distribution of records, each a tuple of values, in exact shares."""
    counts = Counter(tuple(record) for record in records)
    if not counts:
        raise UsageError("population: there are no records to count")
    return population({values: Fraction(c, counts.total()) for values, c in counts.items()}, names)
