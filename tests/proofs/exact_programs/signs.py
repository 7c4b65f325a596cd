"""Signs of functions on the whole line, and points where an expression is below 0."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.algebra import ExpPoly, Piecewise, exact
from provado.proofs.algebra.certificates import prove_sign, samples, sizes


def prove_nonnegative(f: Piecewise, *, halvings: int = 6) -> tuple[kernel.Checked, ...] | None:
    """Return findings that together show f ≥ 0 on the whole line, one for each piece, if found.

    The piece that reaches to −∞ is decided through x ↦ f(−x).
    """
    findings = []
    for lower, upper, part in f.pieces():
        if lower is not None:
            findings.append(prove_sign(part, lower, upper, halvings=halvings))
        elif upper is not None:
            findings.append(prove_sign(part.compose(-1, 0), -upper, halvings=halvings))
        else:
            findings.append(prove_sign(part, 0, halvings=halvings))
            findings.append(prove_sign(part.compose(-1, 0), 0, halvings=halvings))
    found = tuple(finding for finding in findings if finding is not None)
    return found if len(found) == len(findings) else None


def refute_sign(
    f: ExpPoly, lower: int | Fraction, upper: int | Fraction | None = None
) -> kernel.Checked | None:
    """Return the kernel's finding that f < 0 somewhere on [lower, upper], if a point is found."""
    low, high = exact(lower, "lower"), None if upper is None else exact(upper, "upper")
    points = [Fraction(x).limit_denominator(10**6) for x in samples(low, high)]
    points = [x for x in points if x >= low and (high is None or x <= high)]
    found = sizes(f, [float(x) for x in points])
    for _, x in sorted(zip(found, points, strict=True)):
        if f.at(x).sign() < 0:
            return kernel.check(kernel.PointCounterexample(f.as_data(), "≥ 0", x, low, high))
    return None
