"""The variance score of Gaussian additive noise models.

Source: Kusner et al., Private Causal Inference (2016), section 3.3, after Bühlmann et al., CAM:
Causal Additive Models (2014).
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from provado.mechanisms.definitions import Source

from .score import Column, DependenceScore, columns


def variance_score(a: ArrayLike, b: ArrayLike) -> float:
    """Return log V(a) + log V(b), V the mean squared deviation from the mean (divisor m).

    The paper does not say which divisor; m − 1 would add 2·log(m/(m − 1)) to each score, which
    changes no comparison. A constant column gives −∞. No finite sensitivity exists: one record
    moves a variance by any factor. Raises ``UsageError`` for bad columns.
    """
    first, second = columns(a, b)
    return _log_variance(first) + _log_variance(second)


def _log_variance(x: Column) -> float:
    """Return log V(x) without overflow or underflow on the way; −∞ for a constant."""
    if x.min() == x.max():
        return -math.inf
    # Scaled by a power of two, the largest is below 1 and no square leaves the range of floats.
    exponent = math.frexp(float(np.abs(x).max()))[1]
    scaled = np.ldexp(x, -exponent)
    return math.log(float(np.var(scaled - scaled.min()))) + 2 * exponent * math.log(2)


VARIANCE = DependenceScore(
    name="variance",
    of=variance_score,
    sensitivity=None,
    source=Source("Kusner et al., Private Causal Inference (2016)", "section 3.3"),
    summary="Sum of the logarithms of the two variances; its sensitivity has no finite bound.",
)
