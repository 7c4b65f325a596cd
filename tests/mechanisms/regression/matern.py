"""The Matérn kernel, for tests and benchmarks.

Source: Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), section 4.2.1, which
Kusner et al. (2016), section 4.2, name as one of their kernels.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import UsageError, positive
from provado.mechanisms.regression.kernels import _difference

FARTHEST = 800.0
"""Scaled distances stop here: exp(−800) is 0 in floating point, and ∞·0 must not arise."""


@dataclass(frozen=True)
class Matern:
    """The Matérn kernel of |x − y|, with s = √(2ν)·|x − y|/h for smoothness ν.

    smoothness: 1/2 gives e^(−s), 3/2 gives (1 + s)·e^(−s), 5/2 gives (1 + s + s²/3)·e^(−s).
    bandwidth: h > 0, in the unit of the data.

    Raises ``UsageError`` for any other smoothness or bandwidth.
    """

    smoothness: float
    bandwidth: float

    def __post_init__(self) -> None:
        positive(self.bandwidth, "bandwidth")
        if self.smoothness not in (0.5, 1.5, 2.5):
            raise UsageError(f"smoothness is {self.smoothness!r}: it must be 0.5, 1.5 or 2.5")

    def __call__(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Return k(x, y) for each pair that broadcasting forms."""
        s = _difference(x, y)
        np.abs(s, out=s)
        with np.errstate(over="ignore", under="ignore"):
            s *= math.sqrt(2 * self.smoothness) / self.bandwidth
            np.minimum(s, FARTHEST, out=s)
            decay = np.asarray(np.exp(-s))
            if self.smoothness == 0.5:
                return decay
            factor = 1 + s if self.smoothness == 1.5 else 1 + s * (1 + s / 3)
            decay *= factor
        # The product may round to just above 1 near s = 0.
        np.minimum(decay, 1.0, out=decay)
        return decay

    @property
    def lipschitz(self) -> float:
        """Return the steepest slope: 1/h, √3/(e·h), or √5·φ³·e^(−φ)/(3h) with the golden φ.

        In s the slopes are e^(−s), s·e^(−s) and s(1 + s)·e^(−s)/3, largest at 0, 1 and where
        1 + s = s², that is at φ.
        """
        if self.smoothness == 0.5:
            return 1 / self.bandwidth
        if self.smoothness == 1.5:
            return math.sqrt(3) * math.exp(-1) / self.bandwidth
        golden = (1 + math.sqrt(5)) / 2
        return math.sqrt(5) * golden**3 * math.exp(-golden) / (3 * self.bandwidth)
