"""The paths of a program, and an alignment of two runs along them, as data.

A proof by alignment is found by any search, and no search is trusted. Fix neighbors q, q′, and the
output but for its real numbers: the tags, and with a *prophecy* the whole number that the program
outputs last. An alignment says by how much each draw of the run on q is shifted so that the run on
q′ has the same output. An invariant says how the two runs are related at each cut: ``v`` is a
variable of the first run, ``moved v`` how far that of the second run is above it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from .ir import LENGTH, Coin, Compare, Expression, Head, ParsedProgram, Uniform
from .polynomial import Atom, LinearForm, ParameterRatio, ratio

ENTRY, END = 0, -1


@dataclass(frozen=True)
class Public:
    """A comparison of public numbers that is not linear; ``names``: what its names stand for."""

    compare: Compare
    names: tuple[tuple[str, LinearForm], ...]


Shared = Public | Coin | Uniform
"""What both runs decide alike: public comparisons, and draws that are not shifted."""


@dataclass(frozen=True)
class DrawnNoise:
    """Noise that a way draws; ``before``: how much was decided before it."""

    site: int
    kind: str
    scale: Expression
    before: int

    @property
    def symbol(self) -> str:
        """The symbol of the draw."""
        return f"noise {self.site}"


@dataclass(frozen=True)
class Path:
    """One way from cut ``start`` to cut ``end``.

    decisions: atoms, and (what is shared, its outcome), in order. draws, told: in order; told has
    the tag and the form, ``None`` for a constant. answers: the symbols of those that it reads.
    beside: of answers that are read as differences from public levels, what the levels add to each
    output. after: what each variable of the next cut is there.
    """

    start: int
    end: int
    decisions: tuple[Atom | tuple[Shared, int], ...] = ()
    draws: tuple[DrawnNoise, ...] = ()
    told: tuple[tuple[str, LinearForm | None], ...] = ()
    answers: tuple[str, ...] = ()
    beside: tuple[LinearForm, ...] = ()
    after: tuple[tuple[str, LinearForm], ...] = ()

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """The linear decisions."""
        return tuple(d for d in self.decisions if isinstance(d, Atom))

    @cached_property
    def fixed(self) -> dict[Shared, int]:
        """The decisions that both runs share: public ones, coins and whole numbers."""
        return dict(d for d in self.decisions if not isinstance(d, Atom))

    @property
    def sources(self) -> list[tuple[DrawnNoise | Coin | Uniform, int]]:
        """What it draws, with the outcome of what both runs share."""
        shared = [(s, held) for s, held in self.fixed.items() if not isinstance(s, Public)]
        return [*((draw, 0) for draw in self.draws), *shared]

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """What is told, without numbers; at the end of the program that, too, is told."""
        return tuple(tag for tag, _ in self.told) + (("end",) if self.end == END else ())

    def words(self) -> str:
        """Return the decisions as people write them."""
        atoms = [atom.words() for atom in self.atoms]
        return ", ".join(atoms) or "always"


@dataclass(frozen=True)
class Paths:
    """All ways of a program, by the cut they start at; ``variables``: those that live at a cut.

    inexact: why floating point may do otherwise than real numbers do; empty where it may not.
    """

    program: ParsedProgram
    of: dict[int, tuple[Path, ...]]
    variables: dict[int, tuple[str, ...]]
    heads: dict[int, Head]
    inexact: str = ""

    def all(self) -> Iterator[Path]:
        """Yield every way."""
        for ways in self.of.values():
            yield from ways

    def is_whole(self, symbol: str) -> bool:
        """Return whether a symbol stands for a whole number."""
        return is_whole(self.program, symbol)

    @cached_property
    def data_cases(self) -> dict[int, dict[str, tuple[Atom, ...]]]:
        """Of each cut, what a run may decide by answers and public numbers alone, by its words.

        A run that goes on from the cut fulfils at least one; one case without words is all.
        """
        result = {}
        for cut, ways in self.of.items():
            public = {*self.program.parameters, LENGTH}
            public |= {self.heads[cut].counter} if cut in self.heads else set()
            decided = dict.fromkeys(tuple(self._by_data(way, public)) for way in ways)
            apart = decided if len(decided) > 1 else ((),)
            result[cut] = {" and ".join(a.words() for a in atoms): atoms for atoms in apart}
        return result

    @cached_property
    def states(self) -> dict[int, dict[str, tuple[Atom, ...]]]:
        """Of each loop, its states by their words: one of them holds at every head.

        They part the values of whole variables that are only ever given constants there, such as
        the number of a stage; one state without words is all, also where they were too many.
        """
        result = {}
        for cut in self.heads:
            parts: list[tuple[Atom, ...]] = [()]
            for name in self.variables[cut]:
                symbol = LinearForm.symbol(name)
                forms = [dict(w.after)[name] for w in self.all() if w.end == cut]
                whole = all(f.constant.denominator == 1 and self.is_whole(name) for f in forms)
                if not whole or any(f.terms and f != symbol for f in forms):
                    continue
                ends = sorted({f.constant for f in forms if not f.terms})
                between = zip([None, *ends[:-1]], [*ends[:-1], None], strict=True)
                ranges = [
                    tuple(
                        Atom((symbol - LinearForm.number(end + more)).times(Fraction(sign)))
                        for end, more, sign in ((above, 1, 1), (most, 0, -1))
                        if end is not None
                    )
                    for above, most in between
                ]
                if len(parts) * len(ranges) <= _MOST_STATES:
                    parts = [(*part, *each) for part in parts for each in ranges]
            result[cut] = {
                " and ".join(a.words() for a in part) or "always": part for part in parts
            }
        return result

    @cached_property
    def is_all_shown(self) -> bool:
        """Return whether lists that are returned side by side show in which order they grew.

        Their order is shown if numbers always come in turn, one for each list; or if any two paths
        from a cut that append to other lists, or end elsewhere, give some list another value.
        Without such lists there is nothing to show.
        """
        size = len(self.program.lists)
        turns = {tag for way in self.all() for tag, _ in way.told[::2]}
        order = next((way.tags[: 2 * size : 2] for way in self.all() if way.told), ())
        if not size or (
            len(turns) == len({*order}) == size
            and all(
                [tag for tag, _ in way.told[::2]] == [*order] * (len(way.told) // (2 * size))
                for way in self.all()
            )
        ):
            return True
        return all(
            _are_distinguishable(way, other, turns)
            for ways in self.of.values()
            for way, other in itertools.combinations(ways, 2)
        )

    def _by_data(self, way: Path, public: set[str]) -> Iterator[Atom]:
        for atom in way.atoms:
            read = {s for s in atom.form.symbols() if s not in public}
            if read and all(s.startswith("answer ") for s in read):
                yield atom


def _are_distinguishable(way: Path, other: Path, lists: set[str]) -> bool:
    """Return whether the same lists grow on two ways, or one of them in two ways."""
    if way.end == other.end and way.tags[: len(way.told) : 2] == other.tags[: len(other.told) : 2]:
        return True

    def of(name: str, path: Path) -> list[str]:
        """Return what a list gets: the tags of constants, and no word of numbers."""
        told = zip(path.told[::2], path.told[1::2], strict=True)
        tags = [tag if form is None else "" for (mark, _), (tag, form) in told if mark == name]
        return [*tags, "end"] if path.end == END else tags

    def differ(one: str, two: str) -> bool:
        text = any(t and t.removeprefix("constant ")[0] not in "-0123456789" for t in (one, two))
        return one != two and (text or all((one, two)))

    pairs = (zip(of(name, way), of(name, other), strict=False) for name in lists)
    return any(differ(one, two) for each in pairs for one, two in each)


_MOST_STATES = 12
"""Of a loop; more are not told apart."""


def is_whole(program: ParsedProgram, symbol: str) -> bool:
    """Return whether a symbol stands for a whole number."""
    known = program.integers | program.whole
    return symbol in known or symbol == LENGTH or symbol.startswith("iteration ")


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

    units: tuple[ParameterRatio, ...]
    of: Mapping[int, int]
    weight: Mapping[int, Fraction]

    @classmethod
    def made(cls, ways: Paths) -> Accounts:
        """Return the accounts of a program."""
        units: list[ParameterRatio] = []
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

        form = self.shifts.get((way.start, case, number, draw.site), LinearForm())
        return form.replace(earlier)
