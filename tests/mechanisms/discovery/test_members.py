"""How sure directions are: the share of acyclic graphs that direct an edge, drawn by their fit."""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from benchmarks.arrow_bars import Case, network_of, work
from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.methods import tables as tables_method
from provado.mechanisms.graph_discovery.methods.tables import (
    DIRECTED_AGAIN,
    FoundInTables,
    by_tests,
    directed_again,
    discover_from_tables,
    in_tables,
)
from provado.mechanisms.graph_discovery.noisy_tables import directions
from provado.mechanisms.graph_discovery.noisy_tables.dependence import Dependence
from provado.mechanisms.graph_discovery.noisy_tables.edge_search import Tried, search_edges
from provado.mechanisms.graph_discovery.noisy_tables.estimates import Floats
from provado.mechanisms.graph_discovery.noisy_tables.plan import CellNoise, TablesPlan, plan_tables
from provado.mechanisms.graph_discovery.noisy_tables.release import NoisyTables
from provado.mechanisms.graph_discovery.search.cpdag import cpdag_of, directed_by_shares
from provado.mechanisms.graph_discovery.search.sampled_graphs import direction_shares
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from provado.reports.commands.reproduce.sources.networks import load_network
from tests.mechanisms.discovery.random_graphs import acyclic, random_dag


def all_members(skeleton):
    """Every acyclic graph on some of the edges of a skeleton."""
    edges = np.argwhere(np.triu(skeleton)).tolist()
    for ways in product((0, 1, 2), repeat=len(edges)):
        graph = np.zeros_like(skeleton)
        for (x, y), way in zip(edges, ways, strict=True):
            if way:
                graph[(x, y) if way == 1 else (y, x)] = True
        if acyclic(graph):
            yield graph


def exact_shares(skeleton, fit):
    total, shares = 0.0, np.zeros(skeleton.shape)
    for graph in all_members(skeleton):
        parents = [frozenset(np.flatnonzero(column).tolist()) for column in graph.T]
        weight = math.exp(math.fsum(fit(v, above) for v, above in enumerate(parents)))
        found = cpdag_of(graph)
        total += weight
        shares += weight * (found & ~found.T)
    return shares / total


def made_up(seed):
    """A fit that depends on a vertex and its parents alone."""

    def fit(vertex, parents):
        key = [seed, vertex, *sorted(parents)]
        return float(np.random.default_rng(key).normal(0, 3.0)) if parents else 0.0

    return fit


@pytest.mark.parametrize("reward", [-2.0, 0.0, 2.0])
def test_shares_are_those_of_all_members_by_their_fit(reward: float) -> None:
    """The twin draws all members alike."""
    skeleton = np.zeros((4, 4), dtype=bool)
    skeleton[[0, 1, 2, 0], [1, 2, 3, 2]] = True
    skeleton |= skeleton.T

    def fit(vertex, parents):
        return len(parents) + reward * (vertex == 2 and {0, 3} <= parents)

    drawn = direction_shares(skeleton, fit, np.random.default_rng(1), chains=250)
    exact = exact_shares(skeleton, fit)
    assert np.abs(drawn - exact).max() < 0.06
    assert np.abs(exact_shares(skeleton, lambda v, above: 0.0) - exact).max() > 0.06


@settings(max_examples=25)
@given(st.integers(2, 7), st.integers(0, 10**6), st.sampled_from([0.4, 0.7]))
def test_shares_are_of_edges_and_of_one_way_at_a_time(d: int, seed: int, density: float) -> None:
    dag = random_dag(d, seed, density)
    skeleton = dag | dag.T
    shares = direction_shares(skeleton, made_up(seed), np.random.default_rng(seed), chains=3)
    assert not shares[~skeleton].any()
    assert (shares + shares.T <= 1 + 1e-9).all()
    graph = directed_by_shares(skeleton, shares, 0.8)
    assert np.array_equal(graph | graph.T, skeleton)
    directed = graph & ~graph.T
    assert (shares[directed] >= 0.8).all()
    assert (shares[graph & graph.T] < 0.8).all()


