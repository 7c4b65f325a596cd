"""HSIC under many permutations of one column's rows, and the p-values that follow from it.

**p-values.** With k permutations drawn independently and uniformly, the score and the k permuted
scores are exchangeable under independence. So (1 + #{permuted ≥ score})/(k + 1) is at most α with
probability at most α, for every α and every sample size. The share #{permuted > score}/k, which
Zhang et al. (2023) print, promises less: it is 0 with probability up to 1/(k + 1), and is at most α
with probability up to (⌊αk⌋ + 1)/(k + 1); for k = 19 and α = 0.05 that is 0.05, for k = 100 it is
6/101. Ties make it worse: where all scores are equal it is always 0.

**From low-rank factors** that are narrowed first, with a certified error. The columns of a
``CentredFactor`` A are many more than the eigenvalues of AAᵀ that matter. With V the leading
eigenvectors of AᵀA, as computed, and N = AV, what is lost is D = A − NVᵀ, and S = DV is nearly 0.
So the permuted score needs the product of the narrow N only, and D enters it twice.

**For any kernels.** trace(K_ψ·HLH) with K_ψ the matrix K[ψ_i, ψ_j] needs no kernel and no centring
anew: HKH and HLH are formed once, H commutes with permutations, and Σ_ij (HKH)[ψ_i, ψ_j]·(HLH)[i,
j] is summed over the pairs on and above the diagonal. A few rows of HLH stay in the cache while all
permutations pass by; for each, the matching rows of HKH are taken, and their columns from these.

Source of the score: Zhang et al., Differentially Private Nonlinear Causal Discovery from Numerical
Data (2023), Definition 4, and its section on the statistic by permutations.

dpHSIC: a permutation test of independence whose decision is differentially private.

The score is √HSIC, with HSIC = trace(KHLH)/m² the V-statistic. The score of the columns as they are
and each permuted one get Laplace noise of scale 2Δ/ξ; the test rejects independence where
p = (1 + #{noisy permuted ≥ noisy score})/(B + 1) is at most α.

Source: Kim and Schrab, Differentially Private Permutation Tests: Applications to Kernel Methods
(2023), as the authors' package dpkernel computes it. The body of the text was not at hand; the
arguments are those of the ledger's ``kim2023/root-hsic`` and ``kim2023/decision``.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import (
    UsageError,
    check_delta,
    natural,
    positive,
    probability,
)
from provado.mechanisms.scores.hsic import low_rank

from ..score import columns, rows
from .hsic import TOLERANCE, cheaper_factors
from .low_rank import KernelFunction

Orders = NDArray[np.intp]
"""Permutations ψ of 0 … m − 1, one a row, shape (k, m)."""


@dataclass(frozen=True, eq=False)
class PermutationTest:
    """A score, the score under each of k permutations of one column's rows, and their error.

    score: the score of the columns as they are.
    permuted: shape (k,), read-only.
    error: bound on the distance of the score from its exact value, and of each permuted score that
        lies near it. Scores that it cannot tell apart count as tied in both p-values.
    """

    score: float
    permuted: NDArray[np.float64]
    error: float

    @property
    def p_printed(self) -> Fraction:
        """Return #{score < permuted}/k, which can be 0; its level is not guaranteed.

        Source: Zhang et al. (2023), section on the statistic of RCIT, above Theorem 4.
        """
        above = self.permuted > self.score + 2 * self.error
        return Fraction(int(above.sum()), self.permuted.size)

    @property
    def p_valid(self) -> Fraction:
        """Return (1 + #{permuted ≥ score})/(k + 1).

        Guarantee: Pr[p ≤ α] ≤ α under independence for every α, if the permutations were drawn
        independently and uniformly, and independently of the columns.
        """
        reached = self.permuted >= self.score - 2 * self.error
        return Fraction(1 + int(reached.sum()), self.permuted.size + 1)


def draw_permutations(m: int, k: int, rng: Generator) -> Orders:
    """Return k independent uniform permutations of m rows, shape (k, m)."""
    rows, count = natural(m, "m"), natural(k, "k")
    result = np.empty((count, rows), dtype=np.intp)
    for order in result:
        order[:] = rng.permutation(rows)
    return result


def permutation_rows(permutations: ArrayLike | Sequence[ArrayLike], m: int) -> Orders:
    """Return the permutations as an array of shape (k, m) with k ≥ 1.

    Raises ``UsageError`` for any other shape, and for a row that is not a permutation of 0 … m − 1.
    """
    try:
        orders = np.asarray(permutations)
    except ValueError as error:
        raise UsageError(
            f"permutations has rows of several lengths: each must hold {m} indices"
        ) from error
    if orders.ndim != 2 or not orders.shape[0] or orders.shape[1] != m:
        raise UsageError(
            f"permutations has shape {orders.shape}: it must be (k, {m}) with at least one row"
        )
    if orders.dtype.kind not in "iu":
        raise UsageError(f"permutations has type {orders.dtype}: it must hold whole numbers")
    rows = np.ascontiguousarray(orders, dtype=np.intp)
    seen = np.zeros(rows.shape, dtype=bool)
    if rows.min() >= 0 and rows.max() < m:
        np.put_along_axis(seen, rows, True, axis=1)
    missing = np.flatnonzero(~seen.all(axis=1))
    if missing.size:
        raise UsageError(
            f"permutations[{int(missing[0])}] is {rows[missing[0]]}: it must hold each of 0 … "
            f"{m - 1} once"
        )
    return rows


LOST = 1e-11
"""Share of the sum of eigenvalues that may be lost, times m: permuted scores are of order 1/m."""

FLOOR = 4e-16
"""Least share that may be lost: eigenvalues below it are rounding."""

_RECORDS_AT_ONCE = 32
_PERMUTATIONS_AT_ONCE = 128


@dataclass(frozen=True, eq=False)
class NarrowFactor:
    """N and bounds on the Frobenius norms that tell how far NVᵀ is from a factor A.

    features: N, shape (m, rank). size: ‖N‖_F. size_before: ‖A‖_F.
    lost: bound on ‖A − NVᵀ‖_F. skew: bound on ‖(A − NVᵀ)V‖_F. tilt: bound on ‖VᵀV − I‖_F.
    """

    features: NDArray[np.float64]
    size: float
    size_before: float
    lost: float
    skew: float
    tilt: float


def narrowed(factor: low_rank.CentredFactor) -> NarrowFactor:
    """Return the narrow form of a factor; O(m·rank²) time.

    The bounds hold for the V that was computed, however good it is: D is formed and measured, and
    to its norm comes the rounding of a product with R columns, R·u times the sizes of its factors.
    """
    features = factor.features
    m, columns = features.shape
    if not factor.size:
        return NarrowFactor(features[:, :0], 0.0, 0.0, 0.0, 0.0, 0.0)
    values, vectors = np.linalg.eigh(features.T @ features)
    kept = np.cumsum(np.maximum(values, 0)) > max(LOST / m, FLOOR) * float(values.sum())
    v = np.ascontiguousarray(vectors[:, kept])
    narrow = features @ v
    size, width = float(np.linalg.norm(narrow)), float(np.linalg.norm(v))
    rounding = low_rank.SLACK * low_rank.UNIT * (columns + 2)
    lost = float(np.linalg.norm(features - narrow @ v.T))
    tilt = float(np.linalg.norm(v.T @ v - np.eye(v.shape[1])))
    tilt = low_rank.SLACK * (tilt + rounding * (width**2 + 1))
    return NarrowFactor(
        features=narrow,
        size=size,
        size_before=factor.size,
        lost=low_rank.SLACK * (lost + rounding * (size * width + factor.size)),
        # DV = (AV − N) − N(VᵀV − I), and N is AV up to rounding.
        skew=low_rank.SLACK * (rounding * factor.size * width + size * tilt),
        tilt=tilt,
    )


def permuted_scores_of_factors(
    first: low_rank.CentredFactor, second: low_rank.CentredFactor, orders: Orders
) -> PermutationTest:
    """Return HSIC, and HSIC with the first factor's records permuted, with a certified error.

    orders: permutations, shape (k, m), which are not checked. O(k·m·rank) memory moved and
    O(k·m·rank²) time, with the ranks of the narrow factors.

    With X = N_aᵀPN_b, AᵀPB = V_aXV_bᵀ + V_aN_aᵀPD_b + D_aᵀPB. The squared norm of the first term is
    ‖X‖² up to the tilts; its inner products with the others hold S_b and S_a, and only the squares
    of the others hold D_b and D_a, twice each. The rest of the error is that of
    ``hsic_of_factors``. Raises ``UsageError`` if the factors are not of equally many records.
    """
    m = first.features.shape[0]
    if second.features.shape[0] != m or orders.shape[1] != m or m < 2:
        raise UsageError(
            f"factors have {m} and {second.features.shape[0]} records and the permutations "
            f"{orders.shape[1]}: all need the same number, at least 2"
        )
    a, b = narrowed(first), narrowed(second)
    traces = np.concatenate(
        [
            _traces(a.features, b.features, some)
            for some in (
                np.arange(m)[None, :],
                *(
                    orders[start : start + _PERMUTATIONS_AT_ONCE]
                    for start in range(0, len(orders), _PERMUTATIONS_AT_ONCE)
                ),
            )
        ]
    )
    summed = (_RECORDS_AT_ONCE + m / _RECORDS_AT_ONCE + 1) * low_rank.UNIT * a.size * b.size
    largest = math.sqrt(float(traces.max())) + summed
    narrowing = _narrowing_error(a, b, largest)
    error = narrowing + low_rank.centred_product_error(
        first, second, largest**2 + narrowing, summed, a.features.shape[1] + b.features.shape[1]
    )
    if not (first.size and second.size):
        # A constant column: HKH is 0.
        error = 0.0
    return _test(traces, error, m)


def _traces(
    first: NDArray[np.float64], second: NDArray[np.float64], orders: Orders
) -> NDArray[np.float64]:
    """Return ‖first[ψ]ᵀ·second‖²_F for each ψ; some records of all ψ in one product."""
    k, m = orders.shape
    product = np.zeros((second.shape[1], k * first.shape[1]))
    for start in range(0, m, _RECORDS_AT_ONCE):
        rows = slice(start, start + _RECORDS_AT_ONCE)
        chosen = first.take(orders[:, rows].T, axis=0, mode="clip")
        product += second[rows].T @ chosen.reshape(len(chosen), -1)
    squares = np.square(product).reshape(second.shape[1], k, first.shape[1])
    result: NDArray[np.float64] = squares.sum(axis=0).sum(axis=1)
    return result


def _narrowing_error(a: NarrowFactor, b: NarrowFactor, product: float) -> float:
    """Return a bound on | ‖AᵀPB‖² − ‖X‖² | for ‖X‖ ≤ ``product``."""
    inner = (1 + a.tilt) * a.size * b.skew + math.sqrt(1 + b.tilt) * a.skew * b.size_before
    return (
        (a.tilt + b.tilt + a.tilt * b.tilt) * product**2
        + 2 * product * inner
        + 2 * b.lost * a.size * a.skew * b.size_before
        + (1 + a.tilt) * (a.size * b.lost) ** 2
        + (a.lost * b.size_before) ** 2
    )


MOST_STORED = 8192
"""Most rows of which HKH is kept, in 512 MiB; beyond, kernel values are computed anew."""

RUN = 256
"""Products summed at once: short runs have small errors, and long ones would go to threads."""


def hsic_permuted(
    u: ArrayLike,
    v: ArrayLike,
    permutations: ArrayLike | Sequence[ArrayLike],
    kernel_u: low_rank.KernelFunction,
    kernel_v: low_rank.KernelFunction,
) -> PermutationTest:
    """Return HSIC(u, v) and HSIC(ψ(u), v) for each permutation ψ, (ψ(u))_i = u[ψ_i].

    u, v: columns of one length m ≥ 2. permutations: shape (k, m).
    kernel_u, kernel_v: symmetric kernels that broadcast.

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
        test = permuted_scores_of_factors(*factors, orders)
        if test.error <= TOLERANCE * (factors[0].size * factors[1].size) ** 2 / (m - 1) ** 3:
            return test
    return hsic_permuted_gathered(first, second, orders, kernel_u, kernel_v)


def hsic_permuted_gathered(
    u: ArrayLike,
    v: ArrayLike,
    permutations: ArrayLike | Sequence[ArrayLike],
    kernel_u: low_rank.KernelFunction,
    kernel_v: low_rank.KernelFunction,
) -> PermutationTest:
    """Return the same as ``hsic_permuted`` from kernel matrices; O(k·m²) time, O(m² + k·m) memory.

    Up to ``MOST_STORED`` rows one matrix is kept, 8m² bytes, and of the other some rows at a time;
    beyond, memory is O(k·m), and kernel_u is evaluated k·m²/2 times.

    Error, against HSIC of the very kernel values computed: with s the length of a run, plus the
    runs of a block, plus the blocks, a sum is off by at most s·u times the sum of the products'
    sizes, which is at most ‖HKH‖_F·‖HLH‖_F for each permutation; and an error of size e in each
    entry of one matrix moves the trace by at most m·e times the norm of the other.
    """
    first, second = columns(u, v)
    m = first.size
    given = permutation_rows(permutations, m)
    k_centred = low_rank.centred_kernel(first, kernel_u)
    l_centred = low_rank.centred_kernel(second, kernel_v)
    matrix = k_centred.matrix() if m <= MOST_STORED else None
    orders = np.vstack([np.arange(m), given])
    traces = np.zeros(len(orders))
    squares_k = squares_l = 0.0
    parts = list(low_rank.row_blocks(m))
    for part in parts:
        l_block = l_centred.block(part, slice(part.start, None))
        size = l_block.size
        squares_l += 2 * float(np.square(l_block).sum())
        # The square on the diagonal holds each pair twice, and everything is doubled at the end.
        l_block[:, : part.stop - part.start] /= 2
        l_runs = _runs(l_block)
        for number, order in enumerate(orders):
            rows, cols = order[part], order[part.start :]
            if matrix is None:
                k_runs = _runs(k_centred.block(rows, cols))
            else:
                k_runs = _runs(matrix.take(rows, axis=0).take(cols, axis=1))
            if not number:
                squares_k += 2 * float(np.square(k_runs.ravel()[:size]).sum())
            traces[number] += np.vecdot(k_runs, l_runs).sum()
    # The norms are bounded from above, as the squares on the diagonal went in twice.
    norm_k, norm_l = math.sqrt(squares_k), math.sqrt(squares_l)
    error_k, error_l = k_centred.entry_error, l_centred.entry_error
    entries = error_k * norm_l + error_l * norm_k + m * error_k * error_l
    terms = RUN + parts[0].stop * m // RUN + len(parts) + 2
    error = low_rank.SLACK * (terms * low_rank.UNIT * norm_k * norm_l + m * entries)
    return _test(2 * traces, error, m)


def _test(traces: NDArray[np.float64], error: float, m: int) -> PermutationTest:
    scores, scale = traces / (m - 1) ** 2, (m - 1) ** 2
    scores.setflags(write=False)
    return PermutationTest(float(scores[0]), scores[1:], error / scale)


def _runs(block: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the entries in runs, with zeros after the last."""
    result = np.zeros((-(-block.size // RUN), RUN))
    result.ravel()[: block.size] = block.ravel()
    return result


# dpHSIC: a permutation test of independence whose decision is differentially private.


def root_hsic_sensitivity(m: int) -> float:
    """Return 4(m − 1)/m²: no replaced record moves √(trace(KHLH))/m by more.

    m: records, from 2 on.

    Guarantee: under replacement of one record, for fixed positive semi-definite kernels with values
    in [0, 1], and for the columns under any permutation of the rows of one of them, in which the
    values of the replaced record may stand in two rows. Source: the ledger's ``kim2023/root-hsic``.
    Raises ``UsageError`` for m below 2.
    """
    return 4 * (rows(m) - 1) / m**2


def rounding(m: int) -> float:
    """Return how far the computed roots of two datasets may be off, both together.

    ``hsic_permuted`` is within ``TOLERANCE`` times m²/(m − 1)³ of trace(KHLH)/(m − 1)², at most,
    by low-rank factors, and closer otherwise; the root of a number so near 0 is off by the root.
    Raises ``UsageError`` for m below 2.
    """
    return 2 * math.sqrt(TOLERANCE / (rows(m) - 1))


def noise_scale(m: int, epsilon: float, delta: float = 0.0) -> float:
    """Return 2Δ/ξ, the scale of the Laplace noise on every score, ξ = ε + ln(1/(1 − δ)).

    Δ is ``root_hsic_sensitivity`` and the ``rounding`` of both datasets. Raises ``UsageError`` for
    m below 2, ε not above 0 or δ outside [0, 1).
    """
    loss = positive(epsilon, "epsilon") - math.log1p(-check_delta(delta))
    return 2 * (root_hsic_sensitivity(m) + rounding(m)) / loss


def roots(test: PermutationTest, m: int) -> tuple[float, NDArray[np.float64]]:
    """Return √(trace(KHLH))/m of the columns, and under each permutation, shape (B,)."""
    share = (rows(m) - 1) / m
    permuted = np.sqrt(np.maximum(test.permuted, 0.0)) * share
    return math.sqrt(max(test.score, 0.0)) * share, permuted


def p_value_allows(alpha: float, permutations: int) -> int:
    """Return the most noisy permuted scores that may reach the noisy score: ⌊α(B + 1)⌋ − 1.

    −1 where not even none suffices. A product that rounds to a whole number counts as that. Raises
    ``UsageError`` unless 0 < α < 1 and B is a whole number from 1 on.
    """
    product = probability(alpha, "alpha") * (natural(permutations, "permutations") + 1)
    near = round(product)
    return (near if math.isclose(product, near, rel_tol=1e-12) else math.floor(product)) - 1


def rejects(
    score: float, permuted: NDArray[np.float64], *, alpha: float, scale: float, rng: Generator
) -> bool:
    """Return whether p ≤ alpha, each number with Laplace noise of ``scale`` (0: none) of its own.

    Ties count for independence. Only this decision is private: p itself tells more.
    """
    noise = rng.laplace(size=1 + permuted.size) * scale
    reached = int((permuted + noise[1:] >= score + noise[0]).sum())
    return reached <= p_value_allows(alpha, permuted.size)


def dphsic(
    u: ArrayLike,
    v: ArrayLike,
    kernel_u: KernelFunction,
    kernel_v: KernelFunction,
    *,
    epsilon: float,
    rng: Generator,
    alpha: float = 0.05,
    delta: float = 0.0,
    permutations: int = 199,
) -> bool:
    """Return whether independence of two columns is rejected at level alpha.

    u, v: columns of one length m ≥ 2. kernel_u, kernel_v: as of ``root_hsic_sensitivity``, fixed
    without looking at the data. permutations: B, drawn whatever the data.

    Guarantee: the decision is (ε, δ)-DP under replacement of one record, m fixed. Given the
    permutations and the permuted scores' noise, it compares the noisy score with the k-th largest
    noisy permuted score; the difference moves by at most 2Δ, and the score's own noise is Laplace
    of scale 2Δ/ξ.
    Under independence it rejects with probability at most alpha, at every m: score and permuted
    scores are exchangeable, and so are they with independent noise. Noise is drawn in floating
    point. Raises ``UsageError`` for bad columns and arguments out of range.
    """
    first, second = columns(u, v)
    scale = noise_scale(first.size, epsilon, delta)
    orders = draw_permutations(first.size, permutations, rng)
    score, permuted = roots(hsic_permuted(first, second, orders, kernel_u, kernel_v), first.size)
    return rejects(score, permuted, alpha=alpha, scale=scale, rng=rng)
