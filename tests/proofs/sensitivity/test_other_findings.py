import math
from fractions import Fraction

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.independence_tests.rcit import (
    rcit_score,
    rcit_sensitivity,
    rcit_sensitivity_printed,
)
from provado.mechanisms.regression.kernel_ridge import fit, residual_bound, residual_bound_printed
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.conditional_ranks import (
    conditional_rho_average,
    conditional_tau_average,
)
from provado.mechanisms.scores.iqr import log_iqr_score
from provado.proofs.kernel import KernelRefusal, sum_enclosure
from tests.mechanisms.scores.score_variants import conditional_tau_z, variance_score
from tests.proofs.sensitivity.sharp_bounds.entries import (
    conditional_kendall,
    conditional_spearman,
    log_scores,
    rcit,
    ridge,
)
from tests.proofs.sensitivity.sharp_bounds.entries.hsic import cluster_pair


def columns(data):
    return [np.array(column, dtype=float) for column in zip(*data, strict=True)]


def equal(x, y):
    return np.ones(np.broadcast_shapes(np.shape(x), np.shape(y)))


def line(x, y):
    return np.multiply(x, y)


# Strata.


def random_neighbors(rng, n, strata):
    data = np.c_[rng.integers(0, 6, size=(n, 2)), rng.integers(0, strata, size=n)].astype(float)
    if rng.random() < 0.5:
        data[:, 1] = data[:, 0] * rng.choice([-1, 1])
    moved = data.copy()
    moved[0] = [*rng.choice([-9.0, 0.0, 9.0], size=2), rng.integers(strata)]
    return data, moved


def test_no_random_replacement_moves_the_averages_by_more():
    rng = np.random.default_rng(1)
    for _ in range(500):
        n, strata = int(rng.integers(8, 40)), int(rng.integers(1, 4))
        data, moved = random_neighbors(rng, n, strata)
        tau = [conditional_tau_average(*x.T) for x in (data, moved)]
        left = 2 * n - 7 * strata
        assert abs(tau[0] - tau[1]) <= (Fraction(12, left) if left > 0 else 2)
        rho = [conditional_rho_average(*x.T) for x in (data, moved)]
        assert abs(rho[0] - rho[1]) <= conditional_spearman.upper(n, strata)


def test_a_record_that_changes_stratum_breaks_nine_halves():
    finding = conditional_kendall.FINDINGS[0]
    assert finding.at(1000).printed_holds is False
    assert float(finding.at(4000).worst.change * 4000) == pytest.approx(6, rel=0.01)
    assert float(finding.upper(4000) * 4000) == pytest.approx(6, rel=0.01)
    assert conditional_kendall.breaks_printed_limit(300).verdict == "refuted"


def test_the_z_score_moves_by_more_than_the_released_code_allows():
    for n in (64, 256, 1024):
        d, d_prime = conditional_kendall.switched_on(n)
        moved = abs(conditional_tau_z(*columns(d)) - conditional_tau_z(*columns(d_prime)))
        assert moved > 6 / math.sqrt(n)
        assert conditional_kendall.squared_z(d) == pytest.approx(
            conditional_tau_z(*columns(d)) ** 2
        )
    assert conditional_kendall.z_moves_by_more(Fraction(18)).verdict == "refuted"


def test_a_single_pair_turns_the_average_over():
    for module, of in (
        (conditional_kendall, conditional_tau_average),
        (conditional_spearman, conditional_rho_average),
    ):
        d, d_prime = conditional_kendall.one_pair(20)
        assert [of(*columns(x)) for x in (d, d_prime)] in ([1, -1], [-1, 1])
        assert module.whole_range(Fraction(199, 100)).verdict == "refuted"
        with pytest.raises(KernelRefusal):
            module.whole_range(Fraction(2))


# Logarithms.


def test_log_scores_agree_with_the_floating_ones():
    rng = np.random.default_rng(2)
    for _ in range(30):
        data = tuple((int(a), int(b)) for a, b in rng.integers(-50, 50, size=(9, 2)))
        for exact, floating in (
            (log_scores.variance_product, variance_score),
            (log_scores.iqr_product, log_iqr_score),
        ):
            value = exact(data)
            if value:
                assert math.log(value) == pytest.approx(floating(*columns(data)))


# Ridge.


def test_predictions_agree_with_the_regression():
    data = ((Fraction(1, 2), 1), (Fraction(1, 4), -1), (1, 1))
    x, y = columns(data)
    model = fit(x, y, kernel=line, lam=0.5)
    assert model.predict([1.0])[0] == pytest.approx(float(ridge.slope(data, Fraction(1, 2))))
    far = ((0, 1), (1, 0), (2, 0))
    model = fit([0.0, 0.5, 1.0], [1.0, 0.0, 0.0], kernel=SquaredExponential(1e-3), lam=0.5)
    assert model.predict([0.0])[0] == pytest.approx(
        float(ridge.far_prediction(far, Fraction(1, 2)))
    )


