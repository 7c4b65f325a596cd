"""HSIC of squared exponential kernels from low-rank factors, with a certified error.

Summed over all shifts by a period P larger than the range R of the points, the kernel changes by
less than 3·exp(−(P − R)²/(2h²)), and becomes a Fourier series whose weights w_n are positive and
fall like a Gaussian. So K ≈ ΦΦᵀ, where Φ holds √w_n·cos(nθ_i) and √w_n·sin(nθ_i), θ_i = 2πx_i/P,
for n from 0 to a highest frequency N. Centring removes n = 0, and trace(KHLH) is close to
‖(HΦ_a)ᵀ(HΦ_b)‖²_F. A factor has about 3·(R/h + 9.5) columns, and the cost is m times the product
of the two ranks.

Every step has a bound; see ``CentredFactor`` and ``hsic_of_factors``. With u = 2^-53, they assume
IEEE double precision, sine, cosine and exponential within four units in the last place (8u), and
matrix products that form each sum of products directly, in whatever order, fused or not.

A ``CentredKernel`` is the exact matrix HKH of one column, in blocks that are formed on request:
with row means r_i of K and their mean g, (HKH)_ij = K_ij − r_i − r_j + g.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import UsageError, vector
from provado.mechanisms.regression.kernels import SquaredExponential

from ..score import Column

REACH = 9.5
"""(P − R)/h, and the highest frequency times h: what is cut off is of the order e^(−9.5²/2)."""

MOST_COLUMNS = 100_000
"""Widest factor that is built."""

UNIT = 2.0**-53
"""Largest relative error of one rounded operation."""

SLACK = 1.01
"""Factor on each bound, for terms of second order and the rounding of the bound itself."""

_RECORDS_AT_ONCE = 1024
_SHORTEST_SUM = 128


@dataclass(frozen=True)
class CentredFactor:
    """A matrix Ĝ whose centred rows are close to HΦ, where K ≈ ΦΦᵀ; one row for each record.

    features: Ĝ, shape (m, rank).
    size: the Frobenius norm of Ĝ.
    feature_error: bound on ‖HĜ − HΦ‖_F/√m: the errors of phase, sine, cosine, powers and weights.
    kernel_error: bound on each entry of K − ΦΦᵀ: the other shifts and the frequencies cut off.

    It is built once and serves any number of scores of its column, also with records permuted.
    """

    features: NDArray[np.float64]
    size: float
    feature_error: float
    kernel_error: float

    def permuted(self, order: NDArray[np.integer]) -> CentredFactor:
        """Return the factor of the records in the given order; every bound stays."""
        return CentredFactor(self.features[order], self.size, self.feature_error, self.kernel_error)


@dataclass(frozen=True)
class LowRankHSIC:
    """A value with |value − HSIC| ≤ error, and the numbers of columns of the two factors."""

    value: float
    error: float
    rank: tuple[int, int]


def frequencies(values: Column, kernel: SquaredExponential) -> float:
    """Return the number N of frequencies that a factor of this column has, half its columns."""
    spread = (float(values.max()) / 2 - float(values.min()) / 2) / kernel.bandwidth * 2
    return float(np.ceil(REACH * (spread + REACH) / (2 * math.pi))) if spread > 0 else 0.0


def centred_factor(values: ArrayLike, kernel: SquaredExponential) -> CentredFactor:
    """Return the factor of one column; O(m·rank) time and memory.

    Raises ``UsageError`` for a bad column and past ``MOST_COLUMNS`` columns.
    """
    x = vector(values, "values")
    count = frequencies(x, kernel)
    if 2 * count > MOST_COLUMNS:
        raise UsageError(
            f"bandwidth is {kernel.bandwidth!r}: against the range of the values it needs "
            f"{2 * count:.3g} columns, and a factor has at most {MOST_COLUMNS}"
        )
    # Scaled by a power of two, which is exact, no unit of the data overflows on the way.
    bandwidth, exponent_of_two = math.frexp(kernel.bandwidth)
    x = np.ldexp(x, -exponent_of_two)
    low, high = float(x.min()), float(x.max())
    period = (high - low) + REACH * bandwidth
    n = np.arange(1, int(count) + 1)
    step = 2 * math.pi * bandwidth / period
    exponent = (n * step) ** 2 / 2
    weights = 2 * math.sqrt(2 * math.pi) * bandwidth / period * np.exp(-exponent)
    features = _features((x - (low + (high - low) / 2)) * (2 * math.pi / period), np.sqrt(weights))
    features -= features.mean(axis=0)
    return CentredFactor(
        features,
        float(np.linalg.norm(features)),
        _feature_error(n, exponent, weights, math.pi * (high - low) / period),
        # The sum over n > N of w_n is below that integral; a range of 0 has K = 11ᵀ, and HKH = 0.
        SLACK * (3 * math.exp(-(REACH**2) / 2) + math.erfc(count * step / math.sqrt(2)))
        if count
        else 0.0,
    )


def hsic_of_factors(first: CentredFactor, second: CentredFactor) -> LowRankHSIC:
    """Return HSIC from the factors of its two columns; O(m·rank²) time.

    With Ĝ and F̂ the factors and M̂ the computed product ĜᵀF̂, the error has these parts:

    - M̂ against ĜᵀF̂: a sum of s products, added up in any order, is off by at most s·u times the
      sum of their sizes; here s is the length of a chunk plus the number of chunks.
    - ĜᵀF̂ against (HĜ)ᵀ(HF̂): m times the product of the two mean rows, each at most (m + 3)·u.
    - that against (HΦ_a)ᵀ(HΦ_b): the errors of the features.
    - the sum of squares of M̂, and its division by (m − 1)²: their rounding.
    - ‖(HΦ_a)ᵀ(HΦ_b)‖²_F against trace(KHLH): at most m² times the errors of both kernels, as
      neither ‖HKH‖_F nor ‖HLH‖_F passes m.

    Raises ``UsageError`` if the factors are not of equally many records.
    """
    m = first.features.shape[0]
    if second.features.shape[0] != m or m < 2:
        raise UsageError(
            f"factors have {m} and {second.features.shape[0]} records: both need the same number, "
            "at least 2"
        )
    chunk = max(_SHORTEST_SUM, math.isqrt(m))
    product = np.zeros((first.features.shape[1], second.features.shape[1]))
    for start in range(0, m, chunk):
        rows = slice(start, start + chunk)
        product += first.features[rows].T @ second.features[rows]
    trace = math.fsum(np.square(product).sum(axis=1).tolist())

    summed = (chunk + m / chunk + 1) * UNIT * first.size * second.size
    error = centred_product_error(first, second, trace, summed, product.shape[1])
    return LowRankHSIC(trace / (m - 1) ** 2, error / (m - 1) ** 2, product.shape)


def centred_product_error(
    first: CentredFactor, second: CentredFactor, trace: float, summed: float, terms: int
) -> float:
    """Return the bound on |trace − trace(KHLH)| that ``hsic_of_factors`` lists.

    trace: the squared norm of the computed product M̂. summed: bound on the error of M̂ itself.
    terms: how many roundings each square has passed through when all are added up.
    """
    m: int = first.features.shape[0]
    root = math.sqrt(m)
    off = (
        summed
        + m * ((m + 3) * UNIT) ** 2
        + root * first.feature_error * second.size
        + root * second.feature_error * (first.size + root * first.feature_error)
    )
    rounding = (2 * math.sqrt(trace) + off) * off + (terms + 4) * UNIT * trace
    return SLACK * (rounding + m * m * (first.kernel_error + second.kernel_error))


def _features(phase: Column, scale: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the columns scale_n·cos(n·phase), then scale_n·sin(n·phase), for n from 1 on."""
    count = scale.size
    features = np.empty((phase.size, 2 * count))
    # Few records at a time: all their powers then stay in the cache.
    powers = np.empty((count, min(_RECORDS_AT_ONCE, phase.size)), dtype=np.complex128)
    for start in range(0, phase.size if count else 0, _RECORDS_AT_ONCE):
        angle = phase[start : start + _RECORDS_AT_ONCE]
        z = powers[:, : angle.size]
        z.real[0], z.imag[0] = np.cos(angle), np.sin(angle)
        done = 1
        while done < count:
            more = min(done, count - done)
            np.multiply(z[:more], z[done - 1], out=z[done : done + more])
            done += more
        rows = slice(start, start + angle.size)
        np.multiply(z.real.T, scale, out=features[rows, :count])
        np.multiply(z.imag.T, scale, out=features[rows, count:])
    return features


