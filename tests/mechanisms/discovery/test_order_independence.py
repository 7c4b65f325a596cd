from __future__ import annotations

import importlib.util
from functools import partial
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.methods.pc import Test as CiTest
from provado.mechanisms.graph_discovery.methods.pc import discover, pc
from provado.mechanisms.graph_discovery.search.cpdag import (
    MEEK_RULES,
    close_by_meek,
    judged_triples,
    with_colliders,
)
from provado.mechanisms.graph_discovery.search.skeleton import one_by_one
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from provado.reports.commands.reproduce.sources.networks import load_network
from tests.mechanisms.discovery.random_graphs import (
    lying,
    names,
    oracle,
    random_dag,
    renamed,
    true_cpdag,
)

needs_pgmpy = pytest.mark.skipif(
    importlib.util.find_spec("pgmpy") is None, reason="pgmpy is not installed"
)
RULES = ("agreed", "majority", "conservative")


def turned(data, order):
    return CodedTable(
        tuple(data.names[i] for i in order),
        tuple(data.levels[i] for i in order),
        np.ascontiguousarray(data.codes[order]),
        data.counts,
        data.n,
    )


def same(found, other, order):
    """Whether the second graph is the first with its vertices in that order."""
    return np.array_equal(found[np.ix_(order, order)], other)


def sampled(name, n, seed):
    return load_network(name).sample(n, np.random.default_rng(seed))


def search(data, **options):
    return pc(
        data,
        alpha=0.05,
        test=CiTest.CHI_SQUARED,
        max_order=2,
        orientation="first",
        **options,
    )


@needs_pgmpy
@settings(max_examples=15)
@given(
    st.sampled_from(["asia", "child"]),
    st.integers(60, 400),
    st.integers(0, 10**6),
    st.sampled_from(CiTest),
    st.randoms(use_true_random=False),
)
def test_no_part_of_the_result_depends_on_the_order_of_the_columns(name, n, seed, test, shuffler):
    data = sampled(name, n, seed)
    order = list(range(len(data.names)))
    shuffler.shuffle(order)
    run = partial(pc, alpha=0.05, test=test, max_order=2)
    for rule in RULES:
        first = run(data, orientation=rule)
        second = run(turned(data, order), orientation=rule)
        assert same(first.skeleton, second.skeleton, order)
        assert same(first.cpdag, second.cpdag, order)
        assert first.tests >= second.skeleton.sum() // 2


@needs_pgmpy
def test_the_first_separating_set_and_the_unstable_search_do_depend_on_it():
    first_differs = unstable_differs = 0
    for seed in range(4):
        data = sampled("child", 300, seed)
        order = np.random.default_rng(seed).permutation(len(data.names)).tolist()
        other = turned(data, order)
        first_differs += not same(search(data).cpdag, search(other).cpdag, order)
        assert same(search(data).skeleton, search(other).skeleton, order)
        loose = search(data, stable=False).skeleton
        unstable_differs += not same(loose, search(other, stable=False).skeleton, order)
    assert first_differs > 0
    assert unstable_differs > 0


@settings(max_examples=40)
@given(
    st.integers(1, 5),
    st.integers(0, 10**6),
    st.sampled_from([0.3, 0.5, 0.8]),
    st.sampled_from(RULES),
)
def test_an_oracle_gives_the_markov_equivalence_class(d, seed, density, rule):
    dag = random_dag(d, seed, density)
    found = discover(names(d), oracle(dag), orientation=rule)
    assert np.array_equal(found.cpdag, true_cpdag(dag))


@settings(max_examples=40)
@given(st.integers(3, 6), st.integers(0, 10**6), st.sampled_from([None, 0, 1]))
def test_judging_equals_the_definition(d, seed, max_order):
    independent = lying(seed, d)
    graph = random_dag(d, seed, 0.4)
    graph |= graph.T
    for rule in RULES:
        found = judged_triples(graph, one_by_one(independent), rule=rule, max_order=max_order)
        colliders, unclear = set(), set()
        for x, y in combinations(range(d), 2):
            if graph[x, y]:
                continue
            around = [set(np.flatnonzero(graph[v]).tolist()) for v in (x, y)]
            tried = {
                s
                for near in around
                for s in chain.from_iterable(
                    combinations(sorted(near), k)
                    for k in range(d)
                    if max_order in (None, k) or k < max_order
                )
            }
            separating = [s for s in tried if independent(x, y, s)]
            for z in around[0] & around[1]:
                share = np.mean([z in s for s in separating]) if separating else None
                few, many = (0, 1) if rule == "conservative" else (0.499, 0.501)
                collides = share is not None and share <= few
                not_one = share is not None and share >= many
                if not not_one:
                    (colliders if collides else unclear).update({(x, z, y), (y, z, x)})
        assert found.colliders == colliders
        assert found.unclear == unclear


