"""Hands a pair of neighbors to the kernel as a counterexample and has it replayed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from provado.mechanisms import NeighboringRelation
from provado.proofs.kernel import ChangeCounterexample, Checked, check

from .measure import Make, Score, exact_value
from .outcome import MovedPair


def replay(score: Score, make: Make, pair: MovedPair, relation: NeighboringRelation) -> Checked:
    """Return the kernel's finding that the score moves by more than claimed on ``pair``.

    The kernel takes exact data only: a record that holds anything else is named by its text, and
    the score is given the record itself. Raises ``KernelRefusal`` where the pair refutes nothing,
    among others if the score does not repeat ``pair.values``.
    """
    d, d_prime = (tuple(map(_exact_record, data)) for data in (pair.d, pair.d_prime))
    records = {d: pair.d, d_prime: pair.d_prime}

    def replayed_score(data: tuple[Any, ...]) -> Fraction:
        return exact_value(score, make, records[data])

    evidence = ChangeCounterexample(d, d_prime, relation.words(), pair.values, pair.claimed)
    return check(evidence, replayed_score)


def _exact_record(record: Any) -> Any:
    if type(record) is tuple:
        return tuple(map(_exact_record, record))
    if record is None or type(record) in (bool, int, Fraction, str):
        return record
    return f"{type(record).__name__} {record!r}"