def _feature_error(
    n: NDArray[np.int64], exponent: NDArray[np.float64], weights: NDArray[np.float64], widest: float
) -> float:
    """Return the bound on the error of a row of features, for phases up to ``widest`` in size.

    In units of u and of √w_n: n times 8 for sine and cosine and 4·widest for the phase; 3 for each
    of the n − 1 complex products; 9 + 5·exponent for the weight, its root and its product.
    Subtracting the mean rounds a row of norm at most 2, which adds 2.
    """
    each = n * (8 + 4 * widest) + 3 * (n - 1) + 9 + 5 * exponent
    return SLACK * UNIT * (float(np.sqrt((weights * each**2).sum())) + 2)


KernelFunction = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]
"""A symmetric kernel of values in [0, 1] that broadcasts; each ``Kernel`` is one."""

_ENTRIES = 32_000
_MOST_ROWS = 64


def kernel_block(kernel: KernelFunction, rows: Column, cols: Column) -> NDArray[np.float64]:
    """Return kernel(rows_i, cols_j), shape (n, w).

    Raises ``UsageError`` for a kernel that does not broadcast a column against a row.
    """
    block = np.asarray(kernel(rows[:, None], cols[None, :]), dtype=np.float64)
    if block.shape != (rows.size, cols.size):
        raise UsageError(
            f"kernel {kernel!r} returned shape {block.shape} for a column of {rows.size} and a row "
            f"of {cols.size} numbers: it must broadcast them"
        )
    return block


