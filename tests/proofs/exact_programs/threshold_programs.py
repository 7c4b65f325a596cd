"""AboveThreshold and the variants of the sparse vector technique: exact probabilities of outputs.

Given the noisy threshold ρ the comparisons are independent, so a pattern of ⊤ and ⊥ has the
probability ∫ f(ρ)·Π_i Pr[a_i + ν_i ≥ ρ or its opposite] dρ, one integral of the algebra. The codes
are those of ``mechanisms.noise.threshold_patterns``; the variants are numbered as in Lyu, Su and
Li, Understanding the Sparse Vector Technique for Differential Privacy (2017), Algorithms 1 to 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from provado.mechanisms.definitions.parameters import UsageError, natural
from provado.mechanisms.noise.threshold_patterns import ABOVE, BELOW, HALTED
from provado.proofs import kernel
from provado.proofs.algebra import ExpSum, Piecewise, exact, laplace, positive_exact
from provado.proofs.algebra.certificates import integral
from tests.mechanisms.exact.sparse_vector import patterns
from tests.proofs.exact_programs.factors import (
    exact_answers,
    grouped_product,
    noisy_below,
    noisy_reaches,
)


@dataclass(frozen=True)
class ThresholdProgram:
    """Noisy answers compared with a noisy threshold, in turn, up to the ``cutoff``-th ⊤.

    threshold: T, exact. threshold_scale: scale of the Laplace noise on T. query_scale: scale of the
    noise on each answer; 0 for none. cutoff: ``None`` for no end. renew: whether the threshold gets
    fresh noise after each ⊤. All numbers are ``int`` or ``Fraction``; a float raises
    ``UsageError``.
    """

    threshold: int | Fraction
    threshold_scale: int | Fraction
    query_scale: int | Fraction
    cutoff: int | None = 1
    renew: bool = False

    def __post_init__(self) -> None:
        exact(self.threshold, "threshold")
        positive_exact(self.threshold_scale, "threshold_scale")
        if exact(self.query_scale, "query_scale") < 0:
            raise UsageError(f"query_scale is {self.query_scale!r}: it must not be below 0")
        if self.cutoff is not None:
            natural(self.cutoff, "cutoff")


def svt(
    number: int,
    *,
    threshold: int | Fraction,
    epsilon: int | Fraction,
    cutoff: int = 1,
    sensitivity: int | Fraction = 1,
) -> ThresholdProgram:
    """Return SVT 1 to 6 with the noise that its authors give it for ``epsilon``.

    3 stands for its comparisons only (see ``value_density`` for the numbers); 5 and 6 have no
    cut-off. AboveThreshold (Dwork and Roth, Algorithm 1) is SVT 1 with c = 1.
    """
    unit = positive_exact(sensitivity, "sensitivity") / positive_exact(epsilon, "epsilon")
    c = natural(cutoff, "cutoff")
    scales = {
        1: (2 * unit, 4 * c * unit),
        2: (2 * c * unit, 4 * c * unit),
        3: (2 * unit, 2 * c * unit),
        4: (4 * unit, Fraction(4, 3) * unit),
        5: (2 * unit, Fraction(0)),
        6: (2 * unit, 2 * unit),
    }
    if number not in scales:
        raise UsageError(f"number is {number!r}: it must be one of 1 to 6")
    on_threshold, on_query = scales[number]
    end = None if number in (5, 6) else c
    return ThresholdProgram(threshold, on_threshold, on_query, end, renew=number == 2)


def pattern_probability(
    program: ThresholdProgram, answers: Iterable[Any], pattern: Sequence[int]
) -> ExpSum:
    """Return the exact probability that the program outputs ``pattern`` on ``answers``.

    pattern: one code for each answer. Raises ``UsageError`` for one that cannot be an output.
    """
    result = ExpSum.of(1)
    for factors in _segments(program, answers, pattern):
        result = result * (factors[0] * grouped_product(factors[1:])).integral()
    return result


def proved_pattern_probability(
    program: ThresholdProgram, answers: Iterable[Any], pattern: Sequence[int]
) -> tuple[ExpSum, tuple[kernel.Checked, ...]]:
    """Return the probability with the kernel's findings, one integral for each noisy threshold."""
    result, findings = ExpSum.of(1), []
    for factors in _segments(program, answers, pattern):
        value, finding = integral(factors)
        result = result * value
        findings.append(finding)
    return result, tuple(findings)


def pattern_law(program: ThresholdProgram, answers: Iterable[Any]) -> dict[tuple[int, ...], ExpSum]:
    """Return the exact probability of every output; 2^k outputs for k answers without a cut-off."""
    truth = exact_answers(answers)
    every = patterns(len(truth), program.cutoff)
    return {pattern: pattern_probability(program, truth, pattern) for pattern in every}


def value_density(program: ThresholdProgram, answers: Iterable[Any], place: int) -> Piecewise:
    """Return v ↦ the density of ⊥ for all answers before ``place``, then ⊤ there with number v.

    The number is the noisy answer that was compared, as SVT 3 releases it; c = 1. Raises
    ``UsageError`` for a place outside the answers, a cut-off other than 1, or no noise on answers.
    """
    truth = exact_answers(answers)
    if not 0 <= place < len(truth) or program.cutoff != 1 or program.query_scale == 0:
        raise UsageError(
            f"place is {place!r} of {len(truth)}, cutoff {program.cutoff!r}, query_scale "
            f"{program.query_scale!r}: a place within the answers, cut-off 1 and noise are needed"
        )
    scale = Fraction(program.query_scale)
    before = grouped_product(noisy_below(a, scale) for a in truth[:place])
    # The number v is at least the noisy threshold.
    reached = (laplace(program.threshold, program.threshold_scale) * before).running_integral()
    return laplace(truth[place], scale) * reached


def _segments(
    program: ThresholdProgram, answers: Iterable[Any], pattern: Sequence[int]
) -> list[list[Piecewise]]:
    """Return the factors of the integrand for each draw of the threshold: its density first."""
    truth, codes = exact_answers(answers), tuple(map(int, pattern))
    _check_pattern(codes, len(truth), program.cutoff)
    density = laplace(program.threshold, program.threshold_scale)
    scale = Fraction(program.query_scale)
    segments = [[density]]
    for answer, code in zip(truth, codes, strict=True):
        if code == ABOVE:
            segments[-1].append(noisy_reaches(answer, scale))
            if program.renew:
                segments.append([density])
        elif code == BELOW:
            segments[-1].append(noisy_below(answer, scale))
    return [segment for segment in segments if len(segment) > 1]


def _check_pattern(codes: tuple[int, ...], k: int, cutoff: int | None) -> None:
    count, possible = 0, len(codes) == k
    for code in codes:
        over = cutoff is not None and count >= cutoff
        possible = possible and code in ((HALTED,) if over else (ABOVE, BELOW))
        count += code == ABOVE
    if not possible:
        raise UsageError(
            f"pattern is {codes!r}: {k} codes, and halted exactly after the cut-off {cutoff!r}"
        )
