from __future__ import annotations

import math

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.independence_tests.margin import (
    is_asked,
    margin_sensitivity,
    rank_of_level,
    score_range,
)
from provado.mechanisms.graph_discovery.independence_tests.rcit import (
    hsic_sensitivity_short,
    rcit_sensitivity,
    rcit_sensitivity_printed,
)
from provado.mechanisms.regression.kernel_ridge import fit, typical_residual_bound
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.hsic.permuted import hsic_permuted

M, TRIALS = 40, 24


def grams(columns, width):
    return np.exp(-((columns[:, :, None] - columns[:, None, :]) ** 2) / (2 * width**2))


def residuals(x, z, width, lam):
    m = x.shape[1]
    ridge = lam * m / 2
    solved = np.linalg.solve(grams(z, width) + ridge * np.eye(m), x[:, :, None])
    return ridge * solved[:, :, 0]


def margins(record, rest, orders, rank, width, lam):
    """Return (rank-th largest permuted score) − (score) of each trial, from kernel matrices.

    record: shape (trials, 3), x, y and z of the first record. rest: shape (trials, m − 1, 3).
    """
    x, y, z = np.moveaxis(np.concatenate([record[:, None], rest], axis=1), 2, 0)
    if lam is not None:
        x, y = (residuals(column, z, width, lam) for column in (x, y))
    k, l_centred = grams(x, width), grams(y, width)
    for axis in (1, 2):
        l_centred = l_centred - l_centred.mean(axis=axis, keepdims=True)
    m = x.shape[1]
    score = (k * l_centred).sum(axis=(1, 2)) / (m - 1) ** 2
    permuted = np.sort(
        [(k[:, o[:, None], o] * l_centred).sum(axis=(1, 2)) / (m - 1) ** 2 for o in orders], axis=0
    )
    return permuted[-rank] - score


