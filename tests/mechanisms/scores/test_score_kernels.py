import math

import mpmath
import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.regression.kernels import Kernel, SquaredExponential, median_bandwidth
from tests.mechanisms.regression.matern import Matern

KERNELS = [
    family(h)
    for h in (0.3, 1.0, 7.0)
    for family in (
        SquaredExponential,
        lambda h: Matern(0.5, h),
        lambda h: Matern(1.5, h),
        lambda h: Matern(2.5, h),
    )
]


def naive_matern(nu, h, distance):
    """The general formula with the modified Bessel function."""
    if distance == 0:
        return 1.0
    s = mpmath.sqrt(2 * nu) * distance / h
    return float(2 ** (1 - nu) / mpmath.gamma(nu) * s**nu * mpmath.besselk(nu, s))


@pytest.mark.parametrize("nu", [0.5, 1.5, 2.5])
@pytest.mark.parametrize("h", [0.4, 3.0])
def test_matern_is_the_bessel_formula(nu, h):
    distances = [0.0, 0.01, 0.5, 1.0, 4.0, 11.0]
    found = Matern(nu, h)(0.0, np.array(distances))
    wanted = [naive_matern(nu, h, d) for d in distances]
    assert found == pytest.approx(wanted, rel=1e-13)
    assert Matern(nu, h * 1.01)(0.0, 1.0) != pytest.approx(wanted[3], rel=1e-3)


def test_squared_exponential():
    k = SquaredExponential(2.0)
    assert k(1.0, 4.0) == pytest.approx(math.exp(-9 / 8), rel=1e-15)
    assert k([[0.0], [1.0]], [0.0, 1.0, 2.0]).shape == (2, 3)


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels_are_symmetric_bounded_and_one_on_the_diagonal(kernel):
    assert isinstance(kernel, Kernel)
    x = np.random.default_rng(1).normal(scale=[1e-9, 1.0, 1e9], size=(20, 3)).ravel()
    gram = kernel(x[:, None], x)
    assert np.array_equal(gram, gram.T)
    assert np.all((gram >= 0) & (gram <= 1))
    assert np.all(np.diagonal(gram) == 1)
    assert np.linalg.eigvalsh(gram).min() > -1e-12
    assert kernel(1e308, -1e308) == 0


@pytest.mark.parametrize("kernel", KERNELS)
def test_lipschitz_constant_is_the_steepest_slope(kernel):
    distance = np.linspace(0, 12 * kernel.bandwidth, 200_001)
    slope = np.abs(np.diff(kernel(0.0, distance))) / np.diff(distance)
    assert slope.max() <= kernel.lipschitz * (1 + 1e-9)
    assert slope.max() >= kernel.lipschitz * (1 - 1e-4)


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_bad_bandwidths_are_refused(bad):
    with pytest.raises(UsageError, match="bandwidth is"):
        SquaredExponential(bad)
    with pytest.raises(UsageError, match="bandwidth is"):
        Matern(0.5, bad)


def test_other_smoothness_is_refused():
    with pytest.raises(UsageError, match=r"smoothness is 2\.0"):
        Matern(2.0, 1.0)


@pytest.mark.parametrize("m", [2, 3, 4, 5, 17, 60])
def test_median_bandwidth_is_the_lower_median_of_all_distances(m):
    rng = np.random.default_rng(m)
    for x in (rng.normal(size=m), np.arange(m) * 1.0, rng.normal(size=m) * 1e-300 + 0.0):
        distances = sorted(abs(p - q) for i, p in enumerate(x) for q in x[:i])
        wanted = distances[(len(distances) + 1) // 2 - 1]
        assert median_bandwidth(x) == pytest.approx(wanted, rel=1e-12)


def test_median_bandwidth_moves_with_the_data_and_refuses_ties():
    assert median_bandwidth([0.0, 1.0, 2.0]) != median_bandwidth([0.0, 1.0, 9.0, 11.0])
    assert median_bandwidth([0.0, 0.0, 1.0, 2.0]) == 1.0
    for bad, message in (
        ([1.0, 1.0], "ties"),
        ([0.0, 0.0, 0.0, 1.0], "ties"),
        ([1.0], "at least 2"),
        ([-1.7e308, 1.7e308], "range"),
    ):
        with pytest.raises(UsageError, match=message):
            median_bandwidth(bad)
