import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.scores.kendall import (
    NARROW,
    concordance,
    count_inversions,
    kendall_printed,
    kendall_sensitivity,
)
from tests.mechanisms.scores.neighbor_search import worst_with_ties, worst_without_ties
from tests.mechanisms.scores.score_variants import kendall_a, kendall_b, tau_a, tau_b

values = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=25)


def naive(a, b):
    """PublicFacts at every pair."""
    counts = [0] * 5
    for i, j in itertools.combinations(range(len(a)), 2):
        x, y = np.sign(a[i] - a[j]), np.sign(b[i] - b[j])
        case = {(True, True): 4, (True, False): 2, (False, True): 3}.get((x == 0, y == 0))
        counts[case if case is not None else 0 if x == y else 1] += 1
    return tuple(counts)


def naive_printed(a, b):
    """Apply the paper's sentence to every pair."""
    pairs = list(itertools.combinations(range(len(a)), 2))
    concordant = sum(
        (a[i] > a[j] and b[i] > b[j]) or (a[j] > a[i] and b[j] > b[i]) for i, j in pairs
    )
    discordant = len(pairs) - concordant
    return abs(concordant - discordant) / len(pairs)


@given(values)
def test_counts_agree_with_every_pair(rows):
    a, b = zip(*rows, strict=True)
    assert concordance(a, b) == naive(a, b)
    assert kendall_printed(a, b) == naive_printed(a, b)


@pytest.mark.parametrize("m", [2, 3, 90, NARROW, NARROW + 1, 191, 193, 400, 777])
@pytest.mark.parametrize(("levels_a", "levels_b"), [(None, None), (3, None), (None, 4), (5, 3)])
@pytest.mark.parametrize("wide", [False, True])
def test_counts_agree_past_the_narrow_width(m, levels_a, levels_b, wide):
    rng = np.random.default_rng(m)
    a = rng.normal(size=m) if levels_a is None else rng.integers(levels_a * (1 + 9 * wide), size=m)
    b = rng.normal(size=m) if levels_b is None else rng.integers(levels_b * (1 + 9 * wide), size=m)
    x, y = (np.sign(np.subtract.outer(v, v))[np.triu_indices(m, 1)] for v in (a, b))
    wanted = (
        np.count_nonzero(x * y > 0),
        np.count_nonzero(x * y < 0),
        np.count_nonzero((x == 0) & (y != 0)),
        np.count_nonzero((x != 0) & (y == 0)),
        np.count_nonzero((x == 0) & (y == 0)),
    )
    assert concordance(a, b) == wanted
    shuffled = np.random.default_rng(1).permutation(b)
    assert concordance(a, shuffled) != wanted or m < 4


@pytest.mark.parametrize("m", [1, 2, 5, NARROW, NARROW + 1, 500, 70_000])
def test_inversions_of_known_permutations(m):
    up = np.arange(m)
    assert count_inversions(up) == 0
    assert count_inversions(up[::-1]) == m * (m - 1) // 2
    assert count_inversions(np.roll(up, 1)) == m - 1


@given(st.permutations(range(9)))
def test_inversions_agree_with_every_pair(order):
    wanted = sum(order[i] > order[j] for i, j in itertools.combinations(range(9), 2))
    assert count_inversions(np.array(order)) == wanted


def test_agrees_with_scipy():
    rng = np.random.default_rng(3)
    for a, b in (
        (rng.normal(size=3000), rng.normal(size=3000)),
        (rng.integers(0, 50, 3000), rng.normal(size=3000)),
        (rng.normal(size=3000), rng.integers(0, 50, 3000)),
        (rng.integers(0, 4, 3000), rng.integers(0, 7, 3000)),
        (rng.integers(0, 4000, 3000), rng.integers(0, 4000, 3000)),
    ):
        assert tau_b(a, b) == pytest.approx(stats.kendalltau(a, b).statistic, abs=1e-14)
        assert kendall_b(a, b) == abs(tau_b(a, b))


