"""The test d + Lap(1/ε) > T of a count d that moves by at most 1: what the kernel shows of it."""

from __future__ import annotations

from dataclasses import dataclass

from provado.proofs.algebra.exppoly import ExpPoly
from provado.proofs.kernel import Number
from provado.proofs.ledger import Claim, Formula, LaplaceTail, Line, Step
from provado.proofs.ledger.fact import AtLeastZero, Equal, Fact

ONE_NOISE = LaplaceTail((1,), Formula("1/2·e^(−x)"), "one variable Z ~ Lap(0, 1)")
"""u(x) = Pr[Z > x]."""


def tail_of_one() -> tuple[ExpPoly, ExpPoly]:
    """Return u for t < 0 and for t ≥ 0."""
    right = ONE_NOISE.tail.value()
    return 1 - right.compose(-1, 0), right


@dataclass(frozen=True)
class NoisyTest(Claim):
    """Both outcomes of the test lose at most e^(loss·ε), as a share, if d moves by at most 1."""

    loss: Number = 1

    @property
    def formula(self) -> str:
        return f"d + Lap(1/ε) > T, for a count d that moves by at most 1, is ({self.loss}·ε, 0)-DP"

    def obligations(self) -> tuple[Fact, ...]:
        left, right = tail_of_one()
        mirrored = 1 - right.compose(-1, 0)
        falls = self.loss * left + left.derivative()
        return (
            *ONE_NOISE.obligations(),
            Equal(mirrored.as_data(), left.as_data()),
            Equal((self.loss * right).as_data(), (-right.derivative()).as_data()),
            AtLeastZero(falls.compose(-1, 0).as_data(), 0),
        )


TEST = NoisyTest()


def threshold_steps() -> tuple[Line, ...]:
    """Return the argument for ``TEST``."""
    tail, mirrored, *slopes = TEST.obligations()
    return (
        Step(
            "Let u(t) = Pr[Z > t] for Z ~ Lap(0, 1): 1 − e^t/2 for t < 0 and e^(−t)/2 from 0 on "
            "(kernel); ε·Lap(1/ε) has that distribution, so d passes with probability u(ε(T − d)).",
            (tail,),
        ),
        Step(
            "u + u′ ≥ 0 for all t (kernel: it is 0 from 0 on), so e^t·u(t) never falls and "
            "u(t − s) ≤ e^s·u(t) for s ≥ 0; u falls; and 1 − u(t) = u(−t) (kernel), so the same "
            "holds of not passing. Hence a count that moves by at most 1 changes neither chance by "
            "more than e^ε.",
            (mirrored, *slopes),
        ),
    )
