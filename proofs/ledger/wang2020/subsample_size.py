"""Section 3.2: the subset that adds the least noise to the sieve."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from provado.proofs.ledger import (
    Claim,
    Entry,
    Evidence,
    Formula,
    LedgerVerdict,
    Step,
    Twin,
    Unstated,
    at_least_zero,
)
from provado.proofs.ledger.fact import AtLeastZero, Fact
from provado.proofs.ledger.show import show

from . import source


@dataclass(frozen=True)
class OneOptimum(Claim):
    """The noise √(e^s − 1)/s, s = ε′, falls up to ``low`` and rises from ``high`` on.

    slope: the sign of its derivative in s. With c = e^(ε/2) − 1, n/m = (e^s − 1)/c, so s falls as m
    grows.
    """

    slope: Formula
    low: Fraction
    high: Fraction

    @property
    def formula(self) -> str:
        return f"√(e^s − 1)/s has its one minimum between s = {self.low} and {self.high}"

    def obligations(self) -> tuple[Fact, ...]:
        slope = self.slope.value()
        return (
            AtLeastZero((-slope).as_data(), 0, self.low),
            AtLeastZero(slope.as_data(), self.high, strict=True),
            AtLeastZero(slope.derivative().as_data(), 1),
        )


READING = OneOptimum(
    Formula("(s − 2)e^(s) + 2", "s"), Fraction(15936, 10000), Fraction(15937, 10000)
)
CLAIM = Unstated(
    "the formula of the noise level and the range that is clipped to: both are lost in part",
    READING,
)
_LINEAR = at_least_zero("(s − 1)e^(s) + 1", 0, variable="s")
"""The sign of the derivative for (e^s − 1)/s, the noise for Δ(m) = c/m."""


def _gather(claim: Unstated) -> Evidence:
    reading = claim.reading
    facts = reading.obligations() if reading else ()
    return Evidence(
        corrected=(*map(show, facts), show(_LINEAR)),
        corrected_claim=reading,
        correction="With the root, as in the released code, there is one optimum, which falls to "
        "0 with ε, and clipping it gives the best size in the range. There is an explicit "
        "solution: ε′ = s* = 2 + W(−2e^(−2)) = 1.5936…, whatever ε, so "
        "m* = n(e^(ε/2) − 1)/(e^s* − 1), about n(e^(ε/2) − 1)/3.92.",
        kind="reading",
        argument=(
            "The formula is lost; Algorithm 2 scales Δ by n/m or by its root. The released code "
            "minimises √x/ln(x(e^(ε/2) − 1) + 1) over x = n/m, which is taken as the reading: "
            "with the root the optimum falls to 0 with ε, as the text says of it.",
            Step(
                "Let s = ln(x(e^(ε/2) − 1) + 1) = ε′. The noise is √(e^s − 1)/s up to a factor, "
                "and its derivative has the sign of (s − 2)e^s + 2. That is ≤ 0 on [0, 1.5936], "
                "> 0 from 1.5937 on, and rises from 1 on (kernel): one minimum, and no other "
                "stationary point.",
                facts,
            ),
            "So the noise falls, then rises along m, and the best m of a range is the free optimum "
            "clipped to it; m* falls to 0 with ε. The function is not convex; a descent still ends "
            "in its one minimum.",
            "That there is no explicit solution is not so: (s − 2)e^(s − 2) = −2e^(−2) is "
            "Lambert's equation.",
            Step(
                "Read with n/m, the noise (e^s − 1)/s only rises with s (kernel): the best subset "
                "is all of the data, m = n, for every ε, and there would be nothing to optimise.",
                (_LINEAR,),
            ),
        ),
    )


ENTRY = Entry(
    id="wang2020/subsample-size",
    source=source("section 3.2, Optimize sub-sampling rate"),
    printed="We can derive an optimal sub-sampling size which adds the smallest noise under the "
    "same privacy guarantee; this requires to minimize the noise level […/m …ln(n/m (exp(ϵ/2) − 1) "
    "+ 1)]; … no explicit solution …; when ϵ is small, the optimal size is also too small; we take "
    "it by clipping the solution to the range (n/20, n). [Formula and range are lost in part.]",
    words="The noise of the sieve has one optimal subset size, which falls with ε, and clipping it "
    "to a range gives the best size in the range.",
    scope="All ε > 0 and n; real m; Δ(m) = c/√m, so noise √(n/m)·Δ(n)/ε′.",
    claim=CLAIM,
    expected=LedgerVerdict.INCOMPLETE,
    gather=_gather,
    twin=Twin(
        "The same, with the minimum claimed between 16 and 17.",
        replace(CLAIM, reading=replace(READING, low=Fraction(16), high=Fraction(17))),
    ),
)
