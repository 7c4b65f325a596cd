import math

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.regression.kernel_ridge import (
    fit,
    residual_bound,
    residual_bound_printed,
    typical_residual_bound,
)
from provado.mechanisms.regression.kernels import SquaredExponential
from tests.mechanisms.regression.matern import Matern

KERNELS = [
    SquaredExponential(0.1),
    SquaredExponential(1.0),
    SquaredExponential(50.0),
    Matern(0.5, 1),
]
GRID = np.linspace(-1, 1, 41)


def largest_moves(kernel, lam, x, y, new_x, new_y):
    """Return for each row of x, y how far replacing its first record moves a prediction."""
    trials, n = x.shape
    points = np.concatenate([np.broadcast_to(GRID, (trials, 41)), x, new_x[:, None]], axis=1)

    def predictions(columns, targets):
        gram = kernel(columns[:, :, None], columns[:, None, :]) + lam * n / 2 * np.eye(n)
        alpha = np.linalg.solve(gram, targets[:, :, None])
        return (kernel(points[:, :, None], columns[:, None, :]) @ alpha)[:, :, 0]

    other_x, other_y = x.copy(), y.copy()
    other_x[:, 0], other_y[:, 0] = new_x, new_y
    return np.abs(predictions(x, y) - predictions(other_x, other_y)).max(axis=1)


def worst_found(kernel, lam, n, *, trials=60, steps=30, seed=5):
    """Return the largest move found by random hill climbing over neighbors of n records.

    Predictions are linear in y, so their distance is convex in it and ±1 are the y to try.
    """
    draw = np.random.default_rng(seed)
    x, y = draw.uniform(-1, 1, (trials, n)), draw.choice([-1.0, 1.0], (trials, n))
    new_x, new_y = draw.uniform(-1, 1, trials), draw.choice([-1.0, 1.0], trials)
    best = largest_moves(kernel, lam, x, y, new_x, new_y)
    for step in range(steps):
        width = 0.5 * 0.9**step
        trial = (
            np.clip(x + width * draw.standard_normal(x.shape), -1, 1),
            np.where(draw.random(y.shape) < 0.15, -y, y),
            np.clip(new_x + width * draw.standard_normal(trials), -1, 1),
            np.where(draw.random(trials) < 0.15, -new_y, new_y),
        )
        found = largest_moves(kernel, lam, *trial)
        up = found > best
        for old, new in zip((x, y, new_x, new_y, best), (*trial, found), strict=True):
            old[up] = new[up]
    return float(best.max())


def isolated_move(n, lam):
    """Return how far the prediction at 1 moves when the only record there has its y turned."""
    kernel = SquaredExponential(0.01)
    x, y = np.array([1.0] + [-1.0] * (n - 1)), np.ones(n)
    turned = y.copy()
    turned[0] = -1
    first, second = (fit(x, v, kernel=kernel, lam=lam).predict([1.0])[0] for v in (y, turned))
    return abs(first - second)


@pytest.mark.parametrize("lam", [1e-3, 0.05, 0.3, 1.0])
def test_no_neighbors_found_exceed_either_bound(lam):
    for n in (1, 2, 5, 9):
        worst = max(worst_found(kernel, lam, n) for kernel in KERNELS)
        assert 0 < worst <= residual_bound(n, lam)
        assert worst <= residual_bound_printed(n, lam)


@pytest.mark.parametrize("lam", [4.0, 30.0])
def test_the_repaired_bound_holds_for_large_lambda_and_its_half_does_not(lam):
    for n in (2, 9):
        worst = max(worst_found(kernel, lam, n) for kernel in KERNELS)
        assert worst <= residual_bound(n, lam)
        assert worst > residual_bound(n, lam) / 2


def test_half_the_repaired_bound_fails_within_the_theorem_too():
    assert residual_bound(60, 1.0) / 2 < isolated_move(60, 1.0) < residual_bound(60, 1.0)


def test_an_isolated_record_moves_as_the_docstring_says():
    for n, lam in ((1, 0.5), (7, 0.02), (50, 3.0)):
        assert isolated_move(n, lam) == pytest.approx(4 / (n * lam + 2), abs=1e-12)
    # Beyond λ = 4 the printed form would be wrong, not only unproved.
    n, lam = 40, 6.0
    assert 8 / (n * lam**1.5) < isolated_move(n, lam) <= residual_bound(n, lam)


def test_the_search_moves_what_fit_moves():
    kernel, lam = Matern(0.5, 1.0), 0.4
    draw = np.random.default_rng(2)
    x, y = draw.uniform(-1, 1, (1, 4)), draw.uniform(-1, 1, (1, 4))
    found = largest_moves(kernel, lam, x, y, np.array([0.3]), np.array([-0.7]))[0]
    other_x, other_y = x[0].copy(), y[0].copy()
    other_x[0], other_y[0] = 0.3, -0.7
    points = np.concatenate([GRID, x[0], [0.3]])
    first = fit(x[0], y[0], kernel=kernel, lam=lam).predict(points)
    second = fit(other_x, other_y, kernel=kernel, lam=lam).predict(points)
    assert found == pytest.approx(np.abs(first - second).max(), abs=1e-12)