def judged_by(p_values, rule):
    """What the rule says of 0 − 2 − 1, by the p-values of four sets around its ends."""
    graph = np.zeros((4, 4), dtype=bool)
    graph[[0, 1, 0, 1], [2, 2, 3, 3]] = True
    graph |= graph.T

    def answers(x, y, _around, sets):
        for given_nodes in sets:
            yield given_nodes, p_values[given_nodes] if (x, y) == (0, 1) else 0.0

    found = judged_triples(graph, answers, rule=rule)
    sides = ((found.colliders, "collider"), (found.unclear, "unclear"))
    return next((said for triples, said in sides if (0, 2, 1) in triples), "none")


@pytest.mark.parametrize(
    ("p_values", "said"),
    [
        # A test without power separates by the empty set as well.
        ({(): 0.02, (2,): 0.9, (3,): 0.0, (2, 3): 0.8}, ["none", "none", "unclear"]),
        # Most sets say that they collide, the surest one that they do not.
        ({(): 0.02, (2,): 0.9, (3,): 0.03, (2, 3): 0.0}, ["unclear", "collider", "unclear"]),
        ({(): 0.7, (2,): 0.0, (3,): 0.3, (2, 3): 0.1}, ["collider", "collider", "unclear"]),
        ({(): 0.7, (2,): 0.0, (3,): 0.3, (2, 3): 0.0}, ["collider", "collider", "collider"]),
        ({(): 0.0, (2,): 0.0, (3,): 0.0, (2, 3): 0.0}, ["unclear", "unclear", "unclear"]),
    ],
)
def test_agreed_asks_the_surest_sets_as_well(p_values, said):
    assert [judged_by(p_values, rule) for rule in RULES] == said


def test_answers_that_contradict_each_other_stay_order_independent():
    d, differs = 6, 0
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(d).tolist()
        for rule in ("first", *RULES):
            one = discover(names(d), lying(seed, d), orientation=rule).cpdag
            other = discover(names(d), renamed(lying(seed, d), order), orientation=rule).cpdag
            if rule == "first":
                differs += not same(one, other, order)
            else:
                assert same(one, other, order)
    assert differs > 0


def one_edge_at_a_time(graph):
    """Meek's rules in the order of the edges: each direction counts for the next edge."""
    closed = graph.copy()
    changed = True
    while changed:
        changed = False
        for a, b in np.argwhere(closed & closed.T):
            both = closed[a, b] and closed[b, a]
            if both and any(rule(closed, int(a), int(b)) for rule in MEEK_RULES):
                closed[b, a] = False
                changed = True
    return closed


@settings(max_examples=60)
@given(st.integers(2, 8), st.integers(0, 10**6), st.sampled_from([0.3, 0.5]))
def test_closing_all_edges_together_equals_one_at_a_time_where_directions_agree(d, seed, density):
    dag = random_dag(d, seed, density)
    skeleton = dag | dag.T
    colliders = [
        (x, z, y)
        for z in range(d)
        for x, y in combinations(np.flatnonzero(dag[:, z]).tolist(), 2)
        if not skeleton[x, y]
    ]
    pattern = with_colliders(skeleton, colliders)
    assert np.array_equal(close_by_meek(pattern), one_edge_at_a_time(pattern))


def test_closing_does_not_depend_on_the_order_and_one_at_a_time_does():
    d, differs = 6, 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        graph = rng.random((d, d)) < 0.45
        np.fill_diagonal(graph, val=False)
        graph |= graph.T & (rng.random((d, d)) < 0.7)
        order = rng.permutation(d).tolist()
        other = graph[np.ix_(order, order)]
        assert same(close_by_meek(graph), close_by_meek(other), order)
        differs += not same(one_edge_at_a_time(graph), one_edge_at_a_time(other), order)
    assert differs > 0


def test_an_unclear_triple_is_no_reason():
    graph = np.zeros((3, 3), dtype=bool)
    graph[0, 1] = graph[1, 2] = graph[2, 1] = True
    assert not close_by_meek(graph)[2, 1]
    assert close_by_meek(graph, {(0, 1, 2), (2, 1, 0)})[2, 1]


def test_bad_orientations_are_named():
    with pytest.raises(UsageError, match="orientation is 'last'"):
        discover(names(3), lying(0, 3), orientation="last")
