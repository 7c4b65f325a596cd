from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.independence_tests.margin import ProvedMargin, PublicFacts
from provado.mechanisms.graph_discovery.methods.deletion_utility import (
    GreedyUtility,
    ProvedUtility,
    choice_probabilities,
    counts_proved,
    counts_released,
    greedy_removals,
)
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from tests.mechanisms.discovery.chi_squared import chi_squared

CRITICAL = float(stats.chi2.isf(0.05, 1))
COMBINATIONS = np.array(list(product(range(2), repeat=3)), dtype=np.uint8).T


def g(tables):
    """Σ 2·O·ln(O·N/(R·C)), one cell after another."""
    total = 0.0
    for table in np.asarray(tables):
        for (i, j), o in np.ndenumerate(table):
            if o:
                total += 2 * o * np.log(o * table.sum() / (table[i].sum() * table[:, j].sum()))
    return total


def naive_greedy(tables, critical):
    """Return the counts that the search may end with: removals that are equally good may differ."""
    start = np.array(tables)
    sign = 1 if g(start) < critical else -1
    found, states = set(), {start.tobytes(): start}
    for removed in range(start.sum() - 1):
        after = {}
        for left in states.values():
            moved = []
            for place in zip(*np.nonzero(left), strict=True):
                less = left.copy()
                less[place] -= 1
                moved.append((sign * g(less), less))
            furthest = max(value for value, _ in moved)
            if furthest >= sign * critical:
                found.add(sign * removed)
                continue
            best = [less for value, less in moved if value > furthest - 1e-9]
            after |= {less.tobytes(): less for less in best}
        states = after
    return found | {sign * (start.sum() - 1)} if states else found


@settings(max_examples=60)
@given(st.data())
def test_the_greedy_search_equals_the_one_that_tries_every_removal(data):
    shape = data.draw(st.sampled_from([(1, 2, 2), (1, 3, 2), (2, 2, 2), (3, 2, 3)]))
    size = int(np.prod(shape))
    cells = data.draw(st.lists(st.integers(0, 9), min_size=size, max_size=size))
    table = np.array(cells).reshape(shape)
    table[0, 0, 0] += 1
    # A critical value that no table of whole numbers meets.
    critical = data.draw(st.sampled_from([2.7055, 3.8415, 9.4877]))
    assert greedy_removals(table, critical) in naive_greedy(table, critical)


def test_the_greedy_search_takes_one_of_two_equally_good_removals():
    table = np.zeros((3, 2, 3), dtype=int)
    table[0, 0, 0], table[2] = 1, [[0, 7, 1], [4, 0, 4]]
    assert greedy_removals(table, 2.7055) in naive_greedy(table, 2.7055) == {-6, -7}


def test_the_greedy_search_leaves_its_argument_alone():
    table = np.array([[[9, 2], [1, 9]]])
    greedy_removals(table, CRITICAL)
    assert table.tolist() == [[[9, 2], [1, 9]]]


def fewest_removals(table, critical):
    independent = g([table]) < critical
    kept = [
        sum(other)
        for other in product(*(range(c + 1) for c in np.ravel(table)))
        if (g([np.reshape(other, (2, 2))]) < critical) is not independent
    ]
    return (1 if independent else -1) * (np.sum(table) - max(kept) - 1)


def test_greedy_steps_need_not_be_the_fewest():
    assert fewest_removals([[1, 2], [2, 5]], CRITICAL) == 3
    assert greedy_removals(np.array([[[1, 2], [2, 5]]]), CRITICAL) == 5
    for cells in ([[2, 2], [3, 3]], [[5, 1], [0, 4]]):
        assert greedy_removals(np.array([cells]), CRITICAL) == fewest_removals(cells, CRITICAL)