def test_the_printed_bound_follows_from_the_repaired_one_up_to_its_lambda():
    edge = (2 - math.sqrt(0.5)) ** 2
    for lam in (1e-6, 0.1, 0.9, 1.0):
        assert residual_bound(10, lam) < residual_bound_printed(10, lam)
    assert residual_bound(1, edge) == pytest.approx(8 / edge**1.5)
    assert residual_bound(1, 1.1 * edge) > 8 / (1.1 * edge) ** 1.5


def test_printed_lambda_and_bad_values_are_refused():
    with pytest.raises(UsageError, match=r"lam is 1\.01: Theorem 5 is stated for lam at most 1"):
        residual_bound_printed(10, 1.01)
    for bound in (residual_bound, residual_bound_printed):
        with pytest.raises(UsageError, match="n is"):
            bound(0, 0.5)
        with pytest.raises(UsageError, match="lam is"):
            bound(5, 0.0)


def root_mean_squares(kernel, lam, x, y, new_x, new_y):
    """Return for each row √(Σ d²/n), d the moves of predictions at the records that stay."""
    n = x.shape[1]

    def predictions(columns, targets):
        gram = kernel(columns[:, :, None], columns[:, None, :]) + lam * n / 2 * np.eye(n)
        alpha = np.linalg.solve(gram, targets[:, :, None])
        return (kernel(x[:, 1:, None], columns[:, None, :]) @ alpha)[:, :, 0]

    other_x, other_y = x.copy(), y.copy()
    other_x[:, 0], other_y[:, 0] = new_x, new_y
    moves = predictions(x, y) - predictions(other_x, other_y)
    return np.sqrt((moves**2).sum(axis=1) / n)


def worst_mean_square(kernel, lam, n, *, trials=30, steps=30, seed=7):
    """Return the largest root mean square found by random hill climbing over neighbors."""
    draw = np.random.default_rng(seed)
    x, y = draw.uniform(-1, 1, (trials, n)), draw.choice([-1.0, 1.0], (trials, n))
    # Records at one place share one prediction, which moves with any of them.
    x[: trials // 2] = x[: trials // 2, :1]
    new_x, new_y = x[:, 0].copy(), -y[:, 0]
    best = root_mean_squares(kernel, lam, x, y, new_x, new_y)
    for step in range(steps):
        width = 0.5 * 0.9**step
        trial = (
            np.clip(x + width * draw.standard_normal(x.shape), -1, 1),
            np.where(draw.random(y.shape) < 0.15, -y, y),
            np.clip(new_x + width * draw.standard_normal(trials), -1, 1),
            np.where(draw.random(trials) < 0.15, -new_y, new_y),
        )
        found = root_mean_squares(kernel, lam, *trial)
        up = found > best
        for old, new in zip((x, y, new_x, new_y, best), (*trial, found), strict=True):
            old[up] = new[up]
    return float(best.max())


@pytest.mark.parametrize("lam", [0.01, 0.3, 1.0, 2.0, 6.0])
def test_no_neighbors_found_move_the_others_further_in_the_mean(lam):
    for n in (2, 9):
        worst = max(worst_mean_square(kernel, lam, n) for kernel in KERNELS)
        assert 0 < worst <= typical_residual_bound(n, lam)
        assert worst <= residual_bound(n, lam)


def test_six_tenths_of_the_bound_in_the_mean_fail():
    # All records at one place: the common prediction moves by 4/(n(λ + 2)).
    n, lam = 50, 1.0
    kernel = SquaredExponential(1.0)
    x, y = np.zeros((1, n)), np.ones((1, n))
    found = root_mean_squares(kernel, lam, x, y, np.zeros(1), -np.ones(1))[0]
    assert found == pytest.approx(4 / (n * (lam + 2)) * math.sqrt((n - 1) / n))
    assert 0.6 * typical_residual_bound(n, lam) < found < typical_residual_bound(n, lam)


def test_the_bound_in_the_mean_is_below_the_other_and_has_no_jump():
    for lam in (1e-3, 0.1, 1.0, 2.0, 50.0):
        assert typical_residual_bound(30, lam) < residual_bound(30, lam)
    assert typical_residual_bound(9, 2.0) == pytest.approx(typical_residual_bound(9, 2.0 + 1e-12))
    assert typical_residual_bound(1000, 1.0) == pytest.approx(1.914e-3, abs=1e-6)
    with pytest.raises(UsageError, match="n is"):
        typical_residual_bound(0, 1.0)
    with pytest.raises(UsageError, match="lam is"):
        typical_residual_bound(5, -1.0)
