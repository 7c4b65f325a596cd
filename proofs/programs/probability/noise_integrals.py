"""Probabilities of comparisons between independent noises, enclosed by FLINT's integration.

The draws of one run fall into groups that no comparison joins. In each group one draw, the *shared*
one (a noisy threshold, the noise of the winner), stands in every comparison of two draws, so that
given its value the others are independent: the probability of the group is one integral over the
shared draw of a product of probabilities of intervals, however many draws there are.

What is trusted here: this factorization, the closed forms on each piece between kinks, what is
added for the rest beyond the ends, and FLINT's enclosures. FLINT comes with an extra and is loaded
where it is used.
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from provado.mechanisms.definitions.parameters import optional

from ..read.ir import UndecidedProgramError, spend
from ..read.polynomial import Atom
from .exponential_integrals import ExponentialPiece
from .output_probability import System

KINDS = ("gaussian", "laplace", "exponential")

Line = tuple[Fraction, Fraction]
"""Slope and intercept, in units of the shared draw."""


@dataclass(frozen=True)
class DrawInterval:
    """A draw of scale 1 lies above all ``lows`` and below all ``highs``."""

    kind: str
    lows: frozenset[Line]
    highs: frozenset[Line]


@dataclass(frozen=True)
class DrawGroup:
    """A shared draw of scale 1 from ``low`` to ``high``, and how often each interval stands."""

    kind: str
    low: Fraction | None
    high: Fraction | None
    intervals: frozenset[tuple[DrawInterval, int]]


def components(system: System) -> list[list[Atom]]:
    """Return the comparisons by the groups of draws that they join."""
    system.check_atoms()
    left = {symbol: [symbol] for symbol in system.draws}
    for atom in system.atoms:
        first, *others = atom.form.symbols()
        for other in others:
            if left[first] is not left[other]:
                left[first] += left[other]
                left |= dict.fromkeys(left[other], left[first])
    result: dict[int, list[Atom]] = {}
    for atom in system.atoms:
        result.setdefault(id(left[next(iter(atom.form.symbols()))]), []).append(atom)
    return list(result.values())


def group_of(system: System, atoms: Sequence[Atom]) -> DrawGroup:
    """Return one of them as a group; raise ``UndecidedProgramError`` if it has no shared draw."""
    pairs = [tuple(atom.form.symbols()) for atom in atoms if len(atom.form.terms) > 1]
    every = sorted({symbol for atom in atoms for symbol in atom.form.symbols()})
    shared = next((s for s in every if all(s in pair for pair in pairs)), None)
    if shared is None or any(len(pair) > 2 for pair in pairs):
        raise UndecidedProgramError(
            "the draws of one output are compared in a way that is no single integral: one draw "
            "must stand in each comparison of two"
        )
    kind, scale = system.draws[shared]
    for unknown in {system.draws[symbol][0] for symbol in every} - set(KINDS):
        raise UndecidedProgramError(f"no exact δ with {unknown} noise")
    ends: dict[str, tuple[set[Line], set[Line]]] = {s: (set(), set()) for s in every}
    for atom in atoms:
        symbol = next((s for s in atom.form.symbols() if s != shared), shared)
        size = atom.form.coefficient(symbol)
        slope = -atom.form.coefficient(shared) / size if symbol != shared else Fraction(0)
        unit = system.draws[symbol][1]
        line = slope * scale / unit, -atom.form.constant / size / unit
        ends[symbol][size < 0].add(line)
    lows, highs = ends.pop(shared)
    counter = Counter(
        DrawInterval(system.draws[s][0], frozenset(a), frozenset(b)) for s, (a, b) in ends.items()
    )
    return DrawGroup(
        kind,
        max((c for _, c in lows), default=None),
        min((c for _, c in highs), default=None),
        frozenset(counter.items()),
    )


class Enclosures:
    """Enclosures of probabilities at a number of bits; each integral is computed once."""

    def __init__(self, bits: int) -> None:
        self.flint = optional("flint", "a claim with δ about given data", "exact")
        self.bits = bits
        self.known: dict[DrawGroup, Any] = {}

    def working(self) -> Any:
        """Return a context in which balls have the precision of these enclosures."""
        return self.flint.ctx.workprec(self.bits + 32)

    def number(self, value: Fraction) -> Any:
        """Return a ball around a rational number."""
        return self.flint.arb(self.flint.fmpq(value.numerator, value.denominator))

    def chance(self, system: System) -> Any:
        """Return a ball that holds the probability of a run."""
        total = self._wave(system.weight.top) / self._wave(system.weight.bottom)
        for atoms in components(system):
            group = group_of(system, atoms)
            if group not in self.known:
                self.known[group] = self._integral(group)
            total *= self.known[group]
        return total

    def _wave(self, wave: ExponentialPiece) -> Any:
        """Return a coin's numerator or denominator, without an open parameter."""
        terms = (self.number(c) * self.number(q).exp() for (_, _, _, q), c in wave.terms.items())
        return sum(terms, self.flint.arb(0))

    def _integral(self, group: DrawGroup) -> Any:
        """Return the integral between ends beyond which the shared draw lies with chance ``rest``.

        Beyond them the product is from 0 to 1, so that the rest is from 0 to that chance.
        """
        if group.kind == "gaussian":
            reach = math.ceil(math.sqrt(2 * self.bits * math.log(2)))
            rest = (self.flint.arb(reach) / self.flint.arb(2).sqrt()).erfc()
        else:
            reach = math.ceil(self.bits * math.log(2))
            rest = (-self.flint.arb(reach)).exp()
        least = Fraction(0 if group.kind == "exponential" else -reach)
        low = max(least, least if group.low is None else group.low)
        high = min(Fraction(reach), Fraction(reach) if group.high is None else group.high)
        inside = sorted(turn for turn in turns(group) if low < turn < high)
        total = self.flint.arb(0).union(rest)
        if low < high:
            points = [low, *inside, high]
            for a, b in itertools.pairwise(points):
                total += self._piece(group, a, b)
        return total

    def _piece(self, group: DrawGroup, a: Fraction, b: Fraction) -> Any:
        """Return the integral from a to b, between which no formula changes."""
        flint, middle = self.flint, (a + b) / 2
        factors: list[tuple[Callable[[Any], Any], int]] = []
        for interval, count in group.intervals:
            ends = [_at(interval.lows, middle, max), _at(interval.highs, middle, min)]
            heights = [None if end is None else end[0] * middle + end[1] for end in ends]
            if None not in heights and heights[0] >= heights[1]:  # type: ignore[operator]
                return flint.arb(0)
            factors.append((self._between(interval.kind, ends, heights), count))
        start, length = self.number(a), self.number(b - a)
        root = self.number(Fraction(1, 2)).sqrt()
        evaluated = 0

        def integrand(share: Any, _analytic: bool) -> Any:
            # The ends need not be floating-point numbers: from 0 to 1 in balls around them.
            nonlocal evaluated
            evaluated += 1
            z = start + length * share
            if group.kind == "gaussian":
                value = (-z * z / 2).exp() * root / flint.arb.pi().sqrt()
            elif group.kind == "exponential":
                value = (-z).exp()
            else:
                value = (-z if middle > 0 else z).exp() / 2
            for factor, count in factors:
                value *= factor(z) ** count
            return value * length

        tolerance = flint.arb(2) ** -self.bits
        result = flint.acb.integral(integrand, 0, 1, abs_tol=tolerance).real
        spend(evaluated * (1 + len(factors)))
        if not result.is_finite():
            raise UndecidedProgramError("an integral of the noise is not enclosed")
        return result

    def _between(
        self, kind: str, ends: Sequence[Line | None], heights: Sequence[Fraction | None]
    ) -> Callable[[Any], Any]:
        """Return z ↦ the probability that a draw lies between two lines, at a piece of z."""
        lines = [end and (self.number(end[0]), self.number(end[1])) for end in ends]

        def value(z: Any) -> Any:
            parts = [
                side if line is None else self._above(kind, line[0] * z + line[1], height)
                for side, line, height in zip((1, 0), lines, heights, strict=True)
            ]
            return parts[0] - parts[1]

        return value

    def _above(self, kind: str, t: Any, height: Fraction | None) -> Any:
        """Return Pr[U > t] of scale 1 by the formula that holds where t has the sign of height."""
        if kind == "gaussian":
            return (t * self.number(Fraction(1, 2)).sqrt()).erfc() / 2
        positive = height is not None and height > 0
        if kind == "exponential":
            return (-t).exp() if positive else self.flint.acb(1)
        return (-t).exp() / 2 if positive else 1 - t.exp() / 2


def turns(group: DrawGroup) -> set[Fraction]:
    """Return the values of the shared draw at which a formula changes."""
    result = {Fraction(0)} if group.kind == "laplace" else set()
    for interval, _ in group.intervals:
        lines = [*interval.lows, *interval.highs]
        if interval.kind != "gaussian":
            lines.append((Fraction(0), Fraction(0)))
        for i, (a, b) in enumerate(lines):
            result |= {(d - b) / (a - c) for c, d in lines[:i] if a != c}
    return result


def _at(lines: Iterable[Line], z: Fraction, best: Callable[..., Line | None]) -> Line | None:
    """Return the line that bounds most at z."""
    return best(lines, key=lambda line: line[0] * z + line[1], default=None)
