from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.mechanisms import UsageError
from provado.mechanisms.regression.kernels import SquaredExponential, median_bandwidth
from provado.mechanisms.scores.hsic import hsic as module
from provado.mechanisms.scores.hsic.hsic import (
    BLOCK,
    HSIC,
    hsic,
    hsic_blocked,
    hsic_median_heuristic,
    hsic_sensitivity,
    hsic_sensitivity_improved,
)
from tests.mechanisms.regression.matern import Matern
from tests.mechanisms.scores.neighbor_search import worst_of_values
from tests.mechanisms.scores.score_variants import hsic_sensitivity_appendix_printed

PAIRS = [
    (SquaredExponential(1.0), SquaredExponential(0.3)),
    (Matern(0.5, 1.0), SquaredExponential(2.0)),
    (Matern(1.5, 0.7), Matern(2.5, 1.3)),
]


def naive(a, b, k, l):  # noqa: E741
    """Multiply the matrices of equation (4)."""
    m = len(a)
    K = np.array([[float(k(x, y)) for y in a] for x in a])
    L = np.array([[float(l(x, y)) for y in b] for x in b])
    H = np.eye(m) - 1 / m
    return np.trace(K @ H @ L @ H) / (m - 1) ** 2


def by_matrices(a, b, k, l):  # noqa: E741
    K, L = k(a[:, None], a), l(b[:, None], b)
    H = np.eye(a.size) - 1 / a.size
    return np.trace(K @ H @ L @ H) / (a.size - 1) ** 2


def table(m, seed=4):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=m)
    return a, a**2 + rng.normal(size=m)


@pytest.mark.parametrize(("k", "l"), PAIRS)
@pytest.mark.parametrize("m", [2, 3, 20])
def test_agrees_with_the_trace_entry_by_entry(k, l, m):  # noqa: E741
    a, b = table(m)
    wanted = naive(a, b, k, l)
    assert hsic_blocked(a, b, k, l) == pytest.approx(wanted, rel=1e-12)
    assert hsic(a, b, k, l) == pytest.approx(wanted, rel=1e-12)
    assert hsic(a, b[::-1], k, l) != pytest.approx(wanted, rel=1e-6) or m < 20


@pytest.mark.parametrize(("k", "l"), PAIRS)
@pytest.mark.parametrize("m", [BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 40])
def test_agrees_with_the_trace_over_several_blocks(k, l, m):  # noqa: E741
    a, b = table(m)
    wanted = by_matrices(a, b, k, l)
    assert hsic_blocked(a, b, k, l) == pytest.approx(wanted, rel=1e-11)
    assert hsic(a, b, k, l) == pytest.approx(wanted, rel=1e-11)


def test_blocks_off_the_diagonal_count_twice(monkeypatch):
    a, b = table(50)
    k = PAIRS[1]
    whole = hsic_blocked(a, b, *k)
    monkeypatch.setattr(module, "BLOCK", 7)
    assert hsic_blocked(a, b, *k) == pytest.approx(whole, rel=1e-13)


def test_takes_any_function_that_broadcasts():
    def triangle(x, y):
        return np.maximum(0, 1 - np.abs(x - y))

    a, b = table(30)
    assert hsic(a, b, triangle, PAIRS[0][0]) == pytest.approx(
        naive(a, b, triangle, PAIRS[0][0]), rel=1e-12
    )
    with pytest.raises(UsageError, match="it must broadcast"):
        hsic(a, b, lambda x, y: np.ones(3), triangle)


def test_falls_back_where_the_factor_would_be_too_wide():
    a, b = table(300)
    a[0] = 1e6
    k = SquaredExponential(1.0)
    assert hsic(a, b, k, k) == hsic_blocked(a, b, k, k)
    assert hsic(a, b, k, k) == pytest.approx(by_matrices(a, b, k, k), rel=1e-11)


@settings(max_examples=40)
@given(st.lists(st.tuples(*[st.floats(-5, 5)] * 2), min_size=2, max_size=12), st.integers(0, 99))
def test_symmetric_unordered_shift_free_and_not_negative(rows, seed):
    a, b = (np.array(x) for x in zip(*rows, strict=True))
    order = np.random.default_rng(seed).permutation(a.size)
    for k, l in PAIRS:  # noqa: E741
        value = hsic_blocked(a, b, k, l)
        assert value > -1e-13
        for same in (
            hsic_blocked(b, a, l, k),
            hsic_blocked(a[order], b[order], k, l),
            hsic_blocked(a + 4, b - 4, k, l),
        ):
            assert same == pytest.approx(value, abs=1e-12)


def test_a_constant_column_scores_zero():
    a, _ = table(300)
    k = SquaredExponential(1.0)
    for function in (hsic, hsic_blocked):
        assert function(a, np.ones(300), k, k) == pytest.approx(0, abs=1e-13)
        assert function(a[:3], np.ones(3), k, k) == pytest.approx(0, abs=1e-13)


@pytest.mark.parametrize("kernel", [SquaredExponential(1.0), Matern(0.5, 1.0)])
@pytest.mark.parametrize("m", [2, 3, 4])
def test_no_neighbors_pass_the_stated_bounds(kernel, m):
    score = partial(hsic_blocked, kernel_a=kernel, kernel_b=kernel)
    worst = worst_of_values(score, m, (0.0, 100.0, 200.0, 1.0)[: 3 + (m < 4)])
    assert worst < hsic_sensitivity_improved(m) < hsic_sensitivity(m)
    # The misprint is not refuted by these neighbors, a bound of 1/m is.
    assert worst < hsic_sensitivity_appendix_printed(m)
    assert worst > 1 / m


@pytest.mark.parametrize("m", [20, 60])
def test_two_clusters_lose_more_than_one_over_m(m):
    near = np.repeat([0.0, 100.0], [m // 2, m - m // 2])
    moved = near.copy()
    moved[0] = 100.0
    change = abs(HSIC.of(near, near) - HSIC.of(near, moved))
    assert 1 / m < change < hsic_sensitivity_improved(m)


def test_the_median_heuristic_moves_by_more_than_a_fixed_kernel_allows():
    a, b = table(40)
    fitted = SquaredExponential(median_bandwidth(a)), SquaredExponential(median_bandwidth(b))
    assert hsic_median_heuristic(a, b) == hsic(a, b, *fitted)
    assert hsic_median_heuristic(10 * a, b) == pytest.approx(hsic_median_heuristic(a, b), rel=1e-9)
    assert HSIC.of(10 * a, b) != pytest.approx(HSIC.of(a, b), rel=1e-2)


def test_sensitivities_are_as_printed():
    assert hsic_sensitivity(11) == Fraction(168, 100)
    assert hsic_sensitivity_improved(11) == Fraction(121, 100)
    assert hsic_sensitivity_appendix_printed(11) == Fraction(121, 120)
