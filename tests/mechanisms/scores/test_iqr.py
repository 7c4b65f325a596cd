import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.mechanisms import UsageError
from provado.mechanisms.scores.iqr import (
    changes_to_leave,
    iqr,
    iqr_range,
    log_iqr,
    log_iqr_score,
    quartile_positions,
)

FAR = 10.0**6


def naive_iqr(values):
    """Return the difference of the smallest values with at least 1/4, 3/4 of all at or below."""

    def quantile(share):
        return next(x for x in sorted(values) if sum(v <= x for v in values) >= share * len(values))

    return quantile(0.75) - quantile(0.25)


def reachable(values, t):
    """Return every IQR after replacing t values by any of a list that includes far ones."""
    targets = sorted({*values, -FAR, FAR})
    found = set()
    for places in itertools.combinations(range(len(values)), t):
        for news in itertools.combinations_with_replacement(targets, t):
            changed = list(values)
            for place, new in zip(places, news, strict=True):
                changed[place] = new
            found.add(naive_iqr(changed))
    return found


def brute_range(values, t):
    found = reachable(values, t)
    return min(found), max(found) if max(found) < FAR / 2 else math.inf


small = st.lists(st.integers(0, 12), min_size=2, max_size=6)


@settings(max_examples=60)
@given(values=small, t=st.integers(0, 3))
def test_the_range_is_what_brute_force_reaches(values, t):
    t = min(t, len(values))
    assert iqr_range(values, t) == brute_range(values, t)


@pytest.mark.parametrize("m", range(2, 10))
def test_the_range_of_every_small_size_with_and_without_ties(m):
    draw = np.random.default_rng(m)
    for top in (2, 40):
        values = draw.integers(0, top, m).tolist()
        for t in range(min(m, 2 if m > 6 else 3) + 1):
            assert iqr_range(values, t) == brute_range(values, t), (values, t)


def test_a_window_that_is_one_point_too_long_would_be_noticed():
    values = [0, 1, 3, 6, 10, 15, 21, 28]
    p, q = quartile_positions(8)
    x = sorted(values)
    broken = min(x[j - 1 + q - p - 1 + 1] - x[j - 1] for j in range(p, p + 2))
    assert broken != iqr_range(values, 1)[0] == brute_range(values, 1)[0]


@settings(max_examples=40)
@given(values=small, low=st.integers(0, 8), width=st.integers(1, 8))
def test_changes_to_leave_is_the_first_that_leaves(values, low, width):
    def leaves(t):
        return any(not low <= found < low + width for found in reachable(values, t))

    expected = next(t for t in range(len(values) + 1) if leaves(t))
    assert changes_to_leave(values, low, low + width) == expected


@settings(max_examples=100)
@given(
    values=st.lists(st.floats(-100, 100), min_size=2, max_size=40),
    low=st.floats(0, 50),
    width=st.floats(0.1, 50),
)
def test_bisection_agrees_with_a_search_from_below(values, low, width):
    def leaves(t):
        least, greatest = iqr_range(values, t)
        return least < low or greatest >= low + width

    expected = next(t for t in range(len(values) + 1) if leaves(t))
    assert changes_to_leave(values, low, low + width) == expected


@settings(max_examples=100)
@given(
    values=st.lists(st.integers(-20, 20), min_size=2, max_size=30),
    place=st.integers(0, 29),
    new=st.integers(-60, 60),
)
def test_neighbors_in_one_interval_have_counts_at_most_one_apart(values, place, new):
    changed = list(values)
    changed[place % len(values)] = new
    low, high = 0.5, 17.5
    if low <= iqr(values) < high and low <= iqr(changed) < high:
        apart = abs(changes_to_leave(values, low, high) - changes_to_leave(changed, low, high))
        assert apart <= 1


@pytest.mark.parametrize(
    ("m", "positions"), [(2, (1, 2)), (3, (1, 3)), (4, (1, 3)), (5, (2, 4)), (8, (2, 6))]
)
def test_positions(m, positions):
    assert quartile_positions(m) == positions


@given(values=st.lists(st.integers(-5, 5), min_size=2, max_size=12))
def test_iqr_is_the_difference_of_the_naive_quartiles(values):
    assert iqr(values) == naive_iqr(values)


def test_the_score_adds_logarithms_and_falls_to_minus_infinity():
    a, b = [0.0, 1.0, 2.0, 3.0], [0.0, 5.0, 10.0, 15.0]
    assert log_iqr_score(a, b) == pytest.approx(math.log(2) + math.log(10))
    assert log_iqr([1.0, 1.0, 1.0, 7.0]) == -math.inf
    assert log_iqr_score([1.0] * 4, b) == -math.inf


def test_an_interval_without_upper_end_is_left_below_only():
    values = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert changes_to_leave(values, 0.5, math.inf) == changes_to_leave(values, 0.5, 1e300) + 1
    assert changes_to_leave(values, 0.0, math.inf) == len(values) + 1


@pytest.mark.parametrize("bad", [[1.0], [], [1.0, math.nan], [[1.0, 2.0]], [0.0, 1e308]])
def test_bad_values_are_refused(bad):
    with pytest.raises(UsageError, match=r"values|m is"):
        iqr(bad)


def test_bad_numbers_of_changes_and_intervals_are_refused():
    for t in (-1, 4, 1.0, True):
        with pytest.raises(UsageError, match="t is"):
            iqr_range([1.0, 2.0, 3.0], t)
    for low, high in ((1, 1), (2, 1), (-1, 1), (math.nan, 1)):
        with pytest.raises(UsageError, match="low is"):
            changes_to_leave([1.0, 2.0, 3.0], low, high)
