from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.independence_tests.discrete import shared_answers
from provado.mechanisms.graph_discovery.methods.pc import Test as CiTest
from provado.mechanisms.graph_discovery.methods.pc import discover, pc
from provado.mechanisms.graph_discovery.search.skeleton import find_skeleton, largest_order
from provado.mechanisms.graph_discovery.search.work_limits import NoMoreTests
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from tests.mechanisms.discovery.chi_squared import chi_squared
from tests.mechanisms.discovery.random_graphs import (
    d_separated,
    lying,
    names,
    oracle,
    random_dag,
    renamed,
    true_cpdag,
)


@settings(max_examples=60)
@given(st.integers(1, 5), st.integers(0, 10**6), st.sampled_from([0.3, 0.5, 0.8]), st.booleans())
def test_an_oracle_gives_the_markov_equivalence_class(d, seed, density, stable):
    dag = random_dag(d, seed, density)
    found = discover(names(d), oracle(dag), stable=stable)
    assert np.array_equal(found.skeleton, dag | dag.T)
    assert np.array_equal(found.cpdag, true_cpdag(dag))


@settings(max_examples=20)
@given(st.integers(6, 9), st.integers(0, 10**6))
def test_an_oracle_gives_the_skeleton_of_larger_graphs(d, seed):
    dag = random_dag(d, seed, 0.3)
    found = discover(names(d), oracle(dag))
    assert np.array_equal(found.skeleton, dag | dag.T)
    directed = found.cpdag & ~found.cpdag.T
    assert not np.any(directed & dag.T)
    for (x, y), given_nodes in found.separating.items():
        assert x < y
        assert d_separated(dag, x, y, set(given_nodes))


def test_a_wrong_oracle_is_noticed_by_the_check():
    chain = np.zeros((3, 3), dtype=bool)
    chain[0, 1] = chain[1, 2] = True
    fork_free = discover(names(3), lambda x, y, s: {x, y} == {0, 2})
    # Taken to be independent given nothing, as with a collider.
    assert not np.array_equal(fork_free.cpdag, true_cpdag(chain))


def test_the_stable_skeleton_does_not_depend_on_the_order_of_vertices_and_the_other_does():
    d, differs = 6, 0
    for seed in range(25):
        order = np.random.default_rng(seed).permutation(d).tolist()
        first = find_skeleton(d, lying(seed, d)).adjacency
        second = find_skeleton(d, renamed(lying(seed, d), order)).adjacency
        assert np.array_equal(first[np.ix_(order, order)], second)
        loose = find_skeleton(d, lying(seed, d), stable=False).adjacency
        turned = find_skeleton(d, renamed(lying(seed, d), order), stable=False).adjacency
        differs += not np.array_equal(loose[np.ix_(order, order)], turned)
    assert differs > 0


def test_each_set_is_tested_once_and_only_neighbors_condition():
    dag = random_dag(6, 3, 0.4)
    asked = []

    def watched(x, y, given_nodes):
        asked.append((x, y, tuple(sorted(given_nodes))))
        return d_separated(dag, x, y, set(given_nodes))

    found = find_skeleton(6, watched)
    assert len(asked) == len(set(asked)) == found.tests
    assert all(x < y and x not in s and y not in s for x, y, s in asked)
    assert [len(s) for _, _, s in asked] == sorted(len(s) for _, _, s in asked)
    limited = find_skeleton(6, oracle(dag), max_order=0)
    assert limited.tests == 15
    assert not any(limited.separating.values())


def test_a_test_that_answers_no_more_leaves_the_edges():
    left = [3]

    def independent(x, y, given_nodes):
        if not left[0]:
            raise NoMoreTests
        left[0] -= 1
        return True

    found = find_skeleton(4, independent)
    assert not found.complete
    assert found.tests == 3
    assert found.adjacency.sum() == 2 * (6 - 3)


@pytest.mark.parametrize(("n", "d", "order"), [(100_000, 20, 11), (100_000, 5, 3), (40, 9, 0)])
def test_largest_order_is_that_of_the_released_code(n, d, order):
    assert largest_order(n, d) == order


def sampled_chain(n):
    rng = np.random.default_rng(1)
    a = rng.integers(0, 3, n)
    b = np.where(rng.random(n) < 0.7, a, rng.integers(0, 3, n))
    c = np.where(rng.random(n) < 0.7, b, rng.integers(0, 3, n))
    e = rng.integers(0, 2, n)
    codes = np.array([a, b, c, e], dtype=np.uint8)
    return CodedTable(("a", "b", "c", "e"), (3, 3, 3, 2), codes, None, n)


@pytest.mark.parametrize("test", CiTest)
def test_data_from_a_chain_give_the_chain(test):
    found = pc(sampled_chain(4000), alpha=0.01, test=test)
    wanted = np.zeros((4, 4), dtype=bool)
    wanted[[0, 1, 1, 2], [1, 0, 2, 1]] = True
    assert np.array_equal(found.cpdag, wanted)
    assert found.separating[0, 2] == (1,)


