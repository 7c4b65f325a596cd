"""What is claimed of a program: its ways, its neighbors, its ε, and for which parameters."""

from __future__ import annotations

from dataclasses import dataclass

from .alignment import (
    Accounts,
)
from .ir import LENGTH
from .linear import Atom, Linear
from .paths import parameter_atoms
from .polynomial import Ratio
from .relation import Moves
from .ways import Public, Ways, is_whole


@dataclass(frozen=True)
class Claim:
    """``ways`` tell neighbors apart by a factor of at most e^ε, ε = ``epsilon``.

    That is for all parameters that fulfil ``assumed``, among which stands that those in
    ``positive`` are above 0, whole ones at least 1.

    ``epsilon`` may depend on the number of queries, which neighbors share: the theorem of
    ``conditions`` is about one pair, whose number is fixed. It is at least 1 then; without queries
    neighbors are equal.
    """

    ways: Ways
    moves: Moves
    epsilon: Ratio
    accounts: Accounts
    assumed: tuple[Atom, ...]
    positive: tuple[str, ...]

    @classmethod
    def made(cls, ways: Ways, moves: Moves, epsilon: Ratio) -> Claim:
        """Return the claim; parameters in scales and in ε are taken to be above 0."""
        accounts = Accounts.made(ways)
        found = {p for u in (*accounts.units, epsilon) for p in u.parameters()}
        for way in ways.all():
            for public in way.fixed:
                if isinstance(public, Public):
                    names = dict(public.names)
                    found |= {n for n in names if n in ways.program.parameters}
        positive = tuple(sorted(found - {LENGTH}))
        atoms = [
            Atom(Linear.symbol(p) - Linear.number(1))
            if is_whole(ways.program, p)
            else Atom(Linear.symbol(p), strict=True)
            for p in positive
        ]
        assumed = (*parameter_atoms(ways.program), *atoms)
        if LENGTH in found:
            assumed = (*assumed, Atom(Linear.symbol(LENGTH) - Linear.number(1)))
        return cls(ways, moves, epsilon, accounts, assumed, positive)
