"""Scores of which one record moves the logarithm by any amount."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

from provado.proofs.ledger import Claim
from provado.proofs.ledger.fact import Enclosed, Fact, Unshown
from provado.proofs.ledger.statement import Statement

_IN_COQ = {"V": "variance", "IQR": "interquartile_range"}


@dataclass(frozen=True)
class Unbounded(Claim):
    """Neither a score nor its logarithm has a finite global sensitivity.

    On neighbors of m numbers, of which one is base^j, it moves by step·j·ln(base), for any j.

    score: its name. powers: the j that are tried, for each of the ``sizes`` m.
    """

    sizes: ClassVar[tuple[int, ...]]

    score: str
    step: int
    powers: tuple[int, ...]
    base: int = 3
    sensitivity: Literal["has no finite", "has a finite"] = "has no finite"

    @property
    def formula(self) -> str:
        return f"each of {self.score} and log {self.score} {self.sensitivity} global sensitivity"

    def statement(self) -> Statement:
        score, unless = _IN_COQ[self.score], "~ " * (self.sensitivity == "has a finite")
        unbounded = (
            f"{unless}(forall (m : nat) (bound : R), (2 <= m)%N -> exists s s', "
            f"neighbors m s s' /\\ bound < {score} s' - {score} s) /\\ "
            f"{unless}log_unbounded (@{score} R)"
        )
        imports = ("definitions.finite", "definitions.spread")
        return Statement(f"forall R : realFieldType, {unbounded}", imports)

    @abstractmethod
    def values(self, m: int, power: int) -> tuple[Fraction, Fraction]:
        """Return the score on both neighbors."""

    def moves(self) -> tuple[Fact, ...]:
        """Return that the logarithm moves by at least step·j, for each size and j."""
        return tuple(
            self._moves(m, power, self.step * power) for m in self.sizes for power in self.powers
        )

    def _moves(self, m: int, power: int, at_least: int) -> Fact:
        d, d_prime = self.values(m, power)
        return Enclosed(((0, d_prime),), at_least, at_least + power, ((0, d),), logarithm=True)

    def obligations(self) -> tuple[Fact, ...]:
        if self.sensitivity == "has a finite":
            return (Unshown(f"a bound on log {self.score}"),)
        return Enclosed(((0, self.base),), 1, 2, logarithm=True), *self.moves()
