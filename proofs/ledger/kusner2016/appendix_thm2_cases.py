"""The six cases of the proof of Theorem 2 in the appendix, each with its probability."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.exppoly import ExpPoly, Piecewise, laplace, tail
from provado.proofs.exppoly.certificates import integral, laplace_sum_tail
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.kusner2016._terms import X, constant, grow, same, source

_LEFT = constant(1, 2) * grow(-1)
"""F₁(μ₁; μ₂, σ) = e^(−x)/2, with x = (μ₂ − μ₁)/σ."""
_CASES = (
    X * constant(1, 4) * grow(-1) - constant(1, 2) * grow(-1) * (constant(1, 2) - _LEFT),
    constant(1, 2) * grow(-1) * _LEFT,
    constant(1, 2) * grow(-1) * (constant(1, 2) - _LEFT),
    constant(1, 2) * grow(-1) * (constant(1, 2) - _LEFT),
    constant(1, 8) * grow(-1),
    constant(1, 8) * grow(-1),
)
"""The printed probabilities of cases 1 to 6."""
_SPOTS = (Fraction(1, 3), Fraction(1), Fraction(7, 2))


def _gather() -> Evidence:
    single, one_noise = laplace_sum_tail((1,))
    double, two_noises = laplace_sum_tail((1, 1))
    beyond = single.piece_at(0)
    between = constant(1, 2) - beyond
    half = Piecewise((0,), (0, constant(1, 2) * grow(-1)))
    both, eighth = integral((half, half))
    rest = double.piece_at(0) - beyond * beyond - 2 * beyond * between - 2 * both * grow(-1)
    return Evidence(
        printed=(
            one_noise,
            two_noises,
            same(_CASES[1], beyond * beyond),
            same(_CASES[2], beyond * between),
            same(_CASES[3], between * beyond),
            eighth,
            same(_CASES[4], both * grow(-1)),
            same(_CASES[5], both * grow(-1)),
            same(_CASES[0], rest),
            *(finding for x in _SPOTS for finding in _case_1_at(x)),
        ),
        argument=(
            "Let σ = 1, μ₁ = 0, μ₂ = x ≥ 0, by shifting and scaling; x₁ and x₂ are independent.",
            "Pr[x₁ > μ₂] = Pr[x₂ < μ₁] = e^(−x)/2 (kernel), so Pr[μ₁ < x₂ < μ₂] = "
            "Pr[μ₁ < x₁ < μ₂] = 1/2 − e^(−x)/2.",
            "Cases 2, 3 and 4 are products of these, by independence (kernel, identities).",
            "Case 5: with x₁ = x + r and x₂ = x + s the densities are e^(−x)·e^(−r)/2 and e^(−s)/2 "
            "on 0 < s < r; integrating r out leaves e^(−x)·∫ (e^(−s)/2)² ds = e^(−x)/8 (kernel, "
            "integral). Case 6 is its mirror image.",
            "The six cases exclude each other and make up x₁ > x₂ but for ties: x₂ lies left of "
            "μ₁, between, or right of μ₂, and x₁ in the same part or one further right. So case 1 "
            "is Pr[x₁ > x₂] (kernel, convolution) less the other five (kernel, identity).",
            "Case 1 is also integrated directly at x = 1/3, 1 and 7/2 (kernel).",
            "Their sum is Theorem 2's (x + 2)/4·e^(−x).",
        ),
    )


def _case_1_at(x: Fraction) -> tuple[kernel.Checked, kernel.Checked]:
    """Integrate (Pr[x₁ > y] − Pr[x₁ > x])·p₂(y) over 0 < y < x, at one x; compare."""
    above = tail(laplace(0, 1))
    inside = Piecewise.on(Fraction(0), x, above.piece_at(0) - above.at(x))
    value, proof = integral((inside, laplace(x, 1)))
    return proof, same(ExpPoly.of(_CASES[0].at(x)), value)


def _twin() -> object:
    # Case 3 with Pr[x₂ > μ₁] in place of Pr[μ₁ < x₂ < μ₂].
    single, _ = laplace_sum_tail((1,))
    beyond = single.piece_at(0)
    return same(_CASES[2], beyond * (1 - beyond))


ENTRY = Entry(
    id="kusner2016/appendix-thm2-cases",
    source=source("appendix, proof of Theorem 2, cases 1 to 6"),
    printed="With E = exp(−(μ₂ − μ₁)/σ) and F₁ = F₁(μ₁; μ₂, σ): "
    "Pr(1) = (μ₂ − μ₁)/(4σ)·E − E/2·[1/2 − F₁]; Pr(2) = E/2·F₁; "
    "Pr(3) = Pr(4) = E/2·[1/2 − F₁]; Pr(5) = Pr(6) = E/8.",
    words="The six orders of two Laplace draws and their centers in which the draws are in the "
    "wrong order have these probabilities.",
    scope="All μ₁ ≤ μ₂ and σ > 0.",
    expected=LedgerVerdict.PROVED,
    gather=_gather,
    twin=Twin("Case 3 with x₂ anywhere above μ₁, which counts case 5 in part.", _twin),
)