def test_a_clique_has_no_direction() -> None:
    skeleton = ~np.eye(4, dtype=bool)
    assert not direction_shares(skeleton, made_up(1), np.random.default_rng(0)).any()


def rare_cancer(n, seed):
    """Smoking and pollution cause a rare cancer, which causes two symptoms."""
    rng = np.random.default_rng(seed)
    smoker, polluted = rng.random((2, n)) < [[0.3], [0.1]]
    cancer = rng.random(n) < np.where(smoker, 0.03, 0.001) + np.where(polluted, 0.02, 0.0)
    xray = rng.random(n) < np.where(cancer, 0.9, 0.2)
    short = rng.random(n) < np.where(cancer, 0.65, 0.3)
    codes = np.array([smoker, polluted, cancer, xray, short], dtype=np.uint8)
    names = ("smoker", "polluted", "cancer", "xray", "short")
    return CodedTable(names, (2,) * 5, codes, None, n)


def test_effects_of_a_rare_cause_are_not_called_its_causes() -> None:
    """The symptoms look independent, as each depends little on a rare cause."""
    right = 0
    for seed in range(4):
        data = rare_cancer(100_000, seed)
        plan = plan_tables(data.n, data.levels, epsilon=1.0, delta=1e-6)
        found = discover_from_tables(data, plan=plan, rng=np.random.default_rng(seed))
        directed = found.cpdag & ~found.cpdag.T
        assert not directed[3, 2]
        assert not directed[4, 2]
        assert not directed[2, :2].any()
        right += int(directed[[0, 1, 2, 2], [2, 2, 3, 4]].sum())
    assert right >= 8


def three_in_a_row(n, seed, strength=0.6):
    """v0 → v1 → v2: nothing tells its direction, whatever the number of records."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 3, n)]
    for _ in range(2):
        kept = rng.random(n) < strength
        columns.append(np.where(kept, columns[-1], rng.integers(0, 3, n)))
    return CodedTable(("a", "b", "c"), (3,) * 3, np.array(columns, dtype=np.uint8), None, n)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
def test_what_the_data_leave_open_has_no_arrow(epsilon: float) -> None:
    for seed in range(4):
        data = three_in_a_row(20_000, seed)
        plan = plan_tables(data.n, data.levels, epsilon=epsilon, delta=1e-6)
        found = discover_from_tables(data, plan=plan, rng=np.random.default_rng(seed))
        assert np.array_equal(found.cpdag, found.skeleton)
        assert found.direction.max() < 0.5


def test_noise_that_drowns_a_collider_leaves_its_edges_plain() -> None:
    """The twin takes the same tables to have next to no noise, and is sure."""
    rng = np.random.default_rng(3)
    first, second = rng.integers(0, 2, (2, 4000))
    both = np.where(rng.random(4000) < 0.7, first & second, rng.integers(0, 2, 4000))
    codes = np.array([first, second, both], dtype=np.uint8)
    data = CodedTable(("a", "b", "c"), (2, 2, 2), codes, None, 4000)
    quiet = TablesPlan(4000, (2, 2, 2), 1.0, 0.0, CellNoise("laplace", Fraction(1)), None, 0, None)
    found = discover_from_tables(data, plan=quiet, rng=np.random.default_rng(0))
    assert found.direction[0, 2] > 0.95
    assert found.direction[1, 2] > 0.95
    assert found.cpdag[0, 2]
    assert not found.cpdag[2, 0]
    told = []
    for seed in range(12):
        loud = TablesPlan(
            4000, (2, 2, 2), 0.01, 0.0, CellNoise("laplace", Fraction(120)), None, 0, None
        )
        noisy = NoisyTables(data, loud, np.random.default_rng(seed))
        kept = in_tables(data.names, noisy, by_tests(0.5, 0), sure=0.8)
        told.append(bool((kept.cpdag & ~kept.cpdag.T).any()))
    assert sum(told) <= 2


@pytest.mark.parametrize("sure", [0.5, 0.0, 1.2, -1.0, float("nan")])
def test_a_share_that_both_directions_could_have_is_refused(sure: float) -> None:
    data = three_in_a_row(100, 0)
    plan = plan_tables(data.n, data.levels, epsilon=1.0, delta=0.0)
    with pytest.raises(UsageError, match=r"sure is .*: it must be above 1/2 and at most 1"):
        discover_from_tables(data, plan=plan, rng=np.random.default_rng(0), sure=sure)


def test_an_edge_that_only_interactions_keep_has_no_sure_arrow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without tables of three. The twin takes parents to add up, and is sure of a false arrow."""
    case = Case("random-12-0.5", 100_000, 10.0, 0)
    network = network_of(case)
    data = network.sample(case.rows, np.random.default_rng([23, 0, case.rows]))
    plan = plan_tables(data.n, data.levels, epsilon=10.0, delta=1e-6, triples=False)
    tables = NoisyTables(data, plan, np.random.default_rng([29, 0, case.rows, 1000]))
    found = in_tables(data.names, tables, by_tests(None, 2), sure=0.8)
    false = found.skeleton & ~network.skeleton
    assert false.any()
    assert found.direction[false].max() < 0.8
    monkeypatch.setattr(directions, "DIRECT", (0.0,))
    twin = in_tables(data.names, tables, by_tests(None, 2), sure=0.8)
    assert twin.direction[false].max() > 0.9


