from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.scores.spearman import (
    spearman,
    spearman_sensitivity,
    spearman_signed,
    squared_rank_differences,
)
from tests.mechanisms.scores.neighbor_search import patterns, worst_with_ties, worst_without_ties

RULES = ("position", "midrank")
values = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=25)


def naive_ranks(x, ties):
    """Rank by counting who stands before."""
    ranks = []
    for i, value in enumerate(x):
        smaller = sum(other < value for other in x)
        equal = sum(other == value for other in x)
        before = sum(x[j] == value for j in range(i))
        ranks.append(
            Fraction(smaller + before + 1)
            if ties == "position"
            else smaller + Fraction(equal + 1, 2)
        )
    return ranks


def naive(a, b, ties):
    m = len(a)
    ranked = zip(naive_ranks(a, ties), naive_ranks(b, ties), strict=True)
    return abs(1 - 6 * sum((p - q) ** 2 for p, q in ranked) / Fraction(m * (m * m - 1)))


@pytest.mark.parametrize("ties", RULES)
@given(rows=values)
def test_agrees_with_counting(ties, rows):
    a, b = zip(*rows, strict=True)
    assert spearman(a, b, ties=ties) == float(naive(a, b, ties))


def test_agrees_with_scipy_without_ties_and_differs_with_them():
    rng = np.random.default_rng(2)
    a = rng.normal(size=500)
    b = a + rng.normal(size=500)
    assert spearman_signed(a, b) == pytest.approx(stats.spearmanr(a, b).statistic, abs=1e-14)
    assert spearman_signed(a, -b) == -spearman_signed(a, b)
    coarse = a.round(0)
    correlation = stats.spearmanr(coarse, b).statistic
    for ties in RULES:
        assert abs(spearman_signed(coarse, b, ties=ties) - correlation) > 1e-3


@given(rows=values, seed=st.integers(0, 99))
def test_unmoved_by_increasing_maps_and_by_reordering_with_midranks(rows, seed):
    a, b = (np.array(x) for x in zip(*rows, strict=True))
    order = np.random.default_rng(seed).permutation(a.size)
    for ties in RULES:
        assert spearman(a, b, ties=ties) == spearman(np.exp(a), 3 * b - 1, ties=ties)
        assert spearman(a, b, ties=ties) == spearman(b, a, ties=ties)
    assert spearman(a, b, ties="midrank") == spearman(a[order], b[order], ties="midrank")


def test_position_depends_on_the_order_of_rows_where_there_are_ties():
    assert spearman_signed([0, 0], [1, 2]) == 1
    assert spearman_signed([0, 0], [2, 1]) == -1


def test_exact_at_sizes_where_squares_of_floats_are_not():
    m = 1_000_000
    a = np.arange(m)
    assert squared_rank_differences(a, -a) == Fraction(m * (m * m - 1), 3)
    assert squared_rank_differences(a, -a, ties="midrank") == Fraction(m * (m * m - 1), 3)
    assert spearman_signed(a, -a) == -1
    swapped = a.copy()
    swapped[[0, 1]] = 1, 0
    assert squared_rank_differences(a, swapped) == 2
    assert 1 - spearman_signed(a, swapped) == pytest.approx(12 / (m**3 - m), abs=2**-53)


@pytest.mark.parametrize("m", [2, 3, 4, 5])
def test_no_neighbors_without_ties_pass_the_stated_bound(m):
    worst = worst_without_ties(spearman_signed, m)
    assert 0 < worst <= spearman_sensitivity(m)
    # 6/(m + 1) is reached, so that a claim of 5/m fails from m = 6 on; see below.
    assert worst >= 6 / (m + 1) - 1e-12


@pytest.mark.parametrize("ties", RULES)
@pytest.mark.parametrize("m", [2, 3, 4])
def test_the_sum_of_squares_moves_as_little_as_the_proof_needs(ties, m):
    score = partial(squared_rank_differences, ties=ties)
    moved = worst_with_ties(score, m, rows_matter=ties == "position")
    # As printed, (m − 1)(5m − 3). The sum of the proof's own bounds is (m − 1)(5m − 9) instead.
    assert moved <= (m - 1) * (5 * m - 3)
    assert (moved <= (m - 1) * (5 * m - 9)) == (m > 2)


@pytest.mark.parametrize("ties", RULES)
def test_other_ranks_move_by_at_most_one_and_the_own_difference_by_more_than_printed(ties):
    m, moved, own = 4, 0, 0
    for others in patterns(m - 1):
        for place in range(m):
            ranks = [
                np.array(naive_ranks([*others[:place], x, *others[place:]], ties))
                for x in range(-1, 2 * m - 1)
            ]
            for r in ranks:
                step = np.abs(r - ranks[0])
                own = max(own, step[place])
                moved = max(moved, np.delete(step, place).max())
    assert moved == 1
    # A record can go from first to last in a while it goes from last to first in b.
    assert 2 * own == 2 * (m - 1) > m - 1


@given(st.integers(6, 60))
def test_a_smaller_claim_is_refuted_and_the_stated_one_is_not(m):
    a = np.arange(float(m))
    moved = a.copy()
    moved[0] = m
    change = abs(spearman(a, a) - spearman(moved, a))
    assert 5 / m < change <= spearman_sensitivity(m)


@given(rows=values, new=st.tuples(st.integers(-1, 7), st.integers(-1, 7)), data=st.data())
def test_random_neighbors_stay_within_the_bound(rows, new, data):
    k = data.draw(st.integers(0, len(rows) - 1))
    replaced = [*rows[:k], new, *rows[k + 1 :]]
    for ties in RULES:
        before, after = (
            spearman_signed(*zip(*table, strict=True), ties=ties) for table in (rows, replaced)
        )
        assert abs(before - after) <= spearman_sensitivity(len(rows))


def test_bad_ties_are_refused():
    with pytest.raises(UsageError, match="ties is 'mean'"):
        spearman([1, 2], [1, 2], ties="mean")


def test_sensitivity_is_as_printed():
    assert spearman_sensitivity(100) == Fraction(3, 10)
    for m in range(2, 200):
        before_rounding_up = Fraction(6 * (m - 1) * (5 * m - 3), m * (m * m - 1))
        assert 0 < before_rounding_up <= spearman_sensitivity(m) < before_rounding_up + 60 / m**2
