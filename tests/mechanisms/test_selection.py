"""The exponential mechanism, permute-and-flip and noisy max, with exact probabilities."""

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, stats

from provado.mechanisms import UsageError
from provado.mechanisms.textbook.exponential import exponential, exponential_probabilities
from provado.mechanisms.textbook.noisy_max import (
    noisy_max_value,
    report_noisy_max,
    report_noisy_max_probabilities,
)
from provado.mechanisms.textbook.permute_and_flip import (
    permute_and_flip,
    permute_and_flip_probabilities,
)
from tests.mechanisms.goodness_of_fit import ALPHA, p_value, same_distribution_p_value

N = 100_000
SCORES = [0.0, 2.5, 1.0, 2.5]


def rng(seed=1):
    return np.random.default_rng(seed)


def loss(first, second):
    return float(np.max(np.abs(np.log(np.asarray(first) / np.asarray(second)))))


def neighboring_scores(count=300, k=4):
    draw = rng(99)
    for _ in range(count):
        scores = draw.uniform(0, 4, k)
        yield scores, scores + draw.choice([-1.0, 0.0, 1.0, 0.5], k)


SELECTION = [
    (exponential, exponential_probabilities, {}),
    (permute_and_flip, permute_and_flip_probabilities, {}),
    (report_noisy_max, report_noisy_max_probabilities, {"noise": "laplace"}),
    (report_noisy_max, report_noisy_max_probabilities, {"noise": "exponential"}),
]


@pytest.mark.parametrize(("run", "chances", "noise"), SELECTION)
def test_selection_fits(run, chances, noise):
    outputs = run(SCORES, epsilon=1.5, sensitivity=2.0, **noise, size=N, rng=rng())
    assert outputs.shape == (N,)
    assert outputs.dtype == np.int64
    right = chances(SCORES, epsilon=1.5, sensitivity=2.0, **noise)
    assert right.sum() == pytest.approx(1, abs=1e-12)
    assert p_value(outputs, range(4), right) > ALPHA
    wrong = chances(SCORES, epsilon=1.7, sensitivity=2.0, **noise)
    assert p_value(outputs, range(4), wrong) < ALPHA


@pytest.mark.parametrize(("run", "chances", "noise"), SELECTION)
def test_selection_keeps_its_promise_on_many_neighbors(run, chances, noise):
    losses = [
        loss(chances(a, epsilon=1.0, **noise), chances(b, epsilon=1.0, **noise))
        for a, b in neighboring_scores()
    ]
    assert 0.5 < max(losses) <= 1 + 1e-9


def test_permute_and_flip_as_published():
    draw = rng(5)

    def naive():
        for option in draw.permutation(4):
            if draw.random() < math.exp(1.5 * (SCORES[option] - max(SCORES)) / 2):
                return option
        raise AssertionError("the best option always shows heads")

    outputs = permute_and_flip(SCORES, epsilon=1.5, size=N, rng=rng())
    assert same_distribution_p_value([naive() for _ in range(10_000)], outputs) > ALPHA


def test_permute_and_flip_probabilities_against_all_orders():
    heads = np.exp(0.5 * (np.array(SCORES) - max(SCORES)))
    expected = np.zeros(4)
    for order in itertools.permutations(range(4)):
        going = 1.0
        for option in order:
            expected[option] += going * heads[option] / 24
            going *= 1 - heads[option]
    assert permute_and_flip_probabilities(SCORES, epsilon=1.0) == pytest.approx(expected, abs=1e-14)


def test_noisy_max_probabilities_against_another_integral():
    f, big_f = stats.laplace(scale=4).pdf, stats.laplace(scale=4).cdf
    value = sum(
        integrate.quad(lambda x: f(x) * big_f(x - 2) ** 4, a, b, epsabs=1e-14)[0]
        for a, b in [(-200, 0), (0, 2), (2, 300)]
    )
    chances = report_noisy_max_probabilities([0.0, 2.0, 2.0, 2.0, 2.0], epsilon=0.5)
    assert chances[0] == pytest.approx(value, abs=1e-10)
    even = report_noisy_max_probabilities([1.0] * 5, epsilon=0.5)
    assert even == pytest.approx([0.2] * 5, abs=1e-14)


def test_noisy_max_refuses_other_noise():
    with pytest.raises(UsageError, match="noise is"):
        report_noisy_max([1.0], epsilon=1.0, noise="gumbel", size=1, rng=rng())


@pytest.mark.parametrize(
    ("noise", "law"), [("laplace", stats.laplace), ("exponential", stats.expon)]
)
def test_the_value_of_the_noisy_max_has_its_distribution(noise, law):
    answers = [1.0, 0.0, 2.0]
    outputs = noisy_max_value(answers, epsilon=0.5, noise=noise, size=20_000, rng=rng())

    def below(x, scale=4.0):
        return np.prod([law(loc=a, scale=scale).cdf(x) for a in answers], axis=0)

    assert stats.kstest(outputs, below).pvalue > ALPHA
    assert stats.kstest(outputs, lambda x: below(x, 3.4)).pvalue < ALPHA
    assert np.all(outputs * 2**20 % 1 == 0)


def test_the_value_of_the_noisy_max_loses_k_halves_of_epsilon():
    x = np.linspace(-100, 100, 20_001)
    law = stats.laplace(scale=4)

    def log_density(answer):
        return law.logpdf(x - answer) + 4 * law.logcdf(x - answer)

    assert np.max(np.abs(log_density(1) - log_density(2))) == pytest.approx(1.25, abs=1e-9)
    # With exponential noise, outputs below 2 are possible for the answers 1 only.
    low = noisy_max_value([1.0] * 5, epsilon=0.5, noise="exponential", size=N, rng=rng())
    high = noisy_max_value([2.0] * 5, epsilon=0.5, noise="exponential", size=N, rng=rng())
    assert np.sum(low < 2) > 10
    assert np.all(high >= 2)
