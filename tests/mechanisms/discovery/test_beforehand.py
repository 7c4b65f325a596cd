from __future__ import annotations

import time
from functools import partial

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.methods import runtime_estimate
from provado.mechanisms.graph_discovery.methods.method import REQUIRED, every_order, methods
from provado.mechanisms.graph_discovery.methods.pc import Test as CiTest
from provado.mechanisms.graph_discovery.methods.pc import pc
from provado.mechanisms.graph_discovery.methods.runtime_estimate import (
    at_order,
    seconds_as_tests,
    time_tests,
)
from provado.mechanisms.graph_discovery.methods.runtime_estimate import tests_within as within
from provado.mechanisms.graph_discovery.search import work_limits
from provado.mechanisms.graph_discovery.search.skeleton import find_skeleton
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from provado.mechanisms.graph_discovery.tables.numeric import NumericTable

D = 5
EVERY = [pytest.param(m, id=f"{m.name}-{m.version}") for m in methods()]
ASKING = [m for m in methods() if m.private and m.plan is None]
"""Those that ask the records; a method with a plan asks what it released."""
PRIVATE = [pytest.param(m, id=f"{m.name}-{m.version}") for m in ASKING]
PLANNED = [m for m in methods() if m.plan is not None]


def discrete(seed=0, n=400, levels=(2, 3, 2, 3, 2)):
    rng = np.random.default_rng(seed)
    shared = rng.random(n)
    mixed = np.where(rng.random((D, n)) < 0.5, shared, rng.random((D, n)))
    codes = (mixed * np.array(levels)[:, None]).astype(np.uint8)
    return CodedTable(tuple("abcde"), levels, codes, None, n)


def numeric(seed=0, n=30):
    rng = np.random.default_rng(seed)
    return NumericTable(tuple("abcde"), np.tanh(rng.normal(size=(D, n)) + rng.normal(size=n)))


def called(method, seed=0):
    """The method with what it needs, and its table."""
    given = {"threshold": 0.9, "tweak": 0.01, "permutations": 9}
    found = {
        name: given.get(name, 0.05) if default is REQUIRED or name == "permutations" else default
        for name, default in method.parameters.items()
    }
    if "test" in found:
        found["test"] = CiTest(found["test"])
    if method.plan is not None:
        table = discrete()
        found["plan"] = method.plan(table.n, table.levels, epsilon=2.0, delta=1e-6)
    elif method.private:
        found |= {"epsilon": 2.0} | ({} if method.flaw else {"rounds": 6})
    if method.drawn:
        found["rng"] = np.random.default_rng(seed)
    return found, numeric() if method.numeric else discrete()


def run(method, **bounds):
    arguments, table = called(method)
    return method.function(table, **arguments, **bounds)


@pytest.mark.parametrize("method", EVERY)
def test_every_method_keeps_to_its_tests_and_to_what_it_said_beforehand(method):
    tests = []
    whole = run(method, seen=lambda order, number: tests.append((order, number)))
    most = method.tests(D, 400 if not method.numeric else 30, None)
    for order, said in enumerate(most):
        assert sum(number for k, number in tests if k == order) <= said
    assert max((k for k, _ in tests), default=0) < len(most)
    for bound in range(1, whole.tests + 1, 3):
        found = run(method, max_tests=bound)
        assert found.tests <= bound
        if method.counts == "tests":
            # Each edge that is gone has the set that did it, and would be gone by the end.
            gone = {tuple(pair) for pair in np.argwhere(np.triu(~found.skeleton, 1)).tolist()}
            assert gone == set(found.separating)
            assert found.separating.items() <= whole.separating.items()
        assert found.complete == (found.stopped is None)
        if found.stopped != "tests":
            assert (found.tests, found.stopped) == (whole.tests, whole.stopped)
    assert run(method, max_tests=1).stopped == "tests"


@pytest.mark.parametrize("method", PRIVATE)
def test_a_private_method_that_is_cut_short_tells_what_the_whole_run_tells_so_far(method):
    whole = run(method)
    shorter = 0
    for bound in range(1, whole.tests + 1):
        found = run(method, max_tests=bound)
        assert found.answers == whole.answers[: len(found.answers)]
        shorter += len(found.answers) < len(whole.answers)
        # The charge of a repaired method is that of all rounds, however early it ends.
        if method.flaw is None:
            assert found.spent == whole.spent
    assert shorter or not whole.answers


def never():
    raise AssertionError("the clock was looked at")


@pytest.mark.parametrize("method", PRIVATE)
def test_a_private_method_never_looks_at_the_clock(method, monkeypatch):
    monkeypatch.setattr(runtime_estimate, "time_tests", lambda *_: (0.25, 0.5))
    monkeypatch.setattr(work_limits.time, "monotonic", never)
    arguments, table = called(method)
    last = len(method.tests(D, table.n, None)) - 1
    found = run(method, seconds=2.0)
    assert found.tests <= within(2.0, (0.25, 0.5), last)
    assert found.tests == run(method, max_tests=within(2.0, (0.25, 0.5), last)).tests
    # The broken twin: the same method without the conversion.
    with pytest.raises(AssertionError, match="clock was looked at"):
        method.function.__wrapped__(table, **arguments, seconds=2.0)


def test_every_private_method_converts_seconds():
    assert PRIVATE
    for method in methods():
        converts = hasattr(method.function, "__wrapped__")
        assert converts == (method in ASKING), f"{method.name}: seconds_as_tests"


