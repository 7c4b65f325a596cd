"""What a proof by alignment consists of, as data: found by any search, believed by none of it.

Fix neighbors q, q′, and what is told but for its real numbers: the tags, and with a *prophecy* the
whole number that the program tells last. An alignment says by how much each draw of the run on q is
shifted so that the run on q′ tells the same. An invariant says how the two runs are related at each
cut: ``v`` is a variable of the first run, ``moved v`` what the second one's is above it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from .path import DrawnNoise, Path, Paths
from .polynomial import Atom, LinearForm, Ratio, ratio

OUTCOME = "the outcome"
"""The whole number that is told last, where an alignment depends on it."""

Key = tuple[int, str, int, int]
"""Cut, case, number of the way from that cut, place of the draw."""

State = tuple[int, str]
"""Cut and phase."""


def moved(name: str) -> str:
    """Return the symbol of how far a variable, or an answer, of the second run is above it."""
    return f"moved {name}"


def paid(account: int) -> str:
    """Return the symbol of what was paid into an account so far, in its units."""
    return f"paid {account}"


def moved_so_far(loop: int) -> str:
    """Return the symbol of Σ|moved answer| over the answers that a loop has read so far."""
    return f"moved so far {loop}"


@dataclass(frozen=True)
class Accounts:
    """Draws by unit: a shift s of the draw at ``site`` costs weight[site]·|s|·units[of[site]]."""

    units: tuple[Ratio, ...]
    of: Mapping[int, int]
    weight: Mapping[int, Fraction]

    @classmethod
    def made(cls, ways: Paths) -> Accounts:
        """Return the accounts of a program."""
        units: list[Ratio] = []
        of: dict[int, int] = {}
        weight: dict[int, Fraction] = {}
        for draw in draws_of(ways).values():
            c, unit = ratio(draw.scale).inverse().unit()
            if unit not in units:
                units.append(unit)
            of[draw.site], weight[draw.site] = units.index(unit), c
        return cls(tuple(units), of, weight)


def draws_of(ways: Paths) -> dict[int, DrawnNoise]:
    """Return each place that draws, once."""
    return {draw.site: draw for way in ways.all() for draw in way.draws}


@dataclass(frozen=True)
class Prophecy:
    """The alignment depends on the value of ``variable`` at the end of ``loop``, which is told."""

    loop: int
    counter: str
    variable: str


@dataclass(frozen=True)
class Alignment:
    """Shifts, invariants and bounds.

    shifts: of the draws of a way, in a case; a draw without one is not shifted. A shift is a form
    in what has moved, in parameters, and in the symbols ``shift SITE`` of earlier draws.
    invariants: at each cut, in each phase. bounds: what is paid into each account at the end is at
    most this form in parameters.
    """

    prophecy: Prophecy | None
    shifts: Mapping[Key, LinearForm]
    invariants: Mapping[State, tuple[Atom, ...]] = field(default_factory=dict)
    bounds: tuple[LinearForm, ...] = ()

    def shift_of(self, way: Path, number: int, case: str, draw: DrawnNoise) -> LinearForm:
        """Return by how much a draw of a way is shifted, in what has moved and in parameters."""
        before = {d.site: d for d in way.draws[: way.draws.index(draw)]}

        def earlier(symbol: str) -> LinearForm | None:
            if not symbol.startswith("shift "):
                return None
            return self.shift_of(way, number, case, before[int(symbol[6:])])

        found = self.shifts.get((way.start, case, number, draw.site), LinearForm())
        return found.replace(earlier)
