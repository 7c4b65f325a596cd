"""Convolution of piecewise exponential polynomials: the density of a sum, exactly."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from provado.mechanisms.statement.errors import UsageError

from .exp_poly import ExpPoly, Key
from .piecewise import End, Piecewise

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
