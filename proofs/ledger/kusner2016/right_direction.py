"""Theorems 2 and 4.2: the chance that noisy scores tell the right direction."""

from dataclasses import dataclass, replace
from fractions import Fraction

from provado.proofs import ledger
from provado.proofs.algebra import ExpPoly, ExpSum, Piecewise, laplace, tail
from provado.proofs.algebra.certificates import integral
from provado.proofs.kernel import Checked
from provado.proofs.ledger.fact import Equal, Fact, Fails, Integrated, integrated
from provado.proofs.ledger.find_certificate import refute

from . import source
from ._claims import ONE_NOISE

_WHERE = "1 − P(p_{X→Y} < p_{Y→X}) at x = γ/σ, of noise in units of σ"


def wrong_order(tail: str) -> ledger.LaplaceTail:
    """Return the claim that this is the chance of the wrong order."""
    return ledger.LaplaceTail((1, 1), ledger.Formula(tail), _WHERE)


@ledger.Entry(
    source=source("Theorem 2"),
    printed="P(p_{X→Y} < p_{Y→X}) = 1 − (γ + 2σ)/(4σ)·e^(−γ/σ), with γ = s_{Y→X} − s_{X→Y} > 0 "
    "and Laplace noise of scale σ = Δ/ε on each score.",
    words="If both scores get independent Laplace noise of scale σ, the smaller one stays smaller "
    "with this probability.",
    scope="All margins γ ≥ 0 and scales σ > 0.",
    claim=wrong_order("(x + 2)/4·e^(−x)"),
    expected=ledger.LedgerVerdict.PROVED,
    twin=ledger.Twin("The formula with γ + σ in place of γ + 2σ.", wrong_order("(x + 1)/4·e^(−x)")),
)
def _thm2(claim: ledger.LaplaceTail) -> ledger.Evidence:
    return ledger.Evidence(
        printed=ledger.show_claim(claim),
        argument=(
            ledger.Reading("Let x = γ/σ, and let Z₁, Z₂ be independent Lap(0, 1)."),
            ledger.Reading(
                "The inference is wrong when the noise on s_{X→Y} minus that on s_{Y→X} is at "
                "least γ; divided by σ, and as Z₂ is symmetric, this is Z₁ + Z₂ ≥ x (by "
                "definition; equality has probability 0)."
            ),
            ledger.Step(
                "Pr[Z₁ + Z₂ > x] follows for all real x from the definition of the noise, and for "
                "x ≥ 0 it is the printed formula (kernel).",
                claim.obligations(),
            ),
        ),
    )


# The six cases of the proof of Theorem 2 in the appendix, each with its probability.

_DECAY = ExpPoly.term(rate=-1)
"""x ↦ e^(−x)."""


@dataclass(frozen=True)
class Cases(ledger.Claim):
    """The printed probabilities of cases 1 to 6, with x = (μ₂ − μ₁)/σ ≥ 0.

    spots: where case 1 is integrated directly as well.
    """

    chances: tuple[ledger.Formula, ...]
    spots: tuple[Fraction, ...]

    @property
    def formula(self) -> str:
        sentences = [f"Pr({k}) = {chance}" for k, chance in enumerate(self.chances, 1)]
        return f"{'; '.join(sentences)}; x = (μ₂ − μ₁)/σ"

    def obligations(self) -> tuple[Fact, ...]:
        one, two, three, four, five, six = (chance.value() for chance in self.chances)
        beyond = ONE_NOISE.tail.value()
        between = Fraction(1, 2) - beyond
        both = _both()[1].value
        near = ExpPoly.of(ExpSum(both)) * _DECAY
        rest = TWO_NOISES.tail.value() - beyond * beyond - 2 * beyond * between - 2 * near
        claimed = (one, two, three, four, five, six)
        result = (rest, beyond * beyond, beyond * between, between * beyond, near, near)
        return (
            *ONE_NOISE.obligations(),
            *TWO_NOISES.obligations(),
            _both()[1],
            *(Equal(c.as_data(), f.as_data()) for c, f in zip(claimed, result, strict=True)),
            *(
                integrated(replace(_case_1_at(x).evidence, value=one.at(x).as_data()))
                for x in self.spots
            ),
        )


