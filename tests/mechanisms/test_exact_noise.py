import math
import random
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.noise import exact_noise
from provado.mechanisms.noise.exact_noise import (
    bernoulli_exp,
    discrete_gaussian_noise,
    discrete_laplace_noise,
    geometric_exp_one,
)
from tests.mechanisms.exact_probabilities import (
    discrete_gaussian_log_probability,
    discrete_laplace_log_probability,
)
from tests.mechanisms.goodness_of_fit import ALPHA, p_value, same_distribution_p_value


# The naive twins: Algorithms 1 to 3 of Canonne, Kamath and Steinke, one draw at a time.
def naive_bernoulli_exp(gamma, toss):
    while gamma > 1:
        if not naive_bernoulli_exp(Fraction(1), toss):
            return False
        gamma -= 1
    k = 1
    while toss.randrange(gamma.denominator * k) < gamma.numerator:
        k += 1
    return k % 2 == 1


def naive_discrete_laplace(scale, toss):
    while True:
        low = toss.randrange(scale.numerator)
        if not naive_bernoulli_exp(Fraction(low, scale.numerator), toss):
            continue
        high = 0
        while naive_bernoulli_exp(Fraction(1), toss):
            high += 1
        size = (low + scale.numerator * high) // scale.denominator
        negative = toss.randrange(2) == 1
        if not (negative and size == 0):
            return -size if negative else size


def naive_discrete_gaussian(variance, toss):
    t = math.isqrt(math.floor(variance)) + 1
    while True:
        candidate = naive_discrete_laplace(Fraction(t), toss)
        gamma = (abs(candidate) - variance / t) ** 2 / (2 * variance)
        if naive_bernoulli_exp(gamma, toss):
            return candidate


@pytest.mark.parametrize(
    ("numerator", "denominator"), [(0, 1), (1, 3), (1, 1), (7, 3), (3 * 2**49, 2**50)]
)
def test_bernoulli_exp_comes_up_as_often_as_it_should(numerator, denominator):
    n = 200_000
    draws = bernoulli_exp(np.full(n, numerator), denominator, np.random.default_rng(1))
    chance = math.exp(-numerator / denominator)
    assert draws.dtype == np.bool_
    assert abs(draws.mean() - chance) <= 5 * math.sqrt(chance * (1 - chance) / n)


def test_twenty_tosses_in_one_integer_are_the_tosses_of_algorithm_1():
    # Pr[K = k] = 1/(k − 1)! − 1/k! for γ = 1, and one of the 20! values goes on.
    odd = sum(
        Fraction(1, math.factorial(k - 1)) - Fraction(1, math.factorial(k)) for k in range(1, 21, 2)
    )
    assert odd * math.factorial(20) == exact_noise._ODD_AMONG_TWENTY
    assert exact_noise._ODD_AMONG_TWENTY < exact_noise._TWENTY - 1 < 2**63


def test_tosses_past_the_twentieth_go_on_where_they_stopped():
    odd = np.zeros(50_000, dtype=np.bool_)
    going = np.arange(odd.size)
    exact_noise._toss_on(
        odd, going, np.ones(odd.size, dtype=np.int64), 1, 3, np.random.default_rng(2)
    )
    # From toss 3 on: K = 3 with probability 2/3, 4 with 1/4, 5 with 1/15, …
    tail = sum((-1) ** (k + 1) * 2 / math.factorial(k) for k in range(3, 20))
    assert abs(odd.mean() - (1 - tail)) < 5 * math.sqrt(tail * (1 - tail) / odd.size)


def test_geometric():
    counts = geometric_exp_one(100_000, np.random.default_rng(3))
    support = np.arange(12)
    assert p_value(counts, support, np.exp(-support) * (1 - math.exp(-1))) > ALPHA
    assert p_value(counts, support, np.exp(-1.03 * support) * (1 - math.exp(-1.03))) < ALPHA


@pytest.mark.parametrize("scale", [Fraction(1), Fraction(1, 3), Fraction(5, 3), Fraction(17)])
def test_discrete_laplace_fits_and_a_slightly_wrong_scale_does_not(scale):
    noise = discrete_laplace_noise(scale, (200_000,), np.random.default_rng(4))
    support = np.arange(-400, 401)

    def fit(b):
        return p_value(noise, support, np.exp(discrete_laplace_log_probability(support, b)))

    assert fit(float(scale)) > ALPHA
    assert fit(1.05 * float(scale)) < ALPHA


