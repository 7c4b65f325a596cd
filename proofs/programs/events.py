"""Events of what a program tells."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

Interval = tuple[Fraction | None, Fraction | None]
"""From, to; ``None`` is the infinite end."""


NUMBER = "number"


@dataclass(frozen=True)
class Event:
    """What is told is of these kinds, in order, and each number lies in its set.

    kinds: ``number``, or the text of what else is told. numbers: one for each number, in order. An
    interval from v to v is the one number v. Any other is without the finitely many numbers that
    runs on the two datasets tell without noise: those lie in none of them, and what is told with
    noise is one of them with probability 0. ``None`` is the whole line, so understood.
    kept: the probability, in words, of a coin that has to come up, too; empty without one. Whether
    a claim holds for an event does not depend on the coin, which both datasets share.
    """

    kinds: tuple[str, ...]
    numbers: tuple[Interval | None, ...] = ()
    kept: str = ""

    def words(self) -> str:
        """Return the event as people write it."""
        rest = iter(self.numbers)
        parts = []
        for kind in self.kinds:
            one = next(rest) if kind == NUMBER else (None, None)
            if kind != NUMBER:
                parts.append(kind)
            elif one is None:
                parts.append("any noisy number")
            elif one[0] is not None and one[0] == one[1]:
                parts.append(str(one[0]))
            else:
                low, high = ("∞" if v is None else str(v) for v in one)
                parts.append(f"a noisy number from {'−' * (one[0] is None)}{low} to {high}")
        return f"({', '.join(parts)})" + f", kept with probability {self.kept}," * bool(self.kept)
