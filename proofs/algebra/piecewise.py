"""Piecewise exponential polynomials: functions on the line, convolution, Laplace densities."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs import kernel

from .exp_poly import ExpPoly, ExpSum, Key, Scalar, exact, positive_exact

End = Fraction | None
"""An end of an interval; ``None`` stands for −∞ on the left and +∞ on the right."""


class Piecewise:
    """A function that is one exponential polynomial on each interval between its breakpoints.

    breaks: the breakpoints, rising. parts: the expressions, one more than breakpoints.
    Normal form: neighboring parts differ. Two functions are equal if they agree but for single
    points; at a breakpoint the value is that of the piece on the right. Immutable.
    """

    __slots__ = ("breaks", "parts")
    breaks: tuple[Fraction, ...]
    parts: tuple[ExpPoly, ...]

    def __init__(self, breaks: Sequence[int | Fraction], parts: Sequence[ExpPoly | Scalar]) -> None:
        """Join expressions at breakpoints; raise ``UsageError`` unless these rise and fit."""
        points = [exact(b, "breakpoint") for b in breaks]
        if len(parts) != len(points) + 1 or any(a >= b for a, b in pairwise(points)):
            raise UsageError(
                f"breaks are {breaks!r} with {len(parts)} parts: they must rise, and have one part "
                "more than breakpoints"
            )
        kept_breaks: list[Fraction] = []
        kept = [ExpPoly.of(parts[0])]
        for point, part in zip(points, parts[1:], strict=True):
            if (expression := ExpPoly.of(part)) != kept[-1]:
                kept_breaks.append(point)
                kept.append(expression)
        self.breaks, self.parts = tuple(kept_breaks), tuple(kept)

    @classmethod
    def constant(cls, value: ExpPoly | Scalar) -> Piecewise:
        """Return the constant function."""
        return cls((), (ExpPoly.of(value),))

    @classmethod
    def on(cls, lower: End, upper: End, part: ExpPoly | Scalar) -> Piecewise:
        """Return the function that is ``part`` from ``lower`` to ``upper`` and 0 elsewhere."""
        if lower is not None and upper is not None and lower >= upper:
            return cls.constant(0)
        breaks = [b for b in (lower, upper) if b is not None]
        return cls(breaks, [0] * (lower is not None) + [part] + [0] * (upper is not None))

    def pieces(self) -> Iterator[tuple[End, End, ExpPoly]]:
        """Yield (lower, upper, expression) from left to right."""
        ends: list[End] = [None, *self.breaks, None]
        for (lower, upper), part in zip(pairwise(ends), self.parts, strict=True):
            yield lower, upper, part

    def as_data(self) -> kernel.Pieces:
        """Return the pieces in the form that the kernel takes."""
        return tuple((lower, upper, part.as_data()) for lower, upper, part in self.pieces())

    def piece_at(self, x: int | Fraction) -> ExpPoly:
        """Return the expression at x; at a breakpoint the one on the right."""
        return self.parts[bisect_right(self.breaks, exact(x, "x"))]

    def at(self, x: int | Fraction) -> ExpSum:
        """Return f(x), exactly; at a breakpoint the value from the right."""
        return self.piece_at(x).at(x)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Piecewise):
            return NotImplemented
        return self.breaks == other.breaks and self.parts == other.parts

    def __hash__(self) -> int:
        return hash((self.breaks, self.parts))

    def __repr__(self) -> str:
        return "; ".join(f"({a}, {b}): {part!r}" for a, b, part in self.pieces())

    def __add__(self, other: Piecewise | ExpPoly | Scalar) -> Piecewise:
        return combine(lambda parts: parts[0] + parts[1], self, other)

    __radd__ = __add__

    def __neg__(self) -> Piecewise:
        return Piecewise(self.breaks, [-part for part in self.parts])

    def __sub__(self, other: Piecewise | ExpPoly | Scalar) -> Piecewise:
        return combine(lambda parts: parts[0] - parts[1], self, other)

    def __rsub__(self, other: ExpPoly | Scalar) -> Piecewise:
        return -self + other

    def __mul__(self, other: Piecewise | ExpPoly | Scalar) -> Piecewise:
        return combine(lambda parts: parts[0] * parts[1], self, other)

    __rmul__ = __mul__

    def compose(self, slope: int | Fraction, offset: int | Fraction) -> Piecewise:
        """Return x ↦ f(slope·x + offset) for a slope ≠ 0; at breakpoints from the right again."""
        s, o = exact(slope, "slope"), exact(offset, "offset")
        if s == 0:
            raise UsageError("slope is 0: it must not be; use ``at`` for a constant")
        way = 1 if s > 0 else -1
        breaks = [(b - o) / s for b in self.breaks[::way]]
        return Piecewise(breaks, [part.compose(s, o) for part in self.parts[::way]])

    def shift(self, by: int | Fraction) -> Piecewise:
        """Return the function moved to the right: x ↦ f(x − by)."""
        return self.compose(1, -exact(by, "by"))

    def integral(self, lower: End = None, upper: End = None) -> ExpSum:
        """Return the integral from ``lower`` to ``upper``, by default over the whole line.

        Raises ``UsageError`` where it does not converge.
        """
        if lower is not None and upper is not None and upper < lower:
            return -self.integral(upper, lower)
        total = ExpSum()
        for a, b, part in self.pieces():
            low = a if lower is None else lower if a is None else max(a, lower)
            high = b if upper is None else upper if b is None else min(b, upper)
            if part and (low is None or high is None or low < high):
                total = total + part.integral(low, high)
        return total

    def running_integral(self) -> Piecewise:
        """Return t ↦ ∫ f from −∞ to t: a density's cumulative distribution function."""
        parts, before = [], ExpSum()
        for lower, upper, part in self.pieces():
            poly = part.antiderivative()
            start = poly.limit(-1) if lower is None else poly.at(lower)
            parts.append(poly + (before - start))
            if upper is not None:
                before = parts[-1].at(upper)
        return Piecewise(self.breaks, parts)


