"""Functions Σ c·ε^m·e^(q·ε)·t^k·e^(a·t) on intervals between rational multiples of ε.

With noise of scale c/ε and t = ε·x all lengths are multiples of ε, whose order does not depend on
ε > 0: densities, products and integrals of them are written down once for all ε. For a program
whose scales are plain numbers ε is set to 1 in the end, and t is x itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import comb

from provado.proofs import kernel
from provado.proofs.algebra import ExpSum

from ..read.ir import UndecidedProgramError, spend

Key = tuple[int, Fraction, int, Fraction]
"""(k, a, m, q) of a term c·ε^m·e^(q·ε)·t^k·e^(a·t)."""

_NONE = Fraction(0)
_MOST_TERMS = 4000


class ExponentialPiece:
    """One such expression in normal form: equal functions have equal terms. Immutable."""

    __slots__ = ("terms",)
    terms: Mapping[Key, Fraction]

    def __init__(self, items: Iterable[tuple[Key, Fraction]] = ()) -> None:
        total: dict[Key, Fraction] = {}
        steps = 1
        for key, c in items:
            steps += 1
            total[key] = total[key] + c if key in total else c
        spend(steps)
        self.terms = {key: c for key, c in total.items() if c}
        if len(self.terms) > _MOST_TERMS:
            raise UndecidedProgramError("the exact probabilities have too many terms")

    @classmethod
    def of(cls, value: Fraction | int) -> ExponentialPiece:
        """Return a constant."""
        return cls([((0, _NONE, 0, _NONE), Fraction(value))])

    def __add__(self, other: ExponentialPiece) -> ExponentialPiece:
        return ExponentialPiece([*self.terms.items(), *other.terms.items()])

    def __sub__(self, other: ExponentialPiece) -> ExponentialPiece:
        return self + other.times(Fraction(-1))

    def times(self, factor: Fraction) -> ExponentialPiece:
        """Return the wave, ``factor`` times."""
        return ExponentialPiece((key, c * factor) for key, c in self.terms.items())

    def __mul__(self, other: ExponentialPiece) -> ExponentialPiece:
        return ExponentialPiece(
            ((k + j, a + b, m + n, q + r), c * d)
            for (k, a, m, q), c in self.terms.items()
            for (j, b, n, r), d in other.terms.items()
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExponentialPiece) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __bool__(self) -> bool:
        return bool(self.terms)

    def compose(self, slope: Fraction, offset: Fraction) -> ExponentialPiece:
        """Return t ↦ f(slope·t + offset·ε)."""
        return ExponentialPiece(
            (
                (j, a * slope, m + k - j, q + a * offset),
                c * comb(k, j) * slope**j * offset ** (k - j),
            )
            for (k, a, m, q), c in self.terms.items()
            for j in range(k + 1)
        )

    def at(self, point: Fraction) -> ExponentialPiece:
        """Return f(point·ε)."""
        return self.compose(_NONE, point)

    def limit(self, side: int) -> ExponentialPiece:
        """Return the limit at side·∞, which must be finite."""
        if any(a * side > 0 or (a == 0 and k) for k, a, _, _ in self.terms):
            raise UndecidedProgramError("an integral does not converge")
        return ExponentialPiece((key, c) for key, c in self.terms.items() if key[1] == 0)

    def antiderivative(self) -> ExponentialPiece:
        """Return an antiderivative in t."""
        items: list[tuple[Key, Fraction]] = []
        for (k, a, m, q), c in self.terms.items():
            if a == 0:
                items.append(((k + 1, a, m, q), c / (k + 1)))
                continue
            for j in range(k, -1, -1):
                c = c / a
                items.append(((j, a, m, q), c))
                c = -c * j
        return ExponentialPiece(items)

    def sum_at(self, epsilon: Fraction) -> ExpSum:
        """Return the value of a wave without t, at one ε."""
        return ExpSum((q * epsilon, c * epsilon**m) for (_, _, m, q), c in self.terms.items())

    def near(self, epsilon: Fraction) -> float:
        """Return the value of a wave without t in floating point; exactly where terms cancel."""
        e = float(epsilon)
        parts = [float(c) * e**m * math.exp(float(q) * e) for (_, _, m, q), c in self.terms.items()]
        total = math.fsum(parts)
        small = abs(total) < 1e-6 * math.fsum(map(abs, parts))
        return float(self.sum_at(epsilon)) if small else total

    def in_epsilon(self) -> kernel.Expression:
        """Return a wave without t as an expression of the kernel, whose x is ε."""
        return tuple(
            (c, 0, m, q) for (_, _, m, q), c in sorted(self.terms.items(), key=lambda i: i[0][2:])
        )

    @classmethod
    def rate(cls) -> ExponentialPiece:
        """Return ε itself."""
        return cls([((0, _NONE, 1, _NONE), Fraction(1))])

    @classmethod
    def exp(cls, top: ExponentialPiece, bottom: ExponentialPiece, plain: bool) -> ExponentialPiece:
        """Return e^(top/bottom) for a multiple of ε; of 1 where ε is (``plain``)."""
        below = bottom.terms.get((0, _NONE, 0, _NONE)) if len(bottom.terms) == 1 else None
        power = 0 if plain else 1
        if below is None or any(key != (0, _NONE, power, _NONE) for key in top.terms):
            raise UndecidedProgramError("an exponent is no multiple of the open parameter")
        q = sum(top.terms.values(), _NONE) / below
        return cls([((0, _NONE, 0, q), Fraction(1))])


@dataclass(frozen=True)
class ExponentialRatio:
    """A probability top/bottom, bottom > 0, both without t."""

    top: ExponentialPiece
    bottom: ExponentialPiece

    def __add__(self, other: ExponentialRatio) -> ExponentialRatio:
        if self.bottom == other.bottom:
            return ExponentialRatio(self.top + other.top, self.bottom)
        top = self.top * other.bottom + other.top * self.bottom
        return ExponentialRatio(top, self.bottom * other.bottom)

    def plainest(self) -> ExponentialRatio:
        """Return the same with a bottom whose first coefficient is 1."""
        first = next(c for _, c in sorted(self.bottom.terms.items()))
        return ExponentialRatio(self.top.times(1 / first), self.bottom.times(1 / first))

    def __mul__(self, other: ExponentialRatio) -> ExponentialRatio:
        return ExponentialRatio(self.top * other.top, self.bottom * other.bottom).plainest()

    def __bool__(self) -> bool:
        return bool(self.top)

    def plain(self) -> ExponentialPiece:
        """Return the probability as a wave, where the bottom is a number."""
        below = self.bottom.terms.get((0, _NONE, 0, _NONE))
        if below is None or len(self.bottom.terms) > 1:
            raise UndecidedProgramError("probabilities are ratios: give the values that data have")
        return self.top.times(1 / below)

    def value(self, epsilon: Fraction) -> float:
        """Return the value at one ε, in floating point."""
        return self.top.near(epsilon) / self.bottom.near(epsilon)


ONE = ExponentialRatio(ExponentialPiece.of(1), ExponentialPiece.of(1))


@dataclass(frozen=True)
class PiecewiseExponential:
    """A function on the line: ``parts[i]`` from ``breaks[i − 1]``·ε to ``breaks[i]``·ε."""

    breaks: tuple[Fraction, ...]
    parts: tuple[ExponentialPiece, ...]

    @classmethod
    def joined(
        cls, breaks: Sequence[Fraction], parts: Sequence[ExponentialPiece]
    ) -> PiecewiseExponential:
        """Return the function without breaks at which nothing changes."""
        kept_breaks: list[Fraction] = []
        kept = [parts[0]]
        for point, part in zip(breaks, parts[1:], strict=True):
            if part != kept[-1]:
                kept_breaks.append(point)
                kept.append(part)
        return cls(tuple(kept_breaks), tuple(kept))

    @classmethod
    def constant(cls, value: Fraction | int) -> PiecewiseExponential:
        """Return a constant."""
        return cls((), (ExponentialPiece.of(value),))

    @classmethod
    def laplace(cls, scale: Fraction) -> PiecewiseExponential:
        """Return the density of Laplace noise."""
        half = 1 / (2 * scale)
        parts = [
            ExponentialPiece([((0, s / scale, 0, _NONE), half)])
            for s in (Fraction(1), Fraction(-1))
        ]
        return cls((_NONE,), tuple(parts))

    @classmethod
    def exponential(cls, scale: Fraction) -> PiecewiseExponential:
        """Return the density of exponential noise."""
        return cls(
            (_NONE,),
            (ExponentialPiece(), ExponentialPiece([((0, -1 / scale, 0, _NONE), 1 / scale)])),
        )

    def part_after(self, index: int, breaks: Sequence[Fraction]) -> ExponentialPiece:
        """Return the part right of ``breaks[index]``; left of all for −1."""
        if index < 0:
            return self.parts[0]
        return self.parts[sum(b <= breaks[index] for b in self.breaks)]

    def __mul__(self, other: PiecewiseExponential) -> PiecewiseExponential:
        breaks = sorted({*self.breaks, *other.breaks})
        parts = [
            self.part_after(i, breaks) * other.part_after(i, breaks) for i in range(-1, len(breaks))
        ]
        return PiecewiseExponential.joined(breaks, parts)

    def inside(self, low: Fraction | None, high: Fraction | None) -> PiecewiseExponential:
        """Return the function between the two, and 0 elsewhere."""
        if low is not None and high is not None and low >= high:
            return PiecewiseExponential.constant(0)
        breaks = [b for b in (low, high) if b is not None]
        one, none = ExponentialPiece.of(1), ExponentialPiece()
        parts = [none] * (low is not None) + [one] + [none] * (high is not None)
        return self * PiecewiseExponential(tuple(breaks), tuple(parts))

    def compose(self, slope: Fraction, offset: Fraction) -> PiecewiseExponential:
        """Return t ↦ f(slope·t + offset·ε), slope ≠ 0."""
        way = 1 if slope > 0 else -1
        breaks = [(b - offset) / slope for b in self.breaks][::way]
        return PiecewiseExponential(
            tuple(breaks), tuple(p.compose(slope, offset) for p in self.parts[::way])
        )

    def running(self) -> PiecewiseExponential:
        """Return t ↦ ∫ f from −∞ to t."""
        parts: list[ExponentialPiece] = []
        before = ExponentialPiece()
        for i, part in enumerate(self.parts):
            piece = part.antiderivative()
            start = piece.at(self.breaks[i - 1]) if i else piece.limit(-1)
            parts.append(piece + before - start)
            if i < len(self.breaks):
                before = parts[-1].at(self.breaks[i])
        return PiecewiseExponential(self.breaks, tuple(parts))

    def integral(self) -> ExponentialPiece:
        """Return ∫ f over the line."""
        return self.running().parts[-1].limit(1)


def product(lines: Iterable[PiecewiseExponential]) -> PiecewiseExponential:
    """Return the product of all."""
    return reduce(PiecewiseExponential.__mul__, lines, PiecewiseExponential.constant(1))
