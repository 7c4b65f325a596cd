"""HSIC under many permutations of one column's rows, for any kernels.

trace(K_ψ·HLH) with K_ψ the matrix K[ψ_i, ψ_j] needs no kernel and no centring anew: HKH and HLH are
formed once, H commutes with permutations, and Σ_ij (HKH)[ψ_i, ψ_j]·(HLH)[i, j] is summed over the
pairs on and above the diagonal. A few rows of HLH stay in the cache while all permutations pass by;
for each, the matching rows of HKH are copied into a buffer and their columns gathered from there.

A p-value needs less than the scores: all are computed in single precision first, and those that its
error bound cannot tell from the score of the columns as they are once more in double precision.

Source of the score: Zhang et al., Differentially Private Nonlinear Causal Discovery from Numerical
Data (2023), Definition 4, and its section on the statistic by permutations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.scores.columns import columns

from .centred_kernel import CentredKernel, KernelFunction, centred_kernel, row_blocks
from .hsic import TOLERANCE, cheaper_factors
from .low_rank import SLACK, UNIT
from .permutation import Orders, PermutationTest, permutation_rows
from .permuted_low_rank import permuted_scores_of_factors

MOST_STORED = 8192
"""Most rows of which HKH is kept, in 512 MiB; beyond, kernel values are computed anew."""

SINGLE = 2.0**-24
"""Largest relative error of one operation rounded to single precision."""

SCREENED = (1e-6, 1e6)
"""Norms of HKH/m and HLH/m between which single precision neither underflows nor overflows."""

RUN = 256
"""Products summed at once: short runs have small errors, and long ones would go to threads."""

Block = Callable[[Orders], NDArray[Any]]
"""Of one permutation, (HKH)[ψ_i, ψ_j] for the rows i of a block and the columns j from there on.