@pytest.mark.parametrize("method", PLANNED, ids=lambda method: method.name)
def test_what_is_asked_of_released_tables_may_end_whenever(method):
    whole = run(method)
    for bound in (1, 4, whole.tests):
        found = run(method, max_tests=bound)
        assert found.tried == whole.tried[:bound]
        # All tables of pairs are paid for before the first test.
        assert found.tables.plan.cost() == whole.tables.plan.cost()
    assert run(method, seconds=1e-9).stopped == "seconds"


@pytest.mark.parametrize("method", [m for m in methods() if m.plan is None])
def test_the_tests_of_every_method_can_be_timed(method):
    arguments, table = called(method)
    rng = arguments.get("rng")
    state = None if rng is None else rng.bit_generator.state
    times = time_tests(method.function, table, arguments)
    assert 1 <= len(times) <= 5
    assert all(seconds > 0 for seconds in times)
    if len(method.tests(D, 400, None)) > 1:
        assert len(times) >= 2
    # The caller's randomness is not touched.
    assert rng is None or rng.bit_generator.state == state


def recorder(tables):
    """A method that notes the tables it is given."""

    @seconds_as_tests(every_order)
    def method(data, *, epsilon, **bounds):
        tables.append((data, epsilon))
        return find_skeleton(len(data.names), lambda x, y, s: False, **bounds)

    return method


def same_codes(first, second):
    return np.array_equal(first.codes, second.codes) and first.levels == second.levels


def test_timing_sees_the_form_of_the_records_and_nothing_else():
    seen = []
    for seed in (1, 2):
        tables = []
        recorder(tables)(discrete(seed), epsilon=1.0, seconds=1.0)
        *timed, (last, epsilon) = tables
        assert epsilon == 1.0
        assert same_codes(last, discrete(seed))
        assert [len(table.names) for table, _ in timed] == [3, 5]
        assert all(e == 1000 for _, e in timed)
        seen.append([table for table, _ in timed])
    assert all(map(same_codes, *seen))
    # With the twin's eyes, which look at the records themselves, they differ.
    assert not same_codes(discrete(1), discrete(2))
    # The columns of the most levels are made up, with as many rows.
    assert seen[0][0].levels == (3, 3, 2)
    assert {table.n for table in seen[0]} == {400}


def test_a_table_of_counts_is_made_up_with_counts():
    short = discrete().onto(range(D))
    tables = []
    recorder(tables)(short, epsilon=1.0, seconds=1.0)
    assert all(int(t.counts.sum()) == t.n == 400 for t, _ in tables)


def test_seconds_become_tests_of_the_dearest_order():
    times = 0.001, 0.004, 0.002
    assert within(1.0, times, 0) == 1000
    assert within(1.0, times, 2) == 250
    # Order 5 reads seven columns, order 2 four.
    assert at_order(times, 5) == pytest.approx(0.002 * 7 / 4)
    assert within(1.0, times, 8) == int(1 / (0.002 * 10 / 4))
    assert within(1e-9, times, 0) == 1
    # Whatever the orders, that many tests fit in.
    for orders in np.random.default_rng(0).integers(0, 9, (50, within(1.0, times, 8))):
        assert sum(at_order(times, int(k)) for k in orders) <= 1.0


def test_the_smaller_of_both_bounds_holds(monkeypatch):
    monkeypatch.setattr(runtime_estimate, "time_tests", lambda *_: (0.5,) * 9)
    ask = partial(recorder([]), discrete(), epsilon=1.0)
    assert ask(seconds=3.0).tests == 6
    assert ask(seconds=3.0, max_tests=5).tests == 5
    assert ask(seconds=3.0, max_tests=7).tests == 6
    with pytest.raises(UsageError, match="seconds is 0"):
        ask(seconds=0)


def test_timing_ends_however_long_a_test_takes(monkeypatch):
    clock = iter(range(10**6))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(clock)))
    # Six tests of three columns, each a second of this clock; six columns are not timed then.
    assert time_tests(recorder([]), discrete(), {"epsilon": 1.0}) == (1.0, 1.0)


@pytest.mark.parametrize("n", [3, 4, 7])
def test_few_records_are_made_up_so_that_they_can_be_tested(n):
    table = CodedTable(tuple("abcde"), (2,) * D, discrete(n=n).codes % 2, None, n)
    arguments = {"alpha": 0.1, "test": CiTest.KENDALL}
    assert all(seconds > 0 for seconds in time_tests(pc, table, arguments))


def test_a_method_that_tells_of_no_test_counts_as_one():
    def silent(data, *, seen):
        pass

    (seconds,) = time_tests(silent, discrete(), {})
    assert seconds > 0


def test_made_up_columns_are_collapsed_where_the_table_is():
    wide = CodedTable(tuple("abcdefgh"), (4,) * 8, np.zeros((8, 4096), np.uint8), None, 4096)
    narrow = CodedTable(tuple("abc"), (4,) * 3, np.zeros((3, 4096), np.uint8), None, 4096)
    for table, collapsed in ((wide, False), (narrow, True)):
        tables = []
        recorder(tables)(table, epsilon=1.0, seconds=1.0)
        *timed, (own, _) = tables
        assert (own.collapsed() is not own) == collapsed
        assert all((made.collapsed() is not made) == collapsed for made, _ in timed)
