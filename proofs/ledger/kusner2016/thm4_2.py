"""Theorem 4.2: the chance that four noisy log-IQRs tell the right direction."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from provado.proofs.algebra.exppoly import ExpPoly
from provado.proofs.ledger import (
    Claim,
    Entry,
    Evidence,
    Formula,
    LaplaceTail,
    LedgerVerdict,
    Reading,
    Step,
    Twin,
)
from provado.proofs.ledger.fact import Fact, Fails
from provado.proofs.ledger.show import refute, show_claim

from . import source


@dataclass(frozen=True)
class PrintedChance(Claim):
    """The printed P = 1 − wrong, with wrong as a function of y = σ/γ, and γ of the four IQRs.

    signs: those of Q_{x′}, Q_{r′Y}, Q_{y′} and Q_{r′X} in γ. off_at: the γ/σ at which wrong is
    tried against what the noise gives.
    """

    wrong: Formula
    signs: tuple[int, int, int, int]
    off_at: int = 2

    @property
    def formula(self) -> str:
        names = ("Q_{x′}", "Q_{r′Y}", "Q_{y′}", "Q_{r′X}")
        parts = [f"{'−' if s < 0 else '+'} {n}" for s, n in zip(self.signs, names, strict=True)]
        return f"P = 1 − {self.wrong}, y = σ/γ, γ = {' '.join(parts)}"

    def value(self, at: int) -> ExpPoly:
        """Return the printed chance of the wrong order at γ = at·σ, a number."""
        top, bottom = (part.at(Fraction(1, at)) for part in self.wrong.ratio())
        return ExpPoly.of(top * (1 / bottom.terms[Fraction(0)]))

    def counterexamples(self) -> tuple[Fact, ...]:
        top, bottom = self.wrong.ratio()
        true = ExpPoly.of(MEANT.tail.value().at(self.off_at))
        # The condition of the theorem is Q_{x′} + Q_{r′Y} < Q_{y′} + Q_{r′X}.
        margin = [s - t for s, t in zip(self.signs, (-1, -1, 1, 1), strict=True)]
        return (
            *MEANT.obligations(),
            Fails((bottom - top).as_data(), "≥ 0", 0),
            Fails((self.value(self.off_at) - true).as_data(), "= 0"),
            Fails((sum(margin) * ExpPoly.term(power=1)).as_data(), "= 0"),
        )


MEANT = LaplaceTail(
    (1, 1, 1, 1),
    Formula("(48 + 33x + 9x² + x³)/96·e^(−x)"),
    "the chance of the wrong order at x = γ/σ, of four noises in units of σ",
)
CLAIM = PrintedChance(Formula("(48y³ + 33y² + 9y + 1)/(96y³)·e^(−y)", "y"), (-1, 1, 1, 1))


def _gather(claim: PrintedChance) -> Evidence:
    noise, above_one, off, margins = claim.counterexamples()
    exact = show_claim(MEANT)
    return Evidence(
        printed=(
            *exact,
            refute(above_one, Fraction(1, 3)),
            refute(off, 0),
            refute(margins, 1),
        ),
        corrected=exact,
        correction="P = 1 − e^(−γ/σ)·(48σ³ + 33σ²γ + 9σγ² + γ³)/(96σ³) with "
        "γ = Q_{y′} + Q_{r′X} − Q_{x′} − Q_{r′Y}.",
        kind="misprint",
        corrected_claim=MEANT,
        argument=(
            Step(
                "Let γ = 3σ. The printed formula gives 1 − (255/96)·e^(−1/3) < 0, which is no "
                "probability (kernel; written with x = σ/γ and multiplied by 96x³).",
                (above_one,),
            ),
            Step(
                "Let γ = 2σ. The printed value differs from the exact one, 1 − (158/96)·e^(−2) "
                "(kernel).",
                (off,),
            ),
            Step(
                "Let all four be x. The printed γ is 2x where the margin of the theorem's own "
                "condition is 0 (kernel).",
                (margins,),
            ),
            Reading(
                "Corrected: the wrong order comes out when the four noises, two of them negated, "
                "add up to at least γ; they are symmetric and independent, so with x = γ/σ this is "
                "Z₁ + Z₂ + Z₃ + Z₄ ≥ x for Z ~ Lap(0, 1) (by definition)."
            ),
            Step(
                "That tail is found for all real x from the definition of the noise (kernel): the "
                "printed polynomial is right, the exponent is upside down and one sign of γ wrong.",
                (noise,),
            ),
            Reading(
                "The P in the inequality must be read as logarithms, since noise e^z multiplies "
                "the IQRs. Noise is drawn anew for each release, so that being released does not "
                "bear on it."
            ),
        ),
        proof_remark="The appendix states the tail as the event z₁ + z₂ < z₃ + z₄ and leaves the "
        "integral to the reader; no step of it is printed.",
    )


ENTRY = Entry(
    id="kusner2016/thm4-2",
    source=source("Theorem 4, part 2"),
    printed="P[P_{x′} + P_{r′Y} < P_{y′} + P_{r′X}] = 1 − e^(−σ/γ)/(96σ³)·(48σ³ + 33σ²γ + 9σγ² + "
    "γ³), where γ = Q_{y′} + Q_{r′X} − Q_{x′} + Q_{r′Y} and σ = 1/ε.",
    words="If all four log-IQRs are released with Laplace noise of scale σ, the direction that "
    "they tell is the right one with this probability.",
    scope="All margins γ > 0 and scales σ > 0.",
    claim=CLAIM,
    expected=LedgerVerdict.MISPRINT,
    gather=_gather,
    twin=Twin(
        "The form that was meant, tried as a misprint.",
        PrintedChance(CLAIM.wrong, (-1, -1, 1, 1)),
    ),
)
