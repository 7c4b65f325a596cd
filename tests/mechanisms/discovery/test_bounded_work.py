from __future__ import annotations

from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.exact.graph_distribution import svt_pc_runs
from provado.mechanisms.graph_discovery.independence_tests.discrete import shared_answers
from provado.mechanisms.graph_discovery.independence_tests.margin import ProvedMargin
from provado.mechanisms.graph_discovery.methods.pc import Test as CiTest
from provado.mechanisms.graph_discovery.methods.pc import discover, pc
from provado.mechanisms.graph_discovery.search import work_limits
from provado.mechanisms.graph_discovery.search.skeleton import find_skeleton, search_skeleton
from provado.mechanisms.graph_discovery.search.work_limits import (
    NoMoreTests,
    WorkLimiter,
    most_tests,
)
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from provado.reports.commands.reproduce.sources.networks import load_network
from tests.mechanisms.discovery.random_graphs import lying, names
from tests.mechanisms.exact import graphs

D = 5


def noisy(n=300, d=D, seed=0):
    """Columns that all depend on one that is not there."""
    rng = np.random.default_rng(seed)
    shared = rng.integers(0, 3, n)
    codes = np.where(rng.random((d, n)) < 0.6, shared, rng.integers(0, 3, (d, n)))
    return CodedTable(names(d), (3,) * d, codes.astype(np.uint8), None, n)


def cut(independent, most):
    """The slow twin: a test that is not answered any more after so many."""
    left = iter(range(most))

    def answer(x, y, s):
        if next(left, None) is None:
            raise NoMoreTests("tests")
        return independent(x, y, s)

    return answer


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(1, 60), st.booleans())
def test_an_answer_so_far_is_that_of_a_test_that_falls_silent(seed, most, stable):
    independent = lying(seed, D)
    found = find_skeleton(D, independent, stable=stable, max_tests=most)
    slow = find_skeleton(D, cut(independent, most), stable=stable)
    assert np.array_equal(found.adjacency, slow.adjacency)
    assert found.separating == slow.separating
    assert (found.tests, found.stopped) == (slow.tests, slow.stopped)
    assert found.tests <= most
    whole = find_skeleton(D, independent, stable=stable)
    assert found.complete == (whole.tests <= most)
    assert not np.any(whole.adjacency & ~found.adjacency)


def test_answers_that_are_computed_ahead_are_cut_at_the_same_test():
    data = noisy()
    answers = {m: shared_answers(data, CiTest.CHI_SQUARED, 0.05) for m in range(1, 90)}
    whole = pc(data, alpha=0.05, test=CiTest.CHI_SQUARED, orientation="first")
    assert whole.complete
    assert 50 < whole.tests < 90
    for most, ahead in answers.items():
        asked = []

        def alone(x, y, s, asked=asked):
            asked.append((x, y, s))
            ((_, apart),) = shared_answers(data, CiTest.CHI_SQUARED, 0.05)(x, y, s, iter([s]))
            return apart

        slow = find_skeleton(D, cut(alone, most))
        fast = search_skeleton(D, ahead, watch=WorkLimiter(max_tests=most))
        assert np.array_equal(fast.adjacency, slow.adjacency)
        assert fast.separating == slow.separating
        assert fast.tests == slow.tests == len(asked) == min(most, whole.tests)
        assert fast.stopped == slow.stopped == (None if most >= whole.tests else "tests")


def unpassed(search, independent, most):
    """The pairs that a search has taken apart without a test that passed."""
    passed = set()

    def noted(x, y, s):
        apart = independent(x, y, s)
        if apart:
            passed.add((x, y, s))
        return apart

    found = search(noted, most)
    gone = np.argwhere(np.triu(~found.adjacency, 1)).tolist()
    return [(x, y) for x, y in gone if (x, y, found.separating.get((x, y))) not in passed]


def bounded(independent, most):
    return find_skeleton(D, independent, max_tests=most)


def hasty(independent, most):
    """A broken twin: it takes what it has not tested to be independent."""
    left = iter(range(most))
    return find_skeleton(D, lambda x, y, s: next(left, None) is None or independent(x, y, s))


def forgetful(independent, most):
    """A broken twin: it lets go of the edges that were not tested to the end."""
    found = find_skeleton(D, independent, max_tests=most)
    kept = found.adjacency & found.complete
    return replace(found, adjacency=kept)


@pytest.mark.parametrize("twin", [hasty, forgetful])
def test_no_edge_goes_without_a_test_that_passed_and_twins_are_found(twin):
    wrong = 0
    for seed in range(10):
        independent = lying(seed, D)
        for most in range(1, 60, 7):
            assert unpassed(bounded, independent, most) == []
            wrong += bool(unpassed(twin, independent, most))
    assert wrong > 0


