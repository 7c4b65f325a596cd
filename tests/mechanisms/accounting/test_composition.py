import math
from fractions import Fraction

import numpy as np
import pytest

from provado.mechanisms import ApproximateDP, PureDP, UsageError
from provado.mechanisms.accounting.composition import (
    advanced_composition,
    basic_composition,
    corollary_share_printed,
)
from tests.mechanisms.accounting.advanced_share import advanced_share
from tests.mechanisms.accounting.randomised_response_truth import true_delta


def test_the_truth_of_one_randomised_response_by_enumeration():
    p = math.e / (1 + math.e)
    assert true_delta(1.0, 1, 0.0) == pytest.approx(2 * p - 1)
    assert true_delta(1.0, 1, 1.0) == pytest.approx(0, abs=1e-15)
    draw = np.random.default_rng(4)
    answers = draw.random((200_000, 5)) < p
    right = answers.sum(axis=1)
    losses = (2 * right - 5) * 1.0
    estimate = np.mean(np.maximum(0, 1 - np.exp(1.5 - losses)))
    assert estimate == pytest.approx(true_delta(1.0, 5, 1.5), abs=4 * 0.5 / math.sqrt(200_000))


def test_basic_composition_adds_and_rounds_up():
    parts = [PureDP(0.1), ApproximateDP(0.2, 1e-6), ApproximateDP(0.3, 1e-7)]
    total = basic_composition(parts)
    assert total.epsilon == pytest.approx(0.6)
    assert total.delta_at_epsilon == pytest.approx(1.1e-6)
    assert Fraction(total.epsilon) >= Fraction(0.1) + Fraction(0.2) + Fraction(0.3)
    many = basic_composition([ApproximateDP(0.1, 0.1 / 64)] * 10)
    assert Fraction(many.epsilon) >= 10 * Fraction(0.1)
    assert many.epsilon <= math.nextafter(1.0, 2) + 1e-15


def test_basic_composition_holds_on_randomised_response_and_is_reached():
    total = basic_composition([PureDP(0.3)] * 6)
    assert true_delta(0.3, 6, total.epsilon) <= 1e-15
    assert true_delta(0.3, 6, 0.99 * total.epsilon) > 0


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("k", [1, 4, 30, 200])
@pytest.mark.parametrize("delta_prime", [1e-6, 0.1, 0.9, 0.999])
def test_theorem_320_holds_on_randomised_response(epsilon, k, delta_prime):
    total = advanced_composition(ApproximateDP(epsilon, 0.0), k, delta_prime)
    assert true_delta(epsilon, k, total.epsilon) <= total.delta_at_epsilon


def test_a_theorem_without_its_second_term_is_exceeded():
    epsilon, k, delta_prime = 1.0, 200, 0.1
    broken = math.sqrt(2 * k * math.log(1 / delta_prime)) * epsilon
    assert true_delta(epsilon, k, broken) > delta_prime


def test_theorem_320_by_hand():
    total = advanced_composition(ApproximateDP(0.1, 1e-8), 100, 1e-5)
    by_hand = math.sqrt(200 * math.log(1e5)) * 0.1 + 100 * 0.1 * (math.exp(0.1) - 1)
    assert total.epsilon == pytest.approx(by_hand, rel=1e-11)
    assert total.delta_at_epsilon == pytest.approx(1.1e-5)
    assert total.epsilon < basic_composition([PureDP(0.1)] * 100).epsilon


@pytest.mark.parametrize("k", [1, 3, 4, 1000])
@pytest.mark.parametrize("delta_prime", [1e-9, 1e-3, 0.5, 0.7])
@pytest.mark.parametrize("epsilon_prime", [1e-3, 0.5, 0.999])
def test_shares_invert_the_theorem_and_beat_the_corollary(k, delta_prime, epsilon_prime):
    share = advanced_share(epsilon_prime, delta_prime, k)
    assert share >= corollary_share_printed(epsilon_prime, delta_prime, k)
    back = advanced_composition(ApproximateDP(share, 0.0), k, delta_prime)
    assert back.epsilon == pytest.approx(epsilon_prime, rel=1e-11)
    assert back.epsilon <= epsilon_prime * (1 + 1e-14)


def test_the_printed_corollary_is_false_for_delta_prime_near_1():
    share = corollary_share_printed(0.99, 0.999, 100)
    assert true_delta(share, 100, 0.99) > 0.9999
    right = advanced_share(0.99, 0.999, 100)
    assert true_delta(right, 100, 0.99) <= 0.999
    # At δ′ = .7 and below Theorem 3.20 gives it; at .71 it does not any more.
    assert corollary_share_printed(0.999, 0.71, 1) > advanced_share(0.999, 0.71, 1)


def test_the_corollary_as_the_paper_writes_it_for_three():
    assert corollary_share_printed(0.5, 1e-5, 3) == 0.5 / (2 * math.sqrt(6 * math.log(1e5)))


def test_bad_values_are_refused():
    with pytest.raises(UsageError, match="parts is empty"):
        basic_composition([])
    with pytest.raises(UsageError, match="must stay below 1"):
        basic_composition([ApproximateDP(1.0, 0.5)] * 2)
    part = ApproximateDP(0.1, 0.1)
    with pytest.raises(UsageError, match="must stay below 1"):
        advanced_composition(part, 10, 0.01)
    with pytest.raises(UsageError, match="k is"):
        advanced_composition(part, 0, 0.01)
    with pytest.raises(UsageError, match="delta_prime is"):
        advanced_share(0.5, 0.0, 3)
    with pytest.raises(UsageError, match="epsilon_prime is"):
        advanced_share(0.0, 0.1, 3)
    with pytest.raises(UsageError, match=r"epsilon_prime is 1\.5"):
        corollary_share_printed(1.5, 0.1, 3)
    with pytest.raises(UsageError, match="not representable"):
        advanced_composition(ApproximateDP(1e4, 0.0), 2, 0.1)