def row_blocks(m: int) -> Iterator[slice]:
    """Yield slices that divide m rows; a block of such rows and m columns stays in the cache."""
    height = max(1, min(_MOST_ROWS, _ENTRIES // m))
    for start in range(0, m, height):
        yield slice(start, min(start + height, m))


@dataclass(frozen=True, eq=False)
class CentredKernel:
    """The matrix HKH of a column; O(m) memory until a block is formed.

    values: the column, shape (m,). kernel: a symmetric function that broadcasts.
    means: the row means r of K, shape (m,). mean: g, their mean.
    entry_error: bound on the error of each entry of a block, against HKH of the very K computed.
    """

    values: Column
    kernel: KernelFunction
    means: NDArray[np.float64]
    mean: float
    entry_error: float

    def block(
        self, rows: NDArray[np.intp] | slice, cols: NDArray[np.intp] | slice
    ) -> NDArray[np.float64]:
        """Return HKH at these rows and columns, shape (n, w), as a new array."""
        result = np.array(kernel_block(self.kernel, self.values[rows], self.values[cols]))
        result -= self.means[rows, None]
        result -= self.means[None, cols] - self.mean
        return result

    def matrix(self) -> NDArray[np.float64]:
        """Return HKH as a whole, its lower half copied from the upper one; 8m² bytes."""
        m = self.values.size
        result = np.empty((m, m))
        for part in row_blocks(m):
            result[part, part.start :] = self.block(part, slice(part.start, None))
            result[part.stop :, part] = result[part, part.stop :].T
        return result


def centred_kernel(values: Column, kernel: KernelFunction) -> CentredKernel:
    """Return the centred kernel of one column, from the blocks on and above the diagonal.

    A mean of m entries, added up in any order, is off by at most (m + 1)·u times the largest; three
    such means enter an entry, one of them a mean of means, and then three roundings. Raises
    ``UsageError`` for a kernel that does not broadcast.
    """
    m, peak = values.size, 0.0
    sums = np.zeros(m)
    for part in row_blocks(m):
        block = kernel_block(kernel, values[part], values[part.start :])
        peak = max(peak, float(block.max()), -float(block.min()))
        height = part.stop - part.start
        sums[part] += block.sum(axis=1)
        sums[part.stop :] += block[:, height:].sum(axis=0)
    means = sums / m
    return CentredKernel(
        values, kernel, means, float(means.mean()), 1.01 * (4 * m + 16) * UNIT * peak
    )
