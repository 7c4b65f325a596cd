"""Laplace, discrete Laplace, Gaussian, discrete Gaussian, and what is built on them."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy import stats

from provado.mechanisms import GaussianDP, UsageError
from provado.mechanisms.textbook.discrete_gaussian import discrete_gaussian, discrete_gaussian_delta
from provado.mechanisms.textbook.discrete_laplace import discrete_laplace
from provado.mechanisms.textbook.gaussian import analytic_sigma, classical_sigma, gaussian
from provado.mechanisms.textbook.histogram import noisy_histogram
from provado.mechanisms.textbook.laplace import laplace, laplace_on_grid
from provado.mechanisms.textbook.noisy_sum import noisy_sum
from provado.mechanisms.textbook.prefix_sum import prefix_sum
from provado.mechanisms.textbook.subsampling import amplified_epsilon, subsampled_count
from tests.mechanisms.exact_probabilities import (
    discrete_gaussian_log_probability,
    discrete_laplace_log_probability,
)
from tests.mechanisms.goodness_of_fit import ALPHA, p_value


def rng(seed=1):
    return np.random.default_rng(seed)


def test_laplace_in_floating_point_has_its_distribution():
    outputs = laplace([3.0, -1.0], scale=2.0, size=50_000, rng=rng())
    assert outputs.shape == (50_000, 2)
    assert stats.kstest(outputs[:, 0], stats.laplace(3, 2).cdf).pvalue > ALPHA
    assert stats.kstest(outputs[:, 1], stats.laplace(-1, 2).cdf).pvalue > ALPHA
    assert stats.kstest(outputs[:, 1], stats.laplace(-1, 2.2).cdf).pvalue < ALPHA


def test_laplace_in_floating_point_leaks_and_on_the_grid_does_not():
    # From 1 every output of the printed mechanism is a multiple of 2^-53; from 0 many are not.
    def fine(outputs):
        return np.mean(outputs * 2.0**53 % 1 != 0)

    assert fine(laplace(1.0, scale=1.0, size=20_000, rng=rng())) == 0
    assert fine(laplace(0.0, scale=1.0, size=20_000, rng=rng())) > 0.1
    for answer in (0.0, 1.0, 0.3):
        outputs = laplace_on_grid(answer, scale=1, grid=2.0**-10, size=20_000, rng=rng())
        assert np.all(outputs * 2**10 % 1 == 0)


def test_laplace_on_a_grid_is_the_discrete_laplace_around_the_rounded_answer():
    outputs = laplace_on_grid(1.3, scale=Fraction(3, 2), grid=0.25, size=200_000, rng=rng())
    support = np.arange(-80, 90)
    chances = np.exp(discrete_laplace_log_probability(support - 5, 6.0))
    assert p_value((outputs * 4).astype(int), support, chances) > ALPHA
    shifted = np.exp(discrete_laplace_log_probability(support - 6, 6.0))
    assert p_value((outputs * 4).astype(int), support, shifted) < ALPHA


@pytest.mark.parametrize("scale", [0.25, 1.0, 30.0])
def test_discrete_laplace_probabilities_sum_to_1_and_have_the_claimed_ratio(scale):
    z = np.arange(-2000, 2001)
    log = discrete_laplace_log_probability(z, scale)
    assert math.fsum(np.exp(log)) == pytest.approx(1, abs=1e-12)
    assert np.max(np.abs(np.diff(log))) == pytest.approx(1 / scale, rel=1e-9)


def test_discrete_laplace_is_centered_on_its_answers():
    outputs = discrete_laplace([3, -7], scale=2, size=1000, rng=rng())
    assert outputs.shape == (1000, 2)
    assert outputs.dtype == np.int64
    assert np.median(outputs, axis=0).tolist() == [3, -7]


def test_gaussian_has_its_distribution_and_is_rounded_on_request():
    outputs = gaussian([0.0, 5.0], sigma=2.0, size=50_000, rng=rng())
    assert stats.kstest(outputs[:, 1], stats.norm(5, 2).cdf).pvalue > ALPHA
    assert stats.kstest(outputs[:, 1], stats.norm(5, 2.2).cdf).pvalue < ALPHA
    rounded = gaussian([0.0, 5.0], sigma=2.0, grid=2.0**-10, size=50_000, rng=rng())
    assert np.all(rounded * 2**10 % 1 == 0)
    assert np.max(np.abs(rounded - outputs)) <= 2.0**-11


def test_gaussian_in_floating_point_leaks_more_than_its_delta():
    def fine(answer):
        outputs = gaussian(answer, sigma=analytic_sigma(1.0, 1e-5), size=50_000, rng=rng())
        return np.mean(outputs * 2.0**53 % 1 != 0)

    assert fine(1.0) == 0
    assert fine(0.0) > 1000 * 1e-5


def test_classical_calibration():
    assert classical_sigma(0.5, 1e-5, 3.0) == pytest.approx(6 * math.sqrt(2 * math.log(1.25e5)))
    for epsilon in (0.1, 0.5, 0.9):
        for delta in (1e-6, 1e-2, 0.2):
            assert GaussianDP(1 / classical_sigma(epsilon, delta)).delta(epsilon) < delta
    with pytest.raises(UsageError, match="epsilon"):
        classical_sigma(1.0, 1e-5)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
@pytest.mark.parametrize("delta", [1e-9, 1e-3, 0.3])
def test_analytic_calibration_is_enough_and_sharp(epsilon, delta):
    sigma = analytic_sigma(epsilon, delta, 2.0)
    assert GaussianDP(2 / sigma).delta(epsilon) <= delta
    assert GaussianDP(2 / (sigma * (1 - 1e-6))).delta(epsilon) > delta


@pytest.mark.parametrize("variance", [0.25, 4.0, 100.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.7, 3.0])
@pytest.mark.parametrize("sensitivity", [1, 3])
def test_discrete_gaussian_delta_against_the_theorem_in_50_digits(variance, epsilon, sensitivity):
    # Canonne, Kamath and Steinke, Theorem 7, as printed.
    with mpmath.workdps(50):
        reach = math.ceil(60 * math.sqrt(variance))
        weight = {
            y: mpmath.exp(-(mpmath.mpf(y) ** 2) / (2 * mpmath.mpf(variance)))
            for y in range(-reach, reach + 1)
        }
        middle = mpmath.mpf(epsilon) * mpmath.mpf(variance) / sensitivity

        def above(edge):
            return mpmath.fsum(w for y, w in weight.items() if y > edge)

        half = mpmath.mpf(sensitivity) / 2
        exact = above(middle - half) - mpmath.exp(epsilon) * above(middle + half)
        exact = exact / mpmath.fsum(weight.values())
        computed = mpmath.mpf(discrete_gaussian_delta(epsilon, variance, sensitivity))
        assert exact <= computed <= exact * (1 + mpmath.mpf(10) ** -11) + mpmath.mpf(10) ** -14


def test_discrete_gaussian_delta_is_the_best_event_of_the_exact_probabilities():
    z = np.arange(-60, 61)
    d = np.exp(discrete_gaussian_log_probability(z, 4.0))
    d_prime = np.exp(discrete_gaussian_log_probability(z - 1, 4.0))
    best = np.sum(np.maximum(0, d - math.e * d_prime))
    assert discrete_gaussian_delta(1.0, 4.0) == pytest.approx(best, abs=1e-13)
    assert math.fsum(d) == pytest.approx(1, abs=1e-14)


def test_discrete_gaussian_is_centered_on_its_answers():
    outputs = discrete_gaussian([3, -7], variance=4, size=1000, rng=rng())
    assert outputs.shape == (1000, 2)
    assert outputs.dtype == np.int64
    assert np.median(outputs, axis=0).tolist() == [3, -7]


def test_histogram_cells_have_their_own_noise():
    outputs = noisy_histogram([4.0, 0.0, 9.0], scale=1, grid=1.0, size=100_000, rng=rng())
    assert outputs.shape == (100_000, 3)
    assert np.max(np.abs(np.corrcoef(outputs.T) - np.eye(3))) < 0.02
    support = np.arange(-30, 40)
    for cell, count in enumerate((4, 0, 9)):
        chances = np.exp(discrete_laplace_log_probability(support - count, 1.0))
        assert p_value(outputs[:, cell].astype(int), support, chances) > ALPHA


def test_noisy_sum_clamps_and_does_not_depend_on_the_order():
    def run(records):
        return noisy_sum(
            records, lower=-1.0, upper=2.0, epsilon=Fraction(1, 2), size=2000, rng=rng()
        )

    records = [0.1, 0.2, 0.3, 1e16, -1e16, 0.7]
    assert np.array_equal(run(records), run(records[::-1]))
    assert np.array_equal(run([0.5, 99.0, -99.0]), run([0.5, 2.0, -1.0]))
    assert run([]).shape == (2000,)
    assert abs(np.median(run([0.5, 2.0])) - 2.5) < 1


def test_noisy_sum_has_noise_of_width_over_epsilon():
    outputs = noisy_sum(
        [1.0], lower=-1.0, upper=2.0, epsilon=Fraction(3, 2), grid=0.5, size=200_000, rng=rng()
    )
    support = np.arange(-80, 90)
    chances = np.exp(discrete_laplace_log_probability(support - 2, 4.0))
    assert p_value((2 * outputs).astype(int), support, chances) > ALPHA


@pytest.mark.parametrize(("lower", "upper"), [(1.0, 0.0), (0.0, 0.3), (0.0, math.nan)])
def test_noisy_sum_refuses_bounds(lower, upper):
    with pytest.raises(UsageError, match="bounds are"):
        noisy_sum([0.0], lower=lower, upper=upper, epsilon=1, size=1, rng=rng())


def test_prefix_sums_are_running_totals_of_items_with_independent_noise():
    outputs = prefix_sum([1.0, 5.0, -2.0], scale=1, grid=1.0, size=100_000, rng=rng())
    items = np.diff(outputs, axis=1, prepend=0.0)
    assert np.max(np.abs(np.corrcoef(items.T) - np.eye(3))) < 0.02
    support = np.arange(-30, 40)
    for place, item in enumerate((1, 5, -2)):
        chances = np.exp(discrete_laplace_log_probability(support - item, 1.0))
        assert p_value(items[:, place].astype(int), support, chances) > ALPHA


def subsample_probabilities(ones, support, rate, scale):
    return sum(
        stats.binom.pmf(kept, ones, rate)
        * np.exp(discrete_laplace_log_probability(support - kept, scale))
        for kept in range(ones + 1)
    )


def test_subsampled_count_has_its_distribution():
    outputs = subsampled_count(
        [1, 0, 1, 1], rate=Fraction(1, 3), epsilon=2, grid=1.0, size=200_000, rng=rng()
    ).astype(int)
    support = np.arange(-20, 25)
    assert p_value(outputs, support, subsample_probabilities(3, support, 1 / 3, 0.5)) > ALPHA
    assert p_value(outputs, support, subsample_probabilities(3, support, 0.36, 0.5)) < ALPHA


def test_amplification_by_poisson_subsampling_is_reached_and_not_passed():
    support = np.arange(-40, 45)
    reached = []
    for ones in range(3):
        d = subsample_probabilities(ones, support, 0.1, 1 / 3)
        d_prime = subsample_probabilities(ones + 1, support, 0.1, 1 / 3)
        reached.append(np.max(np.abs(np.log(d_prime / d))))
    bound = amplified_epsilon(3.0, 0.1)
    assert max(reached) == pytest.approx(bound, rel=1e-9)
    assert bound > 0.3


@pytest.mark.parametrize(
    ("bits", "rate", "message"),
    [([0, 2], Fraction(1, 2), "bits is"), ([[0]], Fraction(1, 2), "bits is"), ([0], 1, "rate is")],
)
def test_subsampled_count_refuses(bits, rate, message):
    with pytest.raises(UsageError, match=message):
        subsampled_count(bits, rate=rate, epsilon=1, size=1, rng=rng())
