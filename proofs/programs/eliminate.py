"""Probabilities of systems of inequalities between draws, by integrating draws out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from .linear import Atom
from .waves import Line, Wave
from .ways import UndecidedProgramError


def eliminate(draws: dict[str, Line], atoms: Sequence[Atom]) -> Wave:
    """Return the probability that independent draws with these densities fulfil all atoms."""
    pairs: dict[frozenset[str], list[Atom]] = {}
    for atom in dict.fromkeys(atoms):
        names = frozenset(atom.form.symbols())
        if len(names) == 1:
            (name,) = names
            c = atom.form.coefficient(name)
            bound = -atom.form.constant / c
            draws[name] = draws[name].inside(*((bound, None) if c > 0 else (None, bound)))
        elif len(names) == 2:
            pairs.setdefault(names, []).append(atom)
        else:
            raise UndecidedProgramError("an inequality joins more than two draws")
    total = Wave.of(1)
    while draws:
        degree = {name: [p for p in pairs if name in p] for name in draws}
        # Leaves first, those with the fewest pieces first.
        name = min(draws, key=lambda n: (len(degree[n]), len(draws[n].parts)))
        if len(degree[name]) > 1:
            raise UndecidedProgramError("the draws hang together in a circle")
        line = draws.pop(name)
        if not degree[name]:
            total = total * line.integral()
            continue
        pair = degree[name][0]
        (other,) = pair - {name}
        draws[other] = draws[other] * _message(line, name, other, tuple(pairs.pop(pair)))
    return total


@cache
def _message(line: Line, name: str, other: str, atoms: tuple[Atom, ...]) -> Line:
    """Return z ↦ the integral of the density over those y that fulfil all atoms in y and z."""
    lows: list[tuple[Fraction, Fraction]] = []
    highs: list[tuple[Fraction, Fraction]] = []
    for atom in atoms:
        c = atom.form.coefficient(name)
        bound = -atom.form.coefficient(other) / c, -atom.form.constant / c
        (lows if c > 0 else highs).append(bound)
    both = [*lows, *highs]
    turns = sorted(
        {(d - b) / (a - c) for i, (a, b) in enumerate(both) for c, d in both[:i] if a != c}
    )
    running = line.running()
    whole = running.parts[-1].limit(1)
    composed = {bound: running.compose(*bound) for bound in both}
    breaks = sorted({*turns, *(b for one in composed.values() for b in one.breaks)})
    parts = []
    for i in range(-1, len(breaks)):
        z = _inner(breaks, i)
        low = max(lows, key=lambda bound: bound[0] * z + bound[1], default=None)
        high = min(highs, key=lambda bound: bound[0] * z + bound[1], default=None)
        if low and high and low[0] * z + low[1] >= high[0] * z + high[1]:
            parts.append(Wave())
            continue
        top = composed[high].part_after(i, breaks) if high else whole
        bottom = composed[low].part_after(i, breaks) if low else Wave()
        parts.append(top - bottom)
    return Line.joined(breaks, parts)


def _inner(breaks: Sequence[Fraction], i: int) -> Fraction:
    """Return a point inside of the i-th interval, from −1 on."""
    if not breaks:
        return Fraction(0)
    if i < 0:
        return breaks[0] - 1
    return breaks[i] + 1 if i == len(breaks) - 1 else (breaks[i] + breaks[i + 1]) / 2
