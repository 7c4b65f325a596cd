"""Randomized response, RAPPOR and the truncated geometric: all outputs enumerated."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.textbook.randomized_response import randomized_response
from provado.mechanisms.textbook.rappor import (
    bit_probabilities,
    bloom_filter,
    one_time_rappor,
    one_time_rappor_epsilon,
    rappor,
    rappor_epsilon,
)
from provado.mechanisms.textbook.truncated_geometric import truncated_geometric
from tests.mechanisms.exact_probabilities import (
    randomized_response_probabilities,
    truncated_geometric_probabilities,
)
from tests.mechanisms.goodness_of_fit import ALPHA, p_value

N = 100_000


def rng(seed=1):
    return np.random.default_rng(seed)


def loss(first, second):
    return float(np.max(np.abs(np.log(np.asarray(first) / np.asarray(second)))))


@pytest.mark.parametrize("k", [2, 3, 10])
def test_randomized_response_fits(k):
    chances = randomized_response_probabilities(1, epsilon=1.0, k=k)
    assert chances.sum() == pytest.approx(1)
    outputs = randomized_response(1, epsilon=1.0, k=k, size=N, rng=rng())
    assert outputs.shape == (N,)
    assert p_value(outputs, range(k), chances) > ALPHA
    wrong = randomized_response_probabilities(1, epsilon=1.1, k=k)
    assert p_value(outputs, range(k), wrong) < ALPHA


@pytest.mark.parametrize("k", [2, 3, 10])
def test_randomized_response_loses_exactly_epsilon(k):
    chances = [randomized_response_probabilities(v, epsilon=0.7, k=k) for v in range(k)]
    losses = [loss(a, b) for a, b in itertools.combinations(chances, 2)]
    assert losses == pytest.approx([0.7] * len(losses))


def test_randomized_response_of_several_persons():
    outputs = randomized_response([0, 2, 1], epsilon=9.0, k=3, size=1000, rng=rng())
    assert outputs.shape == (1000, 3)
    assert np.median(outputs, axis=0).tolist() == [0, 2, 1]


@pytest.mark.parametrize(("value", "k"), [(2, 2), (-1, 2), (0.5, 2), (0, 1)])
def test_randomized_response_refuses(value, k):
    with pytest.raises(UsageError, match="values is"):
        randomized_response(value, epsilon=1.0, k=k, size=1, rng=rng())


RAPPOR = {"k": 20, "h": 4, "f": 0.75, "p": 0.45, "q": 0.55}
ONE_TIME = {"k": 20, "h": 4, "f": 0.95}


def test_a_bloom_filter_sets_up_to_h_bits_and_the_pair_shares_none():
    red, blue = bloom_filter("red", k=20, h=4), bloom_filter("blue", k=20, h=4)
    assert red.sum() == blue.sum() == 4
    assert not np.any(red & blue)
    assert all(1 <= bloom_filter(str(i), k=7, h=4).sum() <= 4 for i in range(50))
    assert np.array_equal(red, bloom_filter("red", k=20, h=4))


@pytest.mark.parametrize(
    ("run", "settings", "chances"),
    [
        (rappor, RAPPOR, bit_probabilities(f=0.75, p=0.45, q=0.55)),
        (one_time_rappor, ONE_TIME, (0.475, 0.525)),
    ],
)
def test_rappor_bits_are_set_as_often_as_they_should_and_independently(run, settings, chances):
    outputs = run("red", **settings, size=N, rng=rng())
    assert outputs.shape == (N, 20)
    assert outputs.dtype == np.int8
    assert set(np.unique(outputs)) == {0, 1}
    expected = np.where(bloom_filter("red", k=20, h=4) == 1, chances[1], chances[0])
    assert np.max(np.abs(outputs.mean(axis=0) - expected)) < 5 * 0.5 / math.sqrt(N)
    ones = np.flatnonzero(expected == chances[1])
    support = np.arange(5)
    found = outputs[:, ones].sum(axis=1)
    assert p_value(found, support, stats.binom.pmf(support, 4, chances[1])) > ALPHA
    assert p_value(found, support, stats.binom.pmf(support, 4, chances[0])) < ALPHA
    assert np.max(np.abs(np.corrcoef(outputs.T) - np.eye(20))) < 0.02


@pytest.mark.parametrize(
    ("chances", "epsilon"),
    [
        (bit_probabilities(f=0.75, p=0.45, q=0.55), rappor_epsilon(h=4, f=0.75, p=0.45, q=0.55)),
        ((0.475, 0.525), one_time_rappor_epsilon(h=4, f=0.95)),
    ],
)
def test_rappor_loses_exactly_its_epsilon_on_the_pair(chances, epsilon):
    def log_probabilities(value):
        of_one = np.where(bloom_filter(value, k=20, h=4) == 1, chances[1], chances[0])
        return np.log(of_one), np.log1p(-of_one)

    red, blue = log_probabilities("red"), log_probabilities("blue")
    # Bits are independent, so the worst output takes the worse value of each bit.
    worst = sum(
        max(a - b, c - d) for a, b, c, d in zip(red[0], blue[0], red[1], blue[1], strict=True)
    )
    assert worst == pytest.approx(epsilon, rel=1e-12)


def test_rappor_takes_a_string_or_a_dataset_of_one():
    bare, boxed = (rappor(v, **RAPPOR, size=50, rng=rng()) for v in ("red", ("red",)))
    assert np.array_equal(bare, boxed)
    for bad in (("red", "blue"), (), 3, (3,)):
        with pytest.raises((UsageError, TypeError)):
            rappor(bad, **RAPPOR, size=1, rng=rng())


@pytest.mark.parametrize("count", [0, 2, 5])
def test_truncated_geometric_fits(count):
    ratio = Fraction(1, 2)
    outputs = truncated_geometric(count, n=5, ratio=ratio, size=N, rng=rng())
    assert outputs.dtype == np.int64
    chances = [float(p) for p in truncated_geometric_probabilities(count, n=5, ratio=ratio)]
    assert p_value(outputs, range(6), chances) > ALPHA
    wrong = truncated_geometric_probabilities(count, n=5, ratio=Fraction(6, 11))
    assert p_value(outputs, range(6), [float(p) for p in wrong]) < ALPHA


def test_truncated_geometric_is_clamped_two_sided_geometric_noise():
    n, alpha = 5, Fraction(8, 9)
    for count in range(n + 1):
        chances = truncated_geometric_probabilities(count, n=n, ratio=alpha)
        assert sum(chances) == 1
        for z in range(1, n):
            assert chances[z] == (1 - alpha) / (1 + alpha) * alpha ** abs(z - count)
        assert chances[0] == alpha**count / (1 + alpha)
        assert chances[n] == alpha ** (n - count) / (1 + alpha)


def test_truncated_geometric_loses_exactly_its_epsilon():
    chances = [truncated_geometric_probabilities(c, n=5, ratio=Fraction(8, 9)) for c in range(6)]
    for d, d_prime in itertools.pairwise(chances):
        ratios = {a / b for a, b in zip(d, d_prime, strict=True)}
        assert ratios == {Fraction(8, 9), Fraction(9, 8)}


@pytest.mark.parametrize(
    ("count", "n", "ratio"),
    [
        (6, 5, Fraction(1, 2)),
        (-1, 5, Fraction(1, 2)),
        (1.5, 5, Fraction(1, 2)),
        (1, 5, Fraction(1)),
        (1, 5, Fraction(0)),
        (1, 100, Fraction(8, 9)),
    ],
)
def test_truncated_geometric_refuses(count, n, ratio):
    with pytest.raises(UsageError):
        truncated_geometric(count, n=n, ratio=ratio, size=1, rng=rng())
