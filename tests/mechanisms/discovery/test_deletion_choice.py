from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.methods.deletion_utility import (
    Deletion,
    choice_probabilities,
    choose,
    counts_proved,
    counts_released,
)


def edges(*scores):
    """One deletion for each score; −0.0 stands for a test that does not pass, by nothing."""
    return [Deletion(y, (), s, math.copysign(1, s) > 0) for y, s in enumerate(scores)]


whole = st.integers(-6, 6).map(float)
some = st.lists(whole, min_size=1, max_size=6)


@given(some)
def test_the_utility_of_a_count_is_how_far_the_scores_are_from_another_count(scores):
    """The least d such that scores moved by d have just b above 0, or no longer have."""
    for b, utility in enumerate(counts_proved(edges(*scores))):
        ranked = sorted(scores, reverse=True)
        if b in range(sum(s > 0 for s in scores), sum(s >= 0 for s in scores) + 1):
            wanted = min([abs(s) for s in ranked])
        else:
            short = ranked[b:] if sum(s > 0 for s in scores) > b else [-s for s in ranked[:b]]
            wanted = -max(short)
        assert utility == wanted


@given(st.data(), some)
def test_the_utilities_move_by_no_more_than_the_scores(data, scores):
    moved = [s + data.draw(st.integers(-1, 1)) for s in scores]
    change = counts_proved(edges(*scores)) - counts_proved(edges(*moved))
    assert np.abs(change).max() <= 1
    # With sets of its own for an edge, the largest counts.
    lower = [Deletion(y, (9,), s - 1, s - 1 >= 0) for y, s in enumerate(scores)]
    assert np.array_equal(counts_proved(edges(*scores) + lower), counts_proved(edges(*scores)))


def test_the_released_utilities_are_those_of_the_released_code():
    assert counts_released(edges(5.0, 2.0, -3.0, -4.0)).tolist() == [-6, -2, 1, -3]
    assert counts_released(edges(-3.0, -4.0)).tolist() == [3, -3]
    assert counts_released(edges(5.0, 2.0)).tolist() == [-6, -2]
    assert counts_released(edges(-7.0)).tolist() == [7]
    # Near the threshold 1 is right, and the less likely.
    assert counts_released(edges(0.0, -0.0, -0.0)).tolist() == [-1, -1, 0]
    assert counts_proved(edges(5.0, 2.0, -3.0, -4.0)).tolist() == [-5, -2, 2, -3, -4]


@settings(max_examples=30)
@given(some, st.floats(0.1, 5))
def test_probabilities_sum_to_one_over_answers_that_take_each_edge_once(scores, epsilon):
    law = choice_probabilities(edges(*scores[:4]), counts_proved, epsilon=epsilon)
    assert sum(law.values()) == pytest.approx(1)
    k = len(scores[:4])
    assert len(law) == sum(math.perm(k, b) for b in range(k + 1))
    assert all(len({d.y for d in answer}) == len(answer) for answer in law)


def test_the_probability_of_an_answer_is_the_product_of_its_draws():
    options = [*edges(2.0, -1.0), Deletion(0, (7,), 1.0, True)]
    law = choice_probabilities(options, counts_proved, epsilon=4.0)
    e = math.exp
    # min(s_b, −s_{b+1}) at ε/4 = 1 for the count, at ε/4 and ε/8 for the draws.
    number = np.array([e(-2), e(1), e(-1)]) / (e(-2) + e(1) + e(-1))
    first, second, set_7 = options
    one = e(2) + e(-1) + e(1)
    two = e(1) + e(-0.5) + e(0.5)
    assert law[()] == pytest.approx(number[0])
    assert law[set_7,] == pytest.approx(number[1] * e(1) / one)
    assert law[first, second] == pytest.approx(number[2] * e(1) / two)
    assert law[second, set_7] == pytest.approx(number[2] * e(-0.5) / two * e(0.5) / (e(1) + e(0.5)))


def test_drawn_answers_have_their_probabilities():
    rng = np.random.default_rng(1)
    options = [*edges(2.0, -1.0, 0.5), Deletion(1, (7,), 1.0, True)]
    for counts in (counts_proved, counts_released):
        law = choice_probabilities(options, counts, epsilon=1.5)
        seen = Counter(tuple(choose(options, counts, epsilon=1.5, rng=rng)) for _ in range(3000))
        assert set(seen) <= set(law)
        observed = [seen[answer] for answer in law]
        assert stats.chisquare(observed, 3000 * np.array([*law.values()])).pvalue > 1e-4
        wrong = choice_probabilities(options, counts, epsilon=3.0).values()
        assert stats.chisquare(observed, 3000 * np.array([*wrong])).pvalue < 1e-4


def test_bad_arguments_are_named():
    rng = np.random.default_rng(0)
    for counts in (counts_proved, counts_released):
        with pytest.raises(UsageError, match="deletions is empty"):
            choose([], counts, epsilon=1.0, rng=rng)
        with pytest.raises(UsageError, match="epsilon is 0"):
            choose(edges(1.0), counts, epsilon=0, rng=rng)