def start(draw, orders):
    """Datasets to climb from: at random, and two clusters in agreement."""
    rest = draw.uniform(-1, 1, (TRIALS, M - 1, 3))
    clusters = draw.choice([-1.0, 1.0], (TRIALS // 2, M - 1), p=[1 / 3, 2 / 3])
    rest[: TRIALS // 2, :, 0] = rest[: TRIALS // 2, :, 1] = clusters
    # A common z leaves residuals as they are; the record that trades places with the first one
    # under the first permutation disagrees, as the first one does.
    rest[: TRIALS // 4, :, 2] = 0
    traded = int(orders[0][0]) - 1
    rest[: TRIALS // 2, traded, :2] = (-1, 1)
    return rest


def worst_found(width, lam, rank, *, steps=40, seed=3):
    draw = np.random.default_rng(seed)
    swap = np.arange(M)
    swap[[0, 5]] = [5, 0]
    orders = [swap, draw.permutation(M), draw.permutation(M)]
    rest = start(draw, orders)
    pair = draw.uniform(-1, 1, (2, TRIALS, 3))
    pair[0, : TRIALS // 2], pair[1, : TRIALS // 2] = (1, -1, 0), (1, 1, 0)

    def change(pair, rest):
        first, second = (margins(one, rest, orders, rank, width, lam) for one in pair)
        return np.abs(first - second)

    best = change(pair, rest)
    for step in range(steps):
        size = 0.5 * 0.93**step
        trial = [
            np.clip(
                one + size * draw.standard_normal(one.shape) * (draw.random(one.shape) < 0.3), -1, 1
            )
            for one in (pair, rest)
        ]
        found = change(*trial)
        up = found > best
        pair[:, up], rest[up], best[up] = trial[0][:, up], trial[1][up], found[up]
    return float(best.max())


@pytest.mark.parametrize("lam", [None, 0.3, 1.0])
@pytest.mark.parametrize("width", [0.5, 1.5])
def test_no_neighbors_found_move_the_margin_further(width, lam):
    bound = margin_sensitivity(M, SquaredExponential(width).lipschitz, lam)
    worst = max(worst_found(width, lam, rank) for rank in (1, 2))
    assert worst <= bound
    if lam is None:
        # The bound says something at this size: the margin spans twice the range of a score.
        assert bound < 2 * score_range(M)


def test_the_own_row_cannot_be_left_out():
    # What equation (3) does: only the residuals' common moves are counted.
    width, lam = 1.0, 1.0
    slope = SquaredExponential(width).lipschitz
    bound = margin_sensitivity(M, slope, lam) - margin_sensitivity(M, slope)
    assert bound == pytest.approx(
        2 * math.sqrt(2) * slope * typical_residual_bound(M, lam) * (M / (M - 1)) ** 2
    )
    # For larger λ the common moves vanish, the own row's do not.
    common = margin_sensitivity(M, slope, 30.0) - margin_sensitivity(M, slope)
    assert worst_found(width, 30.0, 1) > common


def test_equation_3_fails_for_the_margin_and_the_proved_bound_does_not():
    m = 1400
    x = np.repeat([1.0, -1.0], m // 2)
    y = x.copy()
    # The first record disagrees, as does the last; the permutation trades their x.
    y[0], y[-1] = -1, 1
    order = np.arange(m)
    order[[0, -1]] = order[[-1, 0]]
    kernel, found = SquaredExponential(1.0), []
    for own in (-1.0, 1.0):
        y[0] = own
        columns = fit(np.zeros(m), np.stack([x, y], axis=1), kernel=kernel, lam=1.0)
        u, v = np.ascontiguousarray(columns.training_residuals().T)
        test = hsic_permuted(u, v, [order], kernel, kernel)
        found.append(test.permuted[0] - test.score)
    moved = abs(found[0] - found[1])
    assert moved > 2 * rcit_sensitivity_printed(m, 1.0, 1.0, 1.0)
    assert moved <= margin_sensitivity(m, kernel.lipschitz, 1.0)


def test_it_is_below_what_the_bounds_on_each_score_give():
    slope = SquaredExponential(1.0).lipschitz
    for m in (10, 100, 10_000):
        assert margin_sensitivity(m, slope) < 2 * hsic_sensitivity_short(m)
        for lam in (0.01, 1.0, 5.0):
            assert margin_sensitivity(m, slope, lam) < 2 * rcit_sensitivity(m, lam, slope, slope)
    ratio = 2 * rcit_sensitivity(10**5, 1.0, slope, slope) / margin_sensitivity(10**5, slope, 1.0)
    assert 9 < ratio < 10


def test_scores_stay_within_their_range():
    # Half and half, far apart: the largest there is.
    for m in (2, 10, 41):
        x = np.where(np.arange(m) % 2, 1.0, -1.0)
        kernel = SquaredExponential(0.05)
        score = hsic_permuted(x, x, [np.arange(m)], kernel, kernel).score
        assert 0.98 * score_range(m) <= score <= score_range(m) * (1 + 1e-9)


@pytest.mark.parametrize("alpha", [0.05, 0.29, 0.07, 0.57, 0.999, 1e-9])
@pytest.mark.parametrize("k", [1, 7, 100])
def test_the_rank_says_what_the_p_value_says(alpha, k):
    rank = rank_of_level(alpha, k)
    assert 1 <= rank <= k
    for above in range(k + 1):
        # k − above scores tie with the score or lie below it.
        largest_first = [1] * above + [0] * (k - above)
        assert (above / k <= alpha) == (largest_first[rank - 1] <= 0)


def test_tests_without_hope_are_not_asked():
    slope = SquaredExponential(0.5).lipschitz
    assert is_asked(1000, slope, 1.0)
    assert not is_asked(20, slope, 1.0)
    assert not is_asked(1000, slope, 1e-6)
    assert is_asked(40, slope)
    assert not is_asked(15, slope)
    asked = [m for m in range(2, 400) if is_asked(m, slope, 0.1)]
    assert asked == list(range(asked[0], 400))


def test_bad_arguments_are_named():
    with pytest.raises(UsageError, match="m is 1"):
        margin_sensitivity(1, 1.0)
    with pytest.raises(UsageError, match="slope is 0"):
        margin_sensitivity(10, 0.0, 1.0)
    with pytest.raises(UsageError, match="lam is 0"):
        margin_sensitivity(10, 1.0, 0.0)
    with pytest.raises(UsageError, match="alpha is 1"):
        rank_of_level(1.0, 10)
    with pytest.raises(UsageError, match="permutations is 0"):
        rank_of_level(0.1, 0)


def test_one_value_of_one_column_moves_the_score_as_the_proof_says():
    # Two clusters that agree, one of all shares; a record's x changes cluster, its y stays.
    m, kernel = 90, SquaredExponential(0.05)
    bound = (1 + 1 / math.sqrt(2)) / m + 4 / m**2
    moves = []
    for rare in range(1, m):
        y = np.where(np.arange(m) < rare, 1.0, -1.0)
        moved = y.copy()
        moved[0] = -1
        first, second = (
            hsic_permuted(x, y, [np.arange(m)], kernel, kernel).score for x in (y, moved)
        )
        moves.append(abs(first - second))
    assert 0.64 * bound < max(moves) <= bound
    assert max(moves) == pytest.approx(32 / 27 / m, rel=0.03)
    assert np.argmax(moves) + 1 == pytest.approx(m / 3, abs=1)
