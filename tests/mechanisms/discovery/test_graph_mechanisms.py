from __future__ import annotations

import math
from collections import Counter
from functools import cache, partial
from itertools import product

import numpy as np
import pytest
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.catalogue.graphs import (
    EDGES,
    GREEDY_PAIR,
    PCD_PAIR,
    STRATUM_PAIR,
    TESTS,
    TWO_STRATA_PAIR,
)
from provado.mechanisms.graph_discovery.edges.priv_pc_edge import upper_tail
from provado.mechanisms.graph_discovery.exact.graph_distribution import (
    Margins,
    RunOfRounds,
    RunsByDistribution,
    coded_records,
    draw_graphs,
    point_mass,
    priv_pc_runs,
    svt_pc_runs,
)
from provado.mechanisms.graph_discovery.exact.pcd_runs import (
    em_pc_runs,
    pcd_printed_runs,
    pcd_repaired_runs,
)
from provado.mechanisms.graph_discovery.independence_tests.margin import (
    PrintedMargin,
    ProvedMargin,
    PublicFacts,
    ReleasedMargin,
)
from provado.mechanisms.graph_discovery.methods.deletion_utility import GreedyUtility
from provado.mechanisms.graph_discovery.methods.em_pc import em_pc_released, em_pc_repaired
from provado.mechanisms.graph_discovery.methods.pcd import pcd_printed, pcd_repaired
from provado.mechanisms.graph_discovery.methods.priv_pc import (
    priv_pc_printed,
    priv_pc_released,
    priv_pc_repaired,
)
from provado.mechanisms.graph_discovery.methods.rounds import RoundNoise
from provado.mechanisms.graph_discovery.methods.svt_pc import svt_pc_released, svt_pc_repaired
from provado.mechanisms.graph_discovery.search.cpdag import orient
from provado.mechanisms.graph_discovery.search.search_tree import graph_code, search_tree
from provado.mechanisms.graph_discovery.search.skeleton import find_skeleton
from provado.mechanisms.graph_discovery.tables.numeric import numeric_columns
from provado.mechanisms.scores.conditional_ranks import (
    average_sensitivity,
    average_sensitivity_printed,
    p_value_sensitivity_released,
)
from tests.mechanisms.exact.graphs import distribution, loss, pair_epsilon


def longest(step):
    """Return the most tests that one course asks from here on."""
    if step.asked is None:
        return 0
    _, kept, deleted = step.branches()
    return 1 + max(longest(kept), longest(deleted))


RARE = 1e-4
"""A sound comparison fails with this probability; broken ones are below a tenth of it."""


def chi_squared(law, graphs) -> float:
    """Return the p-value of the graphs' counts; rare graphs are put together."""
    counts, n = Counter(np.asarray(graphs).tolist()), len(graphs)
    assert counts.keys() <= law.keys()
    order = sorted(law, key=law.get)
    # The rarest are one cell, with as many as make 5 expected.
    rare = int(np.searchsorted(np.cumsum([n * law[g] for g in order]), 5)) + 1
    cells = [order[:rare], *([g] for g in order[rare:])]
    observed = [sum(counts[g] for g in cell) for cell in cells]
    expected = np.array([sum(law[g] for g in cell) for cell in cells])
    return stats.chisquare(observed, expected / expected.sum() * n).pvalue


def numeric(records):
    columns = {f"v{i}": column for i, column in enumerate(np.array(records).T)}
    return numeric_columns(columns, ranges=dict.fromkeys(columns, (-1.0, 1.0)))


