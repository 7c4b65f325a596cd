import math
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from provado.audit import Counts, effect_sizes
from provado.mechanisms import UsageError

SIX = st.tuples(*[st.integers(0, 1000)] * 6)


def test_totals_by_hand():
    counts = Counts(5, 2, 3, 1, 7, 4)
    assert (counts.correct, counts.wrong, counts.abstained) == (12, 3, 7)
    assert (counts.guesses, counts.trials) == (15, 22)
    assert (counts.d_trials, counts.d_prime_trials) == (10, 12)


@given(SIX, SIX, SIX)
def test_counts_add_in_any_order(a, b, c):
    a, b, c = Counts(*a), Counts(*b), Counts(*c)
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert a + Counts() == a
    assert (a + b).trials == a.trials + b.trials


@pytest.mark.parametrize("bad", [-1, 1.0, True, None, "3", math.nan, np.int64(3)])
def test_a_count_is_an_integer_of_at_least_0(bad):
    with pytest.raises(UsageError, match=r"d_abstained is .*a count is an integer"):
        Counts(d_abstained=bad)


def test_counts_are_frozen():
    with pytest.raises(FrozenInstanceError):
        Counts().d_guessed_d = 3


def test_effects_by_hand():
    for_d, for_d_prime = effect_sizes(Counts(30, 10, 60, 5, 45, 150))
    assert (for_d.guess, for_d.hits, for_d.trials) == ("D", 30, 100)
    assert (for_d.other_hits, for_d.other_trials) == (5, 200)
    assert for_d.relative_probability == pytest.approx(0.3 / 0.025)
    assert for_d.risk_difference == pytest.approx(0.275)
    assert (for_d_prime.guess, for_d_prime.hits, for_d_prime.trials) == ("D′", 45, 200)
    assert for_d_prime.relative_probability == pytest.approx(0.225 / 0.1)
    assert for_d_prime.risk_difference == pytest.approx(0.125)


def newcombe(x, n, y, m):
    """Return Newcombe's interval at 95 % for a difference, from two Wilson intervals, by hand."""

    def wilson(k, size):
        z, p = 1.959963984540054, k / size
        centre = (p + z * z / (2 * size)) / (1 + z * z / size)
        half = z / (1 + z * z / size) * math.sqrt(p * (1 - p) / size + (z / (2 * size)) ** 2)
        return centre - half, centre + half

    (l1, u1), (l2, u2), p, q = wilson(x, n), wilson(y, m), x / n, y / m
    return (
        p - q - math.sqrt((p - l1) ** 2 + (u2 - q) ** 2),
        p - q + math.sqrt((u1 - p) ** 2 + (q - l2) ** 2),
    )


def test_intervals_by_hand():
    (effect, _) = effect_sizes(Counts(30, 0, 70, 5, 0, 195))
    assert effect.risk_difference_interval == pytest.approx(newcombe(30, 100, 5, 200), abs=1e-9)
    log = math.log((30.5 / 100.5) / (5.5 / 200.5))
    half = 1.959963984540054 * math.sqrt(1 / 30.5 - 1 / 100.5 + 1 / 5.5 - 1 / 200.5)
    assert effect.relative_probability_interval == pytest.approx(
        (math.exp(log - half), math.exp(log + half)), rel=1e-9
    )


@pytest.mark.parametrize("level", [0.9, 0.95, 1 - 1e-6])
def test_intervals_are_those_of_a_library(level):
    from statsmodels.stats.proportion import confint_proportions_2indep

    sizes = [(1, 1), (3, 40), (10_000, 7)]
    tables = [(x, n, y, m) for n, m in sizes for x in {0, 1, n // 2, n} for y in {0, 1, m // 3, m}]
    for x, n, y, m in (table for table in tables if table[0] or table[2]):
        (effect, _) = effect_sizes(Counts(x, 0, n - x, y, 0, m - y), level)
        for compare, method, ours in (
            ("diff", "newcomb", effect.risk_difference_interval),
            ("ratio", "log-adjusted", effect.relative_probability_interval),
        ):
            low, high = confint_proportions_2indep(x, n, y, m, method, compare, 1 - level)
            if compare == "ratio":
                low, high = low if x else 0.0, high if y else math.inf
            assert ours == pytest.approx((low, high), rel=1e-12, abs=1e-12)


def test_a_higher_confidence_widens_the_intervals():
    counts = Counts(30, 0, 70, 5, 0, 195)
    wide, narrow = effect_sizes(counts, 0.99)[0], effect_sizes(counts, 0.9)[0]
    for name in ("relative_probability_interval", "risk_difference_interval"):
        (a, b), (c, d) = getattr(wide, name), getattr(narrow, name)
        assert a < c < d < b


def test_an_event_never_seen_under_the_other_intervention_has_infinite_relative_probability():
    effect, _ = effect_sizes(Counts(d_guessed_d=10, d_abstained=90, d_prime_abstained=100))
    assert effect.relative_probability == math.inf
    low, high = effect.relative_probability_interval
    assert 1 < low < math.inf
    assert high == math.inf
    assert effect.risk_difference == pytest.approx(0.1)


def test_an_event_only_seen_under_the_other_intervention_has_relative_probability_0():
    effect, _ = effect_sizes(Counts(d_abstained=100, d_prime_guessed_d=10, d_prime_abstained=90))
    assert effect.relative_probability == 0
    low, high = effect.relative_probability_interval
    assert low == 0
    assert 0 < high < 1


def test_an_event_never_seen_has_no_relative_probability():
    effect, _ = effect_sizes(Counts(d_abstained=10, d_prime_abstained=10))
    assert math.isnan(effect.relative_probability)
    assert all(map(math.isnan, effect.relative_probability_interval))
    assert effect.risk_difference == 0


def test_no_trials_on_one_side_have_no_effect():
    for counts in (Counts(), Counts(d_guessed_d=5), Counts(d_prime_guessed_d=5)):
        for effect in effect_sizes(counts):
            assert math.isnan(effect.risk_difference)
            assert all(map(math.isnan, effect.risk_difference_interval))


@given(st.integers(1, 400), st.integers(1, 400), st.floats(0, 1), st.floats(0, 1))
def test_intervals_hold_the_estimate_at_the_borders_too(n, m, x, y):
    # Warnings are errors here: the intervals must be quiet about every table.
    hits, other = round(x * n), round(y * m)
    (effect, _) = effect_sizes(Counts(hits, 0, n - hits, other, 0, m - other))
    if hits or other:
        low, high = effect.risk_difference_interval
        assert low - 1e-12 <= effect.risk_difference <= high + 1e-12
        assert -1 - 1e-12 <= low <= high <= 1 + 1e-12
        low, high = effect.relative_probability_interval
        assert 0 <= low <= high


@pytest.mark.parametrize(("p", "q"), [(0.5, 0.3), (0.1, 0.1), (0.95, 0.6)])
def test_the_intervals_cover_by_enumeration(p, q):
    n, covered = 40, np.zeros(2)
    chances = np.outer(binom.pmf(range(n + 1), n, p), binom.pmf(range(n + 1), n, q))
    for x, y in zip(*np.nonzero(chances > 1e-6), strict=True):
        x, y = int(x), int(y)
        (effect, _) = effect_sizes(Counts(x, 0, n - x, y, 0, n - y))
        intervals = (effect.relative_probability_interval, effect.risk_difference_interval)
        for i, ((low, high), truth) in enumerate(zip(intervals, (p / q, p - q), strict=True)):
            covered[i] += chances[x, y] * (not (truth < low or truth > high))
    assert np.all(covered > 0.93)
