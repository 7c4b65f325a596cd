"""The graph that noisy tables show."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.methods.method import methods, run_at_total
from provado.mechanisms.graph_discovery.methods.tables import (
    FoundInTables,
    discover_from_tables,
    edge_stability,
)
from provado.mechanisms.graph_discovery.noisy_tables import edge_search
from provado.mechanisms.graph_discovery.noisy_tables.dependence import Dependence
from provado.mechanisms.graph_discovery.noisy_tables.edge_search import (
    left_if_additive,
    search_edges,
)
from provado.mechanisms.graph_discovery.noisy_tables.plan import CellNoise, TablesPlan, plan_tables
from provado.mechanisms.graph_discovery.noisy_tables.release import NoisyTables
from provado.mechanisms.graph_discovery.search import work_limits
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from provado.reports.commands.reproduce.sources.networks import load_network

QUIET = CellNoise("laplace", Fraction(1, 200))
TABLES = next(method for method in methods() if method.name == "tables")


def coded(columns, levels):
    codes = np.array(columns, dtype=np.uint8)
    return CodedTable(
        tuple(f"v{i}" for i in range(len(levels))), levels, codes, None, codes.shape[1]
    )


def noisy_copy(column, keep, levels, rng):
    return np.where(rng.random(column.size) < keep, column, rng.integers(0, levels, column.size))


def chain(n, seed=0, levels=3):
    """v0 → v1 → v2 → v3."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, levels, n)]
    for _ in range(3):
        columns.append(noisy_copy(columns[-1], 0.6, levels, rng))
    return coded(columns, (levels,) * 4)


def diamond(n, seed=0):
    """v0 → v1, v0 → v2, both → v3: v0 and v3 need two columns to be apart."""
    rng = np.random.default_rng(seed)
    top = rng.integers(0, 2, n)
    left, right = (noisy_copy(top, 0.6, 2, rng) for _ in range(2))
    bottom = np.where(rng.random(n) < 0.8, left + right, rng.integers(0, 3, n))
    return coded([top, left, right, bottom], (2, 2, 2, 3))


def by_order(data, noise, triples):
    return TablesPlan(data.n, data.levels, 1.0, 1e-6, None, noise, triples, noise)


def edges(found):
    return {(i, j) for i, j in np.argwhere(np.triu(found.skeleton)).tolist()}


CHAIN, DIAMOND = {(0, 1), (1, 2), (2, 3)}, {(0, 1), (0, 2), (1, 3), (2, 3)}


@pytest.mark.parametrize("plan", ["whole", "order"])
def test_without_noise_the_graph_is_found(plan: str) -> None:
    for data, true in ((chain(20_000), CHAIN), (diamond(20_000), DIAMOND)):
        whole = TablesPlan(data.n, data.levels, 1.0, 0.0, QUIET, None, 0, None)
        asked = whole if plan == "whole" else by_order(data, QUIET, 4)
        found = discover_from_tables(data, plan=asked, rng=np.random.default_rng(0))
        assert edges(found) == true
        assert found.complete
    assert found.separating[0, 3] == (1, 2)
    # The collider of the diamond.
    assert found.cpdag[1, 3]
    assert not found.cpdag[3, 1]


def test_without_tables_of_three_the_edge_of_a_diamond_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = diamond(20_000)
    # Effects add up there, which tables of pairs show.
    found = discover_from_tables(data, plan=by_order(data, QUIET, 0), rng=np.random.default_rng(0))
    assert edges(found) == DIAMOND
    assert found.separating[0, 3] == (1, 2)
    assert not found.complete
    monkeypatch.setattr(edge_search, "MOST_GIVEN", 1)
    found = discover_from_tables(data, plan=by_order(data, QUIET, 0), rng=np.random.default_rng(0))
    assert edges(found) == DIAMOND | {(0, 3)}
    assert not found.complete
    ordered = by_order(data, QUIET, 4)
    first = discover_from_tables(data, plan=ordered, max_order=1, rng=np.random.default_rng(0))
    assert edges(first) == DIAMOND | {(0, 3)}
    assert set(map(len, first.tables.released)) == {2}


@pytest.mark.parametrize("epsilon", [0.3, 3.0])
def test_a_chain_is_found_at_a_small_budget(epsilon: float) -> None:
    right = 0
    for seed in range(5):
        data = chain(50_000, seed)
        plan = plan_tables(data.n, data.levels, epsilon=epsilon, delta=1e-6)
        found = discover_from_tables(data, plan=plan, rng=np.random.default_rng(seed))
        right += edges(found) == CHAIN
    assert right >= 4


