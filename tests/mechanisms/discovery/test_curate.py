from __future__ import annotations

import math
from collections import Counter
from contextlib import suppress
from functools import partial
from itertools import pairwise, product

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.catalogue.graphs import (
    MECHANISMS,
    STRATUM_PAIR,
    TWO_STRATA_PAIR,
)
from provado.mechanisms.graph_discovery.exact.curate_runs import (
    _cells,
    curate_released_runs,
    curate_repaired_runs,
)
from provado.mechanisms.graph_discovery.exact.graph_distribution import coded_records
from provado.mechanisms.graph_discovery.independence_tests.margin import ProvedMargin
from provado.mechanisms.graph_discovery.methods.budget import (
    PrivacyFilters,
    advanced_cost,
    advanced_norm,
    allot,
    surrogate,
)
from provado.mechanisms.graph_discovery.methods.curate import (
    PlanOfFilters,
    PlanReleased,
    curate_released,
    curate_repaired,
    number_of_tests,
)
from provado.mechanisms.graph_discovery.search.search_tree import graph_code
from provado.mechanisms.graph_discovery.search.skeleton import neighbors, sets_around
from provado.mechanisms.graph_discovery.search.work_limits import NoMoreTests
from provado.mechanisms.scores.conditional_ranks import p_value_sensitivity_curate
from tests.mechanisms.discovery.test_graph_mechanisms import RARE, chi_squared
from tests.mechanisms.exact.graphs import distribution, pair_epsilon

SMALL, LARGE = STRATUM_PAIR[0], TWO_STRATA_PAIR[1]
REPAIRED = partial(curate_repaired_runs, alpha=0.1, epsilon=0.2, rounds=2, max_order=1)
RELEASED = partial(curate_released_runs, epsilon=2.0, max_order=1)


def by_grid(budget, tests, gaps, power, parts=60):
    """Return the least surrogate over falling ε on a grid of shares of the budget."""
    best = 2.0
    for shares in product(range(parts + 1), repeat=len(tests) - 1):
        if sum(shares) <= parts:
            spent = (*shares, parts - sum(shares))
            eps = [
                (budget * s / parts / t) ** (1 / power) for s, t in zip(spent, tests, strict=True)
            ]
            if all(a >= b for a, b in pairwise(eps)):
                best = min(best, surrogate(eps, gaps))
    return best


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("budget", [0.01, 0.3, 2.0, 9.0])
@pytest.mark.parametrize(
    ("tests", "gaps"), [((10.0, 30.0, 30.0), (5.0, 5.0, 4.0)), ((28.0, 60.0), (45.0, 40.0))]
)
def test_the_split_is_as_good_as_a_search_over_a_grid(budget, tests, gaps, power):
    eps = allot(budget, tests, gaps, power)
    spent = sum(t * e**power for t, e in zip(tests, eps, strict=True))
    assert 0.999 * budget < spent <= budget
    assert list(eps) == sorted(eps, reverse=True)
    assert eps[-1] >= 0
    assert surrogate(eps, gaps) <= by_grid(budget, tests, gaps, power) + 1e-6
    equal = [(budget / sum(tests)) ** (1 / power)] * len(tests)
    assert surrogate(eps, gaps) <= surrogate(equal, gaps) + 1e-12


def test_an_equal_split_is_worse_than_the_grid_so_that_a_poor_split_would_be_noticed():
    tests, gaps = (28.0, 60.0), (45.0, 40.0)
    equal = [2.0 / sum(tests)] * 2
    assert surrogate(equal, gaps) > by_grid(2.0, tests, gaps, 1) + 0.02


def test_the_norm_inverts_the_cost():
    for budget, delta in product((0.01, 1.0, 30.0), (1e-12, 0.1)):
        assert advanced_cost(advanced_norm(budget, delta), delta) == pytest.approx(budget)


def test_filters_never_pay_more_than_they_hold():
    rng = np.random.default_rng(1)
    for _ in range(50):
        filters, paid = PrivacyFilters(int(rng.integers(1, 5)), 1.0), 0.0
        whole = filters.left
        for _ in range(400):
            tests = int(rng.integers(1, 9))
            share = filters.largest(float(rng.uniform(0.01, 0.9)), tests)
            for _ in range(tests):
                with suppress(NoMoreTests):
                    filters.take(share)
                    paid += share
        assert paid <= whole
    filters = PrivacyFilters(3, 0.5)
    assert filters.largest(9.0, 3) == pytest.approx(0.5)
    assert filters.largest(9.0, 4) == pytest.approx(0.25)
    assert filters.largest(0.2, 4) == 0.2


def test_one_answer_is_never_split_among_filters():
    filters = PrivacyFilters(4, 0.5)
    with pytest.raises(NoMoreTests):
        filters.take(0.6)


@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_the_number_of_tests_by_listing_them(order):
    rng = np.random.default_rng(order)
    for _ in range(20):
        upper = np.triu(rng.random((6, 6)) < 0.6, 1)
        adjacent = upper | upper.T
        near = neighbors(adjacent)
        listed = sum(
            len(list(sets))
            for x, y in np.argwhere(upper).tolist()
            for _, sets in sets_around(near, x, y, order)
        )
        assert number_of_tests(adjacent, order) == listed


def test_the_released_plan_counts_all_orders_again_and_never_an_edge():
    d, full = 4, ~np.eye(4, dtype=bool)
    plan = PlanReleased(d, 2.0, 1e-12, 1.0)
    first = plan.begin(0, full)
    tests = tuple(6.0 * math.comb(2, k) for k in range(3))
    assert first == allot(advanced_norm(2.0, 1e-12), tests, (1.0,) * 3, 2)[0]
    plan.charge(first)
    second = plan.begin(1, np.zeros((d, d), dtype=bool))
    left = 2.0 - advanced_cost(first**2, 1e-12)
    assert second == allot(advanced_norm(left, 1e-12), tests[1:], (1.0,) * 2, 2)[0]
    for _ in range(1000):
        plan.charge(second)
    with pytest.raises(NoMoreTests):
        plan.begin(2, full)


