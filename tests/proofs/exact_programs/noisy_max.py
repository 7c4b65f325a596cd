"""Report noisy max: exact probabilities of the index, exact density of the largest value.

Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014), section 3.3, for
Laplace noise; Ding et al. (2021) for exponential noise.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Literal

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs import kernel
from provado.proofs.algebra import ExpSum, Piecewise, laplace, positive_exact
from provado.proofs.algebra.certificates import integral
from tests.proofs.exact_programs.densities import below, exponential
from tests.proofs.exact_programs.factors import exact_answers, grouped_product

Noise = Literal["laplace", "exponential"]


def index_law(
    answers: Iterable[Any], *, scale: int | Fraction, noise: Noise = "laplace"
) -> dict[int, ExpSum]:
    """Return the exact probability of each index to have the largest noisy answer.

    scale: of the noise on each answer, exact; 2Δ/ε for ε-differential privacy.
    Index r: ∫ f_r(x)·Π_{j ≠ r} F_j(x) dx. Raises ``UsageError`` for a float scale or other noise.
    """
    densities = _densities(answers, scale, noise)
    distributions = [below(f) for f in densities]
    law: dict[int, ExpSum] = {}
    known: dict[Piecewise, ExpSum] = {}
    for r, f in enumerate(densities):
        # Equal answers have equal probabilities.
        if f not in known:
            others = distributions[:r] + distributions[r + 1 :]
            known[f] = (f * grouped_product(others)).integral()
        law[r] = known[f]
    return law


def proved_index_probability(
    answers: Iterable[Any], index: int, *, scale: int | Fraction, noise: Noise = "laplace"
) -> tuple[ExpSum, kernel.Checked]:
    """Return the probability of one index with the kernel's finding on its integral."""
    densities = _densities(answers, scale, noise)
    if not 0 <= index < len(densities):
        raise UsageError(f"index is {index!r}: it must be from 0 to {len(densities) - 1}")
    others = [below(f) for r, f in enumerate(densities) if r != index]
    return integral([densities[index], *others])


def value_density(
    answers: Iterable[Any], *, scale: int | Fraction, noise: Noise = "laplace"
) -> Piecewise:
    """Return the exact density of the largest noisy answer itself: Σ_r f_r·Π_{j ≠ r} F_j."""
    densities = _densities(answers, scale, noise)
    distributions = [below(f) for f in densities]
    total = Piecewise.constant(0)
    for r, f in enumerate(densities):
        total = total + f * grouped_product(distributions[:r] + distributions[r + 1 :])
    return total


def _densities(answers: Iterable[Any], scale: int | Fraction, noise: Noise) -> list[Piecewise]:
    truth, b = exact_answers(answers), positive_exact(scale, "scale")
    if noise == "laplace":
        return [laplace(a, b) for a in truth]
    if noise == "exponential":
        return [exponential(b, a) for a in truth]
    raise UsageError(f"noise is {noise!r}: it must be 'laplace' or 'exponential'")