def test_it_is_the_search_with_the_test_from_the_tables():
    data = sampled_chain(300)

    def naive(x, y, s):
        return chi_squared(data.tables(x, y, s)).p_value >= 0.05

    for rule in ("first", "majority", "conservative"):
        found = pc(data, alpha=0.05, test=CiTest.CHI_SQUARED, orientation=rule)
        by_hand = discover(data.names, naive, orientation=rule)
        assert np.array_equal(found.cpdag, by_hand.cpdag)
        assert found.tests == by_hand.tests


def test_bad_arguments_are_named():
    with pytest.raises(UsageError, match="alpha is 2"):
        pc(sampled_chain(50), alpha=2)
    with pytest.raises(UsageError, match="test is 'chi2'"):
        pc(sampled_chain(50), alpha=0.1, test="chi2")
    with pytest.raises(UsageError, match="d is 0"):
        find_skeleton(0, lambda x, y, s: True)
    with pytest.raises(UsageError, match="max_order is -1"):
        find_skeleton(3, lambda x, y, s: True, max_order=-1)


def columns_of(*columns, levels=2):
    codes = np.array(columns, dtype=np.uint8)
    names = tuple("abcdef"[: len(columns)])
    return CodedTable(names, (levels,) * len(columns), codes, None, codes.shape[1])


def test_too_few_rows_for_any_test_are_named():
    with pytest.raises(UsageError, match="2 rows of 'a', 'b': a stratum needs at least 3"):
        pc(columns_of([0, 1], [1, 0]), alpha=0.1)
    with pytest.raises(UsageError, match="4 rows in which 'a', 'c' are constant"):
        pc(columns_of([0, 0, 0, 0], [0, 1, 1, 0], [1, 1, 1, 1]), alpha=0.1)
    assert pc(columns_of([0, 1, 1], [1, 0, 1]), alpha=0.1).tests == 1
    assert pc(columns_of([0, 1, 1]), alpha=0.1).tests == 0


@pytest.mark.parametrize("test", CiTest)
def test_without_a_stratum_that_counts_only_pearsons_test_separates(test):
    data = columns_of([0, 1, 1, 0, 1], [0, 1, 1, 0, 1], [0, 1, 2, 3, 4], levels=5)
    answers = shared_answers(data, test, 0.49)
    assert list(answers(0, 1, [2], iter([()]))) == [((), False)]
    # Each row is a stratum of its own given c, so that nothing is tested.
    separates = test is CiTest.CHI_SQUARED
    assert list(answers(0, 1, [2], iter([(2,)]))) == [((2,), separates)]


def test_an_edge_stays_where_a_set_determines_a_column():
    lung, tub, dysp = np.random.default_rng(0).random((3, 4000)) < [[0.4], [0.4], [0.3]]
    either = lung | tub
    data = columns_of(lung, tub, either, either ^ dysp)
    # Given lung and tub the column either is constant, so τ cannot take either − (either ^ dysp).
    assert pc(data, alpha=0.1, test=CiTest.KENDALL).skeleton[2, 3]
    assert pc(data, alpha=0.1).skeleton[2, 3]
    assert not pc(data, alpha=0.1, test=CiTest.CHI_SQUARED).skeleton[2, 3]


def trends(n=600, seed=2):
    """a: three levels; b: rises weakly with a; c: a U of a, so no trend."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 5, n)
    b = np.clip(a + rng.integers(-8, 9, n), 0, 4)
    c = np.where(rng.random(n) < 0.7, abs(a - 2), rng.integers(0, 3, n))
    return columns_of(a, b, c, levels=5)


@pytest.mark.parametrize("test", [CiTest.KENDALL, CiTest.SPEARMAN])
def test_rank_tests_are_for_ordered_columns_and_g_for_the_others(test):
    data, pairs = trends(), [(0, 1), (0, 2)]

    def p_values(test, **ordered):
        answers = shared_answers(data, test, 1e-300, **ordered)
        return [
            p for x, y in pairs for s in ((), (3 - x - y,)) for _, p in answers(x, y, s, iter([s]))
        ]

    rank, g = p_values(test), p_values(CiTest.G)
    assert p_values(test, ordered="abc") == rank
    assert p_values(test, ordered="ab") == rank[:2] + g[2:]
    assert p_values(test, ordered="c") == g
    assert p_values(CiTest.G, ordered="ab") == g
    # A trend shows in ranks, and any dependence in the likelihood ratio: the declaration has both.
    found = pc(data, alpha=1e-3, test=test, ordered="ab").skeleton
    assert (found[0, 1], found[0, 2]) == (True, True)
    assert not pc(data, alpha=1e-3, test=test).skeleton[0, 2]
    assert not pc(data, alpha=1e-3).skeleton[0, 1]


def test_two_levels_are_always_in_order():
    rng = np.random.default_rng(0)
    data = columns_of(*rng.integers(0, 2, (2, 500)))
    none, every = (
        list(shared_answers(data, CiTest.SPEARMAN, 0.0, ordered=o)(0, 1, (), iter([()])))
        for o in ("", "ab")
    )
    assert none == every