def test_no_random_replacement_moves_predictions_by_more():
    rng = np.random.default_rng(3)
    points = np.linspace(-1, 1, 21)
    for _ in range(200):
        n = int(rng.integers(2, 15))
        root = Fraction(int(rng.integers(1, 30)), 15)
        lam = float(root**2 / 2)
        kernel = SquaredExponential(float(rng.choice([0.05, 0.5, 2.0])))
        x, y = rng.uniform(-1, 1, size=n), rng.choice([-1.0, 1.0], size=n)
        moved_x, moved_y = x.copy(), y.copy()
        moved_x[0], moved_y[0] = rng.uniform(-1, 1), -y[0]
        before, after = (
            fit(a, b, kernel=kernel, lam=lam).predict(points)
            for a, b in ((x, y), (moved_x, moved_y))
        )
        assert np.abs(before - after).max() <= float(ridge.bound(n, root)) + 1e-9


def test_the_ridge_bound_is_below_both_older_ones():
    for root in (Fraction(1, 20), Fraction(1, 2), Fraction(7, 5)):
        lam = float(root**2 / 2)
        for n in (5, 100):
            assert float(ridge.bound(n, root)) < residual_bound(n, lam)
            assert float(ridge.bound(n, root)) < residual_bound_printed(n, lam)
            printed = float(ridge.printed(n, root))
            assert printed <= residual_bound_printed(n, lam) <= printed * 1.0003


def test_large_lambda():
    finding = ridge.ridge_finding(Fraction(40))
    found = finding.at(1000)
    assert found.printed is None
    assert found.worst.change > found.upper * Fraction(95, 100)
    assert ridge.printed_fails_beyond(9, 100).verdict == "refuted"
    with pytest.raises(KernelRefusal):
        ridge.printed_fails_beyond(1, 100)
    with pytest.raises(UsageError):
        ridge.printed_fails_beyond(8)
    with pytest.raises(UsageError):
        ridge.ridge_finding(Fraction(0))


# The regression-based test.


def test_the_exact_score_agrees_with_the_mechanism():
    d, _ = cluster_pair(30, 10, adds=False)
    x, y = columns(d)
    kernel = SquaredExponential(1.0)
    floating = rcit_score(
        x,
        y,
        np.zeros(30),
        kernel_x=kernel,
        kernel_y=kernel,
        ridge_kernel=SquaredExponential(1.0),
        lam=1.0,
    )
    low, high = sum_enclosure(rcit.score(d))
    assert high - low < Fraction(1, 10**12)
    assert floating == pytest.approx(float(low))


def test_equation_3_fails_and_ours_holds():
    found = rcit.FINDINGS[0].at(1000)
    assert found.printed_holds is False
    assert float(found.printed) == pytest.approx(rcit_sensitivity_printed(1000, 1.0, 1.0, 1.0))
    assert found.printed <= rcit.printed_above(1000)
    assert float(found.worst.change) > rcit_sensitivity_printed(1000, 1.0, 1.0, 1.0)
    kernel = SquaredExponential(1.0)
    assert float(found.upper) < rcit_sensitivity(1000, 1.0, kernel.lipschitz, kernel.lipschitz)
    with pytest.raises(KernelRefusal):
        rcit.breaks_equation_3(100)


def test_no_random_replacement_moves_the_rcit_score_by_more():
    rng = np.random.default_rng(4)
    kernel = SquaredExponential(1.0)
    for _ in range(100):
        m = int(rng.integers(3, 25))
        data = rng.choice([-1.0, 0.0, 1.0], size=(m, 3))
        moved = data.copy()
        moved[0] = rng.choice([-1.0, 1.0], size=3)
        scores = [
            rcit_score(*x.T, kernel_x=kernel, kernel_y=kernel, ridge_kernel=kernel, lam=1.0)
            for x in (data, moved)
        ]
        assert abs(scores[0] - scores[1]) <= float(rcit.upper(m))


def test_the_own_residual_agrees_with_the_regression():
    data = ((1,), (0,), (0,), (0,))
    model = fit(np.zeros(4), [1.0, 0.0, 0.0, 0.0], kernel=equal, lam=1.0)
    assert 1 - model.predict([0.0])[0] == pytest.approx(float(rcit.own_residual(data)))


def test_the_p_value_moves_over_its_whole_range():
    for m in (3, 4, 9, 20):
        d, d_prime = rcit.whole_range(m)
        assert (rcit.p_value(d), rcit.p_value(d_prime)) == (0, 1)
