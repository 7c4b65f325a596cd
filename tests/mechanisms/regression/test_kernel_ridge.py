import numpy as np
import pytest
from scipy.optimize import minimize

from provado.mechanisms import UsageError
from provado.mechanisms.regression.kernel_ridge import clip_to_unit, fit
from provado.mechanisms.regression.kernels import SquaredExponential
from tests.mechanisms.regression.matern import Matern

KERNELS = [SquaredExponential(0.3), SquaredExponential(2.0), Matern(1.5, 0.5), Matern(0.5, 1.0)]


def data(n, seed=1):
    draw = np.random.default_rng(seed)
    x = draw.uniform(-1, 1, n)
    return x, clip_to_unit(np.sin(3 * x) + 0.3 * draw.standard_normal(n))


def features(kernel, x):
    """Return vectors whose inner products are the kernel's values: rows of a square root of K."""
    values, vectors = np.linalg.eigh(kernel(x[:, None], x[None, :]))
    return vectors * np.sqrt(np.maximum(values, 0))


def objective(w, phi, y, lam):
    """Equation (5), term by term, on explicit features."""
    losses = [(float(w @ row) - float(target)) ** 2 for row, target in zip(phi, y, strict=True)]
    return lam / 2 * float(w @ w) + sum(losses) / len(losses)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("lam", [0.01, 0.5, 3.0])
def test_it_is_the_minimiser_that_a_direct_search_finds(kernel, lam):
    x, y = data(6)
    phi = features(kernel, x)
    found = minimize(
        objective, np.zeros(6), args=(phi, y, lam), method="BFGS", options={"gtol": 1e-9}
    )
    model = fit(x, y, kernel=kernel, lam=lam)
    assert model.predict(x) == pytest.approx(phi @ found.x, abs=1e-6)
    assert float(model.norm) == pytest.approx(float(np.linalg.norm(found.x)), abs=1e-6)


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_gradient_vanishes_there_and_not_with_another_ridge(kernel):
    x, y = data(7)
    lam, step = 0.2, 1e-6
    phi = features(kernel, x)

    def gradient(alpha):
        w = phi.T @ alpha
        ways = np.eye(7) * step
        return np.array(
            [objective(w + e, phi, y, lam) - objective(w - e, phi, y, lam) for e in ways]
        ) / (2 * step)

    assert np.abs(gradient(fit(x, y, kernel=kernel, lam=lam).coefficients)).max() < 1e-8
    # λn and λ in place of λn/2: the two readings of equation (5) that come to mind first.
    for ridge in (lam * 7, lam):
        other = np.linalg.solve(kernel(x[:, None], x[None, :]) + ridge * np.eye(7), y)
        assert np.abs(gradient(other)).max() > 1e-3


def test_prediction_is_the_sum_over_training_points():
    kernel = SquaredExponential(0.4)
    x, y = data(30)
    model = fit(x, y, kernel=kernel, lam=1e-2)
    points = np.linspace(-2, 2, 5000)
    some = [0, 17, 2047, 2048, 4999]
    naive = [
        sum(a * float(kernel(t, p)) for a, t in zip(model.coefficients, x, strict=True))
        for p in points[some]
    ]
    assert model.predict(points)[some] == pytest.approx(naive, abs=1e-9)
    assert model.predict([]).shape == (0,)


def test_targets_of_one_x_give_what_each_gives_alone():
    kernel = Matern(2.5, 0.5)
    x, y = data(20)
    both = fit(x, np.column_stack([y, -(y**2)]), kernel=kernel, lam=0.01)
    for column, target in enumerate((y, -(y**2))):
        alone = fit(x, target, kernel=kernel, lam=0.01)
        assert both.predict(x)[:, column] == pytest.approx(alone.predict(x), abs=1e-12)
        assert both.norm[column] == pytest.approx(float(alone.norm), abs=1e-12)