def test_discrete_laplace_of_large_scale_fits_in_its_low_digits_and_in_its_size():
    noise = discrete_laplace_noise(1024, (200_000,), np.random.default_rng(5))
    fine = np.arange(-40_960, 40_960)
    chances = np.exp(discrete_laplace_log_probability(fine, 1024)).reshape(-1, 256)
    assert p_value(noise // 256, np.arange(-160, 160), chances.sum(axis=1)) > ALPHA
    assert p_value(noise % 256, np.arange(256), chances.sum(axis=0)) > ALPHA
    wrong = np.exp(discrete_laplace_log_probability(fine, 1000)).reshape(-1, 256)
    assert p_value(noise // 256, np.arange(-160, 160), wrong.sum(axis=1)) < ALPHA


@pytest.mark.parametrize("variance", [Fraction(1, 2), Fraction(4), Fraction(50, 3)])
def test_discrete_gaussian_fits_and_a_slightly_wrong_variance_does_not(variance):
    noise = discrete_gaussian_noise(variance, (200_000,), np.random.default_rng(6))
    support = np.arange(-60, 61)

    def fit(v):
        return p_value(noise, support, np.exp(discrete_gaussian_log_probability(support, v)))

    assert fit(float(variance)) > ALPHA
    assert fit(1.05 * float(variance)) < ALPHA


def test_discrete_gaussian_of_large_variance():
    noise = discrete_gaussian_noise(4096**2, (200_000,), np.random.default_rng(7))
    assert abs(noise.mean()) < 5 * 4096 / math.sqrt(noise.size)
    assert abs(noise.std() / 4096 - 1) < 5 / math.sqrt(2 * noise.size)


@pytest.mark.parametrize("deviation", [4900, 60_000])
def test_discrete_gaussian_of_a_whole_deviation_past_the_limit_of_others(deviation):
    with pytest.raises(UsageError, match="variance is"):
        discrete_gaussian_noise(deviation**2 + 1, (1,), np.random.default_rng(0))
    draws = discrete_gaussian_noise(deviation**2, (40_000,), np.random.default_rng(5))
    assert stats.kstest(draws / deviation, "norm").pvalue > ALPHA
    assert stats.kstest(draws / (1.05 * deviation), "norm").pvalue < ALPHA
    # Low digits: all are as likely.
    counts = np.bincount(draws % 7, minlength=7)
    assert stats.chisquare(counts).pvalue > ALPHA


@pytest.mark.parametrize(
    ("naive", "fast", "parameter"),
    [
        (naive_discrete_laplace, discrete_laplace_noise, Fraction(7, 2)),
        (naive_discrete_gaussian, discrete_gaussian_noise, Fraction(9, 2)),
    ],
)
def test_one_draw_at_a_time_has_the_same_distribution(naive, fast, parameter):
    toss = random.Random(8)
    one_by_one = [naive(parameter, toss) for _ in range(15_000)]
    at_once = fast(parameter, (60_000,), np.random.default_rng(8))
    assert same_distribution_p_value(one_by_one, at_once) > ALPHA
    other = fast(parameter * Fraction(5, 4), (60_000,), np.random.default_rng(8))
    assert same_distribution_p_value(one_by_one, other) < ALPHA


def test_neighbouring_trials_are_independent():
    noise = discrete_laplace_noise(2, (100_000, 2), np.random.default_rng(9))
    code = 3 * np.sign(noise[:, 0]) + np.sign(noise[:, 1])
    zero = math.tanh(1 / 4)
    one = np.array([(1 - zero) / 2, zero, (1 - zero) / 2])
    assert p_value(code, np.arange(-4, 5), np.outer(one, one).ravel()) > ALPHA


@pytest.mark.parametrize("sample", [discrete_laplace_noise, discrete_gaussian_noise])
def test_shape_type_and_seed(sample):
    first, again, other = (
        sample(Fraction(5, 2), (40, 3, 2), np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert first.shape == (40, 3, 2)
    assert first.dtype == np.int64
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("sample", [discrete_laplace_noise, discrete_gaussian_noise])
@pytest.mark.parametrize("parameter", [0, -1, Fraction(2**60), Fraction(1, 2**60), math.nan])
def test_parameters_outside_the_range_are_refused(sample, parameter):
    with pytest.raises(UsageError, match=r"scale is|variance is"):
        sample(parameter, (3,), np.random.default_rng(1))
