"""Which data are neighbors: how far answers to queries may move."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from provado.mechanisms.statement import UsageError

Kind = Literal["all", "one", "increasing", "decreasing"]
KINDS = ("all", "one", "increasing", "decreasing", "monotone")


@dataclass(frozen=True)
class Moves:
    """Neighbors q, q′ have as many answers, and each moves by at most ``width``.

    kind: ``all`` answers may move, each up or down; at most ``one`` moves; all move up
    (``increasing``) or down (``decreasing``), which are the two halves of monotone queries.
    """

    width: Fraction
    kind: Kind = "all"

    def __post_init__(self) -> None:
        if self.width <= 0:
            raise UsageError(f"sensitivity is {self.width}: it must be above 0")
        if self.kind not in KINDS:
            raise UsageError(f"neighbors are {self.kind!r}: they must be one of {', '.join(KINDS)}")

    @property
    def lower(self) -> Fraction:
        """How far an answer moves down at most, as a number ≤ 0."""
        return Fraction(0) if self.kind == "increasing" else -self.width

    @property
    def upper(self) -> Fraction:
        """How far an answer moves up at most."""
        return Fraction(0) if self.kind == "decreasing" else self.width

    def words(self) -> str:
        """Return the relation in words."""
        each = f"each answer moves by at most {self.width}"
        return {
            "all": f"{each}, up or down",
            "one": f"at most one answer moves, by at most {self.width}",
            "increasing": f"{each}, none of them down",
            "decreasing": f"{each}, none of them up",
        }[self.kind]