@pytest.mark.parametrize("kernel", [SquaredExponential(0.6), Matern(1.5, 0.5)])
def test_several_columns_have_the_product_of_their_kernels(kernel):
    draw = np.random.default_rng(4)
    z, y = draw.uniform(-1, 1, (12, 3)), draw.uniform(-1, 1, (12, 2))
    model = fit(z, y, kernel=kernel, lam=0.05)
    gram = np.ones((12, 12))
    for column in z.T:
        gram *= [[float(kernel(s, t)) for t in column] for s in column]
    alpha = np.linalg.solve(gram + 0.05 * 12 / 2 * np.eye(12), y)
    assert model.coefficients == pytest.approx(alpha, abs=1e-10)
    assert model.predict(z) == pytest.approx(gram @ alpha, abs=1e-10)
    assert model.training_residuals() == pytest.approx(y - gram @ alpha, abs=1e-10)
    # One of the columns alone, or their order turned, is another model.
    assert np.abs(
        fit(z[:, 0], y, kernel=kernel, lam=0.05).predict(z[:, 0]) - gram @ alpha
    ).max() > (1e-3)
    with pytest.raises(UsageError, match=r"x has shape \(12, 2\): it must be \(m, 3\)"):
        model.predict(z[:, :2])


def test_a_product_of_squared_exponentials_is_that_of_the_distance():
    kernel = SquaredExponential(0.7)
    z = np.random.default_rng(5).uniform(-1, 1, (9, 2))
    apart = np.array([[np.hypot(*(a - b)) for b in z] for a in z])
    alpha = np.linalg.solve(np.exp(-(apart**2) / (2 * 0.49)) + 9 / 2 * np.eye(9), z[:, 0])
    assert fit(z, z[:, 0], kernel=kernel, lam=1.0).coefficients == pytest.approx(alpha, abs=1e-12)


def test_a_matrix_of_one_column_is_that_column():
    kernel = Matern(2.5, 0.5)
    x, y = data(15)
    one, same = fit(x, y, kernel=kernel, lam=0.1), fit(x[:, None], y, kernel=kernel, lam=0.1)
    assert np.array_equal(one.coefficients, same.coefficients)
    assert np.array_equal(one.training_residuals(), same.training_residuals())
    assert one.training_residuals() == pytest.approx(y - one.predict(x), abs=1e-12)


def test_the_norm_stays_below_its_spectral_bound():
    draw = np.random.default_rng(3)
    largest = 0.0
    for lam in (1e-3, 1e-2, 0.1, 1.0):
        for bandwidth in (0.02, 0.2, 2.0, 50.0):
            y = draw.choice([-1.0, 1.0], 40)
            model = fit(draw.uniform(-1, 1, 40), y, kernel=SquaredExponential(bandwidth), lam=lam)
            largest = max(largest, float(model.norm) * np.sqrt(2 * lam))
    assert largest <= 1 + 1e-12
    # A kernel matrix with one eigenvalue κ = λn/2 and y along its vector reaches the bound: two
    # points at one place, λ = 2.
    reached = fit([0.5, 0.5], [1.0, 1.0], kernel=SquaredExponential(1.0), lam=2.0)
    assert float(reached.norm) == pytest.approx(1 / 2, abs=1e-12)


def test_bad_data_are_refused_and_inputs_are_left_alone():
    kernel = SquaredExponential(0.5)
    with pytest.raises(UsageError, match=r"x\[0\] is 2.0"):
        fit([2.0], [0.0], kernel=kernel, lam=1.0)
    with pytest.raises(UsageError, match=r"y\[1\] is -1.1"):
        fit([0.0, 0.1], [0.0, -1.1], kernel=kernel, lam=1.0)
    with pytest.raises(UsageError, match="as many rows"):
        fit([0.0, 0.1], [0.0], kernel=kernel, lam=1.0)
    with pytest.raises(UsageError, match="x has shape"):
        fit([], [], kernel=kernel, lam=1.0)
    for lam in (0, -1, np.nan):
        with pytest.raises(UsageError, match="lam is"):
            fit([0.0], [0.0], kernel=kernel, lam=lam)
    with pytest.raises(UsageError, match="not positive definite"):
        fit([0.0, 0.0], [0.0, 1.0], kernel=kernel, lam=1e-18)
    x = np.array([0.0, 0.5])
    model = fit(x, x, kernel=kernel, lam=1.0)
    x[0] = 0.9
    assert model.train_x[0] == 0
    with pytest.raises(UsageError, match="x has shape"):
        model.predict(np.zeros((2, 2)))
