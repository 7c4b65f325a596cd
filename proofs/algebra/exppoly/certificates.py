"""Kernel certificates made from the algebra: integrals, and sums of Laplace variables."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from provado.proofs import kernel

from .convolve import convolve
from .densities import laplace
from .exp_poly import ExpPoly
from .exp_sum import ExpSum
from .piecewise import Piecewise

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
    after = tuple(one.as_data() for one in chain[1:])
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
        whole = ExpPoly.of(1)
        for factor in here:
            whole = whole * factor
        if whole:
            total = total + whole.integral(lower, upper)
            antiderivative = whole.antiderivative().as_data()
            parts.append((lower, upper, tuple(f.as_data() for f in here), antiderivative))
    return total, kernel.check(kernel.Integral(tuple(parts), total.as_data()))