@pytest.mark.parametrize("orientation", ["first", "majority", "conservative"])
def test_pc_counts_the_tests_that_judge_triples_too(orientation):
    independent = lying(3, 6)
    whole = discover(names(6), independent, orientation=orientation)
    assert whole.complete
    for most in range(1, whole.tests + 2):
        asked = count()

        def counted(x, y, s, asked=asked):
            next(asked)
            return independent(x, y, s)

        found = discover(names(6), counted, orientation=orientation, max_tests=most)
        assert found.tests == next(asked) == min(most, whole.tests)
        assert found.complete == (most >= whole.tests)
        assert found.stopped == (None if found.complete else "tests")
    assert np.array_equal(found.cpdag, whole.cpdag)


def test_of_triples_that_are_not_judged_nothing_is_said():
    # Judged to the end the outer vertices collide in the middle; cut short nothing is directed.
    apart = {(0, 2): (), (0, 1): None, (1, 2): None}
    search = {"orientation": "majority"}

    def independent(x, y, s):
        return apart[x, y] == s

    whole = discover(names(3), independent, **search)
    assert whole.cpdag[0, 1]
    assert not whole.cpdag[1, 0]
    short = discover(names(3), independent, **search, max_tests=whole.tests - 1)
    assert short.stopped == "tests"
    assert np.array_equal(short.skeleton, whole.skeleton)
    assert np.array_equal(short.cpdag, short.cpdag.T)


class Clock:
    """A clock that goes on by a second each time that it is looked at."""

    def __init__(self):
        self.looks = 0

    def __call__(self):
        self.looks += 1
        return float(self.looks)


def test_seconds_end_a_search_by_the_clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(work_limits.time, "monotonic", clock)
    found = find_skeleton(D, lambda x, y, s: False, seconds=7.5)
    # Looked at once as it begins, then before each test: at 8 seconds the end at 8.5 is to come.
    assert (found.tests, found.stopped) == (7, "seconds")
    both = find_skeleton(D, lambda x, y, s: False, seconds=7.5, max_tests=3)
    assert (both.tests, both.stopped) == (3, "tests")
    table = pc(noisy(), alpha=0.05, seconds=12.5)
    assert table.stopped == "seconds"
    before = clock.looks
    assert find_skeleton(D, lambda x, y, s: False).complete
    assert clock.looks == before


@settings(max_examples=30)
@given(st.integers(2, 6), st.integers(0, 10**6), st.integers(0, 4))
def test_there_are_never_more_tests_than_was_said(d, seed, last):
    most = most_tests(d, last)
    by_order = [0] * len(most)

    def seen(order, tests):
        by_order[order] += tests

    found = find_skeleton(d, lying(seed, d), max_order=last, seen=seen)
    assert sum(by_order) == found.tests
    assert all(n <= m for n, m in zip(by_order, most, strict=True))
    # And there are as many where nothing is independent.
    assert find_skeleton(d, lambda x, y, s: False, max_order=last).tests == sum(most)


def test_bad_bounds_are_named():
    with pytest.raises(UsageError, match="max_tests is 0"):
        pc(noisy(), alpha=0.1, max_tests=0)
    with pytest.raises(UsageError, match="seconds is -1"):
        discover(names(3), lying(0, 3), seconds=-1)


RECORDS = np.random.default_rng(4).integers(0, 2, (40, 3))
NEIGHBOR = np.concatenate([1 - RECORDS[:1], RECORDS[1:]])


def ended(step, tests):
    """The courses of a search that ends after so many tests."""
    if step.asked is None:
        return step
    if not tests:
        return replace(step, asked=None, kept=None, deleted=None)
    kept, deleted = (ended(one, tests - 1) for one in (step.kept, step.deleted))
    return replace(step, kept=kept, deleted=deleted)


def distribution(records, tests):
    method = {"margin": ProvedMargin(0.3, 0.0), "epsilon": 0.5, "max_order": 1, "rounds": 2}
    run = svt_pc_runs(records, **method)
    return graphs.distribution(replace(run, start=ended(run.start, tests)))


def test_a_bound_fixed_beforehand_keeps_the_promise_and_one_by_the_data_breaks_it():
    promise = 2 * 0.5
    for tests in range(1, 7):
        first, second = (distribution(r, tests) for r in (RECORDS, NEIGHBOR))
        assert sum(first.values()) == pytest.approx(1)
        assert 0 < graphs.loss(first, second) <= promise
    # As a clock might end it, which goes by what the records are.
    assert graphs.loss(distribution(RECORDS, 2), distribution(NEIGHBOR, 3)) > promise


def test_pc_on_water_ends_with_an_answer():
    """PC alone would ask hundreds of thousands of tests of this network."""
    try:
        data = load_network("water").sample(2000, np.random.default_rng(0))
    except UsageError as missing:
        pytest.skip(str(missing))
    found = pc(data, alpha=0.05, test=CiTest.KENDALL, max_tests=20_000)
    assert (found.tests, found.stopped) == (20_000, "tests")
    gone = np.argwhere(np.triu(~found.skeleton, 1)).tolist()
    assert {tuple(pair) for pair in gone} == set(found.separating)
    # Each by a test that passes when it is asked alone.
    for (x, y), s in list(found.separating.items())[::20]:
        ((_, apart),) = shared_answers(data, CiTest.KENDALL, 0.05)(x, y, s, iter([s]))
        assert apart
