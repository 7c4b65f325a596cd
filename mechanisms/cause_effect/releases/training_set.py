"""Privacy of the training set: HSIC, rank scores where they are stable, and log IQR.

The test set is fixed and public here; the dataset is the training rows. They act on the scores only
through the regressions, and one replaced row moves every residual by at most b (``regression``).

**HSIC.** With K on x′ and L on r′, (m − 1)²·HSIC = ⟨HKH, L⟩, and K does not move. Let entries of K
lie in [0, 1] with 1 on the diagonal, K positive semi-definite, and L(r, s) = l(r, s) with l(r, r) =
1 and Lipschitz constant c in each argument. Then

- |ΔL_ij| ≤ 2cb off the diagonal and 0 on it, so ‖ΔL‖_F ≤ 2cb·√(m(m − 1));
- HKH is positive semi-definite, so ‖HKH‖_F ≤ tr(HKH) = m − (ΣK)/m ≤ m − 1, as ΣK ≥ tr K = m;
- by Cauchy and Schwarz HSIC moves by at most 2cb·√(m(m − 1))·(m − 1)/(m − 1)² = 2cb·√(m/(m − 1)).

Theorem 7 prints (8/λ^(3/2))·32c√m/n, which is 32√m·c·b with the printed b: true where that b is,
and some 16√m times what is needed.

**Rank scores**: the exact score is released where it is stable. Dwork and Roth, The Algorithmic
Foundations of Differential Privacy (2014), Algorithm 13: with d the number of rows that must change
to reach an unstable dataset (one with a neighbor of another score), release the score if d +
Lap(1/ε) > ln(1/δ)/ε, else ⊥. That is (ε, δ)-DP, and stays so with any whole number L in place of d
that has sensitivity 1 and is 0 on every unstable dataset: neighbors with one score are told apart
by one ε-DP bit; neighbors with two are both unstable, both have L = 0, and each passes with
probability δ/2.

Let γ be the smallest gap between two test residuals and b the most that one training row moves one.
*Repaired*: L = max(0, ⌈γ/(2b)⌉ − 1). γ moves by at most 2b, so ⌈γ/(2b)⌉ moves by at most 1. And
if a neighbor has another score, two residuals change their order or tie or untie, so their gap is
at most 2b, γ ≤ 2b, and L = 0.

*Printed* (section 5.1): "d > ⌊nγλ^(3/2)/16⌋", which is ⌊γ/(2b)⌋ with the printed b. As a lower
bound on d, the floor itself is right unless γ is an exact multiple of 2b, where it is one too
large: at γ = 2b two residuals can come to tie. The strict inequality is false: it says d ≥ 1 on
every dataset, unstable ones included, and with ⌊γ/(2b)⌋ + 1 for d they release with probability
e^ε·δ/2, not δ/2: for ε > ln 2 more than δ.

**Log IQR**, section 5.3: propose-test-release with training rows counted. A_j is the number of
training rows needed to move the IQR of the residuals out of B_j. One row moves every residual by at
most b, so each quartile by at most b and the IQR by at most 2b: A_j ≥ min(⌈(high − IQR)/(2b)⌉,
⌊(IQR − low)/(2b)⌋ + 1), and that number is used. It is 1 exactly if IQR ± 2b leaves the bin, so it
is 1 for both of two neighbors in different bins, and it moves by at most 1 between neighbors in one
bin. The proof in ``release`` needs no more. The inputs x′ and y′ are public; two
residual vectors are released: (6ε, 2δ).

Source: Kusner et al., Private Causal Inference (2016), section 5.

Privacy of training and test set at once: one row of either is replaced.

The dataset is all rows, the first n for training and the rest, m of them, for the test. The paper
says that its mechanisms "can be used jointly" and prints none; these are ours. A training row moves
every residual by at most b and no input; a test row moves one entry of each of the four vectors by
any amount.

**HSIC**: the larger of the two sensitivities is one for both. (2ε, 0) for the two scores.

**IQR**: with [low_t, high_t] the range that t test values reach, j training rows widen it by at
most 2bj on each side, so A = min{j + t : low_t − 2bj < low or high_t + 2bj ≥ high} rows are needed
to leave [low, high). A neighbor by a training row has its range at (j, t) within this one's at
(j + 1, t), by a test row within that at (j, t + 1): A moves by at most 1, and it is 1 for neighbors
in different bins. The proof in ``release`` needs no more. The inputs are not moved by
training rows: b = 0 for them. Four vectors: (12ε, 4δ).

**Rank scores**, by the number of close residuals: the smallest gap between residuals, which
is of no use for both, as a single test row can close it. Let N(u) be the number
of pairs of residuals at most u apart, and b the most that one training row moves a residual.

- *Score, training row.* Only pairs at most 2b apart can change their order, tie or untie. Each such
  pair moves C − D by at most 2, so that Kendall moves by at most 2N(2b)/(m(m − 1)/2). For Spearman
  by position, a pair (i, j) that changes its order moves the two ranks by 1 each, hence Σ a_i·o_i
  by at most |a_i − a_j| ≤ m − 1, with a_i the ranks of the input; Σd² then moves by at most
  2(m − 1)·N and the score by at most 12N(2b)/(m(m + 1)).
- *Score, test row.* At most 4/m and 30/m, by Theorem 1.
- *Counts.* N′(u) ≤ N(u + 2b) after a training row, N′(u) ≤ N(u) + m − 1 after a test row.

Propose a bound n* and let d = min{j + t : N(2b(1 + j)) + t(m − 1) > n*}. By the counts d has
sensitivity 1; d = 0 means N(2b) > n*. Release the score with Lap(Δ/ε), where Δ is the larger of the
test row's bound and the training row's at N = n*, if d + Lap(1/ε) > ln(1/(2δ))/ε; else ⊥. If d ≥ 1
for one of two neighbors, their scores are at most Δ apart, and two ε-DP answers cost (2ε, 0). If
d = 0 for both, ⊥ is equally likely under both, and a release has probability exactly δ: (0, δ). So
each score costs (2ε, δ). The threshold ln(1/δ)/ε of Dwork and Roth's Algorithm 13 would give δ/2.

Source: extends Kusner et al., Private Causal Inference (2016), sections 4 and 5.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from provado.mechanisms.definitions import UsageError, parameters
from provado.mechanisms.noise.exact_noise import to_grid
from provado.mechanisms.regression.kernel_ridge import residual_bound, residual_bound_printed
from provado.mechanisms.regression.kernels import Kernel
from provado.mechanisms.scores.hsic.hsic import hsic, hsic_sensitivity
from provado.mechanisms.scores.iqr import changes_to_leave, iqr, iqr_range
from provado.mechanisms.scores.score import RankScore, Score, rows

from ..additive_noise_model import Residuals, fit_directions, residuals
from .release import Bin, PairRelease, Statistic, read_iqrs
from .testing_set import grid_for, read_scores, two_columns, two_scores

Move = Callable[[int, float], float]
"""From (n, λ) to the most that one replaced training row moves a test residual."""

HsicSensitivity = Callable[[int, int, float, float], Fraction]
"""From (n, m, λ, Lipschitz constant) to a bound on the change of HSIC by one training row."""


def rounding_allowance(n: int, lam: float) -> float:
    """Return 2^-44·n·(1 + 2/λ)², far above the rounding error of a computed residual.

    n: training rows; lam: λ of the regression. Not a proved bound: a Cholesky solve of condition
    1 + 2/λ, its solution of size 2/λ, times a generous 512 units in the last place for each row.
    """
    return 2.0**-44 * parameters.natural(n, "n") * (1 + 2 / parameters.positive(lam, "lam")) ** 2


def repaired_move(n: int, lam: float) -> float:
    """Return ``regression.residual_bound`` plus twice the rounding allowance.

    It then bounds how far the *computed* residual moves, and so everything that is derived from
    computed residuals: gaps by at most twice this, quartiles by this.
    """
    return residual_bound(n, lam) + 2 * rounding_allowance(n, lam)


def printed_move(n: int, lam: float) -> float:
    """Return 8/(nλ^(3/2)), as printed in Theorem 5, for λ ≤ 1; no allowance for rounding."""
    return residual_bound_printed(n, lam)


def trained_vectors(data: Any, test: Any, *, kernel: Kernel, lam: float) -> Residuals:
    """Fit f̂ and ĝ on the training rows ``data``; return the test columns and residuals.

    data: shape (n, 2); test: shape (m, 2); both within [−1, 1]. kernel, lam: of both regressions.
    Raises ``UsageError`` for data outside [−1, 1] or of another shape.
    """
    x, y = two_columns(data, "data", least=1)
    return residuals(fit_directions(x, y, kernel=kernel, lam=lam), *two_columns(test, "test"))


def hsic_training_sensitivity(n: int, m: int, lam: float, lipschitz: float) -> Fraction:
    """Return 2cb·√(m/(m − 1)), proved above, rounded up; c is ``lipschitz``.

    n, m: training and test rows, m ≥ 2; b = ``repaired_move(n, lam)``. For kernels of values in
    [0, 1] with k(x, x) = 1. Raises ``UsageError`` for values out of range.
    """
    slope = parameters.positive(lipschitz, "lipschitz")
    bound = 2 * slope * repaired_move(n, lam) * math.sqrt(rows(m) / (m - 1))
    return Fraction(bound * (1 + 2.0**-40))


def hsic_training_sensitivity_printed(n: int, m: int, lam: float, lipschitz: float) -> Fraction:
    """Return (8/λ^(3/2))·32c√m/n, as printed in Theorem 7, for λ ≤ 1; c is ``lipschitz``."""
    slope = parameters.positive(lipschitz, "lipschitz")
    return Fraction(32 * slope * math.sqrt(rows(m)) * printed_move(n, lam))


def read_training_hsic(
    data: Any,
    *,
    test: Any,
    kernel: Kernel,
    lam: float,
    input_kernel: Kernel,
    residual_kernel: Kernel,
    epsilon: Rational | int | float,
    sensitivity: HsicSensitivity = hsic_training_sensitivity,
) -> Statistic:
    """Read HSIC for both directions.

    data: training rows, shape (n, 2); test: public test rows, shape (m, 2); within [−1, 1].
    kernel, lam: of the regressions. input_kernel, residual_kernel: of HSIC, with values in [0, 1].
    sensitivity: ``hsic_training_sensitivity`` or the printed one.

    Shape of the result: (size, 2). Guarantee: (2ε, 0)-DP under replacement of one training row.
    Source: Kusner et al. (2016), Theorem 7, repaired. Raises ``UsageError`` for parameters outside
    their range.
    """
    vectors = trained_vectors(data, test, kernel=kernel, lam=lam)
    bound = sensitivity(len(data), vectors.x.size, lam, residual_kernel.lipschitz)
    score = partial(hsic, kernel_a=input_kernel, kernel_b=residual_kernel)
    return read_scores(two_scores(vectors, score), sensitivity=bound, epsilon=epsilon)


release_training_hsic = PairRelease(read_training_hsic)


Distance = Callable[[float, float], int]
"""From (γ, b) to a claimed lower bound on the distance to instability."""


def smallest_gap(residuals: ArrayLike) -> float:
    """Return γ, the smallest |r_i − r_j| over pairs; ∞ for a single residual."""
    ordered = np.sort(parameters.vector(residuals, "residuals"))
    return float(np.min(np.diff(ordered), initial=math.inf))


def distance_repaired(gap: float, move: float) -> int:
    """Return max(0, ⌈γ/(2b)⌉ − 1), exactly; γ finite and not negative."""
    return max(0, math.ceil(_ratio(gap, move)) - 1)


def distance_floor(gap: float, move: float) -> int:
    """Return ⌊γ/(2b)⌋, the number printed in section 5.1."""
    return math.floor(_ratio(gap, move))


def distance_strict(gap: float, move: float) -> int:
    """Return ⌊γ/(2b)⌋ + 1, the least whole number that satisfies the printed "d > ⌊γ/(2b)⌋"."""
    return math.floor(_ratio(gap, move)) + 1


def _ratio(gap: float, move: float) -> Fraction:
    return Fraction(gap) / (2 * Fraction(parameters.positive(move, "move")))


def stability_threshold(epsilon: float, delta: float) -> float:
    """Return ln(1/δ)/ε of Algorithm 13; Lap(1/ε) exceeds it with probability δ/2."""
    return -math.log(parameters.probability(delta, "delta")) / epsilon


def read_training_ranks(
    data: Any,
    *,
    test: Any,
    score: Score,
    kernel: Kernel,
    lam: float,
    epsilon: Rational | int | float,
    delta: float,
    move: Move = repaired_move,
    distance: Distance = distance_repaired,
) -> Statistic:
    """Read a rank score for both directions, to be released exactly or as ⊥.

    data: training rows, shape (n, 2); test: public test rows, shape (m, 2); within [−1, 1].
    score: a function of the ranks of both columns only, such as ``spearman`` by position with
        distinct values, or ``kendall_printed``.
    kernel, lam: of the regressions. epsilon, delta: spent on each score.
    move, distance: b and L; as they stand the repaired ones.

    Shape of the result: (size, 2); NaN is ⊥. Guarantee, with the repaired ones: (2ε, 2δ)-DP under
    replacement of one training row, with δ larger by 2^-49 for the tests' noise. Source: Kusner et
    al. (2016), section 5.1 and Theorem 6, repaired. Raises ``UsageError`` for parameters outside
    their range.
    """
    loss = float(parameters.rational(epsilon, "epsilon"))
    vectors = trained_vectors(data, test, kernel=kernel, lam=lam)
    furthest = move(len(data), lam)
    return Statistic(
        two_scores(vectors, score),
        scale=None,
        distances=[(distance(smallest_gap(r), furthest),) for r in (vectors.r_y, vectors.r_x)],
        threshold=stability_threshold(loss, delta),
        epsilon=loss,
    )


release_training_ranks = PairRelease(read_training_ranks)


def rows_to_leave(width: float, proposed: Bin, move: float) -> int:
    """Return the least number of training rows whose moves may take an IQR out of a bin.

    width: the IQR. proposed: the bin [low, high). move: b. 0 if the IQR is outside already. Exact,
    in fractions.
    """
    if not proposed.holds(width):
        return 0
    step = 2 * Fraction(parameters.positive(move, "move"))
    here = Fraction(width)
    down = math.floor((here - Fraction(proposed.low)) / step) + 1
    if math.isinf(proposed.high):
        return down
    return min(down, math.ceil((Fraction(proposed.high) - here) / step))


def read_training_iqr(
    data: Any, *, test: Any, kernel: Kernel, lam: float, move: Move = repaired_move, **setting: Any
) -> Statistic:
    """Read ln IQR of r′_X and of r′_Y.

    data: training rows, shape (n, 2); test: public test rows, shape (m, 2); within [−1, 1].
    kernel, lam: of the regressions. setting: of ``read_iqrs``. move: b, repaired as it stands.

    Shape of the result: (size, 2); NaN is ⊥. Guarantee, repaired: (6ε, 2δ)-DP under replacement of
    one training row, with δ larger by 2^-48 for the tests' noise. Source: Kusner et al. (2016),
    section 5.3, repaired. Raises ``UsageError`` for parameters outside their range.
    """
    vectors = trained_vectors(data, test, kernel=kernel, lam=lam)
    leaving = partial(rows_to_leave, move=move(len(data), lam))
    widths = [iqr(values) for values in (vectors.r_x, vectors.r_y)]
    return read_iqrs([(width, partial(leaving, width)) for width in widths], **setting)


release_training_iqr = PairRelease(read_training_iqr)


# Privacy of training and test set at once: one row of either is replaced.


def split_vectors(data: Any, n: int, *, kernel: Kernel, lam: float) -> Residuals:
    """Train on the first ``n`` rows; return inputs and residuals of the others.

    data: shape (n + m, 2), m ≥ 2, within [−1, 1]. Raises ``UsageError`` for anything else.
    """
    table = parameters.answers(data, "data")
    if table.ndim != 2 or len(table) < parameters.natural(n, "n") + 2:
        raise UsageError(
            f"data has shape {table.shape}: it must have n = {n} training rows and at least 2 more"
        )
    return trained_vectors(table[:n], table[n:], kernel=kernel, lam=lam)


def read_both_hsic(
    data: Any,
    *,
    n: int,
    kernel: Kernel,
    lam: float,
    input_kernel: Kernel,
    residual_kernel: Kernel,
    epsilon: Rational | int | float,
) -> Statistic:
    """Read HSIC for both directions.

    data: shape (n + m, 2), the first ``n`` rows for training; within [−1, 1]. Other parameters as
    of ``read_training_hsic``.

    Shape of the result: (size, 2). Guarantee: (2ε, 0)-DP under replacement of one row of either
    set. The test set's sensitivity is that of Theorem 3, whose proof is complete. Raises
    ``UsageError`` for parameters outside their range.
    """
    vectors = split_vectors(data, n, kernel=kernel, lam=lam)
    m = vectors.x.size
    slope = residual_kernel.lipschitz
    bound = max(hsic_sensitivity(m), hsic_training_sensitivity(n, m, lam, slope))
    score = partial(hsic, kernel_a=input_kernel, kernel_b=residual_kernel)
    return read_scores(two_scores(vectors, score), sensitivity=bound, epsilon=epsilon)


release_both_hsic = PairRelease(read_both_hsic)


def rows_of_either_to_leave(values: ArrayLike, proposed: Bin, move: float) -> int:
    """Return A = min{j + t : low_t − 2bj < low or high_t + 2bj ≥ high} for a bin [low, high).

    values: m ≥ 2 numbers. move: b ≥ 0, 0 for inputs, which training rows do not move. 0 if the IQR
    is outside already.
    """
    best = changes_to_leave(values, proposed.low, proposed.high)
    if move == 0:
        return best
    for t in range(best):
        # Both ends are inside the bin for t < best; as many training rows as the nearer one needs.
        ends = iqr_range(values, t)
        best = min(best, t + min(rows_to_leave(end, proposed, move) for end in ends))
        if t + 1 >= best:
            break
    return best


def read_both_iqr(data: Any, *, n: int, kernel: Kernel, lam: float, **setting: Any) -> Statistic:
    """Read ln IQR of x′, y′, r′_X and r′_Y, in this order.

    data: shape (n + m, 2), the first ``n`` rows for training; within [−1, 1]. kernel, lam: of the
    regressions. setting: of ``read_iqrs``.

    Shape of the result: (size, 4); NaN is ⊥. Guarantee, as it stands: (12ε, 4δ)-DP under
    replacement of one row of either set, with δ larger by 2^-47 for the tests' noise. Raises
    ``UsageError`` for parameters outside their range.
    """
    vectors = split_vectors(data, n, kernel=kernel, lam=lam)
    moves = (0.0, 0.0, *[repaired_move(n, lam)] * 2)
    proposals = [
        (iqr(values), partial(rows_of_either_to_leave, values, move=move))
        for values, move in zip(vectors, moves, strict=True)
    ]
    return read_iqrs(proposals, **setting)


release_both_iqr = PairRelease(read_both_iqr)


def close_pairs(residuals: ArrayLike, distance: float) -> int:
    """Return N(u): the number of pairs i < j with |r_i − r_j| ≤ u, in O(m log m)."""
    ordered = np.sort(parameters.vector(residuals, "residuals"))
    # Differences, not r + u, decide: found by halving, as the differences from r_i grow with j.
    low, high = np.arange(ordered.size), np.full(ordered.size, ordered.size)
    while np.any(high - low > 1):
        middle = (low + high) // 2
        within = ordered[middle] - ordered <= distance
        low, high = np.where(within, middle, low), np.where(within, high, middle)
    return int(np.sum(low - np.arange(ordered.size)))


def distance_to_crowding(residuals: ArrayLike, move: float, proposed: int) -> int:
    """Return d = min{j + t : N(2b(1 + j)) + t(m − 1) > n*}.

    residuals: m ≥ 2 numbers. move: b > 0. proposed: n*, from 1 on.
    """
    ordered = np.sort(parameters.vector(residuals, "residuals"))
    step, most = 2 * parameters.positive(move, "move"), parameters.natural(proposed, "proposed")
    best = most // (rows(ordered.size) - 1) + 1
    j = 0
    while j < best:
        pairs = close_pairs(ordered, step * (1 + j))
        t = 0 if pairs > most else (most - pairs) // (ordered.size - 1) + 1
        best = min(best, j + t)
        j += 1
    return best


def crowding_threshold(epsilon: float, delta: float) -> float:
    """Return ln(1/(2δ))/ε, which Lap(1/ε) exceeds with probability δ; 0 < δ ≤ 1/2."""
    if not 0 < delta <= 0.5:
        raise UsageError(f"delta is {delta!r}: it must be above 0 and at most 1/2")
    return -math.log(2 * delta) / epsilon


def read_both_ranks(
    data: Any,
    *,
    n: int,
    score: RankScore,
    kernel: Kernel,
    lam: float,
    epsilon: Rational | int | float,
    delta: float,
    proposed: int,
) -> Statistic:
    """Read a rank score for both directions.

    data: shape (n + m, 2), the first ``n`` rows for training; within [−1, 1]. score: such as
    ``SPEARMAN``. kernel, lam: of the regressions. epsilon, delta: ε for the test, ε for the noise
    and δ, for each score. proposed: n*, chosen without looking at the data; m − 1 costs no more
    noise than test-set privacy does (Kendall), larger values are passed more easily.

    Shape of the result: (size, 2); NaN is ⊥. Guarantee: (4ε, 2δ)-DP under replacement of one row of
    either set, with δ larger by 2^-49 for the tests' noise. Raises ``UsageError`` for parameters
    outside their range.
    """
    exact = parameters.rational(epsilon, "epsilon")
    vectors = split_vectors(data, n, kernel=kernel, lam=lam)
    furthest = repaired_move(n, lam)
    counts = [distance_to_crowding(r, furthest, proposed) for r in (vectors.r_y, vectors.r_x)]
    grid, steps = grid_for(score.of_either_set(vectors.x.size, proposed))
    return Statistic(
        to_grid(two_scores(vectors, score.of), grid),
        steps / exact,
        grid,
        [(count,) for count in counts],
        crowding_threshold(float(exact), delta),
        float(exact),
    )


release_both_ranks = PairRelease(read_both_ranks)