def test_independent_columns_have_no_edges_whatever_the_noise() -> None:
    """Over all pairs the level is .01: of 60 graphs few have an edge. Its twin, level 1/2, many."""
    wrong = loose = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        data = coded(rng.integers(0, 2, (4, 5000)), (2,) * 4)
        plan = by_order(data, CellNoise("gaussian", Fraction(200)), 0)
        for alpha in (None, 0.5):
            found = discover_from_tables(data, plan=plan, rng=rng, alpha=alpha, max_order=0)
            if alpha is None:
                wrong += bool(found.skeleton.any())
            else:
                loose += bool(found.skeleton.any())
    assert wrong <= 5
    assert loose >= 40


def test_a_determined_column_keeps_its_edges() -> None:
    """v2 = v0 or v1; v3 a copy of v2 with noise. Given v0 and v1 nothing is left of v2 to test."""
    rng = np.random.default_rng(2)
    first, second = rng.random((2, 30_000)) < 0.3
    either = first | second
    data = coded([first, second, either, noisy_copy(either, 0.8, 2, rng)], (2,) * 4)
    for noise in (QUIET, CellNoise("gaussian", Fraction(300))):
        whole = TablesPlan(data.n, data.levels, 1.0, 1e-6, noise, None, 0, None)
        found = discover_from_tables(data, plan=whole, rng=np.random.default_rng(0))
        assert (2, 3) in edges(found)


