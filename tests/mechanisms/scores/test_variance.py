import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mechanisms.scores.score_variants import variance_score

column = st.lists(st.integers(-1000, 1000), min_size=4, max_size=4).map(lambda x: [*x, x[0] + 1])


@given(column, column)
def test_agrees_with_exact_variances(a, b):
    wanted = math.log(statistics.pvariance(a)) + math.log(statistics.pvariance(b))
    assert variance_score(a, b) == pytest.approx(wanted, abs=1e-12)
    assert variance_score(a, b) == pytest.approx(variance_score(a[::-1], b[::-1]), abs=1e-12)


@pytest.mark.parametrize("power", [-1000, -300, 0, 300, 1000])
def test_scale_moves_the_score_by_its_logarithm(power):
    a = np.array([1.0, 2.0, 5.0])
    moved = variance_score(np.ldexp(a, power), a) - variance_score(a, a)
    assert moved == pytest.approx(2 * power * math.log(2), abs=1e-9)


def test_a_large_mean_does_not_drown_a_small_spread():
    a = 1e15 + np.array([0.0, 1.0, 2.0])
    assert variance_score(a, [0.0, 1.0, 2.0]) == pytest.approx(2 * math.log(2 / 3), abs=1e-12)


def test_a_constant_column_scores_minus_infinity():
    assert variance_score([0.1, 0.1, 0.1], [1, 2, 3]) == -math.inf


def test_one_record_moves_the_score_by_any_amount():
    a = np.array([1.0, 2.0, 3.0])
    scores = [variance_score([1.0, 2.0, far], a) for far in (1e10, 1e50, 1e200)]
    assert scores[1] - scores[0] > 100
    assert scores[2] - scores[1] > 500
