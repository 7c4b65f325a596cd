import numpy as np
import pytest
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.hsic.hsic import hsic_blocked
from provado.mechanisms.scores.hsic.permuted import draw_permutations, hsic_permuted_gathered
from tests.mechanisms.regression.matern import Matern
from tests.mechanisms.scores.gamma_approximation import gamma_moments, hsic_gamma_p_value

WIDE, ROUGH = SquaredExponential(1.0), Matern(0.5, 0.5)


def table(m, seed=3):
    rng = np.random.default_rng(seed)
    return rng.normal(size=m), rng.normal(size=m)


def naive(u, v, k, l):  # noqa: E741
    """Follow the printed estimates entry by entry, for k(x, x) = 1."""
    m = len(u)
    K, L, H = k(u[:, None], u), l(v[:, None], v), np.eye(m) - 1 / m
    off = ~np.eye(m, dtype=bool)
    mu_k, mu_l = K[off].mean(), L[off].mean()
    mean = (1 + mu_k * mu_l - mu_k - mu_l) / m
    squares = ((H @ K @ H) * (H @ L @ H)) ** 2
    factor = 2 * (m - 4) * (m - 5) / (m * (m - 1) * (m - 2) * (m - 3))
    return np.trace(K @ H @ L @ H) / m**2, mean, factor * squares[off].mean()


@pytest.mark.parametrize(("k", "l"), [(WIDE, ROUGH), (ROUGH, ROUGH)])
@pytest.mark.parametrize("m", [6, 64, 65, 400])
def test_moments_agree_with_the_printed_estimates(k, l, m):  # noqa: E741
    u, v = table(m)
    found, (statistic, mean, variance) = gamma_moments(u, v, k, l), naive(u, v, k, l)
    assert found.statistic == pytest.approx(statistic, rel=1e-11)
    assert found.mean == pytest.approx(mean, rel=1e-11)
    assert found.variance == pytest.approx(variance, rel=1e-11)
    assert found.statistic == pytest.approx(hsic_blocked(u, v, k, l) * (m - 1) ** 2 / m**2)
    wanted = stats.gamma.sf(m * statistic, mean**2 / variance, scale=m * variance / mean)
    assert hsic_gamma_p_value(u, v, k, l) == pytest.approx(wanted, rel=1e-9)


def test_moments_are_near_those_of_the_permuted_scores():
    m = 200
    u, v = table(m)
    for k in (WIDE, ROUGH):
        orders = draw_permutations(m, 500, np.random.default_rng(1))
        permuted = hsic_permuted_gathered(u, v, orders, k, k).permuted * (m - 1) ** 2 / m**2
        found = gamma_moments(u, v, k, k)
        assert found.mean == pytest.approx(permuted.mean(), rel=0.05)
        assert found.variance == pytest.approx(permuted.var(), rel=0.35)


def apart(m, runs, scale=1.0):
    """Return the gaps between the two p-values on independent columns."""
    gaps = []
    for seed in range(runs):
        u, v = table(m, seed)
        orders = draw_permutations(m, 400, np.random.default_rng(seed))
        found = hsic_permuted_gathered(u, v, orders, ROUGH, WIDE)
        moments = gamma_moments(u, v, ROUGH, WIDE)
        shape = moments.mean**2 / (scale * moments.variance)
        gamma = stats.gamma.sf(moments.statistic, shape, scale=moments.mean / shape)
        gaps.append(gamma - float(found.p_valid))
    return np.array(gaps)


def test_is_near_the_p_value_by_permutations_on_independent_columns():
    gaps = apart(100, 30)
    # A p-value from 400 permutations has a standard error of at most 0.025.
    assert np.abs(gaps).max() < 0.12
    assert np.abs(gaps).mean() < 0.035
    # With the variance off by a factor of 16, as without a square root, it is not.
    assert np.abs(apart(100, 30, scale=16.0)).mean() > 0.07


@pytest.mark.slow
def test_rejects_about_as_often_as_it_says_on_independent_columns():
    runs, alpha = 2000, 0.05
    rejected = sum(hsic_gamma_p_value(*table(100, s), WIDE, ROUGH) <= alpha for s in range(runs))
    # Asymptotic: within four standard errors and half of α beside.
    assert abs(rejected / runs - alpha) < 4 * np.sqrt(alpha * (1 - alpha) / runs) + alpha / 2


def test_dependent_columns_and_degenerate_ones():
    u, v = table(100)
    assert hsic_gamma_p_value(u, u + v, WIDE, WIDE) < 1e-4
    assert hsic_gamma_p_value(u, np.ones(100), WIDE, WIDE) == 1
    with pytest.raises(UsageError, match="at least 6"):
        hsic_gamma_p_value(u[:5], v[:5], WIDE, WIDE)
    with pytest.raises(UsageError, match="it must broadcast"):
        hsic_gamma_p_value(u, v, WIDE, lambda x, y: np.ones(3))