@pytest.mark.parametrize("triples", [0, 4])
def test_an_edge_that_no_set_explains_stays_where_levels_have_few_records(
    triples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """v0 → v1, each with six rare levels; v1 → v2 and v1 → v3. The twin has p-values only."""
    kept = []
    for most in (edge_search.MOST_LEFT, math.inf):
        monkeypatch.setattr(edge_search, "MOST_LEFT", most)
        for seed in range(3):
            rng = np.random.default_rng(seed)
            middle = rng.integers(0, 2, 20_000)
            columns = [noisy_copy(middle, keep, 2, rng) for keep in (0.2, 1.0, 0.3, 0.3)]
            for i in (0, 1):
                rare = rng.random(middle.size) < 0.08
                columns[i] = np.where(rare, 2 + rng.integers(0, 6, middle.size), columns[i])
            data = coded(columns, (8, 8, 2, 2))
            plan = by_order(data, CellNoise("gaussian", Fraction(100)), triples)
            found = discover_from_tables(data, plan=plan, rng=rng)
            assert edges(found) - {(0, 1)} == {(1, 2), (1, 3)}
            kept.append((0, 1) in edges(found))
    assert kept == [True] * 3 + [False] * 3


def test_a_set_that_separates_is_found_where_others_look_better(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On sachs. The twin tries three sets for each pair, and keeps edges that are none."""
    network = load_network("sachs")
    data = network.sample(100_000, np.random.default_rng([23, 0]))
    plan = plan_tables(data.n, data.levels, epsilon=10.0, delta=1e-6)
    seen = Dependence(NoisyTables(data, plan, np.random.default_rng(0)))
    every = edge_search._Search._sets

    def false() -> int:
        skeleton, _ = search_edges(seen, alpha=1e-4, max_order=2)
        assert (skeleton.adjacency | ~network.skeleton).all()
        return int((skeleton.adjacency & ~network.skeleton).sum()) // 2

    assert false() == 0
    monkeypatch.setattr(
        edge_search._Search, "_sets", lambda search, x, y: sorted(every(search, x, y))[:3]
    )
    assert false() >= 1


def test_nothing_but_the_release_is_looked_at() -> None:
    """Records of the same tables give the same graph, and other records with them one too."""
    data, other = chain(5000, 1), chain(5000, 2)
    plan = plan_tables(5000, data.levels, epsilon=1.0, delta=1e-6)
    first = discover_from_tables(data, plan=plan, rng=np.random.default_rng(4))
    shuffled = replace(data, codes=data.codes[:, np.random.default_rng(0).permutation(5000)])
    again = discover_from_tables(shuffled, plan=plan, rng=np.random.default_rng(4))
    assert (first.cpdag == again.cpdag).all()
    assert [t.p_value for t in first.tried] == [t.p_value for t in again.tried]
    changed = discover_from_tables(other, plan=plan, rng=np.random.default_rng(4))
    assert [t.p_value for t in first.tried] != [t.p_value for t in changed.tried]


def test_what_a_set_would_leave_if_effects_add_up() -> None:
    data = diamond(50_000)
    found = Dependence(NoisyTables(data, by_order(data, QUIET, 4), np.random.default_rng(0)))
    assert left_if_additive(found, 0, 3, (1, 2)) < 0.01
    assert left_if_additive(found, 0, 1, (2, 3)) > 0.1


def test_how_often_an_edge_stands() -> None:
    data = chain(20_000)
    plan = plan_tables(data.n, data.levels, epsilon=1.0, delta=1e-6)
    found = discover_from_tables(data, plan=plan, rng=np.random.default_rng(0))
    stability = edge_stability(found, redraws=12, rng=np.random.default_rng(1))
    assert all(stability.edge[i, j] > 0.9 for i, j in CHAIN)
    assert (found.direction + found.direction.T <= found.skeleton).all()
    assert (stability.edge == stability.edge.T).all()
    with pytest.raises(UsageError, match="redraws is 0"):
        edge_stability(found, redraws=0, rng=np.random.default_rng(1))


def test_seconds_hold_for_the_search_and_its_redraws_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data, looks = diamond(20_000), 0
    plan = plan_tables(data.n, data.levels, epsilon=1.0, delta=1e-6)

    def look() -> float:
        nonlocal looks
        looks += 1
        return float(looks)

    def run(seconds: float | None) -> FoundInTables:
        return discover_from_tables(data, plan=plan, rng=np.random.default_rng(0), seconds=seconds)

    monkeypatch.setattr(work_limits.time, "monotonic", look)
    free = run(None)
    assert (looks, bool(free.complete)) == (0, True)
    ample, needed = run(1e6), looks
    assert np.array_equal(ample.direction, free.direction)
    assert edge_stability(ample, redraws=3, rng=np.random.default_rng(1)).redraws == 3
    # Once the search is done, time runs out among the redraws: what they did not confirm is less
    # sure, and an edge that was never drawn again has no share.
    short = run(needed / 2)
    assert short.complete
    assert np.array_equal(short.skeleton, free.skeleton)
    assert (short.direction <= free.direction).all()
    assert short.direction.sum() < free.direction.sum()
    assert edge_stability(short, redraws=3, rng=np.random.default_rng(1)) is None


def test_seconds_hold_while_sets_of_two_columns_are_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Eight columns that depend on each other have 28 pairs with 15 sets each."""
    rng, listed = np.random.default_rng(0), []
    hidden = rng.integers(0, 2, 20_000)
    data = coded([noisy_copy(hidden, 0.7, 2, rng) for _ in range(8)], (2,) * 8)
    seen = Dependence(NoisyTables(data, by_order(data, QUIET, 0), rng))

    def left(*asked: object) -> float:
        listed.append(asked)
        return 1.0

    monkeypatch.setattr(edge_search, "left_if_additive", left)
    monkeypatch.setattr(work_limits.time, "monotonic", lambda: 100.0 * len(listed))
    found, _ = search_edges(seen, alpha=1e-4, max_order=2, seconds=10.0)
    assert (found.stopped, len(listed)) == ("seconds", 15)


def test_at_a_total_every_sound_method_runs() -> None:
    data = chain(3000)
    for method in methods():
        if method.numeric:
            continue
        if not method.private or method.flaw is not None:
            with pytest.raises(UsageError, match="has no total cost"):
                run_at_total(method, data, epsilon=1.0, delta=1e-6, rng=np.random.default_rng(0))
        else:
            run = run_at_total(method, data, epsilon=1.0, delta=1e-6, rng=np.random.default_rng(0))
            assert run.skeleton.shape == (4, 4)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [({"alpha": 0.0}, "alpha"), ({"alpha": 1.0}, "alpha"), ({"max_order": 3}, "max_order is 3")],
)
def test_wrong_arguments(arguments: dict[str, float], said: str) -> None:
    data = chain(100)
    plan = plan_tables(data.n, data.levels, epsilon=1.0, delta=0.0)
    with pytest.raises(UsageError, match=said):
        TABLES.function(data, plan=plan, rng=np.random.default_rng(0), **arguments)


def test_the_plan_is_what_the_method_plans() -> None:
    assert TABLES.plan is plan_tables
    assert TABLES.private
    assert math.isclose(TABLES.plan(100, (2, 2), epsilon=1.0, delta=0.0).cost()[0], 1.0)
