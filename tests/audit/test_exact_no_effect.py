from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from provado.mechanisms import UsageError
from tests.audit.exact_no_effect import (
    fisher_exact,
    permutation_p_value,
    sampled_permutation_p_value,
)

quick = settings(max_examples=40)
counts = st.lists(st.integers(0, 6), min_size=2, max_size=2)


def likelihood(one, two):
    """How many assignments of the pooled outputs give these counts; rare ones speak loudest."""
    pooled = [*one, *two]
    ways = 1
    for output in set(pooled):
        ways *= comb(pooled.count(output), one.count(output))
    return -ways


@quick
@given(counts, counts)
def test_against_scipy(treated, control):
    ours = fisher_exact(treated, control)
    theirs = stats.fisher_exact([treated, control]).pvalue
    assert float(ours) == pytest.approx(theirs, rel=1e-9)


@quick
@given(st.lists(st.integers(0, 3), min_size=3, max_size=3), st.data())
def test_against_all_assignments(treated, data):
    control = data.draw(st.lists(st.integers(0, 2), min_size=3, max_size=3))
    outputs = [o for o, k in enumerate(treated) for _ in range(k)]
    outputs += [o for o, k in enumerate(control) for _ in range(k)]
    if not outputs:
        return
    assigned = [i < sum(treated) for i in range(len(outputs))]
    assert fisher_exact(treated, control) == permutation_p_value(outputs, assigned, likelihood)


def test_level_is_kept_exactly():
    """Over all assignments of fixed outputs, p ≤ a happens for a share of at most a."""
    outputs = "aaabbbccd"
    ps = []
    for chosen in combinations(range(9), 4):
        one = [sum(outputs[i] == o for i in chosen) for o in "abcd"]
        two = [outputs.count(o) - k for o, k in zip("abcd", one, strict=True)]
        ps.append(fisher_exact(one, two))
    for a in set(ps):
        assert Fraction(sum(p <= a for p in ps), len(ps)) <= a


def test_the_lady_tasting_tea():
    # Fisher (1935): eight cups, all told apart; 1 in 70 by chance, and two-sided 2 in 70.
    assert fisher_exact([4, 0], [0, 4]) == Fraction(2, 70)
    one_sided = permutation_p_value(
        [1, 1, 1, 1, 0, 0, 0, 0], [True] * 4 + [False] * 4, lambda one, _two: sum(one)
    )
    assert one_sided == Fraction(1, 70)


def test_no_difference_gives_one():
    assert fisher_exact([3, 3], [3, 3]) == 1
    assert fisher_exact([5], [7]) == 1


def test_statistics_that_tie_as_floats_are_told_apart():
    tiny = Fraction(1, 10**40)
    outputs = [1 + tiny, 1, 1, 1]
    p = permutation_p_value(outputs, [True, False, False, False], lambda one, _two: sum(one))
    assert p == Fraction(1, 4)
    assert len({float(output) for output in outputs}) == 1


def test_sampled_p_value_is_near_the_exact_one():
    outputs, assigned = [0, 0, 1, 1, 1, 0], [True, True, True, False, False, False]
    exact = permutation_p_value(outputs, assigned, lambda one, _two: sum(one))
    near = sampled_permutation_p_value(
        outputs,
        assigned,
        lambda one, _two: sum(one),
        draws=999,
        rng=np.random.default_rng(5),
    )
    assert near.denominator <= 1000
    # Five standard deviations of 999 draws.
    spread = (float(exact) * (1 - float(exact)) / 999) ** 0.5
    assert abs(float(near - exact)) < 5 * spread + 0.001


def test_the_assignment_seen_always_counts():
    p = sampled_permutation_p_value(
        list(range(30)),
        [i >= 15 for i in range(30)],
        lambda one, _two: sum(one),
        draws=9,
        rng=np.random.default_rng(1),
    )
    assert p >= Fraction(1, 10)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: fisher_exact([1, -1], [0, 1]), "at least 0"),
        (lambda: fisher_exact([1.0, 1], [0, 1]), "whole number"),
        (lambda: fisher_exact([1], [0, 1]), "same outputs"),
        (lambda: fisher_exact([], []), "at least one"),
        (lambda: fisher_exact([2000, 2000, 1], [2000, 2000, 1]), "tables"),
        (lambda: permutation_p_value([], [], lambda a, b: 0), "at least one"),
        (lambda: permutation_p_value([1], [True, False], lambda a, b: 0), "one assignment"),
        (lambda: permutation_p_value([1] * 40, [True] * 20 + [False] * 20, max), "assignments"),
        (lambda: permutation_p_value([1, 2], [True, False], lambda a, b: 0.5), "floats"),
    ],
)
def test_bad_input_is_refused(make, message):
    with pytest.raises(UsageError, match=message):
        make()
