"""A private release: what it reads from the data, chained with tests and noise.

A release reads numbers from a dataset, and distances for the tests of propose-test-release. Each
number comes out with discrete Laplace noise, or as ⊥ where no test of its own is passed.

Propose-test-release of log IQR: the printed algorithm, its repair, and what each promises.

**Printed** (Kusner et al., Private Causal Inference (2016), appendix, Algorithm 1): k = ⌊ln IQR⌋,
the bins of width 1 are B₁ = [e^k, e^(k+1)) and B₂ = [e^(k−.5), e^(k+.5)); A_j points leave B_j; if
A₁ + Lap(1/ε) or A₂ + Lap(1/ε) exceeds 1 + ln(1/δ), release ln IQR + Lap(1/ε), else ⊥. Claimed (3ε,
δ)-DP, and false twice:

- *Bins.* Let ln IQR be just below a whole number for D and just above it for D′, and let it take
  many points to move the IQR by a factor e^.5. Then A₁ = 1 for both; A₂ = 0 for D, whose B₂ does
  not hold its IQR; A₂ is large for D′. D answers ⊥, D′ releases: no ε and δ of use survive.
- *Threshold.* Noise of scale 1/ε passes 1 + ln(1/δ) from A = 1 with probability δ^ε/2, not δ/2.
  For ε < 1 that is more than δ allows, however far apart the two IQRs are.

**Repaired**: both grids hold the IQR (``repaired_bins``), and the threshold is 1 + ln(1/δ)/ε. Then
it is (3ε, δ)-DP under replacement of one value. Proof. Let D and D′ be neighbors, and A_j ≥ 1 the
number of points that take the IQR out of its own bin of grid j.

1. *A_j has sensitivity 1.* If both IQRs lie in one bin of grid j, a change that leaves it from D
   may first turn D into D′: the counts differ by at most 1. If they lie in different bins, then
   D′ shows that one point is enough for D, and the reverse; both counts are 1. So each of the two
   test bits is ε-DP.
2. *Some grid has both in one bin.* Then the logarithms differ by at most 1, so the noisy logarithm
   is ε-DP; with the two bits, everything is 3ε-DP, with δ = 0.
3. *In neither grid.* Then all counts are 1, the bits have the same distribution under D and D′, and
   each is passed with probability Pr[Lap(1/ε) > ln(1/δ)/ε] = δ/2. So ⊥ is equally likely under
   both, and anything else has probability at most δ: the loss is (0, δ). ∎

As each pair of neighbors costs either (3ε, 0) or (0, δ), four such releases on the same data cost
(12ε, 4δ) at most, by basic composition.

Rounding: the logarithm is clamped to the bins that hold the IQR and rounded to a power-of-two grid
of which a bin's width 1 is a multiple, so that two logarithms in one bin stay at most 1 apart, in
whole steps; the noise on them is exact. The printed form is released in the same way, so that what
an audit finds is the paper's fault and not that of floating-point noise.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import parameters
from provado.mechanisms.noise.exact_noise import NOISE_GRID, discrete_laplace_noise, to_grid
from provado.mechanisms.scores.iqr import changes_to_leave, iqr

REFUSED = math.nan
"""Code of ⊥."""


def passes(
    distances: ArrayLike, *, threshold: float, epsilon: float, size: int, rng: Generator
) -> NDArray[np.bool_]:
    """Return ``size`` times for each distance whether distance + Lap(1/ε) > threshold.

    distances: whole numbers, shape (k,), each of sensitivity 1. threshold: any number.

    Shape of the result: (size, k). Guarantee: ε-DP for each of the k bits, up to an additive 2^-50:
    floating-point Laplace noise is enough here, as only one bit of each draw comes out. Its lowest
    bits are not released; that the draw rests on a uniform number of 53 bits moves the probability
    of the bit by at most 2^-50, for any threshold, which adds to δ. Raises ``UsageError`` for
    parameters outside their range.
    """
    steps = np.asarray(distances, dtype=np.float64)
    if steps.ndim != 1 or np.any(np.isnan(steps)) or math.isnan(threshold):
        raise parameters.UsageError(
            f"distances is {distances!r}, threshold {threshold!r}: NaN or not a vector"
        )
    scale = 1 / parameters.positive(epsilon, "epsilon")
    noise = rng.laplace(scale=scale, size=(parameters.natural(size, "size"), steps.size))
    return np.asarray(steps + noise > threshold)


@dataclass(frozen=True)
class Statistic:
    """What a release reads from a dataset, and the tests and the noise that follow.

    centers: k numbers, in whole steps of ``grid``, or −∞, which gets no noise; shape (k,), or ()
        for one.
    scale: the parameter of each number's noise, in steps, exact; ``None`` for no noise.
    grid: a power of two, by which steps become numbers.
    distances: of each number one or more whole numbers of sensitivity 1. The number is released
        where one of them passes its test, else ⊥. Empty: all are released.
    threshold: what a distance must exceed with noise of scale 1/``epsilon``.
    """

    centers: NDArray[Any]
    scale: Fraction | None
    grid: float = 1.0
    distances: Sequence[Sequence[int]] = ()
    threshold: float = 0.0
    epsilon: float = 1.0

    def draw(self, *, size: int, rng: Generator) -> NDArray[np.float64]:
        """Return ``size`` independent releases, shape (size, k) or (size,); NaN is ⊥.

        Noise is drawn for the released numbers only.
        """
        shape = (parameters.natural(size, "size"), *self.centers.shape)
        released = np.ones(shape, dtype=np.bool_)
        if self.distances:
            tests = [count for counts in self.distances for count in counts]
            bits = passes(tests, threshold=self.threshold, epsilon=self.epsilon, size=size, rng=rng)
            released = np.asarray(bits.reshape(*shape, -1).any(axis=-1))
        steps = np.broadcast_to(np.asarray(self.centers, dtype=np.float64), shape)
        outputs = np.where(released, steps, REFUSED)
        if self.scale is not None:
            noisy = released & np.isfinite(steps)
            count = int(np.count_nonzero(noisy))
            # Whole numbers below 2^53 in size: this sum is exact, and so is the product with 2^k.
            outputs[noisy] += discrete_laplace_noise(self.scale, (count,), rng)
        return outputs * self.grid


@dataclass(frozen=True)
class PairRelease:
    """A statistic chained with noise.

    read: ``read(data, **setting)`` returns the ``Statistic`` of data, and says what is promised.
    In a setting, a float ε stands for the binary number it holds: 0.5 is fine, but a tenth is
    Fraction(1, 10), as the noise takes numerators and denominators up to 2^50 only.
    """

    read: Callable[..., Statistic]

    def __call__(
        self, data: Any, *, size: int, rng: Generator, **setting: Any
    ) -> NDArray[np.float64]:
        """Return ``size`` private releases."""
        return self.read(data, **setting).draw(size=size, rng=rng)


# Propose-test-release of log IQR: the printed algorithm, its repair, and what each promises.


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


Threshold = Callable[[float, float], float]
"""From (ε, δ) to the number that a noisy count must exceed."""


def printed_threshold(epsilon: float, delta: float) -> float:
    """Return 1 + ln(1/δ), as printed; ``epsilon`` is not used, which is the fault."""
    del epsilon
    return 1 - math.log(parameters.probability(delta, "delta"))


def repaired_threshold(epsilon: float, delta: float) -> float:
    """Return 1 + ln(1/δ)/ε, which 1 + Lap(1/ε) exceeds with probability δ/2."""
    return 1 - math.log(parameters.probability(delta, "delta")) / epsilon


Changes = Callable[[Bin], int]
"""How many changes may take an IQR out of a bin, of sensitivity 1; 0 where it is outside."""


def read_iqrs(
    proposals: Iterable[tuple[float, Changes]],
    *,
    epsilon: Rational | int | float,
    delta: float,
    bins: Bins = repaired_bins,
    threshold: Threshold = repaired_threshold,
    grid: float = NOISE_GRID,
) -> Statistic:
    """Read logarithms of IQRs for propose-test-release, with two tests each.

    proposals: each IQR, and how far it is from leaving a bin.
    epsilon: ε > 0 of the noise of each test and each number, exact. delta: δ in (0, 1).
    bins, threshold: repaired as they stand; ``printed_bins`` and ``printed_threshold`` for what is
        printed, which is not (3ε, δ)-DP. Where the IQR is 0, whose logarithm the paper leaves out,
        both do the same.
    grid: a power of two up to 1/2 on which numbers are released.

    Raises ``UsageError`` for parameters outside their range.
    """
    exact, centers, distances = parameters.rational(epsilon, "epsilon"), [], []
    for width, changes in proposals:
        proposed = bins(width)
        centers.append(center_in(width, proposed, grid))
        distances.append([changes(each) for each in proposed])
    limit = threshold(float(exact), delta)
    scale = steps_in_bin(grid) / exact
    return Statistic(np.array(centers), scale, grid, distances, limit, float(exact))


def own_changes(values: ArrayLike) -> tuple[float, Changes]:
    """Return the IQR of m ≥ 2 numbers, and how many of them must change to leave a bin."""
    return iqr(values), lambda proposed: changes_to_leave(values, proposed.low, proposed.high)


def center_in(width: float, proposed: tuple[Bin, Bin], grid: float) -> float:
    """Return ln ``width`` in steps of ``grid``, clamped to the bins that hold ``width``."""
    steps_in_bin(grid)
    if width == 0:
        return -math.inf
    holding = [b for b in proposed if b.holds(width)]
    low, high = max(b.log_low for b in holding), min(b.log_high for b in holding)
    return float(to_grid(min(max(math.log(width), low), high), grid))


def steps_in_bin(grid: float) -> int:
    """Return 1/grid: the steps in a bin's width 1, a whole number as the grid is 1/2 or finer."""
    parameters.power_of_two(2 * grid, "2*grid")
    if grid > 0.5:
        raise parameters.UsageError(
            f"grid is {grid!r}: it must be at most 1/2, so that bins end on it"
        )
    return int(1 / grid)


def read_log_iqr(values: ArrayLike, **setting: Any) -> Statistic:
    """Read ln IQR(values) for a private release.

    values: a vector of m ≥ 2 numbers. setting: of ``read_iqrs``.

    Shape of the result: (size,); NaN is ⊥, −∞ an IQR of 0. Guarantee, with both repairs: (3ε, δ)-DP
    under replacement of one value, proved above, with δ larger by 2^-49 for the tests' noise.
    Source: Kusner et al. (2016), appendix, Algorithm 1, repaired. Raises ``UsageError`` for
    parameters outside their range.
    """
    reading = read_iqrs([own_changes(values)], **setting)
    return replace(reading, centers=reading.centers.reshape(()))


propose_test_release = PairRelease(read_log_iqr)