SMALL = STRATUM_PAIR[0]
LARGE = TWO_STRATA_PAIR[1]
GREEDY = GREEDY_PAIR[1]
METHODS = {
    "priv-pc printed": (
        STRATUM_PAIR[1],
        partial(priv_pc_runs, margin=PrintedMargin(0.8, 0.1), epsilon=0.5, max_order=1),
        lambda r, rng: priv_pc_printed(
            r,
            epsilon=0.5,
            rng=rng,
            threshold=0.8,
            tweak=0.1,
            subset=r.n,
            max_order=1,
        ),
    ),
    "priv-pc released": (
        LARGE,
        partial(priv_pc_runs, margin=ReleasedMargin(0.15, 0.05), epsilon=0.4, max_order=1),
        lambda r, rng: priv_pc_released(
            r,
            epsilon=0.4,
            rng=rng,
            alpha=0.15,
            tweak=0.05,
            subset=r.n,
            max_order=1,
        ),
    ),
    "priv-pc repaired": (
        SMALL,
        partial(priv_pc_runs, margin=ProvedMargin(), epsilon=1.5, max_order=1, rounds=2),
        lambda r, rng: priv_pc_repaired(r, epsilon=1.5, rounds=2, rng=rng, max_order=1),
    ),
    "svt-pc released": (
        LARGE,
        partial(svt_pc_runs, margin=ReleasedMargin(tweak=0.0), epsilon=0.5, max_order=1),
        lambda r, rng: svt_pc_released(r, epsilon=0.5, rng=rng, max_order=1),
    ),
    "svt-pc repaired": (
        SMALL,
        partial(svt_pc_runs, margin=ProvedMargin(tweak=0.0), epsilon=0.7, max_order=1, rounds=2),
        lambda r, rng: svt_pc_repaired(r, epsilon=0.7, rounds=2, rng=rng, max_order=1),
    ),
    "em-pc released": (
        GREEDY,
        partial(em_pc_runs, repaired=False, alpha=0.05, epsilon=0.2, max_order=1),
        lambda r, rng: em_pc_released(r, epsilon=0.2, rng=rng, alpha=0.05, max_order=1),
    ),
    "em-pc repaired": (
        SMALL,
        partial(em_pc_runs, repaired=True, alpha=0.1, epsilon=1.0, max_order=1, rounds=4),
        lambda r, rng: em_pc_repaired(r, epsilon=1.0, rounds=4, rng=rng, max_order=1),
    ),
}
PCD_METHODS = {
    "pcd printed": (
        PCD_PAIR[1],
        partial(pcd_printed_runs, epsilon=0.1, alpha=0.05, permutations=19),
        lambda r, rng: pcd_printed(r, epsilon=0.1, rng=rng, permutations=19, max_order=0),
    ),
    "pcd repaired": (
        PCD_PAIR[1][170:190] + PCD_PAIR[1][:8] + PCD_PAIR[1][-20:] + PCD_PAIR[1][350:366],
        partial(pcd_repaired_runs, epsilon=8.0, alpha=0.2, permutations=9, bandwidth=0.8, rounds=2),
        lambda r, rng: pcd_repaired(
            r,
            epsilon=8.0,
            rounds=2,
            rng=rng,
            bandwidth=0.8,
            alpha=0.2,
            permutations=9,
            max_order=0,
        ),
    ),
}
ALL = METHODS | PCD_METHODS
every = pytest.mark.parametrize("name", ALL)


@cache
def slow_graphs(name, runs, seed):
    rng, (records, _, slow) = np.random.default_rng(seed), ALL[name]
    table = (numeric if "pcd" in name else coded_records)(records)
    return [graph_code(slow(table, rng).cpdag) for _ in range(runs)]


@every
def test_many_runs_at_once_have_the_exact_law(name):
    records, method, _ = ALL[name]
    law = distribution(method(records))
    assert sum(law.values()) == pytest.approx(1, abs=1e-12)
    graphs = draw_graphs(records, method=method, size=100_000, rng=np.random.default_rng(1))
    assert chi_squared(law, graphs) > RARE
    graphs[::50] = min(law, key=law.get)
    assert chi_squared(law, graphs) < RARE / 10


@pytest.mark.parametrize("name", [name for name in ALL if name != "pcd printed"])
def test_one_run_at_a_time_has_that_law_too(name):
    records, method, _ = ALL[name]
    assert (
        chi_squared(
            distribution(method(records)), slow_graphs(name, 500 if "svt" in name else 300, 2)
        )
        > RARE
    )


def test_one_run_of_printed_pcd_has_that_law_too():
    records, method, _ = ALL["pcd printed"]
    assert chi_squared(distribution(method(records)), slow_graphs("pcd printed", 40, 2)) > RARE


@pytest.mark.slow
@every
def test_one_run_at_a_time_has_that_law_in_many_runs(name):
    records, method, _ = ALL[name]
    graphs = slow_graphs(name, 600 if name == "pcd printed" else 3000, 3)
    assert chi_squared(distribution(method(records)), graphs) > RARE
    # Far from the level printed PCD draws no noise: its ε hardly counts there.
    wrong = {"alpha": 0.3} if name == "pcd printed" else {"epsilon": 4 * method.keywords["epsilon"]}
    law = distribution(method(records, **wrong))
    assert set(graphs) - law.keys() or chi_squared(law, graphs) < RARE / 10


@pytest.mark.parametrize(
    "broken",
    [
        partial(svt_pc_runs, margin=ReleasedMargin(tweak=0.0), epsilon=2.0, max_order=1),
        partial(svt_pc_runs, margin=ReleasedMargin(0.2, 0.0), epsilon=0.5, max_order=1),
        partial(svt_pc_runs, margin=ReleasedMargin(tweak=0.0), epsilon=0.5, max_order=1, rounds=2),
        partial(priv_pc_runs, margin=ReleasedMargin(tweak=0.0), epsilon=0.5, max_order=1),
    ],
)
def test_wrong_noise_threshold_limit_or_method_would_be_noticed(broken):
    graphs = slow_graphs("svt-pc released", 500, 2)
    law = dict.fromkeys(graphs, 0.0) | distribution(broken(LARGE))
    unseen = {g for g in graphs if law[g] == 0}
    assert unseen or chi_squared(law, graphs) < RARE / 10