TWO_NOISES = ledger.LaplaceTail((1, 1), ledger.Formula("(x + 2)/4·e^(−x)"), "two variables")
APPENDIX_THM2_CASES_CLAIM = Cases(
    (
        ledger.Formula("x/4·e^(−x) − 1/2·e^(−x)·(1/2 − 1/2·e^(−x))"),
        ledger.Formula("1/2·e^(−x)·1/2·e^(−x)"),
        ledger.Formula("1/2·e^(−x)·(1/2 − 1/2·e^(−x))"),
        ledger.Formula("1/2·e^(−x)·(1/2 − 1/2·e^(−x))"),
        ledger.Formula("1/8·e^(−x)"),
        ledger.Formula("1/8·e^(−x)"),
    ),
    (Fraction(1, 3), Fraction(1), Fraction(7, 2)),
)


def _both() -> tuple[Checked, Integrated]:
    """Return ∫ (e^(−s)/2)² ds over s > 0: the finding, and the fact."""
    half = Piecewise((0,), (0, Fraction(1, 2) * _DECAY))
    _, check = integral((half, half))
    return check, integrated(check.evidence)


def _case_1_at(x: Fraction) -> Checked:
    """Integrate (Pr[x₁ > y] − Pr[x₁ > x])·p₂(y) over 0 < y < x, at one x."""
    above = tail(laplace(0, 1))
    inside = Piecewise.on(Fraction(0), x, above.piece_at(0) - above.at(x))
    return integral((inside, laplace(x, 1)))[1]


@ledger.Entry(
    source=source("appendix, proof of Theorem 2, cases 1 to 6"),
    printed="With E = exp(−(μ₂ − μ₁)/σ) and F₁ = F₁(μ₁; μ₂, σ): Pr(1) = (μ₂ − μ₁)/(4σ)·E − "
    "E/2·[1/2 − F₁]; Pr(2) = E/2·F₁; Pr(3) = Pr(4) = E/2·[1/2 − F₁]; Pr(5) = Pr(6) = E/8.",
    words="The six orders of two Laplace draws and their centers in which the draws are in the "
    "wrong order have these probabilities.",
    scope="All μ₁ ≤ μ₂ and σ > 0.",
    claim=APPENDIX_THM2_CASES_CLAIM,
    twin=ledger.Twin(
        "Case 3 with x₂ anywhere above μ₁, which counts case 5 in part.",
        replace(
            APPENDIX_THM2_CASES_CLAIM,
            chances=(
                *APPENDIX_THM2_CASES_CLAIM.chances[:2],
                ledger.Formula("1/2·e^(−x)·(1 − 1/2·e^(−x))"),
                *APPENDIX_THM2_CASES_CLAIM.chances[3:],
            ),
        ),
    ),
)
def _appendix_thm2_cases(claim: Cases) -> ledger.Evidence:
    noise, noises, eighth, *rest = claim.obligations()
    one, two, three, four, five, six, *spots = rest
    return ledger.Evidence(
        printed=(
            *map(ledger.show, (noise, noises)),
            _both()[0],
            *map(ledger.show, (one, two, three, four, five, six)),
            *map(_case_1_at, claim.spots),
        ),
        argument=(
            "Let σ = 1, μ₁ = 0, μ₂ = x ≥ 0, by shifting and scaling; x₁ and x₂ are independent.",
            ledger.Step(
                "Pr[x₁ > μ₂] = Pr[x₂ < μ₁] = e^(−x)/2 (kernel), so Pr[μ₁ < x₂ < μ₂] = "
                "Pr[μ₁ < x₁ < μ₂] = 1/2 − e^(−x)/2.",
                (noise,),
            ),
            ledger.Step(
                "Cases 2, 3 and 4 are products of these, by independence (kernel, identities).",
                (two, three, four),
            ),
            ledger.Step(
                "Case 5: with x₁ = x + r and x₂ = x + s the densities are e^(−x)·e^(−r)/2 and "
                "e^(−s)/2 on 0 < s < r; integrating r out leaves e^(−x)·∫ (e^(−s)/2)² ds = "
                "e^(−x)/8 (kernel, integral). Case 6 is its mirror image.",
                (eighth, five, six),
            ),
            ledger.Step(
                "The six cases exclude each other and make up x₁ > x₂ but for ties: x₂ lies left "
                "of μ₁, between, or right of μ₂, and x₁ in the same part or one further right. So "
                "case 1 is Pr[x₁ > x₂] (kernel, convolution) less the other five (kernel, "
                "identity).",
                (noises, one),
            ),
            ledger.Step(
                "Case 1 is also integrated directly at x = 1/3, 1 and 7/2 (kernel).", (*spots,)
            ),
            "Their sum is Theorem 2's (x + 2)/4·e^(−x).",
        ),
    )


