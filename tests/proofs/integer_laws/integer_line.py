"""Functions on all integers made of Σ c·k^j·r^k on ranges: geometric laws, their sums and tails."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs.algebra import exact
from tests.proofs.integer_laws.geom_poly import GeomPoly


class IntegerLine:
    """A function on the integers: ``parts[i]`` for breaks[i − 1] ≤ k < breaks[i]. Immutable."""

    __slots__ = ("breaks", "parts")
    breaks: tuple[int, ...]
    parts: tuple[GeomPoly, ...]

    def __init__(self, breaks: Sequence[int], parts: Sequence[GeomPoly]) -> None:
        """Join expressions; raise ``UsageError`` unless breaks are integers that rise and fit."""
        if (
            len(parts) != len(breaks) + 1
            or any(int(b) != b for b in breaks)
            or any(a >= b for a, b in pairwise(breaks))
        ):
            raise UsageError(
                f"breaks are {breaks!r} with {len(parts)} parts: they must be integers that rise, "
                "and have one part more than breakpoints"
            )
        kept, cuts = [parts[0]], []
        for cut, part in zip(breaks, parts[1:], strict=True):
            if part != kept[-1]:
                cuts.append(int(cut))
                kept.append(part)
        self.breaks, self.parts = tuple(cuts), tuple(kept)

    def ranges(self) -> Iterator[tuple[int | None, int | None, GeomPoly]]:
        """Yield (first, last, expression) with both ends included; ``None`` is infinite."""
        for (low, high), part in zip(pairwise([None, *self.breaks, None]), self.parts, strict=True):
            yield low, None if high is None else high - 1, part

    def at(self, k: int) -> Fraction:
        """Return the value at k."""
        return self.parts[bisect_right(self.breaks, k)].at(k)

    def same(self, other: IntegerLine, lower: int, upper: int) -> bool:
        """Say whether the two agree on every integer from ``lower`` to ``upper``."""
        return all(self.at(k) == other.at(k) for k in range(lower, upper + 1))

    def _with(
        self, other: IntegerLine, rule: Callable[[GeomPoly, GeomPoly], GeomPoly]
    ) -> IntegerLine:
        breaks = sorted({*self.breaks, *other.breaks})
        parts = [rule(self.parts[0], other.parts[0])]
        for b in breaks:
            pair = (line.parts[bisect_right(line.breaks, b)] for line in (self, other))
            parts.append(rule(*pair))
        return IntegerLine(breaks, parts)

    def __add__(self, other: IntegerLine) -> IntegerLine:
        return self._with(other, lambda f, g: f + g)

    def __sub__(self, other: IntegerLine) -> IntegerLine:
        return self._with(other, lambda f, g: f - g)

    def __mul__(self, other: IntegerLine) -> IntegerLine:
        return self._with(other, lambda f, g: f * g)

    def shift(self, by: int) -> IntegerLine:
        """Return k ↦ f(k − by)."""
        return IntegerLine([b + by for b in self.breaks], [p.compose(1, -by) for p in self.parts])

    def sum(self) -> Fraction:
        """Return the sum over all integers; raise ``UsageError`` where it does not converge."""
        total = Fraction(0)
        for first, last, part in self.ranges():
            whole = part.indefinite_sum()
            total += whole.limit(1) if last is None else whole.at(last + 1)
            total -= whole.limit(-1) if first is None else whole.at(first)
        return total

    def running_sum(self) -> IntegerLine:
        """Return k ↦ Σ f(i) over i ≤ k."""
        parts, before = [], Fraction(0)
        for first, last, part in self.ranges():
            whole = part.indefinite_sum()
            start = whole.limit(-1) if first is None else whole.at(first)
            parts.append(whole.compose(1, 1) + GeomPoly.term(before - start))
            if last is not None:
                before = parts[-1].at(last)
        return IntegerLine(self.breaks, parts)


def convolve(f: IntegerLine, g: IntegerLine) -> IntegerLine:
    """Return t ↦ Σ f(x)·g(t − x): for two laws the law of the independent sum."""
    total = IntegerLine((), (GeomPoly(),))
    for first, last, part in f.ranges():
        for low, high, other in g.ranges():
            if part and other:
                total = total + _pair((first, last), part, (low, high), other)
    return total


_Ends = tuple[int | None, int | None]


def _plus(v: int | None, w: int | None) -> int | None:
    return None if v is None or w is None else v + w


def _pair(f_ends: _Ends, f: GeomPoly, g_ends: _Ends, g: GeomPoly) -> IntegerLine:
    """Sum from max(a, t − d) to min(b, t − c) for f on a, …, b and g on c, …, d."""
    (a, b), (c, d) = f_ends, g_ends
    first, after = _plus(a, c), _plus(_plus(b, d), 1)
    breaks = sorted({v for v in (first, after, _plus(a, d), _plus(b, c)) if v is not None})
    parts = []
    for low, high in zip([None, *breaks], [*breaks, None], strict=True):
        if (first is not None and (low is None or low < first)) or (
            after is not None and (high is None or high > after)
        ):
            parts.append(GeomPoly())
            continue
        start_at_a = a is not None and (d is None or (high is not None and high <= a + d))
        stop_at_b = b is not None and (c is None or (low is not None and low >= b + c))
        stop = _summed(f, g, _plus(b, 1), 0, 1) if stop_at_b else _summed(f, g, c, 1, 1)
        start = _summed(f, g, a, 0, -1) if start_at_a else _summed(f, g, d, 2, -1)
        parts.append(stop - start)
    return IntegerLine(breaks, parts)


def _summed(f: GeomPoly, g: GeomPoly, v: int | None, kind: int, side: int) -> GeomPoly:
    """Return the indefinite sum in x of f(x)·g(t − x) as a function of t.

    kind 0: at x = v. kind 1: at x = t − v + 1, one past the last. kind 2: at x = t − v. ``None``:
    the limit at side·∞.
    """
    total = GeomPoly()
    for (j, r), c in f.terms.items():
        for (m, s), e in g.terms.items():
            for i in range(m + 1):
                # (t − x)^m·s^(t − x): the part with x^i belongs to t^(m − i)·s^t.
                over_t = GeomPoly.term(c * e * comb(m, i) * (-1) ** i, power=m - i, ratio=s)
                whole = GeomPoly.term(1, power=j + i, ratio=r / s).indefinite_sum()
                if v is None:
                    inner = GeomPoly.term(whole.limit(side))
                elif kind == 0:
                    inner = GeomPoly.term(whole.at(v))
                else:
                    inner = whole.compose(1, 1 - v if kind == 1 else -v)
                total = total + over_t * inner
    return total


def _ratio(value: Fraction) -> Fraction:
    ratio = exact(value, "ratio")
    if not 0 < ratio < 1:
        raise UsageError(f"ratio is {value!r}: it must lie strictly between 0 and 1")
    return ratio


def two_sided_geometric(ratio: Fraction, center: int = 0) -> IntegerLine:
    """Return the law (1 − r)/(1 + r)·r^|k − center|: discrete Laplace noise with r = e^(−ε/Δ)."""
    r = _ratio(ratio)
    weight = (1 - r) / (1 + r)
    left = GeomPoly.term(weight * r**center, ratio=1 / r)
    return IntegerLine((center,), (left, GeomPoly.term(weight * r**-center, ratio=r)))


def geometric(ratio: Fraction, start: int = 0) -> IntegerLine:
    """Return the law (1 − r)·r^(k − start) for k from ``start`` on."""
    r = _ratio(ratio)
    return IntegerLine((start,), (GeomPoly(), GeomPoly.term((1 - r) * r**-start, ratio=r)))


def uniform_integers(lower: int, upper: int) -> IntegerLine:
    """Return the law that is equal on all integers from ``lower`` to ``upper``."""
    if lower > upper:
        raise UsageError(f"bounds are {lower}, {upper}: the lower must not pass the upper")
    chance = GeomPoly.term(Fraction(1, upper - lower + 1))
    return IntegerLine((lower, upper + 1), (GeomPoly(), chance, GeomPoly()))


def below(law: IntegerLine) -> IntegerLine:
    """Return k ↦ Pr[X ≤ k]."""
    return law.running_sum()


def tail(law: IntegerLine) -> IntegerLine:
    """Return k ↦ Pr[X > k]."""
    return IntegerLine((), (GeomPoly.term(1),)) - law.running_sum()


def exceeds(law: IntegerLine, other: IntegerLine) -> Fraction:
    """Return Pr[X > Y] for independent X and Y with these laws."""
    return (law * below(other).shift(1)).sum()
