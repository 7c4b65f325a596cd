"""Where a score is cut: against all pairs of thresholds, and what a forecast promises."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provado.audit.bounds.binomial import binomial_epsilon_lower
from provado.audit.events.threshold import NO_CUT, Goal, best_cut, forecast

PURE = Goal(trials=1000, alpha=0.05, delta=0.0, betting=False)
GOALS = [PURE, Goal(1000, 0.05, 0.05, True), Goal(10_000, 0.01, 0.0, True)]
ODD = st.sampled_from([math.nan, math.inf, -math.inf])
SCORES = st.lists(st.one_of(st.integers(-4, 4), ODD), min_size=1, max_size=20)


def one_forecast(correct, wrong, regions, size, goal):
    numbers = (np.array([[x]], dtype=np.int64) for x in (correct, wrong, regions))
    return float(forecast(*numbers, size, goal)[0, 0])


def value_of(a, b, low, high, sign, goal):
    """Return the forecast of one cut, its guesses counted one by one."""
    above = (sum(x >= high for x in a), sum(x >= high for x in b))
    below = (sum(x <= low for x in a), sum(x <= low for x in b))
    correct, wrong = above[0] + below[1], above[1] + below[0]
    if sign < 0:
        correct, wrong = wrong, correct
    regions = (sum(above) > 0) + (sum(below) > 0)
    return one_forecast(correct, wrong, regions, len(a) + len(b), goal)


def brute_force(a, b, goal, both_ways):
    values = sorted({x for x in (*a, *b) if x == x})
    return max(
        value_of(a, b, low, high, sign, goal)
        for low in (-math.inf, *values)
        for high in (*values, math.inf)
        for sign in ((1, -1) if both_ways else (1,))
        if low < high
    )


@given(SCORES, SCORES, st.sampled_from(GOALS), st.booleans())
def test_its_forecast_is_that_of_its_own_cut_and_of_no_better_pair(a, b, goal, both_ways):
    cut = best_cut(np.array(a, float), np.array(b, float), goal, both_ways=both_ways)
    if len([x for x in (*a, *b) if x == x]) < 2:
        assert cut == NO_CUT
    elif math.isfinite(cut.value):
        assert cut.low < cut.high
        assert value_of(a, b, cut.low, cut.high, cut.sign, goal) == pytest.approx(cut.value)
        assert cut.value <= brute_force(a, b, goal, both_ways) + 1e-9


def test_scores_that_are_all_infinite_have_a_cut():
    goal = Goal(80, 0.05, 0.1, True)
    for a, b in (([math.inf], [math.inf]), ([math.inf], [-math.inf]), ([-math.inf], [1.0])):
        best_cut(np.array(a * 40), np.array(b * 40), goal, both_ways=True)


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("sign", [1, -1])
def test_on_many_samples_it_is_as_good_as_the_best_of_all_pairs(goal, sign):
    rng = np.random.default_rng(4)
    tilt = np.exp(sign * np.arange(-4, 5) * 0.4)
    base = np.array([1, 2, 4, 8, 12, 8, 4, 2, 1.0])
    a = rng.choice(np.arange(-4.0, 5), size=4000, p=base * tilt / (base @ tilt))
    b = -rng.choice(np.arange(-4.0, 5), size=4000, p=base * tilt / (base @ tilt))
    cut = best_cut(a, b, goal, both_ways=True)
    best = brute_force(a.tolist(), b.tolist(), goal, both_ways=True)
    assert cut.sign == sign
    assert 0.9 * best < cut.value <= best + 1e-9


@pytest.mark.parametrize("goal", GOALS)
def test_one_score_for_all_is_never_both_in_the_upper_and_the_lower_region(goal):
    cut = best_cut(np.zeros(5), np.zeros(7), goal)
    assert cut == NO_CUT or cut.low < cut.high


def test_a_perfect_score_is_cut_between_the_two():
    cut = best_cut(np.ones(500), np.zeros(500), PURE)
    assert cut.low == 0
    assert cut.high == 1
    assert cut.sign == 1
    swapped = best_cut(np.zeros(500), np.ones(500), PURE, both_ways=True)
    assert swapped.sign == -1
    assert swapped.value == cut.value


def test_it_abstains_in_the_middle_where_that_pays():
    rng = np.random.default_rng(2)
    flip = rng.random(20_000) < 0.9
    # Nine tenths of the outputs say nothing; the rest tell all.
    a, b = np.where(flip, 0.0, 1.0), np.where(flip, 0.0, -1.0)
    cut = best_cut(a, b, PURE)
    assert (cut.low, cut.high) == (-1, 1)


def test_the_forecast_is_cautious():
    # Far below what the same counts would certify if they had not been used to choose.
    for correct, wrong in ((900, 100), (600, 400), (50, 0), (990, 10)):
        value = one_forecast(correct, wrong, 2, 1000, PURE)
        assert value < binomial_epsilon_lower(correct, wrong, 0.05)


def test_the_forecast_rises_with_right_guesses_trials_and_alpha():
    base = one_forecast(800, 200, 2, 1000, PURE)
    assert one_forecast(850, 150, 2, 1000, PURE) > base
    assert one_forecast(800, 200, 2, 1000, Goal(10_000, 0.05, 0.0, False)) > base
    assert one_forecast(800, 200, 2, 1000, Goal(1000, 0.2, 0.0, False)) > base
    assert one_forecast(800, 200, 2, 1000, Goal(1000, 0.05, 0.1, True)) < base
    assert one_forecast(8, 2, 2, 1000, PURE) < base


def test_the_forecast_of_many_samples_comes_close_to_the_truth():
    goal = Goal(10**8, 0.05, 0.0, False)
    value = one_forecast(731_058_579, 268_941_421, 2, 10**9, goal)
    assert value == pytest.approx(1.0, abs=2e-3)
    delta = Goal(10**8, 0.05, 0.1, True)
    # p = (e + δ)/(1 + e) and q = (1 − δ)/(1 + e) meet (1, 0.1) exactly.
    right = round(1e9 * (math.e + 0.1) / (1 + math.e))
    assert one_forecast(right, 10**9 - right, 2, 10**9, delta) == pytest.approx(1.0, abs=2e-3)


def test_no_guess_has_no_forecast():
    assert one_forecast(0, 0, 0, 1000, PURE) == -math.inf
    assert one_forecast(0, 0, 0, 1000, GOALS[1]) == -math.inf
    nothing = np.full(50, np.nan)
    assert best_cut(nothing, nothing, PURE) == NO_CUT