# Theorem 4.2: the chance that four noisy log-IQRs tell the right direction.


@dataclass(frozen=True)
class PrintedChance(ledger.Claim):
    """The printed P = 1 − wrong, with wrong as a function of y = σ/γ, and γ of the four IQRs.

    signs: those of Q_{x′}, Q_{r′Y}, Q_{y′} and Q_{r′X} in γ. off_at: the γ/σ at which wrong is
    tried against what the noise gives.
    """

    wrong: ledger.Formula
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


MEANT = ledger.LaplaceTail(
    (1, 1, 1, 1),
    ledger.Formula("(48 + 33x + 9x² + x³)/96·e^(−x)"),
    "the chance of the wrong order at x = γ/σ, of four noises in units of σ",
)
THM4_2_CLAIM = PrintedChance(
    ledger.Formula("(48y³ + 33y² + 9y + 1)/(96y³)·e^(−y)", "y"), (-1, 1, 1, 1)
)


@ledger.Entry(
    source=source("Theorem 4, part 2"),
    printed="P[P_{x′} + P_{r′Y} < P_{y′} + P_{r′X}] = 1 − e^(−σ/γ)/(96σ³)·(48σ³ + 33σ²γ + 9σγ² + "
    "γ³), where γ = Q_{y′} + Q_{r′X} − Q_{x′} + Q_{r′Y} and σ = 1/ε.",
    words="If all four log-IQRs are released with Laplace noise of scale σ, the direction that "
    "they give is the right one with this probability.",
    scope="All margins γ > 0 and scales σ > 0.",
    claim=THM4_2_CLAIM,
    expected=ledger.LedgerVerdict.MISPRINT,
    twin=ledger.Twin(
        "The form that was meant, tried as a misprint.",
        PrintedChance(THM4_2_CLAIM.wrong, (-1, -1, 1, 1)),
    ),
)
def _thm4_2(claim: PrintedChance) -> ledger.Evidence:
    noise, above_one, off, margins = claim.counterexamples()
    exact = ledger.show_claim(MEANT)
    return ledger.Evidence(
        printed=(*exact, refute(above_one, Fraction(1, 3)), refute(off, 0), refute(margins, 1)),
        corrected=exact,
        correction="P = 1 − e^(−γ/σ)·(48σ³ + 33σ²γ + 9σγ² + γ³)/(96σ³) with "
        "γ = Q_{y′} + Q_{r′X} − Q_{x′} − Q_{r′Y}.",
        kind="misprint",
        corrected_claim=MEANT,
        argument=(
            ledger.Step(
                "Let γ = 3σ. The printed formula gives 1 − (255/96)·e^(−1/3) < 0, which is no "
                "probability (kernel; written with x = σ/γ and multiplied by 96x³).",
                (above_one,),
            ),
            ledger.Step(
                "Let γ = 2σ. The printed value differs from the exact one, 1 − (158/96)·e^(−2) "
                "(kernel).",
                (off,),
            ),
            ledger.Step(
                "Let all four be x. The printed γ is 2x where the margin of the theorem's own "
                "condition is 0 (kernel).",
                (margins,),
            ),
            ledger.Reading(
                "Corrected: the wrong order comes out when the four noises, two of them negated, "
                "add up to at least γ; they are symmetric and independent, so with x = γ/σ this is "
                "Z₁ + Z₂ + Z₃ + Z₄ ≥ x for Z ~ Lap(0, 1) (by definition)."
            ),
            ledger.Step(
                "That tail is found for all real x from the definition of the noise (kernel): the "
                "printed polynomial is right, the exponent is upside down and one sign of γ wrong.",
                (noise,),
            ),
            ledger.Reading(
                "The P in the inequality must be read as logarithms, since noise e^z multiplies "
                "the IQRs. Noise is drawn anew for each release, so that being released does not "
                "bear on it."
            ),
        ),
        proof_remark="The appendix states the tail as the event z₁ + z₂ < z₃ + z₄ and leaves the "
        "integral to the reader; no step of it is printed.",
    )


ENTRIES = (_thm2, _appendix_thm2_cases, _thm4_2)
