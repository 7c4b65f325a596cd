import math
from fractions import Fraction

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.scores.hsic import hsic_sensitivity_improved
from provado.mechanisms.scores.kernels import SquaredExponential
from provado.mechanisms.scores.rcit import (
    hsic_sensitivity_short,
    p_value_bounds,
    permuted_scores,
    rcit_score,
    rcit_sensitivity,
    rcit_sensitivity_printed,
    residuals,
)

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
    found = permuted_scores(x, y, orders, kernel_u=KERNEL, kernel_v=KERNEL)
    assert found == pytest.approx([naive_score(x[order], y) for order in orders], abs=1e-12)


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
