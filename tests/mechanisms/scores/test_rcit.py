import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.independence_tests.rcit import (
    hsic_sensitivity_short,
    p_value_bounds,
    rcit_score,
    rcit_sensitivity,
    rcit_sensitivity_printed,
)
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.hsic.hsic import hsic_sensitivity_improved
from provado.mechanisms.scores.hsic.permuted import draw_permutations, hsic_permuted
from tests.mechanisms.regression.matern import Matern
from tests.mechanisms.scores.gamma_approximation import hsic_gamma_p_value
from tests.mechanisms.scores.rcit_p_values import rcit_gamma_p_value, rcit_p_value, residuals

KERNEL = SquaredExponential(1.0)


def gram(x, width=1.0):
    return np.exp(-((x[:, None] - x[None, :]) ** 2) / (2 * width**2))


def naive_score(u, v):
    m = len(u)
    h = np.eye(m) - 1 / m
    return np.trace(gram(u) @ h @ gram(v) @ h) / (m - 1) ** 2


def data(m=25, seed=1):
    rng = np.random.default_rng(seed)
    z = rng.uniform(-0.5, 0.5, m)
    x, y = (np.sin(z) + rng.uniform(-0.4, 0.4, m) for _ in range(2))
    return x, y, z


def test_residuals_solve_the_printed_objective():
    x, _, z = data()
    m, lam = len(x), 0.7
    alpha = np.linalg.solve(gram(z) + lam * m / 2 * np.eye(m), x)
    assert residuals(x, z, kernel=KERNEL, lam=lam) == pytest.approx(x - gram(z) @ alpha, abs=1e-12)


def test_the_score_is_hsic_of_residuals():
    x, y, z = data()
    kernels = {"kernel_x": KERNEL, "kernel_y": KERNEL, "ridge_kernel": KERNEL}
    u, v = (residuals(one, z, kernel=KERNEL, lam=1.0) for one in (x, y))
    assert rcit_score(x, y, z, **kernels) == pytest.approx(naive_score(u, v), abs=1e-12)
    assert rcit_score(x, y, None, **kernels) == pytest.approx(naive_score(x, y), abs=1e-12)


def test_permuted_scores_permute_the_first_column():
    x, y, _ = data()
    rng = np.random.default_rng(2)
    orders = [rng.permutation(len(x)) for _ in range(5)]
    found = hsic_permuted(x, y, orders, KERNEL, KERNEL).permuted
    assert found == pytest.approx([naive_score(x[order], y) for order in orders], abs=1e-12)


KERNELS = {"kernel_x": KERNEL, "kernel_y": Matern(0.5, 0.5), "ridge_kernel": KERNEL}


@pytest.mark.parametrize("conditional", [True, False])
def test_the_p_value_is_that_of_the_residuals_scores(conditional):
    x, y, z = data(80)
    given = z if conditional else None
    orders = draw_permutations(80, 30, np.random.default_rng(3))
    found = rcit_p_value(x, y, given, **KERNELS, permutations=orders)
    u, v = (residuals(one, z, kernel=KERNEL, lam=1.0) for one in (x, y)) if conditional else (x, y)
    score = rcit_score(x, y, given, **KERNELS)
    permuted = hsic_permuted(u, v, orders, KERNEL, KERNELS["kernel_y"]).permuted
    assert found.score == pytest.approx(score, rel=1e-11)
    assert np.abs(found.permuted - permuted).max() <= 1.1 * found.error
    assert found.p_printed == p_value_bounds(found.score, list(found.permuted), 0.0)[0]
    assert found.p_valid == Fraction(1 + sum(permuted > score), 31)
    drawn = rcit_p_value(x, y, given, **KERNELS, k=30, rng=np.random.default_rng(3))
    assert drawn.p_valid == found.p_valid
    gamma = rcit_gamma_p_value(x, y, given, **KERNELS)
    assert gamma == pytest.approx(
        hsic_gamma_p_value(u, v, KERNEL, KERNELS["kernel_y"]), rel=1e-9, abs=1e-12
    )


def test_finds_dependence_beyond_the_condition_only():
    rng = np.random.default_rng(4)
    z = rng.uniform(-1, 1, 200)
    x, y = (np.clip(np.sin(2 * z) / 2 + rng.normal(scale=0.1, size=200), -1, 1) for _ in range(2))
    kernels = {
        "kernel_x": SquaredExponential(0.2),
        "kernel_y": SquaredExponential(0.2),
        "ridge_kernel": SquaredExponential(0.5),
        "lam": 1e-3,
    }

    def p_values(y, given):
        found = rcit_p_value(x, y, given, **kernels, rng=np.random.default_rng(5))
        return float(found.p_valid), rcit_gamma_p_value(x, y, given, **kernels)

    assert min(p_values(y, z)) > 0.05
    assert max(p_values(y, None)) < 0.01
    assert max(p_values(np.clip(y + 2 * (x - y) ** 2, -1, 1), z)) < 0.01