The entries are in runs, shape (r, ``RUN``); finite numbers of no meaning fill the last run.
"""


def hsic_permuted(
    u: ArrayLike,
    v: ArrayLike,
    permutations: ArrayLike | Sequence[ArrayLike],
    kernel_u: KernelFunction,
    kernel_v: KernelFunction,
    *,
    screened: bool = False,
) -> PermutationTest:
    """Return HSIC(u, v) and HSIC(ψ(u), v) for each permutation ψ, (ψ(u))_i = u[ψ_i].

    u, v: columns of one length m ≥ 2. permutations: shape (k, m).
    kernel_u, kernel_v: symmetric kernels that broadcast.
    screened: permuted scores that lie far from the score may be of single precision; the p-values
        are those of double precision. See ``hsic_permuted_gathered``.

    Two squared exponential kernels go through low-rank factors where that is cheaper, and the
    result is taken if its certified error is at most ``TOLERANCE`` times the mean of HSIC(ψ(u), v)
    over all m! permutations, trace(HKH)·trace(HLH)/(m − 1)³; all else goes through
    ``hsic_permuted_gathered``. Raises ``UsageError`` for bad columns, rows of ``permutations`` that
    are none, and a kernel that does not broadcast.
    """
    first, second = columns(u, v)
    m = first.size
    orders = permutation_rows(permutations, m)
    factors = cheaper_factors(first, second, kernel_u, kernel_v)
    if factors is not None:
        found = permuted_scores_of_factors(*factors, orders)
        if found.error <= TOLERANCE * (factors[0].size * factors[1].size) ** 2 / (m - 1) ** 3:
            return found
    return hsic_permuted_gathered(first, second, orders, kernel_u, kernel_v, screened=screened)


def hsic_permuted_gathered(
    u: ArrayLike,
    v: ArrayLike,
    permutations: ArrayLike | Sequence[ArrayLike],
    kernel_u: KernelFunction,
    kernel_v: KernelFunction,
    *,
    screened: bool = False,
) -> PermutationTest:
    """Return the same as ``hsic_permuted`` from kernel matrices; O(k·m²) time, O(m² + k·m) memory.

    Up to ``MOST_STORED`` rows one matrix is kept, 8m² bytes, or 12m² where screened, and of the
    other some rows at a time; beyond, memory is O(k·m), kernel_u is evaluated k·m²/2 times, and
    nothing is screened.

    Error, against HSIC of the very kernel values computed: with s the length of a run, plus the
    runs of a block, plus the blocks, a sum is off by at most s·u times the sum of the products'
    sizes, which is at most ‖HKH‖_F·‖HLH‖_F for each permutation; and an error of size e in each
    entry of one matrix moves the trace by at most m·e times the norm of the other. In single
    precision only the runs are summed, with its own u; rounding both matrices to it adds 2 to s.
    """
    first, second = columns(u, v)
    m = first.size
    given = permutation_rows(permutations, m)
    k_centred, l_centred = centred_kernel(first, kernel_u), centred_kernel(second, kernel_v)
    if m > MOST_STORED:
        found = _sums(_evaluated(k_centred), None, l_centred, given)
        return _test(found.traces, _error(found, k_centred, l_centred), 0.0, m)
    matrix = k_centred.matrix()
    double = _gathered(matrix)
    if not (screened and SCREENED[0] < np.linalg.norm(matrix) / m < SCREENED[1]):
        found = _sums(double, None, l_centred, given)
        return _test(found.traces, _error(found, k_centred, l_centred), 0.0, m)
    with np.errstate(over="ignore", invalid="ignore"):
        found = _sums(double, _gathered(matrix.astype(np.float32)), l_centred, given)
    error = _error(found, k_centred, l_centred)
    coarse = error + SLACK * (RUN + 4) * SINGLE * found.norm_k * found.norm_l
    near = np.abs(found.traces[1:] - found.traces[0]) <= 2 * (coarse + error)
    if not SCREENED[0] < found.norm_l / m < SCREENED[1]:
        near[:] = True
    if near.any():
        found.traces[1:][near] = _sums(double, None, l_centred, given[near]).traces[1:]
    return _test(found.traces, error, coarse, m)


@dataclass(frozen=True, eq=False)
class _Sums:
    """trace(K_ψ·HLH) for the identity and each ψ, and bounds on ‖HKH‖_F and ‖HLH‖_F."""

    traces: NDArray[np.float64]
    norm_k: float
    norm_l: float
    terms: int


def _sums(
    double: Callable[[slice], Block],
    single: Callable[[slice], Block] | None,
    l_centred: CentredKernel,
    orders: Orders,
) -> _Sums:
    """Sum over the pairs; the identity in double precision, all else in single if it is given."""
    k, m = orders.shape
    traces = np.zeros(1 + k)
    squares_k = squares_l = 0.0
    identity = np.arange(m)
    parts = list(row_blocks(m))
    for part in parts:
        l_block = l_centred.block(part, slice(part.start, None))
        size = l_block.size
        squares_l += 2 * float(np.square(l_block).sum())
        # The square on the diagonal holds each pair twice, and everything is doubled at the end.
        l_block[:, : part.stop - part.start] /= 2
        l_runs = _runs(l_block)
        permuted_block = double(part)
        k_runs = permuted_block(identity)
        squares_k += 2 * float(np.square(k_runs.ravel()[:size]).sum())
        traces[0] += np.vecdot(k_runs, l_runs).sum()
        if single is not None:
            permuted_block, l_runs = single(part), l_runs.astype(np.float32)
        sums = np.empty((k, len(l_runs)), dtype=l_runs.dtype)
        for order, own in zip(orders, sums, strict=True):
            np.vecdot(permuted_block(order), l_runs, out=own)
        traces[1:] += sums.sum(axis=1, dtype=np.float64)
    # The norms are bounded from above, as the squares on the diagonal went in twice.
    return _Sums(
        2 * traces,
        math.sqrt(squares_k),
        math.sqrt(squares_l),
        RUN + parts[0].stop * m // RUN + len(parts) + 2,
    )


def _error(found: _Sums, k_centred: CentredKernel, l_centred: CentredKernel) -> float:
    """Return the bound on the error of the traces in double precision."""
    m, error_k, error_l = k_centred.values.size, k_centred.entry_error, l_centred.entry_error
    entries = error_k * found.norm_l + error_l * found.norm_k + m * error_k * error_l
    return SLACK * (found.terms * UNIT * found.norm_k * found.norm_l + m * entries)


def _test(traces: NDArray[np.float64], error: float, coarse: float, m: int) -> PermutationTest:
    scores, scale = traces / (m - 1) ** 2, (m - 1) ** 2
    scores.setflags(write=False)
    return PermutationTest(float(scores[0]), scores[1:], error / scale, max(error, coarse) / scale)


def _runs(block: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the entries in runs, with zeros after the last."""
    found = np.zeros((-(-block.size // RUN), RUN))
    found.ravel()[: block.size] = block.ravel()
    return found


def _gathered(matrix: NDArray[Any]) -> Callable[[slice], Block]:
    """Return what makes a ``Block`` that gathers from a matrix, into buffers it uses again."""
    m = matrix.shape[0]
    whole = np.empty((next(row_blocks(m)).stop, m), dtype=matrix.dtype)
    chosen = np.zeros((-(-whole.size // RUN), RUN), dtype=matrix.dtype)

    def block_of(part: slice) -> Block:
        start, height = part.start, part.stop - part.start
        size = height * (m - start)
        rows, runs = whole[:height], chosen[: -(-size // RUN)]
        found = runs.ravel()[:size].reshape(height, m - start)

        def block(order: Orders) -> NDArray[Any]:
            # "clip" writes into the buffer at once, where "raise" would go through another.
            matrix.take(order[part], axis=0, out=rows, mode="clip")
            rows.take(order[start:], axis=1, out=found, mode="clip")
            return runs

        return block

    return block_of


def _evaluated(centred: CentredKernel) -> Callable[[slice], Block]:
    """Return what makes a ``Block`` that is computed from kernel values each time."""
    return lambda part: lambda order: _runs(centred.block(order[part], order[part.start :]))