def test_the_law_of_one_edge_is_two_laplace_tails():
    records = tuple((x, y) for x, y, k in ((0, 0, 9), (0, 1, 6), (1, 1, 8)) for _ in range(k))
    margin, epsilon = ProvedMargin(), 2.0
    table = coded_records(records)
    sieve, whole = (
        margin(table.tables(0, 1), PublicFacts(table.n, table.n, 1, sieve))
        for sieve in (True, False)
    )
    passes = upper_tail(-sieve * epsilon / 2)
    gone = passes * stats.laplace.sf(-whole * epsilon / 2)
    law = distribution(priv_pc_runs(records, margin=margin, epsilon=epsilon, max_order=0))
    assert law == pytest.approx({0: gone, 3: 1 - gone}, rel=1e-12)


def test_a_threshold_that_two_tests_share_by_simulation():
    rng = np.random.default_rng(5)
    start = search_tree(3, 0)
    values, masses = np.array([-3.0, 0.0, 2.0]), np.array([0.2, 0.5, 0.3])
    margins = dict(
        zip(
            start.tests(), [Margins(values, masses), point_mass(1.0), point_mass(-2.0)], strict=True
        )
    )
    runs = RunOfRounds(start, margins, margins, RoundNoise(2.0, 1.0, None), 1)
    n = 400_000
    level = rng.laplace(scale=2.0, size=n)
    first = rng.choice(values, p=masses, size=n) + rng.laplace(size=n) >= level
    second = ~first & (1.0 + rng.laplace(size=n) >= level)
    third = ~first & ~second & (-2.0 + rng.laplace(size=n) >= level)
    # An edge that went leaves a collider at the third vertex, as its separating set is empty.
    codes = np.select([first, second, third], [11, 102, 220], 333)
    assert chi_squared(distribution(runs), codes) > RARE
    assert chi_squared(distribution(runs), runs.draw(n, rng)) > RARE
    fresh = RunOfRounds(start, margins, margins, RoundNoise(1.0, 1.0, None), 1)
    assert chi_squared(distribution(fresh), codes) < RARE / 10


@pytest.mark.parametrize(("d", "order"), [(2, 0), (2, 1), (3, 0), (3, 1), (3, 5)])
def test_the_tree_holds_every_course_of_the_search(d, order):
    start = search_tree(d, order)
    for script in product((False, True), repeat=longest(start)):
        answers = iter(script)
        asked = []

        def replay(x, y, given, answers=answers, asked=asked):
            asked.append((x, y, given))
            return next(answers)

        found = find_skeleton(d, replay, max_order=order, stable=False)
        step, taken = start, iter(script)
        for test in asked:
            expected, kept, deleted = step.branches()
            assert test == expected
            step = deleted if next(taken) else kept
        assert step.asked is None
        assert step.graph == graph_code(orient(found))
        with pytest.raises(UsageError, match="ends here"):
            step.branches()


def test_a_code_says_the_graph():
    graph = np.zeros((3, 3), dtype=bool)
    graph[0, 1] = graph[2, 1] = True
    assert graph_code(graph) == 102
    graph[1, 2] = graph[0, 2] = True
    assert graph_code(graph) == 113
    codes = {
        graph_code(np.reshape(g, (3, 3))) for g in product((0, 1), repeat=9) if not any(g[::4])
    }
    assert len(codes) == 64


def test_a_run_never_has_more_answers_than_it_is_charged_for():
    assert longest(search_tree(3, 1)) == TESTS
    rng, most = np.random.default_rng(7), Counter()
    for name in ("priv-pc printed", "svt-pc released"):
        records, _, slow = METHODS[name]
        table = coded_records(records)
        for _ in range(200):
            most[name] = max(most[name], len(slow(table, rng).answers))
    assert most["svt-pc released"] == EDGES
    assert most["priv-pc printed"] <= TESTS
    # Nearly all pass where the noise is large, the examination's too: the bound is reached.
    open_door = partial(
        priv_pc_printed, epsilon=1e-9, threshold=0.5, tweak=0.0, subset=200, max_order=1
    )
    small, greedy = coded_records(SMALL), coded_records(GREEDY)
    assert max(len(open_door(small, rng=rng).answers) for _ in range(900)) == TESTS
    for _ in range(50):
        spent = em_pc_released(greedy, epsilon=0.5, rng=rng, max_order=0).spent
        assert spent.rounds <= EDGES


