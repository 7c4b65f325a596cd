"""Certificates for the kernel, searched for in the algebra: signs, integrals, sums of noise.

Search for an argument that an expression is ≥ 0.

Nothing here is believed: the kernel re-checks the argument. Floats steer the search
only. Finding nothing decides nothing.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs import kernel
from provado.proofs.kernel import Interval, Number

from .exp_poly import ExpPoly, ExpSum, exact
from .piecewise import Piecewise, convolve, laplace


def log_enclosure(x: Number, bits: int = 64) -> Interval:
    """Return the kernel's rationals lo ≤ ln x ≤ hi for x > 0, at most 2^(−bits) apart."""
    x = exact(x, "log_enclosure")
    if x <= 0 or bits < 1:
        raise UsageError(f"log_enclosure: ln {x} to {bits} bits is not defined")
    return kernel.function_enclosure("ln", x, bits + 2)


_CHAIN_STEPS = 300
"""Derivatives that one search of a chain may try: a long argument is none that anyone reads."""

_STEPS = (0.0, 1e-3, 0.02, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 0.98, 0.999, 1.0)


def prove_sign(
    f: ExpPoly,
    lower: int | Fraction,
    upper: int | Fraction | None = None,
    *,
    strict: bool = False,
    cuts: Sequence[int | Fraction] = (),
    halvings: int = 6,
) -> kernel.Checked | None:
    """Return the kernel's finding that f ≥ 0 (> 0 if strict) on [lower, upper], if one is found.

    upper: ``None`` for the half-line. cuts: points at which f may touch 0; the scope is cut there
    first. halvings: how often an interval may be halved. ``None`` means that no argument was found.
    """
    low, high = exact(lower, "lower"), None if upper is None else exact(upper, "upper")
    points = tuple(sorted(exact(c, "cut") for c in cuts))
    ends = [low, *points]
    parts = [
        _argument(f, a, b, strict, halvings) for a, b in zip(ends, [*ends[1:], high], strict=True)
    ]
    result = tuple(part for part in parts if part is not None)
    if len(result) < len(parts):
        return None
    split = kernel.Split(points, result) if points else result[0]
    return kernel.check(kernel.ExpressionSign(f.as_data(), low, split, high, strict))


def samples(low: Fraction, high: Fraction | None) -> Iterator[float]:
    """Yield points of [low, high], close to its ends too."""
    for step in _STEPS:
        if high is not None:
            yield float(low) + step * float(high - low)
        elif step < 1:
            yield float(low) + 4 * step / (1 - step)


def sizes(f: ExpPoly, points: Sequence[float]) -> Iterator[float]:
    """Yield f(x) over the sum of its terms' sizes, in floating point: a hint, no more."""
    terms = [(float(c), float(q), k, float(a)) for (k, a, q), c in f.terms.items()]
    for x in points:
        top = max((q + a * x for _, q, _, a in terms), default=0.0)
        parts = [c * x**k * math.exp(q + a * x - top) for c, q, k, a in terms]
        yield math.fsum(parts) / (math.fsum(map(abs, parts)) or 1.0)


def _hopeless(f: ExpPoly, low: Fraction, high: Fraction | None) -> bool:
    return any(size < -1e-9 for size in sizes(f, list(samples(low, high))))


def _holds(
    f: ExpPoly, low: Fraction, high: Fraction | None, strict: bool, argument: kernel.Argument
) -> bool:
    try:
        kernel.check(kernel.ExpressionSign(f.as_data(), low, argument, high, strict))
    except kernel.KernelRefusal:
        return False
    return True


def _argument(
    f: ExpPoly, low: Fraction, high: Fraction | None, strict: bool, halvings: int
) -> kernel.Argument | None:
    if _hopeless(f, low, high):
        return None
    if (argument := _chain(f, low, high, strict, [_CHAIN_STEPS])) is not None:
        return argument
    if high is not None and _holds(f, low, high, strict, kernel.Enclose()):
        return kernel.Enclose()
    if not halvings:
        return None
    # On a half-line the bounded part doubles with each cut.
    point = low + 2 ** max(0, 4 - halvings) if high is None else (low + high) / 2
    first = _argument(f, low, point, strict, halvings - 1)
    second = _argument(f, point, high, strict, halvings - 1) if first is not None else None
    if first is None or second is None:
        return None
    return kernel.Split((point,), (first, second))


def _chain(
    f: ExpPoly, low: Fraction, high: Fraction | None, strict: bool, left_over: list[int]
) -> kernel.Argument | None:
    """Divide by exponentials and differentiate, from either end, until coefficients tell.

    Each step takes one power off one exponential, so that it ends; a derivative whose sign is wrong
    at a sample is given up at once. ``left_over`` counts down the derivatives that may be tried.
    """
    left_over[0] -= 1
    if _holds(f, low, high, strict, kernel.Coefficients()):
        return kernel.Coefficients()
    for rate in sorted({a for _, a, _ in f.terms}, reverse=True):
        g = f * ExpPoly.term(rate=-rate)
        slope = g.derivative()
        if not slope:
            continue
        for end in ("left", "right"):
            way = slope if end == "left" else -slope
            if left_over[0] <= 0 or _hopeless(way, low, high):
                continue
            try:
                point = low if end == "left" else high
                sign = (g.limit(1) if point is None else g.at(point)).sign()
            except ValueError:
                continue
            if sign < (strict and (end == "left" or high is not None)):
                continue
            then = _chain(way, low, high, strict and sign == 0, left_over)
            if then is not None:
                return kernel.Differentiate(-rate, "left" if end == "left" else "right", then)
    return None


# Kernel certificates made from the algebra: integrals, and sums of Laplace variables.

STEP = Piecewise((0,), (1, 0))
"""t ↦ Pr[0 > t]: the tail of the constant 0."""


def laplace_sum_tail(scales: Sequence[int | Fraction]) -> tuple[Piecewise, kernel.Checked]:
    """Return t ↦ Pr[Z_1 + … + Z_n > t], Z_i ~ Laplace(0, scales[i]) independent, and its proof.

    The tails of the partial sums are the certificate: each solves u − b²·u″ = h with the one before
    it, which the kernel checks without integrating (``kernel.AddLaplace``).
    """
    chain = [STEP]
    for scale in scales:
        chain.append(convolve(chain[-1], laplace(0, scale)))
    after = tuple(piecewise.as_data() for piecewise in chain[1:])
    return chain[-1], kernel.check(kernel.AddLaplace(STEP.as_data(), tuple(scales), after))


def same(left: ExpPoly | ExpSum | Fraction | int, right: ExpPoly | ExpSum) -> kernel.Checked:
    """Return the kernel's finding that two expressions are equal; a ``KernelRefusal`` if not."""
    return kernel.check(kernel.Identity(ExpPoly.of(left).as_data(), ExpPoly.of(right).as_data()))


def integral(factors: Sequence[Piecewise]) -> tuple[ExpSum, kernel.Checked]:
    """Return ∫ Π factors over the line, and its proof: an antiderivative on each interval."""
    breaks = sorted({b for f in factors for b in f.breaks})
    total, parts = ExpSum(), []
    for lower, upper in zip([None, *breaks], [*breaks, None], strict=True):
        here = [f.parts[0] if lower is None else f.piece_at(lower) for f in factors]
        poly = ExpPoly.of(1)
        for factor in here:
            poly = poly * factor
        if poly:
            total = total + poly.integral(lower, upper)
            antiderivative = poly.antiderivative().as_data()
            parts.append((lower, upper, tuple(f.as_data() for f in here), antiderivative))
    return total, kernel.check(kernel.Integral(tuple(parts), total.as_data()))
