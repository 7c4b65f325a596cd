"""Neighboring relations: which two datasets differ in one data point."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from .errors import NotNeighborsError, UsageError
from .intervention import changed_rows, number_of, record_key, records, unshared


@runtime_checkable
class NeighboringRelation(Protocol):
    """A symmetric relation between datasets."""

    def check(self, d: Any, d_prime: Any) -> None:
        """Return if the two are neighbors; otherwise raise ``NotNeighborsError`` saying why."""
        ...

    def words(self) -> str:
        """Return the relation's name as the field writes it."""
        ...


@dataclass(frozen=True)
class ReplaceOne:
    """Both datasets have the same number of records and differ in exactly one of them.

    Records stand along the first axis. This is the relation of an intervention do(D_i = d)
    (Tschantz, Sen, Datta 2022, Definitions 5 to 8).
    """

    def check(self, d: Any, d_prime: Any) -> None:
        """Raise ``NotNeighborsError`` unless exactly one record differs."""
        n, n_prime = number_of(d), number_of(d_prime)
        if n != n_prime:
            raise NotNeighborsError(
                f"pair: D has {n} records and D′ has {n_prime}; "
                "replace-one neighbors have the same number"
            )
        changed = changed_rows(d, d_prime)
        if len(changed) != 1:
            raise NotNeighborsError(
                f"pair: D and D′ differ in {len(changed)} records; "
                "replace-one neighbors differ in exactly 1"
            )

    def words(self) -> str:
        """Return ``replace-one``."""
        return "replace-one"


@dataclass(frozen=True)
class AddOrRemoveOne:
    """One dataset is the other with one record more; the order of records does not count.

    Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy, section 2.3
    (databases at distance 1 in the ℓ1 norm of their histograms).
    """

    def check(self, d: Any, d_prime: Any) -> None:
        """Raise ``NotNeighborsError`` unless one is the other with one record added."""
        short, long = sorted((d, d_prime), key=number_of)
        if number_of(long) != number_of(short) + 1:
            raise NotNeighborsError(
                f"pair: the datasets have {number_of(short)} and {number_of(long)} records; "
                "add-or-remove-one neighbors differ by 1 in length"
            )
        counts = (Counter(map(record_key, records(x))) for x in unshared(short, long)[1:])
        missing = next(counts) - next(counts)
        if missing:
            raise NotNeighborsError(
                f"pair: {missing.total()} records of the smaller dataset are not in the larger; "
                "add-or-remove-one neighbors differ in one record only"
            )

    def words(self) -> str:
        """Return ``add-or-remove-one``."""
        return "add-or-remove-one"


@dataclass(frozen=True)
class BoundedAnswers:
    """Datasets are vectors of query answers; neighbors move each answer by at most ``sensitivity``.

    monotone: all answers move in the same direction (counting queries under add-or-remove-one).
    at_most: how many answers may move at all (1 for the cells of a histogram under
        add-or-remove-one); ``None`` for any number.

    This is how StatDP and Lyu, Su and Li state the sparse vector technique: the mechanism sees a
    dataset only through its queries, each of sensitivity Δ.
    """

    sensitivity: float = 1.0
    monotone: bool = False
    at_most: int | None = None

    def __post_init__(self) -> None:
        if not self.sensitivity > 0:
            raise UsageError(f"sensitivity is {self.sensitivity!r}: it must be above 0")

    def check(self, d: Any, d_prime: Any) -> None:
        """Raise ``NotNeighborsError`` unless no answer moves by more than the sensitivity."""
        a, b = np.asarray(d, dtype=float), np.asarray(d_prime, dtype=float)
        if a.shape != b.shape:
            raise NotNeighborsError(
                f"pair: D has shape {a.shape} and D′ {b.shape}; vectors of answers to the same "
                "queries have the same shape"
            )
        move = b - a
        worst = float(np.max(np.abs(move), initial=0.0))
        # Written so that a NaN, which compares false, is refused too.
        if not worst <= self.sensitivity:
            raise NotNeighborsError(
                f"pair: an answer moves by {worst:g}; neighbors move each answer by at most "
                f"{self.sensitivity:g}"
            )
        if self.monotone and np.any(move > 0) and np.any(move < 0):
            raise NotNeighborsError("pair: answers move in both directions; the relation has one")
        if self.at_most is not None and np.count_nonzero(move) > self.at_most:
            raise NotNeighborsError(
                f"pair: {np.count_nonzero(move)} answers move; neighbors move at most "
                f"{self.at_most}"
            )

    def words(self) -> str:
        """Return the relation in words, with its numbers."""
        number = "each" if self.at_most is None else f"at most {self.at_most}"
        way = ", all in one direction" if self.monotone else ""
        return f"answers of sensitivity {self.sensitivity:g} ({number} moves{way})"


RELATIONS: dict[str, NeighboringRelation] = {
    relation.words(): relation for relation in (ReplaceOne(), AddOrRemoveOne())
}
"""Those that need no numbers, by their names."""
