"""The two grids of bins of width 1 in log IQR that propose-test-release proposes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Bin:
    """The interval [low, high) of IQRs, with the logarithms of its ends, multiples of 1/2.

    Ends are the floats e^k as ``math.exp`` rounds them, so that the bins of one grid part the
    floats without gap or overlap; the logarithms are exact by definition.
    """

    low: float
    high: float
    log_low: float
    log_high: float

    def holds(self, iqr: float) -> bool:
        """Return whether ``iqr`` lies in [low, high)."""
        return self.low <= iqr < self.high


Bins = Callable[[float], tuple[Bin, Bin]]
"""From an IQR ≥ 0 to its proposed bins B₁ and B₂."""

ZERO = Bin(0.0, math.ulp(0.0), -math.inf, -math.inf)
"""The bin {0}: an IQR of 0 has no logarithm, so it stands alone in both grids. Not in the paper."""


def printed_bins(iqr: float) -> tuple[Bin, Bin]:
    """Return B₁ = [e^k, e^(k+1)) and B₂ = [e^(k−.5), e^(k+.5)) with k = ⌊ln iqr⌋, as printed.

    B₂ does not hold the IQR when the fraction of its logarithm is .5 or more. As k is read from the
    first grid only, B₂ jumps whenever B₁ does: a data point can leave both bins at once while
    B₂ of one of the two datasets is still far from being left.

    Source: Kusner et al., Private Causal Inference (2016), appendix, Algorithm 1.
    """
    if iqr == 0:
        return ZERO, ZERO
    k = _index(iqr, 0.0)
    return _bin(k, 0.0), _bin(k, -0.5)


def repaired_bins(iqr: float) -> tuple[Bin, Bin]:
    """Return [e^k, e^(k+1)) with k = ⌊ln iqr⌋ and [e^(h−.5), e^(h+.5)) with h = ⌊ln iqr + .5⌋.

    Both hold the IQR, and each grid parts the positive numbers by itself.

    Source: repairs Kusner et al. (2016), appendix, Algorithm 1, as Dwork and Lei, Differential
    Privacy and Robust Statistics (2009), section 4, have two grids, one shifted by half a bin.
    """
    if iqr == 0:
        return ZERO, ZERO
    return _bin(_index(iqr, 0.0), 0.0), _bin(_index(iqr, -0.5), -0.5)


def _index(iqr: float, shift: float) -> int:
    """Return the k with e^(k+shift) ≤ iqr < e^(k+1+shift), decided by the rounded ends."""
    k = math.floor(math.log(iqr) - shift)
    while _end(k + shift) > iqr:
        k -= 1
    while _end(k + 1 + shift) <= iqr:
        k += 1
    return k


def _bin(k: int, shift: float) -> Bin:
    low, high = k + shift, k + 1 + shift
    return Bin(_end(low), _end(high), low, high)


def _end(logarithm: float) -> float:
    try:
        return math.exp(logarithm)
    except OverflowError:
        return math.inf
