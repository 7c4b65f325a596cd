"""The six cases of the proof of Theorem 2 in the appendix, each with its probability."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from provado.proofs.algebra.exppoly import ExpPoly, ExpSum, Piecewise, laplace, tail
from provado.proofs.algebra.exppoly.certificates import integral
from provado.proofs.kernel import Checked
from provado.proofs.ledger import (
    Claim,
    Entry,
    Evidence,
    Formula,
    LaplaceTail,
    LedgerVerdict,
    Step,
    Twin,
    show,
)
from provado.proofs.ledger.fact import Equal, Fact, Integrated, integrated

from . import source
from ._claims import ONE_NOISE

_DECAY = ExpPoly.term(rate=-1)
"""x ↦ e^(−x)."""


@dataclass(frozen=True)
class Cases(Claim):
    """The printed probabilities of cases 1 to 6, with x = (μ₂ − μ₁)/σ ≥ 0.

    spots: where case 1 is integrated directly as well.
    """

    chances: tuple[Formula, ...]
    spots: tuple[Fraction, ...]

    @property
    def formula(self) -> str:
        said = [f"Pr({k}) = {chance}" for k, chance in enumerate(self.chances, 1)]
        return f"{'; '.join(said)}; x = (μ₂ − μ₁)/σ"

    def obligations(self) -> tuple[Fact, ...]:
        one, two, three, four, five, six = (chance.value() for chance in self.chances)
        beyond = ONE_NOISE.tail.value()
        between = Fraction(1, 2) - beyond
        both = _both()[1].value
        near = ExpPoly.of(ExpSum(both)) * _DECAY
        rest = TWO_NOISES.tail.value() - beyond * beyond - 2 * beyond * between - 2 * near
        claimed = (one, two, three, four, five, six)
        found = (rest, beyond * beyond, beyond * between, between * beyond, near, near)
        return (
            *ONE_NOISE.obligations(),
            *TWO_NOISES.obligations(),
            _both()[1],
            *(Equal(c.as_data(), f.as_data()) for c, f in zip(claimed, found, strict=True)),
            *(
                integrated(replace(_case_1_at(x).evidence, value=one.at(x).as_data()))
                for x in self.spots
            ),
        )


TWO_NOISES = LaplaceTail((1, 1), Formula("(x + 2)/4·e^(−x)"), "two variables")
CLAIM = Cases(
    (
        Formula("x/4·e^(−x) − 1/2·e^(−x)·(1/2 − 1/2·e^(−x))"),
        Formula("1/2·e^(−x)·1/2·e^(−x)"),
        Formula("1/2·e^(−x)·(1/2 − 1/2·e^(−x))"),
        Formula("1/2·e^(−x)·(1/2 − 1/2·e^(−x))"),
        Formula("1/8·e^(−x)"),
        Formula("1/8·e^(−x)"),
    ),
    (Fraction(1, 3), Fraction(1), Fraction(7, 2)),
)


def _both() -> tuple[Checked, Integrated]:
    """Return ∫ (e^(−s)/2)² ds over s > 0: the finding, and the fact."""
    half = Piecewise((0,), (0, Fraction(1, 2) * _DECAY))
    _, found = integral((half, half))
    return found, integrated(found.evidence)


def _case_1_at(x: Fraction) -> Checked:
    """Integrate (Pr[x₁ > y] − Pr[x₁ > x])·p₂(y) over 0 < y < x, at one x."""
    above = tail(laplace(0, 1))
    inside = Piecewise.on(Fraction(0), x, above.piece_at(0) - above.at(x))
    return integral((inside, laplace(x, 1)))[1]


def _gather(claim: Cases) -> Evidence:
    noise, noises, eighth, *rest = claim.obligations()
    one, two, three, four, five, six, *spots = rest
    return Evidence(
        printed=(
            *map(show, (noise, noises)),
            _both()[0],
            *map(show, (one, two, three, four, five, six)),
            *map(_case_1_at, claim.spots),
        ),
        argument=(
            "Let σ = 1, μ₁ = 0, μ₂ = x ≥ 0, by shifting and scaling; x₁ and x₂ are independent.",
            Step(
                "Pr[x₁ > μ₂] = Pr[x₂ < μ₁] = e^(−x)/2 (kernel), so Pr[μ₁ < x₂ < μ₂] = "
                "Pr[μ₁ < x₁ < μ₂] = 1/2 − e^(−x)/2.",
                (noise,),
            ),
            Step(
                "Cases 2, 3 and 4 are products of these, by independence (kernel, identities).",
                (two, three, four),
            ),
            Step(
                "Case 5: with x₁ = x + r and x₂ = x + s the densities are e^(−x)·e^(−r)/2 and "
                "e^(−s)/2 on 0 < s < r; integrating r out leaves e^(−x)·∫ (e^(−s)/2)² ds = "
                "e^(−x)/8 (kernel, integral). Case 6 is its mirror image.",
                (eighth, five, six),
            ),
            Step(
                "The six cases exclude each other and make up x₁ > x₂ but for ties: x₂ lies left "
                "of μ₁, between, or right of μ₂, and x₁ in the same part or one further right. So "
                "case 1 is Pr[x₁ > x₂] (kernel, convolution) less the other five (kernel, "
                "identity).",
                (noises, one),
            ),
            Step("Case 1 is also integrated directly at x = 1/3, 1 and 7/2 (kernel).", (*spots,)),
            "Their sum is Theorem 2's (x + 2)/4·e^(−x).",
        ),
    )


ENTRY = Entry(
    id="kusner2016/appendix-thm2-cases",
    source=source("appendix, proof of Theorem 2, cases 1 to 6"),
    printed="With E = exp(−(μ₂ − μ₁)/σ) and F₁ = F₁(μ₁; μ₂, σ): "
    "Pr(1) = (μ₂ − μ₁)/(4σ)·E − E/2·[1/2 − F₁]; Pr(2) = E/2·F₁; "
    "Pr(3) = Pr(4) = E/2·[1/2 − F₁]; Pr(5) = Pr(6) = E/8.",
    words="The six orders of two Laplace draws and their centers in which the draws are in the "
    "wrong order have these probabilities.",
    scope="All μ₁ ≤ μ₂ and σ > 0.",
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin(
        "Case 3 with x₂ anywhere above μ₁, which counts case 5 in part.",
        replace(
            CLAIM,
            chances=(
                *CLAIM.chances[:2],
                Formula("1/2·e^(−x)·(1 − 1/2·e^(−x))"),
                *CLAIM.chances[3:],
            ),
        ),
    ),
)
