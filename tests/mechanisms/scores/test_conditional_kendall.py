import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.scores.conditional_ranks import (
    average_sensitivity,
    average_sensitivity_printed,
    conditional_tau_average,
    conditional_tau_sums,
    p_value_sensitivity_released,
)
from tests.mechanisms.scores.score_variants import conditional_tau_z

ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=14
)


def naive(rows, rule):
    top = bottom = Fraction(0)
    for level in {z for *_, z in rows}:
        part = [(x, y) for x, y, z in rows if z == level]
        n = len(part)
        flat = any(len(set(column)) == 1 for column in zip(*part, strict=True))
        if n < 2 or (rule == "released" and (n < 3 or flat)):
            continue
        signs = sum(
            ((x > u) - (x < u)) * ((y > v) - (y < v))
            for i, (x, y) in enumerate(part)
            for u, v in part[:i]
        )
        weight = Fraction(9 * n * (n - 1), 4 * n + 10)
        top += weight * Fraction(signs, n * (n - 1) // 2)
        bottom += weight
    return top, bottom


@given(ROWS, st.sampled_from(["all", "released"]))
@settings(max_examples=80)
def test_it_agrees_with_pairs_counted_one_by_one(rows, rule):
    x, y, z = zip(*rows, strict=True)
    top, bottom = conditional_tau_sums(x, y, z, rule=rule)
    assert (top, bottom) == naive(rows, rule)
    average = conditional_tau_average(x, y, z, rule=rule)
    assert average == (top / bottom if bottom else 0)
    assert abs(average) <= 1


def test_one_stratum_is_tau_with_the_usual_variance():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 40))
    found = stats.kendalltau(x, y)
    assert float(conditional_tau_average(x, y, np.zeros(40))) == pytest.approx(found.statistic)
    deviation = math.sqrt(2 * (2 * 40 + 5) / (9 * 40 * 39))
    z = conditional_tau_z(x, y, np.zeros(40))
    assert z == pytest.approx(found.statistic / deviation, abs=1e-12)


def test_z_has_variance_1_under_independence():
    rng = np.random.default_rng(2)
    z = [conditional_tau_z(*rng.normal(size=(2, 30)), rng.integers(0, 3, 30)) for _ in range(500)]
    assert np.mean(z) == pytest.approx(0, abs=0.15)
    assert np.std(z) == pytest.approx(1, abs=0.1)


def test_several_conditioning_columns_and_strings_of_rows():
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 3, (2, 60))
    two = rng.integers(0, 2, (60, 2))
    joint = two[:, 0] * 2 + two[:, 1]
    assert conditional_tau_sums(x, y, two) == conditional_tau_sums(x, y, joint)
    assert conditional_tau_sums(x, y, two) != conditional_tau_sums(x, y, two[:, 0])


def test_a_constant_stratum_counts_under_one_rule_only():
    x = [0, 1, 2, 5, 5, 5]
    y = [0, 1, 2, 1, 2, 3]
    z = [0, 0, 0, 1, 1, 1]
    assert conditional_tau_average(x, y, z, rule="all") == Fraction(1, 2)
    assert conditional_tau_average(x, y, z, rule="released") == 1


def test_one_record_brings_in_a_stratum_under_the_released_rule():
    n = 50
    x = [*range(n), *[0] * n]
    y = [*range(n), *range(n)]
    z = [0] * n + [1] * n
    moved = [*x[:-1], 1]
    first, second = (conditional_tau_average(c, y, z, rule="released") for c in (x, moved))
    assert float(first - second) == pytest.approx(0.48, abs=0.01)


def test_bounds():
    assert average_sensitivity_printed(7) == Fraction(9, 14)
    assert average_sensitivity(100, 2) == Fraction(12, 186)
    assert average_sensitivity(7, 2) == 2
    assert p_value_sensitivity_released(36) == pytest.approx(stats.norm.cdf(1) - 0.5, abs=1e-14)


def test_bad_arguments_are_refused():
    good = ([1, 2, 3], [1, 2, 3], [0, 0, 0])
    assert conditional_tau_average(*good) == 1
    with pytest.raises(UsageError, match="given has shape"):
        conditional_tau_average([1, 2, 3], [1, 2, 3], [0, 0])
    with pytest.raises(UsageError, match="given is"):
        conditional_tau_average([1, 2, 3], [1, 2, 3], [0, 0, math.nan])
    with pytest.raises(UsageError, match="rule is"):
        conditional_tau_average(*good, rule="some")
    with pytest.raises(UsageError, match="strata is"):
        average_sensitivity(10, 0)