@pytest.mark.parametrize("n", [5, 100, 100_000])
def test_one_replaced_row_moves_the_published_utility_by_all_but_one_of_its_rows(n):
    equal, other = np.array([[[0, 0], [0, n]]]), np.array([[[1, 0], [0, n - 1]]])
    assert greedy_removals(equal, CRITICAL) == n - 1
    assert greedy_removals(other, CRITICAL) == 0


def test_with_columns_that_vary_one_replaced_row_still_moves_it_by_thousands():
    few, more = [[0, 1], [50_000, 49_999]], [[0, 2], [50_000, 49_998]]
    assert greedy_removals(np.array([few]), CRITICAL) == 41_417
    assert greedy_removals(np.array([more]), CRITICAL) == 18_994


def coded(cells):
    """Binary columns, three of them, from how often each of the eight combinations occurs."""
    return CodedTable(("a", "b", "c"), (2, 2, 2), COMBINATIONS, np.array(cells), sum(cells))


def test_the_best_set_of_an_edge_is_the_one_of_the_largest_p_value():
    rng = np.random.default_rng(2)
    data = coded(rng.integers(20, 60, 8))
    ((deletion,), tests) = GreedyUtility(data, alpha=0.05).deletions(0, [1], 0)
    whole = chi_squared(data.tables(0, 1), statistic="g")
    assert (deletion.y, deletion.given, tests) == (1, (), 1)
    assert deletion.passes is (whole.p_value > 0.05)
    assert deletion.score == greedy_removals(data.tables(0, 1), CRITICAL)
    # Two levels to choose from: c, or a copy of it that says nothing.
    copied = CodedTable(
        ("a", "b", "c", "d"),
        (2, 2, 2, 2),
        np.vstack([COMBINATIONS, np.zeros(8, dtype=np.uint8)]),
        data.counts,
        data.n,
    )
    found, tests = GreedyUtility(copied, alpha=0.05).deletions(0, [1, 2, 3], 1)
    assert tests == 6
    for deletion in found:
        sets = [(v,) for v in (1, 2, 3) if v != deletion.y]
        p_values = [
            stats.chi2.sf(
                chi_squared(copied.tables(0, deletion.y, s), statistic="g").statistic, df=2
            )
            for s in sets
        ]
        assert deletion.given == sets[int(np.argmax(p_values))]
        assert deletion.passes is bool(max(p_values) > 0.05)


def test_tests_without_enough_rows_are_not_asked_and_their_edge_is_no_option():
    few = coded([2, 1, 1, 2, 2, 1, 1, 2])
    assert len(GreedyUtility(few, alpha=0.05).deletions(0, [1, 2], 0)[0]) == 2
    assert GreedyUtility(few, alpha=0.05).deletions(0, [1, 2], 1) == ([], 0)
    assert ProvedUtility(few, alpha=0.1).deletions(0, [1, 2], 1) == ([], 0)


def test_every_set_is_an_option_of_the_proved_utility_with_its_margin():
    data = coded([20, 11, 13, 8, 9, 20, 14, 12])
    options, tests = ProvedUtility(data, alpha=0.1).deletions(0, [1, 2], 1)
    assert tests == 2
    for option, y, z in zip(options, (1, 2), (2, 1), strict=True):
        margin = ProvedMargin(0.1, 0.0)(
            data.tables(0, y, (z,)), PublicFacts(data.n, data.n, 2, sieve=False)
        )
        assert (option.y, option.given, option.score) == (y, (z,), margin)
        assert option.passes is (margin >= 0)


def neighbors_of(cells):
    for i, j in product(range(len(cells)), repeat=2):
        if i != j and cells[i]:
            other = list(cells)
            other[i] -= 1
            other[j] += 1
            yield tuple(other)


def tables_of(n, cells):
    """All ways to put n records into that many cells."""
    if cells == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in tables_of(n - first, cells - 1):
            yield (first, *rest)


PROVED = (partial(ProvedUtility, alpha=0.1), counts_proved)
PUBLISHED = (partial(GreedyUtility, alpha=0.05), counts_released)


