"""The paths of a program, as data."""

from collections.abc import Iterator
from dataclasses import dataclass

from .ir import LENGTH, Coin, Compare, Expression, Head, ParsedProgram, Uniform
from .polynomial import Atom, LinearForm

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
    """Noise that a way draws; ``before``: how much was decided by then."""

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
    after: what each variable of the next cut is there.
    """

    start: int
    end: int
    decisions: tuple[Atom | tuple[Shared, int], ...] = ()
    draws: tuple[DrawnNoise, ...] = ()
    told: tuple[tuple[str, LinearForm | None], ...] = ()
    answers: tuple[str, ...] = ()
    after: tuple[tuple[str, LinearForm], ...] = ()

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """The linear decisions."""
        return tuple(d for d in self.decisions if isinstance(d, Atom))

    @property
    def fixed(self) -> dict[Shared, int]:
        """The decisions that both runs share: public ones, coins and whole numbers."""
        return dict(d for d in self.decisions if not isinstance(d, Atom))

    @property
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


def is_whole(program: ParsedProgram, symbol: str) -> bool:
    """Return whether a symbol stands for a whole number."""
    known = program.integers | program.whole
    return symbol in known or symbol == LENGTH or symbol.startswith("iteration ")