def test_the_three_rules_differ_on_ties_and_agree_without_them():
    a, b = [0, 0, 1, 2], [0, 1, 1, 2]
    counts = concordance(a, b)
    assert counts == (4, 0, 1, 1, 0)
    assert kendall_printed(a, b) == 2 / 6
    assert kendall_a(a, b) == 4 / 6
    assert kendall_b(a, b) == 4 / 5
    distinct = [3.0, 1.0, 2.0, 0.0], [1.0, 0.0, 2.0, 3.0]
    assert kendall_printed(*distinct) == kendall_a(*distinct) == kendall_b(*distinct) == 1 / 3
    assert tau_a([1, 2, 3], [3, 1, 2]) == tau_b([1, 2, 3], [3, 1, 2]) == -1 / 3


def test_constant_columns():
    assert kendall_printed([1, 1, 1], [2, 2, 2]) == 1
    assert kendall_printed([1, 2, 3], [2, 2, 2]) == 1
    assert kendall_a([1, 2, 3], [2, 2, 2]) == 0
    with pytest.raises(UsageError, match="b is constant"):
        kendall_b([1, 2, 3], [2, 2, 2])
    with pytest.raises(UsageError, match="a is constant"):
        kendall_b([0.0, -0.0], [2, 1])


def test_exact_counts_at_a_million_rows():
    a = np.arange(1_000_000.0)
    total = 1_000_000 * 999_999 // 2
    assert concordance(a, a) == (total, 0, 0, 0, 0)
    assert concordance(a, np.roll(a, 1)) == (total - 999_999, 999_999, 0, 0, 0)
    halves = a // 500_000
    within = 2 * (500_000 * 499_999 // 2)
    assert concordance(-halves, a) == (0, total - within, within, 0, 0)


@given(values, st.integers(0, 99))
def test_unmoved_by_increasing_maps_and_by_reordering(rows, seed):
    a, b = (np.array(x) for x in zip(*rows, strict=True))
    order = np.random.default_rng(seed).permutation(a.size)
    assert concordance(a, b) == concordance(np.exp(a[order]), 2 * b[order] - 7)
    c, d, tied_a, tied_b, both = concordance(a, b)
    assert concordance(-a, b) == (d, c, tied_a, tied_b, both)
    assert concordance(b, a) == (c, d, tied_b, tied_a, both)


@pytest.mark.parametrize("score", [kendall_printed, kendall_a])
@pytest.mark.parametrize("m", [2, 3, 4])
def test_no_neighbors_with_ties_pass_the_stated_bound(score, m):
    worst = worst_with_ties(score, m, rows_matter=False)
    assert worst <= float(kendall_sensitivity(m)) + 1e-12
    # Half of the bound is refuted from m = 4 on, and by τ-a at m = 3.
    refuted = worst > float(kendall_sensitivity(m)) / 2 + 1e-12
    assert refuted == (m > 3 or (m == 3 and score is kendall_a))


@pytest.mark.parametrize("m", [4, 5])
def test_the_bound_is_reached_without_ties(m):
    worst = worst_without_ties(kendall_printed, m)
    assert worst == pytest.approx(4 / m, abs=1e-12)
    assert worst > kendall_sensitivity(m) / 2


@given(values, st.tuples(st.integers(-1, 7), st.integers(-1, 7)), st.data())
def test_random_neighbors_stay_within_the_bound(rows, new, data):
    k = data.draw(st.integers(0, len(rows) - 1))
    replaced = [*rows[:k], new, *rows[k + 1 :]]
    for score in (kendall_printed, kendall_a):
        before, after = (score(*zip(*table, strict=True)) for table in (rows, replaced))
        assert abs(before - after) <= float(kendall_sensitivity(len(rows))) + 1e-12


@pytest.mark.parametrize("m", [10, 100, 1000])
def test_the_bound_does_not_hold_for_tau_b(m):
    a, b = np.zeros(m), np.zeros(m)
    a[0] = b[0] = b[1] = 1
    replaced = b.copy()
    replaced[0] = 0
    before, after = tau_b(a, b), tau_b(a, replaced)
    assert before == pytest.approx(math.sqrt((m - 2) / (2 * m - 2)), abs=1e-12)
    assert after == pytest.approx(-1 / (m - 1), abs=1e-12)
    assert before - after > kendall_sensitivity(m)
    assert abs(before) - abs(after) > kendall_sensitivity(m)


def test_sensitivity_is_as_printed():
    assert kendall_sensitivity(100) == Fraction(1, 25)
    assert math.isclose(kendall_sensitivity(100), 2 * 99 / (100 * 99 / 2))