def test_no_arrow_depends_on_edges_that_more_columns_might_remove(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three parents a column. The twin takes all edges for tested; its arrows are all wrong."""
    case = Case("dense-8-0.5", 100_000, 1.0, 3)
    assert work(case).stated(0.8) == (0, 0)
    monkeypatch.setattr(directions, "TESTED", 99)
    monkeypatch.setattr(directions, "DISCOUNTS", (1.0, 1.0))
    stated, right = work(case).stated(0.8)
    assert stated > right == 0


Pairs = set[tuple[int, int]]


def following(
    skeleton: NDArray[np.bool_], direction: NDArray[np.float64], edges: Pairs, least: float
) -> Pairs:
    """Return the directions that colliders and Meek's first two rules give, edge by edge."""
    columns = range(len(skeleton))
    into = {(x, y) for x, y in edges if direction[x, y] >= least}
    not_out = {(x, y) for x, y in edges if 1 - direction[y, x] >= least}

    def apart(x: int, y: int) -> bool:
        return x != y and not skeleton[x, y]

    found = {(x, y) for x, y in into if any((z, y) in not_out and apart(x, z) for z in columns)}
    while more := {
        (x, y)
        for x, y in into - found
        for z in columns
        if ((z, x) in found and apart(z, y)) or {(x, z), (z, y)} <= found
    }:
        found |= more
    return found


def some_shares(
    d: int, density: float, seed: int
) -> tuple[NDArray[np.bool_], NDArray[np.float64], Pairs]:
    """Return a skeleton at random, shares of its directions, and its edges."""
    rng = np.random.default_rng(seed)
    skeleton = np.triu(rng.random((d, d)) < density, 1)
    skeleton |= skeleton.T
    upward = rng.random((d, d)) * np.triu(skeleton)
    direction = np.where(skeleton, upward + np.tril((1 - upward).T, -1), 0.0)
    return skeleton, direction, {(x, y) for x, y in permutations(range(d), 2) if skeleton[x, y]}


SKELETONS = given(st.integers(2, 9), st.floats(0.1, 0.9), st.integers(0, 2**32))


@SKELETONS
def test_a_share_is_whole_where_it_follows_from_edges_tested_completely(
    d: int, density: float, seed: int
) -> None:
    skeleton, direction, edges = some_shares(d, density, seed)
    number = skeleton.sum(axis=0)
    tested = {(x, y) for x, y in edges if min(number[x], number[y]) <= 3}
    whole = following(skeleton, direction, tested, 0.8)
    if skeleton.sum() <= 3 * d:  # Not dense.
        whole = set(permutations(range(d), 2))
    shares = directions.discounted(skeleton, direction)
    for x, y in permutations(range(d), 2):
        factor = 1.0 if (x, y) in whole else 8 / 9 if direction[x, y] >= 0.99 else 2 / 3
        assert shares[x, y] == pytest.approx(factor * direction[x, y])


@SKELETONS
def test_a_share_is_no_larger_than_that_of_what_it_follows_from(
    d: int, density: float, seed: int
) -> None:
    skeleton, direction, edges = some_shares(d, density, seed)
    shares = directions.explained(skeleton, direction, skeleton)
    for least in (0.3, 0.6, 0.8, 0.95):
        found = following(skeleton, direction, edges, least)
        assert found == {(x, y) for x, y in edges if shares[x, y] >= least}


def test_arrows_on_which_unlikely_structures_agree_are_not_stated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Insurance with few rows. Without the rule arrows are stated that no collider explains."""
    monkeypatch.setattr(tables_method, "explained", lambda skeleton, direction, edges: direction)
    data = load_network("insurance").sample(10_000, np.random.default_rng([23, 2, 10_000]))
    true = cpdag_of(load_network("insurance").directed)
    plan = plan_tables(data.n, data.levels, epsilon=10.0, delta=1e-6)
    rng = np.random.default_rng([29, 2, 10_000, 1000])
    found = discover_from_tables(data, plan=plan, rng=rng)
    stated = found.direction >= 0.8
    assert (stated & ~(true & ~true.T)).sum() >= 4
    stated = directions.explained(found.skeleton, found.direction, found.skeleton) >= 0.8
    assert stated.sum() >= 3
    assert not (stated & ~(true & ~true.T)).any()


def test_no_arrows_collide_at_a_column_of_the_set_that_separates_their_ends() -> None:
    """On insurance. The twin does not know the sets, and is sure of several such colliders."""
    data = load_network("insurance").sample(100_000, np.random.default_rng([23, 1, 100_000]))
    plan = plan_tables(data.n, data.levels, epsilon=1.0, delta=1e-6)
    tables = NoisyTables(data, plan, np.random.default_rng([29, 1, 100_000, 100]))
    seen = Dependence(tables)
    skeleton, tried = search_edges(seen, alpha=3e-5, max_order=2)

    def contradicted(known: tuple[Tried, ...]) -> int:
        direction = directions.shares_of_directions(tables, seen, skeleton.adjacency, None, known)
        both = [(t.x, t.y, z) for t in tried if t.gone for z in t.given]
        return sum(min(direction[x, z], direction[y, z]) >= 0.8 for x, y, z in both)

    assert contradicted(tried) == 0
    assert contradicted(()) >= 1


def four_columns(seed: int, *, direct: bool, also: float = 0.0, triples: int = 0) -> Dependence:
    """a → b and a → c; d follows from a, or from b and c together, which do not add up.

    also: the share of records in which a alone determines d.
    """
    rng, n = np.random.default_rng(seed), 20_000

    def copy(column):
        return np.where(rng.random(n) < 0.6, column, rng.integers(0, 2, n))

    a = rng.integers(0, 2, n)
    b, c = copy(a), copy(a)
    d = copy(a) if direct else np.where(rng.random(n) < 0.8, b & c, rng.integers(0, 2, n))
    d = np.where(rng.random(n) < also, a, d)
    data = CodedTable(tuple("abcd"), (2,) * 4, np.array([a, b, c, d], dtype=np.uint8), None, n)
    quiet = CellNoise("laplace", Fraction(2))
    plan = TablesPlan(n, (2,) * 4, 1.0, 1e-6, None, quiet, triples, quiet)
    return Dependence(NoisyTables(data, plan, np.random.default_rng(seed)))


@pytest.mark.parametrize("seed", range(4))
def test_a_dependence_for_which_two_neighbors_account_is_found_without_their_table(
    seed: int,
) -> None:
    every = ~np.eye(4, dtype=bool)
    mediated = directions.detours(four_columns(seed, direct=False), every)
    assert mediated[0, 3] > 2
    assert mediated[1, 3] < 1
    assert mediated[2, 3] < 1
    # The twin has the same columns but a direct effect; without two neighbors there is no detour.
    assert directions.detours(four_columns(seed, direct=True), every)[0, 3] < 1
    every[0, 1] = every[1, 0] = every[1, 3] = every[3, 1] = False
    assert directions.detours(four_columns(seed, direct=False), every)[0, 3] == 0


@pytest.mark.parametrize("seed", range(4))
def test_two_neighbors_do_not_account_for_what_their_tables_show_is_left(seed: int) -> None:
    every = ~np.eye(4, dtype=bool)
    for also, asked, detour in ((0.15, False, True), (0.15, True, False), (0.0, True, True)):
        seen = four_columns(seed, direct=False, also=also, triples=2 * asked)
        assert (seen.estimate(0, 3, (1, 2)) is not None) is asked
        assert bool(directions.detours(seen, every)[0, 3] > 1) is detour


def hidden_cause(rng, n):
    """a → b ← h → c ← d without h: both b → c and c → b are wrong."""
    a, h, d = rng.integers(0, 2, (3, n))
    either = ((a + h) >= 1) ^ (rng.random(n) < 0.1), ((d + h) >= 1) ^ (rng.random(n) < 0.1)
    return (a, *either, d), [(1, 2), (2, 1)]


def exclusive_or(rng, n):
    """a → d ← b, and c is nearly the exclusive or of a and b: c is no effect of d."""
    a, b = rng.integers(0, 2, (2, n))
    return (a, b, a ^ b ^ (rng.random(n) < 0.1), a | b), [(3, 2)]


@pytest.mark.parametrize(
    ("columns", "whole"), [(hidden_cause, True), (hidden_cause, False), (exclusive_or, True)]
)
def test_no_arrow_contradicts_that_two_columns_are_independent(
    monkeypatch: pytest.MonkeyPatch, columns: Callable, whole: bool
) -> None:
    """The twin compares graphs with each other only, and a wrong arrow is the likelier one."""
    n = 20_000
    codes, wrong = columns(np.random.default_rng(0), n)
    data = CodedTable(tuple("abcd"), (2,) * 4, np.array(codes, dtype=np.uint8), None, n)
    noise = CellNoise("laplace", Fraction(4))
    kinds = (noise, None) if whole else (None, noise)
    plan = TablesPlan(n, (2,) * 4, 1.0, 0.0, *kinds, 0, None)
    asked = {"plan": plan, "rng": np.random.default_rng(1)}
    found = discover_from_tables(data, **asked)
    assert all(found.skeleton[pair] and found.direction[pair] < 0.1 for pair in wrong)
    assert (found.cpdag & ~found.cpdag.T).any()
    nothing = lambda _, skeleton: np.zeros_like(skeleton)  # noqa: E731
    monkeypatch.setattr(directions, "refuted", nothing)
    other = discover_from_tables(data, **asked)
    assert max(other.direction[pair] for pair in wrong) > 0.5


def shared_causes(seed: int, first: float, effect: float, n: int) -> tuple[NoisyTables, Dependence]:
    """x → y ← v → w → z ← y: most of what y and z have in common comes from v.

    first: of records in which y is a copy of x. effect: of those in which z is one of y.
    """
    rng = np.random.default_rng(seed)
    x, v, *free = rng.integers(0, 2, (5, n))

    def copy(column, less, other, more, free):
        """Return one column in a share of records, the other in more of them."""
        chance = rng.random(n)
        return np.where(chance < less, column, np.where(chance < less + more, other, free))

    y = copy(x, first, v, 0.5, free[0])
    w = copy(x, 0.0, v, 0.8, free[1])
    z = copy(y, effect, w, 0.8, free[2])
    data = CodedTable(tuple("xyzwv"), (2,) * 5, np.array([x, y, z, w, v], dtype=np.uint8), None, n)
    quiet = CellNoise("laplace", Fraction(2))
    plan = TablesPlan(n, (2,) * 5, 1.0, 1e-6, None, quiet, 0, quiet)
    tables = NoisyTables(data, plan, np.random.default_rng(seed))
    return tables, Dependence(tables)


def edges_between(d: int, *edges: tuple[int, int]) -> NDArray[np.bool_]:
    """Return a skeleton, shape (d, d)."""
    skeleton = np.zeros((d, d), dtype=bool)
    for x, y in edges:
        skeleton[x, y] = skeleton[y, x] = True
    return skeleton


@pytest.mark.parametrize("seed", range(4))
def test_what_two_columns_share_through_a_third_does_not_rule_out_an_effect(seed: int) -> None:
    """x and z look independent. The twin lacks w, so that all y and z share counts as an effect."""
    dependence = shared_causes(seed, 0.3, 0.02, 20_000)[1]
    ruled_out = directions.refuted(dependence, edges_between(5, (0, 1), (1, 2), (2, 3), (1, 4)))
    assert not ruled_out[1, 2]
    assert ruled_out[1, 0]
    assert directions.refuted(dependence, edges_between(5, (0, 1), (1, 2), (1, 4)))[1, 2]


@pytest.mark.parametrize("seed", range(3))
def test_an_edge_for_which_no_neighbors_account_need_not_tell_much(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """The twin requires that y adds a tenth of what it shows alone, most of which comes from v."""
    tables, dependence = shared_causes(seed, 0.1, 0.05, 200_000)
    skeleton = edges_between(5, (0, 1), (1, 2), (2, 3), (3, 4), (1, 4))

    def share() -> float:
        return float(directions.shares_of_directions(tables, dependence, skeleton, None)[1, 2])

    assert share() > 0.9
    for name in ("SURELY_THERE", "TESTED"):
        with monkeypatch.context() as patch:
            patch.setattr(directions, name, 0)
            assert share() < 0.5
    with monkeypatch.context() as patch:
        patch.setattr(directions, "LITTLE_NOISE", 1.1)
        assert share() < 0.5


def test_a_redraw_without_an_edge_says_nothing_of_its_direction() -> None:
    """One that has the edge without a direction counts, and so does one for which time ran out."""
    tables, _ = shared_causes(0, 0.15, 0.05, 1000)
    noisy = copy(tables)
    noisy.plan = replace(tables.plan, pairs=CellNoise("laplace", Fraction(12)))
    # A collider, so that each arrow follows from the other edge.
    edge, arrow = edges_between(5, (0, 1), (1, 2)), np.zeros((5, 5))
    arrow[[0, 2], 1] = 1.0
    found = replace(
        in_tables(tuple("xyzwv"), tables, by_tests(None, 2), sure=0.8),
        skeleton=edge,
        direction=arrow,
    )

    def share(*redraws: tuple[NDArray[np.bool_], Floats], **changed: Any) -> float:
        ahead = iter(redraws)

        def again(*_: object, chains: int) -> FoundInTables:
            skeleton, direction = next(ahead)
            return replace(found, skeleton=skeleton, direction=direction)

        return float(directed_again(replace(found, again=again, **changed)).direction[0, 1])

    has, lacks, unsure = (edge, arrow), (edge & False, 0 * arrow), (edge, 0 * arrow)
    assert share(*[has] * DIRECTED_AGAIN) == 1.0
    assert share(*[lacks] * (DIRECTED_AGAIN - 1), has) == 1.0
    assert share(*[lacks] * (DIRECTED_AGAIN - 2), unsure, has) == 0.75
    assert share(*[lacks] * DIRECTED_AGAIN) == 0.5
    assert share(end=0.0) == 0.5
    # Where noise is large the edge itself is in doubt.
    assert share(*[lacks] * 3, *[has] * (DIRECTED_AGAIN - 3), tables=noisy) == 0.75


def determined(rng, n):
    """c is neither a nor b, and d is b or c: given a, one of c and d is constant. No a → d."""
    a, b = rng.random((2, n)) < [[0.28], [0.33]]
    return (a, b, ~(a | b), b | ~(a | b)), [(0, 3)]


@pytest.mark.parametrize("seed", [1, 2])
def test_an_edge_that_no_test_could_see_makes_directions_unsure(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """The twin takes each pair for apart that a test took apart, and is sure of a wrong arrow."""
    n = 50_000
    codes, wrong = determined(np.random.default_rng(seed), n)
    data = CodedTable(tuple("abcd"), (2,) * 4, np.array(codes, dtype=np.uint8), None, n)
    noise = CellNoise("laplace", Fraction(4))
    plan = TablesPlan(n, (2,) * 4, 1.0, 0.0, noise, None, 0, None)

    def surest_wrong() -> float:
        found = discover_from_tables(data, plan=plan, rng=np.random.default_rng(1))
        return max(found.direction[pair] for pair in wrong)

    assert surest_wrong() < 0.8
    nothing = lambda _, skeleton, *tried, **how: np.zeros_like(skeleton)  # noqa: E731
    monkeypatch.setattr(directions, "doubted", nothing)
    assert surest_wrong() > 0.8


def questionnaire(rng, n, spread):
    """Answers depend on a skill alone; their total is off by at most ``spread``."""
    skill = rng.integers(0, 3, n)
    answers = [rng.random(n) < 0.1 + 0.05 * i + 0.3 * skill for i in range(4)]
    total = np.sum(answers, axis=0) + rng.integers(0, spread + 1, n)
    codes = np.array([skill, *answers, total, rng.random(n) < 0.1 + 0.15 * total], dtype=np.uint8)
    return CodedTable(tuple("sabcdth"), (3, 2, 2, 2, 2, 5 + spread, 2), codes, None, n)


@pytest.mark.parametrize("total", [1.0, 10.0])
def test_a_total_is_not_called_a_cause_of_what_its_parts_depend_on(
    monkeypatch: pytest.MonkeyPatch, total: float
) -> None:
    """Given the total, its parts tell little more of the skill: t → s looks sure to the twin."""
    data = questionnaire(np.random.default_rng(0), 100_000, 0)
    plan = plan_tables(data.n, data.levels, epsilon=total, delta=1e-6)

    def share() -> float:
        found = discover_from_tables(data, plan=plan, rng=np.random.default_rng(9))
        return float(found.direction[5, 0])

    assert share() < 0.8
    monkeypatch.setattr(directions, "combinations_of_others", lambda *_: frozenset())
    assert share() > 0.8


@pytest.mark.parametrize(("spread", "found"), [(0, {5}), (1, set())])
def test_combinations_of_other_columns_are_found(spread: int, found: set[int]) -> None:
    data = questionnaire(np.random.default_rng(0), 20_000, spread)
    plan = plan_tables(data.n, data.levels, epsilon=100.0, delta=1e-6)
    dependence = Dependence(NoisyTables(data, plan, np.random.default_rng(1)))
    skeleton = np.zeros((7, 7), dtype=bool)
    skeleton[5] = skeleton[:, 5] = np.arange(7) != 5
    assert directions.combinations_of_others(dependence, skeleton) == found


@pytest.mark.parametrize(
    ("given", "p_value", "stated"),
    [
        ((), 0.01, False),
        ((), 0.1, True),
        ((3,), 0.1, False),
        ((3,), 0.5, True),
        ((3, 4), 0.5, False),
    ],
)
def test_a_collider_is_stated_only_if_its_ends_are_surely_apart(
    given: tuple[int, ...], p_value: float, stated: bool
) -> None:
    """a → b ← c, where a and c depend on each other about as much as noise would have it; d, e."""
    rng, n = np.random.default_rng(3), 20_000
    a = rng.integers(0, 2, n)
    c = rng.integers(0, 2, n) ^ (a * (rng.random(n) < 0.035))
    b = ((a + c) >= 1) ^ (rng.random(n) < 0.1)
    codes = np.array([a, b, c, *rng.integers(0, 2, (2, n))], dtype=np.uint8)
    data = CodedTable(tuple("abcde"), (2,) * 5, codes, None, n)
    plan = TablesPlan(n, (2,) * 5, 1.0, 0.0, CellNoise("laplace", Fraction(30)), None, 0, None)
    tables = NoisyTables(data, plan, np.random.default_rng(1))
    skeleton = np.zeros((5, 5), dtype=bool)
    skeleton[[0, 1, 1, 2], [1, 0, 2, 1]] = True
    gone = Tried(0, 2, given, p_value, True)
    shares = directions.shares_of_directions(tables, Dependence(tables), skeleton, None, (gone,))
    assert bool(shares[0, 1] > 0.8) is stated
    assert not shares[0, 2]