def test_the_repaired_plan_follows_the_edges_that_are_left():
    full = ~np.eye(4, dtype=bool)
    few = np.zeros((4, 4), dtype=bool)
    few[0, 1] = few[1, 0] = few[1, 2] = few[2, 1] = True
    shares = []
    for adjacent in (full, few):
        plan = PlanOfFilters(100_000, (2,) * 4, ProvedMargin(0.1, 0.0), 2, 1, 50.0)
        first = plan.begin(0, full)
        for _ in range(6):
            plan.reserve(first)
        shares.append(plan.begin(1, adjacent))
    assert shares[1] > 2 * shares[0]


@pytest.mark.parametrize(
    ("records", "method", "run", "wrong"),
    [
        (
            SMALL,
            REPAIRED,
            lambda t, rng: curate_repaired(t, epsilon=0.2, rounds=2, rng=rng, max_order=1),
            {"epsilon": 4.0},
        ),
        (
            LARGE,
            RELEASED,
            lambda t, rng: curate_released(t, epsilon=2.0, rng=rng, max_order=1),
            {"tweak": 0.04},
        ),
    ],
    ids=["repaired", "released"],
)
def test_runs_one_at_a_time_have_the_exact_law(records, method, run, wrong):
    table, rng = coded_records(records), np.random.default_rng(4)
    law = distribution(method(records))
    assert sum(law.values()) == pytest.approx(1, abs=1e-12)
    graphs = [graph_code(run(table, rng).cpdag) for _ in range(1500)]
    assert chi_squared(law, graphs) > RARE
    other = distribution(method(records, **wrong))
    assert set(graphs) - other.keys() or chi_squared(other, graphs) < RARE / 10


@pytest.mark.parametrize(("columns", "levels"), [(2, 2), (3, 2), (3, 5)])
def test_cells_are_the_records_counted_one_by_one(columns, levels):
    records = np.random.default_rng(columns).integers(levels, size=(200, columns))
    slow = Counter(tuple(int(value) for value in record) for record in records)
    assert _cells(records, levels) == tuple(sorted(slow.items()))


def test_the_repaired_one_keeps_its_promise_and_the_released_one_does_not():
    sound, twin = (one for one in MECHANISMS if "curate" in one.name)
    for pair in (STRATUM_PAIR, TWO_STRATA_PAIR):
        method = sound.run.keywords["method"]
        assert pair_epsilon(pair, method) <= sound.promise.epsilon
    assert twin.true_epsilon > 3 * twin.promise.epsilon
    # Not for want of charging: at most 3 tests of either order, whose ε are largest where nothing
    # was charged before, stay within the total together.
    method = twin.run.keywords["method"].keywords
    unit = p_value_sensitivity_curate(len(TWO_STRATA_PAIR[0]))
    plan, full = PlanReleased(3, method["epsilon"], 1e-12, 0.005 / unit), ~np.eye(3, dtype=bool)
    assert 3 * (plan.begin(0, full) + plan.begin(1, full)) < twin.promise.epsilon


def test_what_is_released_is_charged_by_its_answers():
    table = coded_records(SMALL)
    found = [
        curate_released(table, epsilon=0.5, rng=np.random.default_rng(seed), max_order=1)
        for seed in range(60)
    ]
    assert all(len(f.answers) == f.spent.rounds * len(f.spent.parts) for f in found)
    # A run that asked and was charged nothing, and one that kept an edge within the band.
    assert any(f.spent.basic() == (0.0, 0.0) and f.tests for f in found)
    assert any(not a.deleted for f in found for a in f.answers)


def test_the_repaired_one_charges_its_rounds_whatever_was_spent():
    table = coded_records(SMALL)
    for seed in range(5):
        found = curate_repaired(table, epsilon=0.3, rounds=4, rng=np.random.default_rng(seed))
        assert (found.spent.rounds, found.spent.epsilon) == (4, 0.3)
        assert all(answer.deleted for answer in found.answers)


def test_bad_arguments_are_refused():
    table, rng = coded_records(SMALL), np.random.default_rng(1)
    for bad, words in (
        ({"epsilon": 0.0}, "epsilon is"),
        ({"alpha": 1.5}, "alpha is"),
        ({"tweak": 0.05}, "tweak is"),
        ({"max_order": -1}, "max_order is"),
    ):
        with pytest.raises(UsageError, match=words):
            curate_released(table, **{"epsilon": 1.0, "rng": rng, **bad})
    for bad, words in (
        ({"epsilon": -1.0}, "epsilon is"),
        ({"rounds": 0}, "rounds is"),
        ({"alpha": 0.5}, "alpha is"),
    ):
        with pytest.raises(UsageError, match=words):
            curate_repaired(table, **{"epsilon": 1.0, "rounds": 1, "rng": rng, **bad})
    for budget, tests, gaps, power in (
        (0.0, (1.0,), (1.0,), 1),
        (1.0, (), (), 1),
        (1.0, (0.0,), (1.0,), 1),
        (1.0, (1.0,), (1.0, 1.0), 1),
        (1.0, (1.0,), (1.0,), 3),
    ):
        with pytest.raises(UsageError, match=r"budget is|tests is"):
            allot(budget, tests, gaps, power)
    with pytest.raises(UsageError, match="4 columns"):
        curate_released_runs(((0, 1, 0, 1),) * 9, epsilon=1.0, max_order=0)
    assert p_value_sensitivity_curate(100) == pytest.approx(0.07253)