def changes(pair, margin, given, x=0, y=1):
    tables = [coded_records(records) for records in pair]
    facts = [PublicFacts(t.n, t.n, t.strata(given), False) for t in tables]
    values = [margin(t.tables(x, y, given), f) for t, f in zip(tables, facts, strict=True)]
    return abs(values[1] - values[0])


def test_one_record_moves_the_scores_by_far_more_than_is_taken_and_less_than_is_proved():
    # In units of the sensitivity that is taken.
    assert changes(STRATUM_PAIR, PrintedMargin(0.9, 0.0), (2,)) > 24
    assert changes(TWO_STRATA_PAIR, ReleasedMargin(), (2,)) > 10
    assert changes(TWO_STRATA_PAIR, ReleasedMargin(), (1,), y=2) > 10
    for pair in (STRATUM_PAIR, TWO_STRATA_PAIR):
        for x, y, given in ((0, 1, (2,)), (0, 2, (1,)), (1, 2, (0,)), (0, 1, ())):
            assert changes(pair, ProvedMargin(), given, x, y) <= 1
    # Without a stratum that comes in, the units are large enough on these pairs.
    for x, y in ((0, 1), (0, 2), (1, 2)):
        assert changes(STRATUM_PAIR, PrintedMargin(0.9, 0.0), (), x, y) <= 1
        assert changes(TWO_STRATA_PAIR, ReleasedMargin(), (), x, y) <= 1
    assert average_sensitivity_printed(200) < average_sensitivity(200, 2)
    assert p_value_sensitivity_released(20_000) < 0.02


def test_the_greedy_count_moves_by_all_records_but_one():
    scores = [
        {
            d.y: d.score
            for d in GreedyUtility(coded_records(r), alpha=0.05).deletions(0, [1, 2], 0)[0]
        }
        for r in GREEDY_PAIR
    ]
    assert [s[1] for s in scores] == [39, 0]
    assert all(len(np.unique(column)) == 2 for r in GREEDY_PAIR for column in np.array(r).T)


def test_the_loss_of_two_laws():
    assert loss({1: 0.5, 2: 0.5}, {1: 0.25, 2: 0.75}) == pytest.approx(math.log(2))
    assert loss({1: 1.0}, {1: 1.0}) == 0
    assert loss({1: 1.0}, {1: 0.5, 2: 0.5}) == math.inf
    assert loss({1: 0.5, 2: 0.5}, {1: 1.0, 2: 0.0}) == math.inf
    method = METHODS["svt-pc released"][1]
    assert pair_epsilon(TWO_STRATA_PAIR, method) == pair_epsilon(TWO_STRATA_PAIR[::-1], method) > 0


def test_margins_at_minus_infinity_are_never_passed():
    runs = RunOfRounds(
        search_tree(2, 0),
        {(0, 1, ()): point_mass(-math.inf)},
        {(0, 1, ()): point_mass(-math.inf)},
        RoundNoise(1.0, 1.0, None),
        3,
    )
    assert distribution(runs) == pytest.approx({3: 1.0, 0: 0.0}, abs=1e-12)
    assert set(runs.draw(100, np.random.default_rng(1)).tolist()) == {3}


def test_bad_arguments_are_refused():
    rng = np.random.default_rng(1)
    method = partial(svt_pc_runs, margin=ProvedMargin(), epsilon=1.0, max_order=1)
    for bad, words in (
        (((0, 1), (1, 2)), "records hold 2"),
        (((0, -1), (1, 0)), "records hold -1"),
        ((0, 1), "records has shape"),
        (((0, 1, 0, 1), (1, 0, 1, 0)), "d is 4"),
        (((0,), (1,)), "d is 1"),
    ):
        with pytest.raises(UsageError, match=words):
            draw_graphs(bad, method=method, size=1, rng=rng)
    for setting, words in (
        ({"epsilon": 0.0}, "epsilon is"),
        ({"rounds": 0}, "rounds is"),
        ({"levels": 1}, "levels is"),
    ):
        with pytest.raises(UsageError, match=words):
            method(SMALL, **setting)
    for method in (METHODS["svt-pc repaired"][1], METHODS["em-pc repaired"][1]):
        with pytest.raises(UsageError, match="size is"):
            draw_graphs(SMALL, method=method, size=0, rng=rng)
    with pytest.raises(UsageError, match="4 columns"):
        em_pc_runs(((0, 1, 0, 1),) * 9, repaired=True, alpha=0.1, epsilon=1.0, max_order=0)
    with pytest.raises(UsageError, match="each entry"):
        pcd_printed_runs(((0, 1), (1, 1)), epsilon=1.0, alpha=0.05, permutations=9)
    assert distribution(RunsByDistribution({3: 1.0})) == {3: 1.0}