def rejections(runs, k, alpha, m=30, of=rcit_p_value):
    """Count how often each p-value is at most alpha on independent columns."""
    valid = printed = 0
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        x, y = rng.uniform(-1, 1, (2, m))
        found = of(x, y, None, **KERNELS, k=k, rng=rng)
        valid += found.p_valid <= alpha
        printed += found.p_printed <= alpha
    return valid, printed


def most(runs, level):
    """Return the 0.9999 quantile of the count of rejections at a level."""
    return stats.binom.ppf(0.9999, runs, level)


def test_levels_by_simulation():
    """With k = 4, the valid p-value is at most 1/4 in 1 of 5 cases, the printed share in 2."""
    valid, printed = rejections(600, 4, Fraction(1, 4))
    assert stats.binom.ppf(0.0001, 600, 1 / 5) <= valid <= most(600, 1 / 4)
    # The broken twin.
    assert most(600, 1 / 4) < printed <= most(600, 2 / 5)


@pytest.mark.slow
def test_levels_by_a_longer_simulation():
    runs = 6000
    valid, printed = rejections(runs, 10, Fraction(1, 10))
    assert stats.binom.ppf(0.0001, runs, 1 / 11) <= valid <= most(runs, 1 / 10)
    # The level of the printed share is 2/11.
    assert stats.binom.ppf(0.0001, runs, 2 / 11) <= printed <= most(runs, 2 / 11)
    assert printed > most(runs, 1 / 10)


@pytest.mark.slow
def test_levels_on_residuals_of_a_regression_that_fits():
    """No guarantee covers residuals; where the fit is good the level is close to the nominal."""
    runs, alpha, rejected = 400, Fraction(1, 20), 0
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        z = rng.uniform(-1, 1, 100)
        x, y = (np.clip(z / 2 + rng.normal(scale=0.1, size=100), -1, 1) for _ in range(2))
        kernels = {**KERNELS, "kernel_y": KERNEL, "ridge_kernel": SquaredExponential(1.0)}
        found = rcit_p_value(x, y, z, **kernels, lam=1e-3, k=99, rng=rng)
        rejected += found.p_valid <= alpha
    assert rejected <= most(runs, 0.1)


def test_a_constant_column_is_dependent_on_nothing_but_for_the_printed_share():
    x, _, z = data(30)
    found = rcit_p_value(x, np.zeros(30), z, **KERNELS, rng=np.random.default_rng(6))
    assert (found.p_printed, found.p_valid) == (0, 1)
    assert rcit_gamma_p_value(x, np.zeros(30), z, **KERNELS) == 1


def test_one_source_of_permutations_and_good_columns_are_needed():
    x, y, z = data(30)
    orders, rng = [np.arange(30)], np.random.default_rng(7)
    for both in ({"rng": rng, "permutations": orders}, {}):
        with pytest.raises(UsageError, match="give exactly one"):
            rcit_p_value(x, y, z, **KERNELS, **both)
    for x_bad, rule in ((2 * x / abs(x).max(), r"x\["), (x[:-1], "equally long")):
        with pytest.raises(UsageError, match=rule):
            rcit_p_value(x_bad, y, z, **KERNELS, rng=rng)
    with pytest.raises(UsageError, match="permutations has shape"):
        hsic_permuted(x, y, [], KERNEL, KERNEL)


def test_p_and_its_bounds():
    p, low, high = p_value_bounds(Fraction(1), [Fraction(n, 2) for n in range(8)], Fraction(1, 2))
    assert (p, low, high) == (Fraction(5, 8), Fraction(3, 8), Fraction(7, 8))
    assert p_value_bounds(1.0, [1.0], 0.0) == (0, 0, 0)
    with pytest.raises(UsageError, match="permuted is empty"):
        p_value_bounds(1.0, [], 0.0)


def test_bounds_are_ordered_and_of_their_orders_in_m():
    for m in range(2, 50):
        assert hsic_sensitivity_short(m) <= hsic_sensitivity_improved(m)
    ratio = [
        rcit_sensitivity(m, 1.0, 0.6, 0.6) / rcit_sensitivity(2 * m, 1.0, 0.6, 0.6) for m in (2000,)
    ]
    assert ratio[0] == pytest.approx(2, abs=0.01)
    printed = [rcit_sensitivity_printed(m, 1.0, 1.0, 1.0) for m in (2000, 4000)]
    assert printed[0] / printed[1] == pytest.approx(4, abs=0.01)
    assert printed[0] == pytest.approx(
        2 * 2000 * 1999 * 2 * (1 - math.exp(-128 / 2000**2)) / 1999**2, rel=1e-9
    )


def test_bad_arguments_are_refused():
    with pytest.raises(UsageError, match="m is"):
        hsic_sensitivity_short(1)
    with pytest.raises(UsageError, match="lam is"):
        rcit_sensitivity(10, 0.0, 1.0, 1.0)
    with pytest.raises(UsageError, match="slope_k is"):
        rcit_sensitivity(10, 1.0, 0.0, 1.0)
    with pytest.raises(UsageError, match="bandwidth is"):
        rcit_sensitivity_printed(10, 1.0, -1.0, 1.0)
