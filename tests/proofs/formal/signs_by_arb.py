"""Signs of exponential polynomials by Arb's balls: what the kernel's certificates say, once more.

Nothing here is the kernel's: no certificate is read, only the statement, and it is decided by
bisection in ball arithmetic. Zeros at the ends are counted exactly, and a half-line ends where one
term outweighs the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

import flint

from provado.proofs import kernel

Point = Fraction
Terms = dict[tuple[Fraction, int, Fraction], Fraction]
"""(q, k, a) -> c, for Σ c·e^q·x^k·e^(a·x); equal ones collected, none 0."""

MOST_PARTS = 500
MOST_DERIVATIVES = 12
BITS = (128, 1024, 16384)


class OpenError(Exception):
    """Bisection does not decide it."""


class _StuckError(OpenError):
    """Bisection comes no farther near a point."""

    def __init__(self, near: Point) -> None:
        super().__init__(f"the sign near {float(near)!r}")
        self.near = near


def collected(terms: kernel.Expression) -> Terms:
    """Return an expression with equal terms added up."""
    total: Terms = {}
    for c, q, k, a in terms:
        key = Fraction(q), k, Fraction(a)
        total[key] = total.get(key, Fraction(0)) + Fraction(c)
    return {key: c for key, c in total.items() if c}


def derivative(f: Terms) -> Terms:
    """Return f′."""
    total: Terms = {}
    for (q, k, a), c in f.items():
        for key, more in (((q, k - 1, a), c * k), ((q, k, a), c * a)):
            if more:
                total[key] = total.get(key, Fraction(0)) + more
    return {key: c for key, c in total.items() if c}


def ball(x: Fraction) -> flint.arb:
    """Return a rational number as a ball."""
    return flint.arb(flint.fmpq(x.numerator, x.denominator))


def at(f: Terms, x: flint.arb) -> flint.arb:
    """Return a ball around all f(x)."""
    total = flint.arb(0)
    for (q, k, a), c in f.items():
        total += ball(c) * (ball(q) + ball(a) * x).exp() * x**k
    return total


def over(f: Terms, low: Point, high: Point) -> flint.arb:
    """Return a ball around all values between two points: by the mean value, and plainly."""
    whole = ball(low).union(ball(high))
    middle = ball((low + high) / 2)
    plain = at(f, whole)
    near = at(f, middle) + at(derivative(f), whole) * (whole - middle)
    return near if near.rad() < plain.rad() else plain


def sign_at(f: Terms, x: Point) -> int:
    """Return the sign of f(x). It is 0 where equal powers of e cancel, and nowhere else."""
    sums: dict[Fraction, Fraction] = {}
    for (q, k, a), c in f.items():
        sums[q + a * x] = sums.get(q + a * x, Fraction(0)) + c * x**k
    if not any(sums.values()):
        return 0
    for bits in BITS:
        with flint.ctx.workprec(bits):
            value = at(f, ball(x))
            if value > 0 or value < 0:
                return 1 if value > 0 else -1
    raise OpenError(f"the sign at {x}")


def above(f: Terms, low: Point, high: Point | None, strict: bool) -> bool:
    """Tell whether f ≥ 0 (> 0) from ``low`` to ``high``, or for all beyond; else ``OpenError``."""
    if not f:
        return not strict
    if high is not None and low == high:
        return sign_at(f, low) >= strict
    left = _beside(f, low, high, 1, strict)
    if left is None:
        return False
    if high is None:
        right = _outweighed(f, left)
        if right is None:
            return False
    else:
        beside = _beside(f, high, low, -1, strict)
        if beside is None:
            return False
        right = beside
    try:
        return _between(f, left, right)
    except _StuckError as stuck:
        # Where f touches 0 it does so at a short fraction, which is an end of two parts then.
        at_zero = stuck.near.limit_denominator(1000)
        if strict or not left < at_zero < right or sign_at(f, at_zero):
            raise
        return above(f, left, at_zero, False) and above(f, at_zero, right, False)


def _beside(f: Terms, end: Point, other: Point | None, way: int, strict: bool) -> Point | None:
    """Return up to where f > 0 beside an end, at which it may be 0; ``None`` where it is below 0.

    Where f and its first derivatives vanish at the end, the first that does not has one sign near.
    """
    g, turn = f, 1
    for _ in range(MOST_DERIVATIVES):
        sign = sign_at(g, end) * turn
        if sign:
            break
        if strict:
            return None
        g, turn = derivative(g), turn * way
    else:
        raise OpenError(f"a zero of order {MOST_DERIVATIVES} or more at {end}")
    if sign < 0:
        return None
    step = Fraction(1) if other is None else abs(other - end)
    for _ in range(200):
        near = end + way * step
        if over(g, min(end, near), max(end, near)) * turn > 0:
            return near
        step /= 2
    raise OpenError(f"how far the sign at {end} reaches")


def _outweighed(f: Terms, start: Point) -> Point | None:
    """Return a point from which the fastest term outweighs all others; ``None`` if it is below 0.

    From x = d/b on, x^d·e^(−b·x) falls.
    """
    sums: dict[tuple[Fraction, int], Terms] = {}
    for (q, k, a), c in f.items():
        sums.setdefault((a, k), {})[q, 0, Fraction(0)] = c
    rate, power = max(sums)
    first = sums.pop((rate, power))
    if sign_at(first, Point(0)) < 0:
        return None
    here = Fraction(max(1, ceil(start)))
    for _ in range(40):
        x = ball(here)
        falls = all(k <= power or here >= (k - power) / (rate - a) for a, k in sums)
        rest = sum(
            (
                abs(at(part, x)) * (ball(a - rate) * x).exp() * x ** (k - power)
                for (a, k), part in sums.items()
            ),
            flint.arb(0),
        )
        if falls and at(first, x) > rest:
            return here
        here *= 2
    raise OpenError("which term outweighs the others")


def _between(f: Terms, low: Point, high: Point) -> bool:
    todo, parts = [(low, high)] if low < high else [], 0
    while todo:
        parts += 1
        if parts > MOST_PARTS:
            raise _StuckError(todo[-1][0])
        left, right = todo.pop()
        value = over(f, left, right)
        if value > 0:
            continue
        middle = (left + right) / 2
        if value < 0 or sign_at(f, middle) < 0:
            return False
        todo += [(left, middle), (middle, right)]
    return True


def _scopes(one: kernel.ExpressionSign) -> Iterator[tuple[Point, Point | None]]:
    """Yield the points and the intervals that a statement speaks of."""
    low, high = Fraction(one.lower), None if one.upper is None else Fraction(one.upper)
    if one.integers_to is None:
        yield low, high
        return
    last = one.integers_to - 1 if high is None else min(one.integers_to - 1, high)
    for n in range(ceil(low), int(last) + 1):
        yield Fraction(n), Fraction(n)
    start = max(low, Fraction(one.integers_to))
    if high is None or start <= high:
        yield start, high


def holds(one: kernel.ExpressionSign) -> bool:
    """Tell whether what a sign certificate states is true, without looking at its argument."""
    top, bottom = collected(one.terms), collected(one.denominator)
    return all(
        above(bottom, low, high, True) and above(top, low, high, bool(one.strict))
        for low, high in _scopes(one)
    )
