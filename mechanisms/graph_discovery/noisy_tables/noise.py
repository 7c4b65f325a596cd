"""Integer noise on the cells of a table, and what a table with it costs.

Under replacement of one record two cells of a table move by 1: ℓ1-sensitivity 2, ℓ2-sensitivity √2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.noise.exact_noise import discrete_gaussian_noise, discrete_laplace_noise

Law = Literal["laplace", "gaussian"]

_FINE = 10
"""Binary digits that are kept of a parameter, and all of its whole part: within 1/1,000."""


_SMOOTH = 2.0
"""A σ² from which on the variance is σ² but for 1e-14 of it; below, few numbers matter."""


@dataclass(frozen=True)
class CellNoise:
    """Independent integer noise on each cell of a table.

    law: discrete Laplace or discrete Gaussian. parameter: exact; the scale b of the Laplace, σ² of
    the Gaussian.
    """

    law: Law
    parameter: Fraction

    @property
    def variance(self) -> float:
        """Of a cell; of a Gaussian it is below σ² where σ² is small."""
        parameter = float(self.parameter)
        if self.law == "laplace":
            ratio = math.exp(-1 / parameter)
            return 2 * ratio / (1 - ratio) ** 2
        if parameter > _SMOOTH:
            return parameter
        z = np.arange(1, 20)
        chances = np.exp(-(z**2) / (2 * parameter))
        return float(2 * (z**2 @ chances) / (1 + 2 * chances.sum()))

    @property
    def cost(self) -> Fraction:
        """Of a table: ε = 2/b of pure DP for the Laplace, ρ = 1/σ² of zCDP for the Gaussian.

        Source: Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy (2020),
        Theorem 14 for vectors of integers, ρ = Δ²/(2σ²) with Δ² = 2.
        """
        return (2 if self.law == "laplace" else 1) / self.parameter

    def draw(self, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return noise for a table of this shape, by the exact samplers."""
        draw = discrete_laplace_noise if self.law == "laplace" else discrete_gaussian_noise
        return draw(self.parameter, shape, rng)


def cheapest_noise(law: Law, budget: Fraction) -> CellNoise:
    """Return about the smallest noise of which a table costs at most ``budget`` (ε or ρ).

    Rounded up, to a number that the samplers take.
    """
    wanted = (2 if law == "laplace" else 1) / budget
    fine = 1 << max(0, _FINE - math.floor(math.log2(wanted)))
    return CellNoise(law, Fraction(math.ceil(wanted * fine), fine))
