"""Theorem 4.2: the chance that four noisy log-IQRs tell the right direction."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.exppoly import ExpPoly, exp
from provado.proofs.exppoly.certificates import laplace_sum_tail
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.kusner2016._terms import X, constant, fails_at, grow, same, source

_POLYNOMIAL = (48 + 33 * X + 9 * X**2 + X**3) * constant(1, 96)
"""(48σ³ + 33σ²γ + 9σγ² + γ³)/(96σ³) with x = γ/σ."""
_UPSIDE_DOWN = (48 * X**3 + 33 * X**2 + 9 * X + 1) * constant(1, 96)
"""The same times x³, with x = σ/γ."""


def _printed_correct(t: int) -> ExpPoly:
    return ExpPoly.of(1 - exp(Fraction(-1, t)) * _POLYNOMIAL.at(t))


def _gather() -> Evidence:
    tail, proof = laplace_sum_tail((1, 1, 1, 1))
    true = ExpPoly.of(1 - tail.at(2))
    differ = kernel.PointCounterexample((_printed_correct(2) - true).as_data(), "= 0", 0)
    margins = kernel.PointCounterexample((2 * X).as_data(), "= 0", 1)
    return Evidence(
        printed=(
            fails_at(X**3 - _UPSIDE_DOWN * grow(-1), Fraction(1, 3), 0),
            kernel.check(differ),
            kernel.check(margins),
        ),
        corrected=(proof, same(_POLYNOMIAL * grow(-1), tail.piece_at(0))),
        correction="P = 1 − e^(−γ/σ)·(48σ³ + 33σ²γ + 9σγ² + γ³)/(96σ³) with "
        "γ = Q_{y′} + Q_{r′X} − Q_{x′} − Q_{r′Y}.",
        kind="misprint",
        argument=(
            "Let γ = 3σ. The printed formula gives 1 − (255/96)·e^(−1/3) < 0, which is no "
            "probability (kernel; written with x = σ/γ and multiplied by x³).",
            "Let γ = 2σ. The printed value differs from the exact one, 1 − (158/96)·e^(−2) "
            "(kernel).",
            "Let Q_{x′} = Q_{y′} = Q_{r′X} = 0 and Q_{r′Y} = x. The printed γ is x where the "
            "margin of the theorem's own condition is −x: they differ by 2x, not by 0 (kernel).",
            "Corrected: the wrong order comes out when the four noises, two of them negated, add "
            "up to at least γ; they are symmetric and independent, so with x = γ/σ this is "
            "Z₁ + Z₂ + Z₃ + Z₄ ≥ x for Z ~ Lap(0, 1) (by definition).",
            "That tail is found for all real x from the densities (kernel, four convolutions); for "
            "x ≥ 0 it is e^(−x)(48 + 33x + 9x² + x³)/96 (kernel, identity): the printed polynomial "
            "is right, the exponent is upside down and the last sign of γ wrong.",
            "The P in the inequality must be read as logarithms, since noise e^z multiplies the "
            "IQRs. Noise is drawn anew for each release, so that being released does not bear on "
            "it.",
        ),
        proof_remark="The appendix states the tail as the event z₁ + z₂ < z₃ + z₄ and leaves the "
        "integral to the reader; no step of it is printed.",
    )


def _twin() -> object:
    tail, _ = laplace_sum_tail((1, 1, 1, 1))
    return same((48 + 33 * X + 9 * X**2) * constant(1, 96) * grow(-1), tail.piece_at(0))


ENTRY = Entry(
    id="kusner2016/thm4-2",
    source=source("Theorem 4, part 2"),
    printed="P[P_{x′} + P_{r′Y} < P_{y′} + P_{r′X}] = 1 − e^(−σ/γ)/(96σ³)·(48σ³ + 33σ²γ + 9σγ² + "
    "γ³), where γ = Q_{y′} + Q_{r′X} − Q_{x′} + Q_{r′Y} and σ = 1/ε.",
    words="If all four log-IQRs are released with Laplace noise of scale σ, the direction that "
    "they tell is the right one with this probability.",
    scope="All margins γ > 0 and scales σ > 0.",
    expected=LedgerVerdict.MISPRINT,
    gather=_gather,
    twin=Twin("The corrected formula without its cubic term.", _twin),
)
