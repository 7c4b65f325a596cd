"""A guess under (ε, δ)-differential privacy with a fair coin, by any rule that may abstain."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin, show_claim
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Fact
from provado.proofs.ledger.formula import variables

from . import source
from ._terms import ANY_RULE, stated


@dataclass(frozen=True)
class Guess(Claim):
    """E[1{correct} − e^ε·1{wrong}] ≤ times·δ."""

    times: Fraction = Fraction(1)

    @property
    def formula(self) -> str:
        bound = "δ" if self.times == 1 else f"{self.times}·δ"
        said = f"E[1{{correct}} − e^ε·1{{wrong}}] ≤ {bound}, with a fair coin, for any rule"
        return f"{said}; half of that for a rule that only ever guesses one side"

    def statement(self) -> Statement:
        p, q = self.times.as_integer_ratio()
        bound = "delta" if self.times == 1 else f"{p}%:R / {q}%:R * delta"
        loss = "right m rule d (replace d i v) - t * wrong m rule d (replace d i v)"
        return stated(
            "forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t delta : R), "
            f"approximate t delta m -> {ANY_RULE} {loss} <= {bound} /\\ forall side, "
            f"(forall o, rule o != Some (~~ side)) -> {loss} <= 1 / 2%:R * ({bound})"
        )

    def obligations(self) -> tuple[Fact, ...]:
        """Return times·δ − ½·((P₁ − t·Q₁) + (Q₂ − t·P₂)) ≥ 0, for P₁ = t·Q₁ + δ − u and so on.

        And ½·times·δ − ½·(P₁ − t·Q₁) ≥ 0, where D′ is never guessed.
        """
        delta, u, v = variables(3)
        half = Fraction(1, 2)
        one, other = (half * (self.times * delta - (delta - slack)) for slack in (u, v))
        return (one + other).nonnegative(), one.nonnegative()


def _gather(claim: Guess) -> Evidence:
    return Evidence(
        printed=show_claim(claim),
        argument=(
            "Let S₁ be the outputs at which the rule guesses D, and S₂ those at which it guesses "
            "D′. P₁ and P₂ are their chances on D, Q₁ and Q₂ on D′. A guess is right with chance "
            "½(P₁ + Q₂) and wrong with ½(Q₁ + P₂).",
            Step(
                "With u = t·Q₁ + δ − P₁ ≥ 0 and v = t·P₂ + δ − Q₂ ≥ 0, which is what privacy says "
                "of S₁ and S₂: δ − ½(P₁ + Q₂) + t·½(Q₁ + P₂) = ½u + ½v ≥ 0, and "
                "½δ − ½P₁ + t·½Q₁ = ½u ≥ 0 where D′ is never guessed; likewise for D (kernel).",
                claim.obligations(),
            ),
        ),
    )


ENTRY = Entry(
    id="audit/guess",
    source=source("the three counts, step 4"),
    printed="Under (ε, δ)-DP, E[1{correct} − e^ε·1{wrong}] ≤ δ.",
    words=(
        "For any rule the chance of a right guess exceeds e^ε times that of a wrong one by at most "
        "δ. For a rule that only ever guesses one of the two sides the excess is at most δ/2."
    ),
    scope="every finite mechanism, replace-one neighbors, a rule without randomness of its own",
    claim=Guess(),
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("Half of δ.", Guess(Fraction(1, 2))),
    theorem_of=Guess(),
)
