import numpy as np

from tests.mechanisms.goodness_of_fit import ALPHA, p_value, same_distribution_p_value


def test_right_probabilities_pass_and_wrong_ones_do_not():
    outputs = np.random.default_rng(1).choice(4, size=20_000, p=[0.1, 0.2, 0.3, 0.4])
    assert p_value(outputs, range(4), [0.1, 0.2, 0.3, 0.4]) > ALPHA
    assert p_value(outputs, range(4), [0.13, 0.17, 0.3, 0.4]) < ALPHA
    assert p_value(outputs, range(3), [0.2, 0.3, 0.5]) == 0
    assert p_value(outputs, [0, 1, 3], [0.1, 0.2, 0.4]) > ALPHA


def test_p_values_are_spread_evenly_when_the_probabilities_are_right():
    rng = np.random.default_rng(2)
    found = [
        p_value(rng.choice(3, size=500, p=[0.2, 0.3, 0.5]), range(3), [0.2, 0.3, 0.5])
        for _ in range(400)
    ]
    assert 0.4 < np.mean(found) < 0.6
    assert np.mean(np.array(found) < 0.1) < 0.16


def test_two_samples():
    rng = np.random.default_rng(3)
    a, b, c = rng.poisson(3, 5000), rng.poisson(3, 5000), rng.poisson(3.4, 5000)
    assert same_distribution_p_value(a, b) > ALPHA
    assert same_distribution_p_value(a, c) < ALPHA