def combine(
    rule: Callable[[Sequence[ExpPoly]], ExpPoly], *functions: Piecewise | ExpPoly | Scalar
) -> Piecewise:
    """Return the function that applies ``rule`` to the functions' expressions on each interval."""
    lines = [f if isinstance(f, Piecewise) else Piecewise.constant(f) for f in functions]
    breaks = sorted({b for line in lines for b in line.breaks})
    parts = [rule([line.parts[0] for line in lines])]
    parts += [rule([line.piece_at(b) for line in lines]) for b in breaks]
    return Piecewise(breaks, parts)


# Convolution of piecewise exponential polynomials: the density of a sum, exactly.

_Split = dict[tuple[int, Fraction], ExpPoly]
"""(j, a) -> expression in t: Σ x^j·e^(a·x)·expression(t)."""


def convolve(f: Piecewise, g: Piecewise) -> Piecewise:
    """Return t ↦ ∫ f(x)·g(t − x) dx over the line.

    For densities it is the density of the sum of two independent variables; for a bounded f and a
    density g it is E[f(t − Y)]. Raises ``UsageError`` where the integral does not converge.
    """
    total = Piecewise.constant(0)
    for a, b, part in f.pieces():
        for c, d, other in g.pieces():
            if part and other:
                total = total + _pair((a, b), part, (c, d), other)
    return total


def _plus(v: End, w: End) -> End:
    return None if v is None or w is None else v + w


def _pair(f_ends: tuple[End, End], f: ExpPoly, g_ends: tuple[End, End], g: ExpPoly) -> Piecewise:
    """Convolve f on (a, b) with g on (c, d): ∫ from max(a, t − d) to min(b, t − c)."""
    (a, b), (c, d) = f_ends, g_ends
    first, last = _plus(a, c), _plus(b, d)
    turns = {first, last, _plus(a, d), _plus(b, c)} - {None}
    breaks = sorted(v for v in turns if v is not None)
    whole = _antiderivative(f, g)
    parts: list[ExpPoly] = []
    for low, high in zip([None, *breaks], [*breaks, None], strict=True):
        if (first is not None and (low is None or low < first)) or (
            last is not None and (high is None or high > last)
        ):
            parts.append(ExpPoly())
            continue
        # In this range of t, low ≤ t ≤ high; the later start and the earlier stop count.
        start_at_a = a is not None and (d is None or (high is not None and high <= a + d))
        stop_at_b = b is not None and (c is None or (low is not None and low >= b + c))
        stop = _substitute(whole, b, 0, 1) if stop_at_b else _substitute(whole, c, 1, 1)
        start = _substitute(whole, a, 0, -1) if start_at_a else _substitute(whole, d, 1, -1)
        parts.append(stop - start)
    return Piecewise(breaks, parts)


def _antiderivative(f: ExpPoly, g: ExpPoly) -> _Split:
    """Return an antiderivative in x of f(x)·g(t − x)."""
    split: dict[tuple[int, Fraction], list[tuple[Key, Fraction]]] = {}
    for (k, a, q), c in f.terms.items():
        for (m, b, r), e in g.terms.items():
            for j in range(m + 1):
                # (t − x)^m·e^(b(t − x)): the part with x^j belongs to t^(m − j).
                weight = c * e * comb(m, j) * (-1) ** j
                split.setdefault((k + j, a - b), []).append(((m - j, b, q + r), weight))
    result: _Split = {}
    for (k, a), items in split.items():
        over_t = ExpPoly(items)
        for (j, rate, _), c in ExpPoly.term(power=k, rate=a).antiderivative().terms.items():
            result[j, rate] = result.get((j, rate), ExpPoly()) + over_t * c
    return result


def _substitute(whole: _Split, v: End, slope: int, side: int) -> ExpPoly:
    """Return the antiderivative at x = v (slope 0), x = t − v (slope 1), or in the limit side·∞."""
    total = ExpPoly()
    for (j, a), over_t in whole.items():
        if v is not None:
            x_term = ExpPoly.term(power=j, rate=a)
            total = total + over_t * x_term.compose(slope, -v if slope else v)
        elif over_t and (a * side > 0 or a == 0):
            if j == 0 and a == 0:
                total = total + over_t
            else:
                raise UsageError("convolution: the integral does not converge")
    return total


# The Laplace density, and the tail of a density, as exact functions.


def laplace(center: int | Fraction, scale: int | Fraction) -> Piecewise:
    """Return the density e^(−|x − center|/scale)/(2·scale)."""
    b, m = positive_exact(scale, "scale"), exact(center, "center")
    rising = ExpPoly.term(1 / (2 * b), rate=1 / b, exponent=-m / b)
    falling = ExpPoly.term(1 / (2 * b), rate=-1 / b, exponent=m / b)
    return Piecewise((m,), (rising, falling))


def tail(density: Piecewise) -> Piecewise:
    """Return t ↦ Pr[X > t]."""
    return 1 - density.running_integral()
