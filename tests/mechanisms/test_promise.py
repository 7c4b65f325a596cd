import itertools
import math

import numpy as np
import pytest
from scipy import integrate
from scipy.stats import norm

from provado.mechanisms import ApproximateDP, GaussianDP, PrivacyPromise, PureDP, UsageError

PROMISES = [
    PureDP(0.1),
    PureDP(1.0),
    PureDP(5.0),
    ApproximateDP(1.0, 1e-6),
    ApproximateDP(0.5, 0.2),
    GaussianDP(0.5),
    GaussianDP(3.0, test_delta=1e-6),
]


@pytest.mark.parametrize("promise", PROMISES)
def test_a_profile_is_non_increasing_within_0_and_1(promise):
    assert isinstance(promise, PrivacyPromise)
    profile = [promise.delta(epsilon) for epsilon in np.linspace(0, 20, 2001)]
    assert all(0 <= delta <= 1 for delta in profile)
    assert all(a >= b for a, b in itertools.pairwise(profile))


@pytest.mark.parametrize("promise", PROMISES)
def test_a_profile_is_one_that_a_pair_of_distributions_can_have(promise):
    # As a function of e^ε a hockey-stick profile is convex.
    ratios = np.linspace(1, 30, 400)
    profile = np.array([promise.delta(math.log(ratio)) for ratio in ratios])
    assert np.all(np.diff(profile, 2) >= -1e-9)


@pytest.mark.parametrize("promise", PROMISES)
def test_the_point_lies_on_the_profile(promise):
    epsilon, delta = promise.point()
    assert promise.delta(epsilon) <= delta
    # A hair below it the profile is higher, unless the profile is flat there.
    if isinstance(promise, GaussianDP):
        assert promise.delta(epsilon * (1 - 1e-9)) > delta


@pytest.mark.parametrize("promise", [PureDP(1.0), ApproximateDP(1.0, 0.01)])
def test_the_corner(promise):
    _, delta = promise.point()
    assert promise.delta(1.0) == promise.delta(7.0) == delta
    assert promise.delta(1.0 - 1e-6) > delta
    assert promise.delta(1.0 - 1e-9) == pytest.approx(delta, abs=1e-8)


def test_the_pure_profile_is_that_of_randomized_response():
    truth = math.e / (1 + math.e)
    for epsilon in (0.0, 0.3, 0.9):
        assert PureDP(1.0).delta(epsilon) == pytest.approx(
            truth - math.exp(epsilon) * (1 - truth), abs=1e-15
        )


@pytest.mark.parametrize("mu", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 2.0])
def test_the_gaussian_profile_against_an_integral(mu, epsilon):
    edge = epsilon / mu + mu / 2
    value, _ = integrate.quad(
        lambda x: norm.pdf(x - mu) - math.exp(epsilon) * norm.pdf(x), edge, edge + 40, epsabs=1e-13
    )
    assert GaussianDP(mu).delta(epsilon) == pytest.approx(value, abs=1e-10)


def test_the_gaussian_profile_far_out_is_a_small_number_not_zero_or_nan():
    assert 0 < GaussianDP(1.0).delta(20.0) < 1e-70


@pytest.mark.parametrize("epsilon", [0, -1, math.nan, math.inf])
def test_an_epsilon_is_finite_and_above_zero(epsilon):
    for make in (PureDP, GaussianDP, lambda value: ApproximateDP(value, 0.1)):
        if epsilon == 0 and make not in (PureDP, GaussianDP):
            # A claim of total variation.
            assert make(epsilon).point() == (0.0, 0.1)
            continue
        with pytest.raises(UsageError, match=r"(epsilon|mu) is"):
            make(epsilon)


@pytest.mark.parametrize("delta", [-0.1, 1.0, math.nan])
def test_a_delta_lies_in_0_1(delta):
    with pytest.raises(UsageError, match="delta is"):
        ApproximateDP(1.0, delta)
    with pytest.raises(UsageError, match="test_delta is"):
        GaussianDP(1.0, test_delta=delta)


def test_words():
    assert PureDP(1.0).words() == "1-DP"
    assert ApproximateDP(1.0, 1e-6).words() == "(1, 1e-06)-DP"
    assert GaussianDP(0.5).words() == "0.5-GDP"