def utilities(method, cells, order):
    make, counts = method
    options, _ = make(coded(cells)).deletions(0, [1, 2], order)
    return np.concatenate([[d.score for d in options], counts(options)])


def moves(method, cells, order):
    here = utilities(method, cells, order)
    return max(np.abs(utilities(method, o, order) - here).max() for o in neighbors_of(cells))


def spread(cells):
    """Four cells, of two columns, as eight where the third column repeats the second."""
    a, b, c, d = cells
    return (a, 0, 0, b, c, 0, 0, d)


def test_no_replaced_record_moves_a_proved_utility_by_more_than_one_in_any_table_of_sixteen():
    """All tables of two binary columns, and all their neighbors."""
    known = {}
    for cells in tables_of(16, 4):
        counts = np.array(cells)
        data = CodedTable(("a", "b"), (2, 2), COMBINATIONS[1:, :4], counts, 16)
        options, _ = ProvedUtility(data, alpha=0.1).deletions(0, [1], 0)
        known[cells] = np.concatenate([[options[0].score], counts_proved(options)])
    worst = max(
        float(np.abs(here - known[other]).max())
        for cells, here in known.items()
        for other in neighbors_of(cells)
    )
    # In units a fourth as large the same search sees it move by more than 1.
    assert 1 / 4 < worst <= 1 + 1e-9


def test_no_replaced_record_moves_a_proved_utility_given_others_by_more_than_one():
    rng = np.random.default_rng(5)
    for n in (14, 15, 20, 40):
        for _ in range(4):
            cells = tuple(rng.multinomial(n, rng.dirichlet(np.full(8, 0.4))).tolist())
            assert moves(PROVED, cells, 1) <= 1 + 1e-9


def test_the_same_search_finds_what_the_published_utility_moves_by():
    assert moves(PUBLISHED, spread((0, 0, 0, 11)), 0) >= 10
    assert moves(PUBLISHED, spread((2, 3, 3, 2)), 0) > 1


def loss(method, epsilon, cells, other, order):
    """The largest |ln Pr[answer | cells]/Pr[answer | other]| of a round of node 0."""
    make, counts = method
    laws = []
    for table in (cells, other):
        options, _ = make(coded(table)).deletions(0, [1, 2], order)
        law = choice_probabilities(options, counts, epsilon=epsilon)
        laws.append({tuple((d.y, d.given) for d in answer): p for answer, p in law.items()})
    assert set(laws[0]) == set(laws[1])
    return max(abs(np.log(p / laws[1][answer])) for answer, p in laws[0].items())


def worst_loss(method, epsilon, every, order):
    return max(
        loss(method, epsilon, cells, other, order)
        for cells in every
        for other in list(neighbors_of(cells))[::3]
    )


@pytest.mark.parametrize("order", [0, 1])
def test_a_repaired_round_keeps_its_epsilon_exactly(order):
    rng = np.random.default_rng(3)
    every = [tuple(rng.multinomial(30, np.full(8, 1 / 8)).tolist()) for _ in range(12)]
    every += [spread((15, 1, 1, 13)), spread((1, 8, 20, 1))]
    worst = worst_loss(PROVED, 1.0, every, order)
    assert worst <= 1 + 1e-9
    # The same pairs catch a round that takes eight times its ε.
    assert worst_loss(PROVED, 8.0, every, order) > 1


def test_a_published_round_breaks_its_epsilon_by_far():
    cells, other = (0, 0, 0, 0, 0, 0, 99, 99), (1, 0, 0, 0, 0, 0, 98, 99)
    assert loss(PUBLISHED, 0.5, cells, other, 0) > 4 * 0.5


@pytest.mark.parametrize("make", [GreedyUtility, ProvedUtility])
def test_a_bad_level_is_named(make):
    with pytest.raises(UsageError, match="alpha is 0"):
        make(coded([9] * 8), alpha=0)
