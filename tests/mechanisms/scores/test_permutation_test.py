import itertools
from fractions import Fraction

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.scores.hsic.permuted import (
    PermutationTest,
    draw_permutations,
    permutation_rows,
)


def made(score, permuted, error=0.0):
    return PermutationTest(score, np.array(permuted, dtype=float), error)


def test_the_two_p_values_by_hand():
    found = made(1.0, [0.0, 1.0, 2.0, 3.0])
    assert found.p_printed == Fraction(2, 4)
    assert found.p_valid == Fraction(4, 5)
    assert made(5.0, [0.0, 1.0]).p_printed == 0
    assert made(5.0, [0.0, 1.0]).p_valid == Fraction(1, 3)


def test_scores_within_the_error_count_as_tied():
    near = [1.0 - 1e-12, 1.0 + 1e-12]
    assert made(1.0, near, 1e-12).p_valid == 1
    assert made(1.0, near, 1e-12).p_printed == 0
    assert made(1.0, near, 1e-13).p_valid == Fraction(2, 3)
    assert made(1.0, near, 1e-13).p_printed == Fraction(1, 2)


def levels(scores):
    """Return the exact levels at each α over all orders of k + 1 exchangeable scores."""
    k = len(scores) - 1
    tests = [made(order[0], order[1:]) for order in itertools.permutations(scores)]
    return [
        (
            alpha,
            Fraction(sum(t.p_valid <= alpha for t in tests), len(tests)),
            Fraction(sum(t.p_printed <= alpha for t in tests), len(tests)),
        )
        for alpha in (Fraction(n, 2 * k * (k + 1)) for n in range(1, 2 * k * (k + 1)))
    ]


@pytest.mark.parametrize(
    "scores", [[0, 1, 2, 3, 4], [0, 0, 1, 1, 2], [1, 1, 1, 1, 1], [0, 3, 3, 3, 4]]
)
def test_over_all_orders_only_the_valid_one_keeps_every_level(scores):
    found = levels(scores)
    assert all(valid <= alpha for alpha, valid, _ in found)
    # The printed share is the broken twin.
    assert any(printed > alpha for alpha, _, printed in found)


def test_without_ties_the_levels_are_those_of_the_docstring():
    k = 4
    for alpha, valid, printed in levels(range(k + 1)):
        assert valid == Fraction(int(alpha * (k + 1)), k + 1)
        assert printed == Fraction(int(alpha * k) + 1, k + 1)


def test_permutations_are_drawn_uniformly():
    orders = draw_permutations(3, 6000, np.random.default_rng(5))
    counts = np.unique(orders, axis=0, return_counts=True)[1]
    assert counts.size == 6
    assert ((counts - 1000) ** 2 / 1000).sum() < 20.5  # χ² with 5 degrees of freedom, 0.001
    again = draw_permutations(3, 6000, np.random.default_rng(5))
    assert np.array_equal(orders, again)


def test_what_is_no_list_of_permutations_is_refused():
    assert permutation_rows([np.array([1, 0, 2]), [2, 1, 0]], 3).tolist() == [[1, 0, 2], [2, 1, 0]]
    for bad, rule in (
        ([[0, 1, 1]], r"permutations\[0\] is \[0 1 1\]"),
        ([[0, 1, 2], [0, 1, 3]], "must hold each of 0"),
        ([[0, 1, 2], [0, 1, -1]], "must hold each of 0"),
        ([[0, 1]], r"shape \(1, 2\)"),
        ([0, 1, 2], r"shape \(3,\)"),
        ([], r"shape \(0,\)"),
        ([[0, 1, 2], [0, 1]], "several lengths"),
        ([[0.0, 1.0, 2.0]], "type float64"),
    ):
        with pytest.raises(UsageError, match=rule):
            permutation_rows(bad, 3)
    with pytest.raises(UsageError, match="k is 0"):
        draw_permutations(3, 0, np.random.default_rng(0))
