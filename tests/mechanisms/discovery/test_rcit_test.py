from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.independence_tests import rcit as rcit_test
from provado.mechanisms.graph_discovery.independence_tests.rcit import (
    RCIT,
    Scores,
    fixed_kernel,
    median_kernel,
    rcit_score,
)
from provado.mechanisms.graph_discovery.tables.numeric import NumericTable, numeric_columns
from provado.mechanisms.regression.kernels import SquaredExponential, median_bandwidth
from provado.mechanisms.scores.hsic.permuted import PermutationTest
from tests.mechanisms.scores.rcit_p_values import residuals


def table(d=4, n=40, seed=1):
    draw = np.random.default_rng(seed)
    return NumericTable(tuple(f"v{i}" for i in range(d)), draw.uniform(-1, 1, (d, n)))


def naive_hsic(u, v, widths):
    m = len(u)
    h = np.eye(m) - 1 / m
    k, l = (  # noqa: E741
        np.exp(-((c[:, None] - c[None, :]) ** 2) / (2 * w**2))
        for c, w in zip((u, v), widths, strict=True)
    )
    return np.trace(k @ h @ l @ h) / (m - 1) ** 2


def test_residuals_are_those_of_each_column_alone():
    data = table()
    rcit = RCIT(data, choose=fixed_kernel(0.6), lam=0.2, permutations=3)
    kernel = SquaredExponential(0.6)
    u, v = rcit.residuals(0, 3, (1, 2))
    points = data.values[[1, 2]].T
    for found, column in ((u, 0), (v, 3)):
        alone = residuals(data.values[column], points, kernel=kernel, lam=0.2)
        assert found == pytest.approx(alone, abs=1e-12)
    assert rcit.residuals(0, 3, ())[1] == pytest.approx(data.values[3])
    score = rcit.scores(0, 3, (1, 2), np.random.default_rng(0)).test.score
    named = {"kernel_x": kernel, "kernel_y": kernel, "ridge_kernel": kernel}
    expected = rcit_score(data.values[0], data.values[3], points, lam=0.2, **named)
    assert score == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("given", [(), (2,), (2, 3)])
def test_scores_and_shares_are_those_of_the_definition(given):
    data = table()
    rcit = RCIT(data, choose=median_kernel, lam=0.2, permutations=20)
    scores = rcit.scores(0, 1, given, np.random.default_rng(7))
    u, v = rcit.residuals(0, 1, given)
    assert scores.widths == (median_bandwidth(u), median_bandwidth(v))
    orders = np.random.default_rng(7)
    permuted = [naive_hsic(u[orders.permutation(u.size)], v, scores.widths) for _ in range(20)]
    score = naive_hsic(u, v, scores.widths)
    assert scores.test.score == pytest.approx(score, rel=1e-8)
    assert scores.test.permuted == pytest.approx(permuted, rel=1e-7)
    change = 0.1 * score
    naive = tuple(
        Fraction(sum(score < other + shift for other in permuted), 20)
        for shift in (0, -2 * change, 2 * change)
    )
    assert scores.shares(change) == naive
    assert scores.below(3) == pytest.approx(sorted(permuted)[-3] - score, rel=1e-6, abs=1e-9)


def test_ties_that_rounding_hides_are_ties():
    test = PermutationTest(1.0, np.array([1.0 + 1e-13, 2.0]), 1e-12)
    assert Scores(test, (1.0, 1.0)).shares()[0] == Fraction(1, 2)
    assert Scores(PermutationTest(1.0, test.permuted, 0.0), (1.0, 1.0)).shares()[0] == 1


def test_a_conditioning_set_is_fitted_once_and_few_are_kept(monkeypatch):
    fitted = []
    plain = rcit_test.fit

    def counting(points, targets, **rest):
        fitted.append(points.shape)
        return plain(points, targets, **rest)

    monkeypatch.setattr(rcit_test, "fit", counting)
    data = table(d=5)
    rcit = RCIT(data, choose=fixed_kernel(1.0), lam=1.0, permutations=1)
    for x, y in ((0, 1), (0, 2), (1, 2)):
        rcit.residuals(x, y, (3,))
    assert fitted == [(40, 1)]
    monkeypatch.setattr(rcit_test, "_KEPT_BYTES", 2 * data.values.nbytes)
    short = RCIT(data, choose=fixed_kernel(1.0), lam=1.0, permutations=1)
    fitted.clear()
    for given in ((1,), (2,), (1,), (3,), (1,), (2,)):
        short.residuals(0, 4, given)
    # (2,) was used longest ago when (3,) came.
    assert len(fitted) == 4
    assert len(short._kept) == 2


def test_columns_without_a_median_are_named():
    flat = numeric_columns({"a": [0, 1] * 10, "b": range(20)}, ranges={"a": (0, 1)})
    two = RCIT(flat, choose=median_kernel, lam=1.0, permutations=2)
    constant = numeric_columns({"a": [1] * 20, "b": range(20)}, ranges={"a": (0, 2)})
    one = RCIT(constant, choose=median_kernel, lam=1.0, permutations=2)
    rng = np.random.default_rng(0)
    assert two.scores(0, 1, (), rng).widths[0] == 2
    with pytest.raises(UsageError, match="column 'a': values: at least half"):
        one.scores(0, 1, (), rng)
    with pytest.raises(UsageError, match="column 'a': values: at least half"):
        one.residuals(1, 1, (0,))
    # A fixed kernel asks nothing of the data: HSIC with a constant is 0.
    fixed = RCIT(constant, choose=fixed_kernel(1.0), lam=1.0, permutations=2)
    assert fixed.scores(0, 1, (), rng).test.score == pytest.approx(0, abs=1e-15)
