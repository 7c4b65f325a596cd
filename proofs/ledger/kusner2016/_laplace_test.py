"""The test d + Lap(1/ε) > T of a count d that moves by at most 1: what the kernel shows of it."""

from __future__ import annotations

from provado.proofs import kernel
from provado.proofs.exppoly import ExpPoly
from provado.proofs.exppoly.certificates import laplace_sum_tail
from provado.proofs.ledger.kusner2016._terms import at_least_zero, constant, grow, same

TEST_STEPS = (
    "Let u(t) = Pr[Z > t] for Z ~ Lap(0, 1): 1 − e^t/2 for t < 0 and e^(−t)/2 from 0 on (kernel); "
    "ε·Lap(1/ε) has that law, so d passes with probability u(ε(T − d)).",
    "u + u′ ≥ 0 for all t (kernel, both pieces), so e^t·u(t) never falls and "
    "u(t − s) ≤ e^s·u(t) for s ≥ 0; u falls; and 1 − u(t) = u(−t) (kernel), so the same holds of "
    "not passing. Hence a count that moves by at most 1 changes neither chance by more than e^ε.",
)
"""The argument that goes with ``laplace_test``, step by step."""


def laplace_test() -> tuple[ExpPoly, ExpPoly, tuple[kernel.Checked, ...]]:
    """Return u for t < 0, u for t ≥ 0, and the findings that ``TEST_STEPS`` speaks of."""
    tail, proof = laplace_sum_tail((1,))
    left, right = tail.parts
    mirrored = 1 - right.compose(-1, 0)
    slope = left + left.derivative()
    findings = (
        proof,
        same(grow(-1) * constant(1, 2), right),
        same(mirrored, left),
        at_least_zero(right + right.derivative(), 0),
        at_least_zero(slope.compose(-1, 0), 0),
    )
    return left, right, findings
